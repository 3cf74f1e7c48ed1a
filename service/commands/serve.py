"""``tilesight serve``: the live page of one table, or the page that sets it up."""

from __future__ import annotations

import contextlib
import functools
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from engine.errors import Refused
from engine.events import GameStart
from engine.rules import DEFAULT, RULE_SETS
from service.app import TableApp, create_set_up
from service.commands.opened import Opens, opened_by
from service.commands.options import (
    AnyRules,
    FirstDealer,
    Host,
    HouseRules,
    JsonLog,
    KeepTiles,
    Lang,
    Mirrored,
    OwnSet,
    ReadTwice,
    SeatCamera,
    SeatShift,
    SeatSide,
    TableFile,
    add_to,
)
from service.commands.score import reading_options, refuse_unknown_rules, tell_kept
from service.commands.serving import First, ServerAddress, listen, serve
from service.evening.open_table import OpenRecord, TableRequest, open_table
from service.evening.opening_page import OpeningPage
from service.evening.sent_records import keep_record
from service.evening.session import SetUpSession
from service.evening.studied_games import STUDY, Study, studied, studied_games
from service.evening.wire import OtherChoice
from service.film.mended import MendedFolder
from service.hall.posting import HallLink, Posting
from service.machine.files import to_stderr
from service.machine.records import load_record, read_bytes, rules_of_last, unused
from service.machine.weights import load_table_detector
from service.pages.network_door import NetworkDoor
from service.pages.request_log import LogSink, json_lines
from service.pages.settings import OpenTable, PageSettings, TableJob
from service.phone.server import OwnCertificate
from service.table.certificate import REHEARSALS
from service.table.options import Options
from service.table.reader import EmptyReader, EmptySource
from service.table.reader_maker import MakeReader, ReaderMaker
from service.table.record_file import RecordFile, last_of_evening
from service.table.score_pad import hides
from service.texts.catalogue import texts_of
from service.web.grants import Role
from service.web.keys import TableKeys, qr_text, seat_address, table_address
from vision.camera.address import readable
from vision.camera.live import is_live
from vision.camera.reconnecting import open_reconnecting


def run(
    source: str, make_reader: MakeReader, options: Options, hall: HallLink | None = None
) -> int:
    """Serve until interrupted, and send the record to ``hall``.

    Raises ``Refused``, ``SourceError`` before anything is served.
    """
    refuse_unknown_rules(options.rules)
    tell_kept(options.keep_tiles, options.lang)
    with listen(options.host, options.port) as listening:
        live = open_reconnecting(source, options.every_frame)
        request = TableRequest(
            live,
            make_reader,
            options.start,
            record_at(options.record or Path(), options.lang),
            options,
            lambda: load_table_detector(options.own_set),
            seats=[
                (film, open_reconnecting(film.source, options.every_frame))
                for film in options.films
            ],
        )
        _serve_one(listening, request, options, hall)
    return 0


def put_right(folder: Path, options: Options, hall: HallLink | None = None) -> int:
    """Serve what ``score`` wrote, to be put right, until interrupted; raises ``Refused``."""
    scored = MendedFolder(folder)
    with listen(options.host, options.port) as listening:
        request = TableRequest(
            EmptySource(scored.title),
            scored.make_reader,
            options.start,
            scored.record,
            replace(options, keep_tiles=None),
            lambda: load_table_detector(options.own_set),
            pictures=scored.pictures,
            has_next=False,
            whole=True,
        )
        _serve_one(listening, request, options, hall, [scored.job])
    return 0


def study(records: Sequence[Path], options: Options, hall: HallLink | None = None) -> int:
    """Serve played games without a camera, for drills and lessons; raises ``Refused``.

    They are kept in the folder ``study``, each game a record. One is at the table; people choose
    another one there.
    """
    hidden = [str(record) for record in records if hides(record)]
    if hidden:
        raise Refused(f"{hidden[0]} is in the shadow; end its evening first")
    folder = Path(STUDY)
    folder.mkdir(exist_ok=True)
    kept = [
        folder / keep_record(folder, record.name, read_bytes(str(record))) for record in records
    ]
    games = [game for path in kept for game in studied_games(path)]
    path = kept[0]
    with listen(options.host, options.port) as listening:
        request = TableRequest(
            EmptySource(readable(path.name)),
            EmptyReader,
            GameStart(rules_of_last(load_record(str(path))) or options.rules),
            path,
            replace(options, keep_tiles=None),
            lambda: load_table_detector(options.own_set),
            has_next=False,
        )
        _serve_one(listening, studied(request, games), options, hall)
    return 0


