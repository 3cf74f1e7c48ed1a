"""``tilesight serve``: the live page of one table, or the page that sets it up."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
import uvicorn
from fastapi import FastAPI

from engine.events import GameStart
from engine.rules import RULE_SETS
from service.access.grants import Role
from service.access.seat_keys import SeatKeys, seat_address, table_address
from service.commands.score import refuse_unknown_rules
from service.commands.serving import Place, listen, serve
from service.hall.posting import HallLink, Posting
from service.pages.app import Beside, create_app
from service.pages.request_log import Tell
from service.pages.set_up_or_table import Stage
from service.private_files import to_person
from service.seat_camera.films import SeatFilm
from service.setup.open_table import Opened, Wanted, opened
from service.setup.pages import create_set_up
from service.setup.readers import MakeReader
from service.setup.session import Defaults, SetUp
from service.weights import load_detector
from service.words.catalogue import words_of
from vision.camera.reconnecting import open_reconnecting


def run(
    source: str,
    every_frame: bool,
    start: GameStart,
    host: str,
    port: int,
    record: Path | None,
    make_reader: MakeReader,
    lang: str = "en",
    own_set: Path | None = None,
    tell: Tell | None = None,
    hall: HallLink | None = None,
    films: Sequence[SeatFilm] = (),
) -> int:
    """Serve until interrupted; raises ``Refused``, ``SourceError`` before anything is served.

    ``start`` is how a game begins that is not in the record yet.
    """
    refuse_unknown_rules(start.rules)
    words_of(lang)
    with listen(host, port) as listening:
        place = Place(listening)
        live = open_reconnecting(source, every_frame)
        path = record or Path(time.strftime("game-%Y%m%d-%H%M%S.jsonl"))
        wanted = Wanted(
            live,
            make_reader,
            start,
            path,
            lang,
            lambda: load_detector(own_set),
            seats=[(film, open_reconnecting(film.source, every_frame)) for film in films],
        )
        with opened(wanted) as open_table:
            typer.echo(f"watching {live.name}; the page is at {place.shown}/")
            _tell(place, open_table, tell)
            app = create_app(
                open_table.table,
                place.hosts,
                open_table.keys,
                place.base,
                dispute=open_table.dispute,
                records=open_table.record.path.resolve().parent,
                without_key=_without_key(place),
                tell=tell,
                beside=_beside(hall, path),
            )
            serve(uvicorn.Config(app, log_level="warning"), listening)
    return 0


def set_up(
    rules: str,
    host: str,
    port: int,
    record: Path | None,
    own_set: Path | None,
    lang: str = "en",
    tell: Tell | None = None,
    hall: HallLink | None = None,
) -> int:
    """Serve the set-up page, then the table that it opens, until interrupted."""
    refuse_unknown_rules(rules)
    for fault in RULE_SETS.faults.values():
        to_person(f"tilesight: {fault}")
    words_of(lang)
    with listen(host, port) as listening:
        place = Place(listening)
        setting = SetUp(
            lambda: load_detector(own_set),
            Path.cwd(),
            Defaults(rules, lang, record, own_set),
        )

        async def show(wanted: Wanted) -> str:
            shown: list[Opened] = []
            await stage.show(lambda: _table_app(place, wanted, shown, tell, hall), wanted.let_go)
            return table_address("", shown[0].keys.control)

        stage = Stage(create_set_up(setting, show, place.hosts, tell, lambda: stage.keys))
        typer.echo(f"set the table up at {place.shown}/ ; Ctrl+C ends")
        try:
            serve(uvicorn.Config(stage, log_level="warning", lifespan="on"), listening)
        finally:
            setting.close()
    return 0


@contextlib.contextmanager
def _table_app(
    place: Place, wanted: Wanted, shown: list[Opened], tell: Tell | None, hall: HallLink | None
) -> Iterator[tuple[FastAPI, SeatKeys]]:
    with opened(wanted) as open_table:
        typer.echo(f"watching {wanted.source.name}")
        _tell(place, open_table, tell)
        shown.append(open_table)
        table, keys = open_table.table, open_table.keys
        folder = open_table.record.path.resolve().parent
        app = create_app(
            table,
            place.hosts,
            keys,
            place.base,
            can_set_up=True,
            dispute=open_table.dispute,
            records=folder,
            without_key=_without_key(place),
            tell=tell,
            beside=_beside(hall, wanted.record),
        )
        yield app, keys


def _without_key(place: Place) -> Role | None:
    """What may be done without a key: at this machine itself, to watch and to mend."""
    return Role.SCORER if place.is_local else None


def _beside(hall: HallLink | None, record: Path) -> Sequence[Beside]:
    """What else goes on while the table is served: its lines go to a hall."""
    if hall is None:
        return ()
    say = functools.partial(typer.echo, err=True)
    return (Posting(hall, record.name, say).run,)


def _tell(place: Place, shown: Opened, tell: Tell | None) -> None:
    """Say what whoever started the program needs to know."""
    if tell is not None:
        shown.table.on_notice = lambda notice: tell(
            "notice", {"about": notice.kind, "text": notice.text, "t": notice.time_s}
        )
    record = shown.record
    if record.cut:
        typer.echo(record.cut, err=True)
    if record.entries:
        typer.echo(f"the game goes on after event {len(record.entries) - 1} of {record.path}")
    typer.echo(f"the record goes to {record.path}; Ctrl+C ends")
    _tell_addresses(place, shown.keys)
    shown.keys.on_renewed.append(functools.partial(_tell_addresses, place, shown.keys))


def _tell_addresses(place: Place, keys: SeatKeys) -> None:
    if not place.is_local:
        typer.echo(f"to watch: {table_address(place.base, keys.viewer)}")
        typer.echo(f"to put the record right: {table_address(place.base, keys.scorer)}")
    for seat, key in enumerate(keys.seats):
        typer.echo(f"seat {seat} alone: {seat_address(place.base, key)}")
    control = table_address(place.base, keys.control)
    typer.echo(f"the seats as QR codes, for you alone: {control}")