def _serve_one(
    listening: socket.socket,
    request: TableRequest,
    options: Options,
    hall: HallLink | None,
    jobs: Sequence[TableJob] = (),
) -> None:
    place = _place(listening, options)
    door = _door(place, options)

    @contextlib.contextmanager
    def opened(request: TableRequest, last: TableKeys | None) -> Iterator[OpenTable]:
        with open_table(request, last, door.listeners) as shown:
            where = {"source": request.source.name, "address": place.shown}
            watching = texts_of(options.lang)["cli.serve.watching"].format(**where)
            settings = page_settings(place, door, shown, options, watching, hall, jobs=jobs)
            yield OpenTable(shown.table, settings)

    async def show(request: TableRequest) -> OpenTable:
        meanwhile.opening = request.opening
        study = Study(request, show)
        return await pages.show(functools.partial(opened, request), request.let_go, study)

    meanwhile = OpeningPage(request.opening)
    pages = TableApp(place.hosts, _log(options), options.lang, meanwhile=meanwhile)
    door.listeners.app = pages.app
    first = First(lambda: show(request), lambda: meanwhile.opening.abandon())
    serve(uvicorn.Config(pages.app, log_level="warning", lifespan="on"), listening, door, first)


def set_up(options: Options, hall: HallLink | None = None) -> int:
    """Serve the set-up page, then the table that it opens, until interrupted."""
    rules = options.rules
    refuse_unknown_rules(rules)
    for fault in RULE_SETS.faults.values():
        to_stderr(f"tilesight: {fault}")
    texts = texts_of(options.lang)
    tell_kept(options.keep_tiles, options.lang)
    record = None if options.record is None else record_at(options.record, options.lang)
    if record is not None:
        _refuse_unusable(record)
    with listen(options.host, options.port) as listening:
        place = _place(listening, options)
        door = _door(place, options)
        session = SetUpSession(
            lambda: load_table_detector(options.own_set),
            Path.cwd(),
            replace(options, record=record),
            listeners=door.listeners,
        )

        @contextlib.contextmanager
        def opened(request: TableRequest, last: TableKeys | None) -> Iterator[OpenTable]:
            with open_table(request, last, door.listeners) as shown:
                name, home = request.source.name, home_of(request.record, hall)
                watching = texts["cli.serve.watching.set_up"].format(source=name)
                settings = page_settings(
                    place, door, shown, options, watching, home, can_set_up=True
                )
                yield OpenTable(shown.table, settings)

        async def show(request: TableRequest) -> str:
            study = Study(request, show)
            shown = await pages.show(functools.partial(opened, request), request.let_go, study)
            return table_address("", shown.keys.control)

        pages = create_set_up(session, show, place.hosts, _log(options), door)
        door.listeners.app = pages.app
        typer.echo(texts["cli.serve.set_up"].format(address=place.shown))
        if options.from_phone:
            session.on_phone = True
            session.choose(OtherChoice(kind="phone"))
            assert session.phone is not None, "it was chosen"
            typer.echo(texts["cli.serve.phone"].format(address=session.phone.address))
            typer.echo(qr_text(session.phone.address))
        try:
            serve(uvicorn.Config(pages.app, log_level="warning", lifespan="on"), listening, door)
        finally:
            session.close()
    return 0


def _log(options: Options) -> LogSink | None:
    return json_lines if options.json_log else None


def _place(listening: socket.socket, options: Options) -> ServerAddress:
    """HTTPS is for the network: this machine trusts itself."""
    place = ServerAddress(listening)
    return place if place.is_local else replace(place, secure=options.certificate is not None)


def _door(place: ServerAddress, options: Options) -> NetworkDoor:
    """The door to the network; it stands open where ``--host`` says so."""
    texts = texts_of(options.lang)
    door = NetworkDoor(place.port, options.certificate, options.named)

    def tell() -> None:
        if door.name is not None:
            typer.echo(texts["cli.serve.name"].format(address=door.name.address))

    def announce() -> None:
        door.announce(place.host)
        tell()

    door.on_opened.append(tell)
    if not place.is_local:
        door.found_at(place.host)
        threading.Thread(target=announce, daemon=True, name="local name").start()
    return door


def record_at(path: Path, lang: str = "en") -> Path:
    """A record to write: in a folder, the one of this evening, or a new one.

    A name without an ending is that of a folder; one that is made is told. Raises ``OSError``.
    """
    if path.is_file() or (path.suffix and not path.is_dir()):
        return path
    if not path.is_dir():
        path.mkdir(parents=True)
        typer.echo(texts_of(lang)["cli.serve.new_folder"].format(path=path))
    last = None if path == Path() else last_of_evening(path, to_stderr)
    return last or unused(path, "game", ".jsonl")


def _refuse_unusable(path: Path) -> None:
    """Raise ``Refused`` now for a record that no table could continue."""
    record = RecordFile(path)
    if record.cut:
        to_stderr(record.cut)
    record.close()


def home_of(record: Path, hall: HallLink | None) -> HallLink | None:
    """The hall to which a record goes: none for what counts in no standings here."""
    return None if record.parent.name in (STUDY, REHEARSALS) else hall


def page_settings(
    place: ServerAddress,
    door: NetworkDoor,
    shown: OpenRecord,
    options: Options,
    watching: str,
    hall: HallLink | None = None,
    can_set_up: bool = False,
    jobs: Sequence[TableJob] = (),
) -> PageSettings:
    """How the pages of a table are served.

    As soon as they answer, the line ``watching`` is printed, then their addresses.
    """
    path, log = shown.record.path, _log(options)
    if hall is not None and shown.pad is not None and not shown.pad.over:
        raise Refused("a table in the shadow tells nothing, a hall neither; leave --hall-url out")
    posting = [] if hall is None else [Posting(hall, path.name).job]
    if log is not None:
        shown.table.on_notice = lambda notice: log(
            "notice", {"about": notice.kind, "text": notice.text, "t": notice.time_s}
        )
    return PageSettings(
        place.hosts,
        shown.keys,
        door,
        Role.SCORER if place.is_local else None,
        can_set_up,
        shown.dispute,
        shown.agreed,
        shown.pad,
        path.absolute().parent,
        log,
        [*posting, *jobs],
        film=shown.film,
        on_shown=functools.partial(_tell, place, door, shown, watching, texts_of(options.lang)),
    )


def _tell(
    place: ServerAddress,
    door: NetworkDoor,
    shown: OpenRecord,
    watching: str,
    texts: Mapping[str, str],
) -> None:
    """Print what whoever started the program needs to know."""
    typer.echo(watching)
    record = shown.record
    for remark in record.remarks:
        typer.echo(remark, err=True)
    if record.entries:
        last = {"number": len(record.entries) - 1, "path": record.path}
        typer.echo(texts["cli.serve.goes_on"].format(**last))
    typer.echo(texts["cli.serve.record"].format(path=record.path))
    told: set[str] = set()

    def tell_addresses() -> None:
        """Print those that are new."""
        for line in told_addresses(place, door, shown, texts):
            if line not in told:
                told.add(line)
                typer.echo(line)

    tell_addresses()
    door.on_opened.append(tell_addresses)
    shown.keys.on_ended.append(lambda _: tell_addresses())


def told_addresses(
    place: ServerAddress, door: NetworkDoor, shown: OpenRecord, texts: Mapping[str, str]
) -> Iterator[str]:
    base, keys = door.base or place.shown, shown.keys
    # Only this machine itself may set another table up.
    control = table_address(place.shown if place.is_local else base, keys.control)
    viewer, scorer = (table_address(base, key) for key in (keys.viewer, keys.scorer))
    if shown.pad is not None and not shown.pad.over:
        for address in (control,) if door.base is None else (scorer, control):
            yield texts["cli.serve.pad"].format(address=address)
        return
    if door.base is not None:
        yield texts["cli.serve.viewer"].format(address=viewer)
        yield texts["cli.serve.scorer"].format(address=scorer)
    for seat, key in enumerate(keys.seats):
        yield texts["cli.serve.seat"].format(seat=seat, address=seat_address(base, key))
    yield texts["cli.serve.admin"].format(address=control)


app = typer.Typer(add_completion=False)


@add_to(app, "serve")
def command(
    given: Annotated[
        list[str] | None,
        typer.Argument(metavar="CAMERA|FILM|RECORD|FOLDER", help="help.serve.source"),
    ] = None,
    every_frame: Annotated[
        bool, typer.Option("--every-frame", help="help.serve.every_frame")
    ] = False,
    rules: AnyRules = None,
    option: HouseRules = None,
    table: TableFile = None,
    seat0: SeatSide = None,
    own_set: OwnSet = None,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="help.port")] = 8000,
    record: Annotated[Path | None, typer.Option(help="help.serve.record")] = None,
    lang: Lang = None,
    json_log: JsonLog = False,
    hall_url: Annotated[str | None, typer.Option(help="help.serve.hall_url")] = None,
    hall_key_file: Annotated[Path | None, typer.Option(help="help.serve.hall_key_file")] = None,
    seat_camera: SeatCamera = None,
    seat_shift: SeatShift = None,
    first_dealer: FirstDealer = None,
    mirrored: Mirrored = None,
    keep_tiles: KeepTiles = None,
    read_twice: ReadTwice = None,
    phone: Annotated[bool, typer.Option("--phone", help="help.serve.phone")] = False,
    cert: Annotated[Path | None, typer.Option(help="help.serve.cert")] = None,
    cert_key: Annotated[Path | None, typer.Option(help="help.serve.cert_key")] = None,
    local_name: Annotated[
        bool, typer.Option("--local-name/--no-local-name", help="help.serve.local_name")
    ] = True,
    shadow: Annotated[bool, typer.Option("--shadow", help="help.serve.shadow")] = False,
) -> int:
    if shadow and hall_url is not None:
        raise Refused("--shadow tells nothing, a hall neither; leave --hall-url out")
    if (cert is None) != (cert_key is None):
        raise Refused("--cert and --cert-key are given together, or neither")
    if (hall_url is None) != (hall_key_file is None):
        raise Refused("--hall-url and --hall-key-file are given together, or neither")
    link = None
    if hall_url is not None and hall_key_file is not None:
        link = HallLink.of(hall_url, hall_key_file)
    own = None if cert is None or cert_key is None else OwnCertificate.load(cert, cert_key)
    options = replace(
        reading_options(
            rules=rules or DEFAULT, lang=lang, table=table, seat0=seat0, own_set=own_set,
            first_dealer=first_dealer, mirrored=mirrored, seat_camera=seat_camera,
            seat_shift=seat_shift, keep_tiles=keep_tiles, option=option,
            read_twice=read_twice,
        ),
        every_frame=every_frame,
        record=record,
        host=host,
        port=port,
        named=local_name,
        certificate=own,
        from_phone=phone,
        json_log=json_log,
        shadow=shadow,
    )  # fmt: skip
    words = given or []
    opens = opened_by(words)
    if opens in (Opens.RECORDS, Opens.FOLDER):
        if phone or record is not None:
            raise Refused("a record or a folder needs no camera; leave --phone and --record out")
        if shadow:
            raise Refused("--shadow watches a game; give a camera or a film")
        if opens is Opens.FOLDER:
            return put_right(Path(words[0]), options, link)
        return study([Path(word) for word in words], options, link)
    if phone and words:
        raise Refused("--phone takes the phone's pictures; give no camera or film")
    reader = ReaderMaker.of(options)
    if words:
        waits = every_frame and not is_live(words[0])
        return run(words[0], reader if waits else reader.of_camera(), options, link)
    if options.films:
        raise Refused("without a camera, each seat's page lets its own phone watch its hand")
    if table is not None or seat0 is not None:
        raise Refused("without a camera, the page asks where the table lies and who sits where")
    if first_dealer is not None:
        raise Refused("without a camera, the page asks who dealt first")
    if mirrored is not None:
        raise Refused("without a camera, the page asks whether the picture is mirrored")
    if option:
        raise Refused("without a camera, the page asks for the house rules")
    return set_up(options, link)
