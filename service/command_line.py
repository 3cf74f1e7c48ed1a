"""The commands of ``tilesight``, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from service.commands.options import (
    AnyRules,
    Database,
    DatasetFormat,
    ExportFormat,
    FirstDealer,
    Host,
    JsonLog,
    KeepTiles,
    Lang,
    LogFormat,
    Mirrored,
    OwnSet,
    Players,
    Rules,
    SeatCamera,
    SeatShift,
    SeatSide,
    TableFile,
    WordedGroup,
    add_to,
)
from service.texts.catalogue import terminal_language

app = typer.Typer(name="tilesight", add_completion=False, pretty_exceptions_enable=False)

# Commands import what they need: reading a record must not wait for OpenCV to load.


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"tilesight {version('tilesight')}")
        raise typer.Exit


@app.callback(cls=WordedGroup, help="command.tilesight")
def program(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="help.version")
    ] = False,
) -> None:
    """The program itself."""


@add_to(app, "replay")
def replay(
    record: Annotated[str, typer.Argument(help="help.record")],
    lang: Lang = None,
    as_json: Annotated[bool, typer.Option("--json", help="help.replay.json")] = False,
    seat: Annotated[int | None, typer.Option(min=0, max=3, help="help.replay.seat")] = None,
    hints: Annotated[bool, typer.Option("--hints", help="help.replay.hints")] = False,
    go_on: Annotated[bool, typer.Option("--go-on", help="help.replay.go_on")] = False,
) -> int:
    from service.commands import replay as command

    return command.run(record, lang or terminal_language(), as_json, seat, hints, go_on)


@add_to(app, "import")
def import_log(
    file: Annotated[str, typer.Argument(help="help.import.file")],
    form: Annotated[LogFormat | None, typer.Option("--format", help="help.import.format")] = None,
) -> int:
    from service.commands import export as command

    return command.import_log(file, form)


@add_to(app, "export")
def export(
    record: Annotated[str, typer.Argument(help="help.record")],
    form: Annotated[ExportFormat, typer.Option("--format", help="help.export.format")],
) -> int:
    from service.commands import export as command

    return command.run(record, form)


@add_to(app, "check")
def check(
    source: Annotated[str, typer.Argument(help="help.check.source")],
    table: TableFile = None,
    seconds: Annotated[float, typer.Option(help="help.check.seconds")] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="help.check.json")] = False,
    out: Annotated[Path, typer.Option(help="help.check.out")] = Path("tilesight-check.jpg"),
    own_set: OwnSet = None,
    mirrored: Mirrored = None,
    lang: Lang = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="help.check.save")] = None,
    corners: Annotated[str | None, typer.Option(help="help.check.corners")] = None,
    size_mm: Annotated[float, typer.Option(min=100, help="help.check.size_mm")] = 800,
    seat0: SeatSide = None,
) -> int:
    from engine.errors import Refused
    from service.commands import check as command
    from service.commands import table_file

    if save is not None:
        return table_file.run(source, corners, size_mm, seat0, save, mirrored)
    if corners is not None or seat0 is not None:
        raise Refused("--corners and --seat0 go into the file that --save names")
    language = lang or terminal_language()
    return command.run(source, table, seconds, language, as_json, out, own_set, mirrored)


@add_to(app, "enroll")
def enroll(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[SOURCE...]", help="help.enroll.sources")
    ] = None,
    told: Annotated[list[str] | None, typer.Option("--is", help="help.enroll.told")] = None,
    out: Annotated[Path, typer.Option("--set", "--out", help="help.enroll.out")] = Path(
        "my-set.tiles"
    ),
    answers: Annotated[Path | None, typer.Option(help="help.enroll.answers")] = None,
    extend: Annotated[bool, typer.Option("--extend", help="help.enroll.extend")] = False,
    table: TableFile = None,
    minutes: Annotated[float, typer.Option(help="help.enroll.minutes")] = 10,
    mirrored: Mirrored = None,
    report: Annotated[str | None, typer.Option(metavar="FILE|-", help="help.enroll.report")] = None,
) -> int:
    from service.commands import enroll as command
    from service.commands.enroll import write_report

    if report is not None and not (sources or told or answers or extend):
        return write_report(out, report)
    code = command.enroll(sources or (), told or (), out, answers, extend, table, minutes, mirrored)
    return code if report is None or code else write_report(out, report)


archive = typer.Typer(add_completion=False)
app.add_typer(archive, name="archive", cls=WordedGroup, help="command.archive")
DATABASE: Final = "tilesight-archive.sqlite3"


@add_to(archive, "add", "command.archive.add")
def add(
    sources: Annotated[list[str], typer.Argument(metavar="SOURCE...", help="help.archive.sources")],
    rules: Rules,
    database: Database = DATABASE,
    out: Annotated[str, typer.Option(help="help.archive.out")] = "archive",
    table: TableFile = None,
    seat0: SeatSide = None,
    own_set: OwnSet = None,
    first_dealer: FirstDealer = None,
    mirrored: Mirrored = None,
    lang: Lang = None,
    players: Players = None,
) -> int:
    from service.commands import archive as command
    from service.table.options import Options

    language = lang or terminal_language()
    options = Options(rules, language, table, seat0, own_set, first_dealer, mirrored)
    return command.add(sources, database, out, options, players)


@add_to(archive, "run", "command.archive.run")
def run_archive(
    database: Database = DATABASE,
    workers: Annotated[int, typer.Option(min=1, help="help.archive.workers")] = 1,
    work: Annotated[Path | None, typer.Option(help="help.archive.work")] = None,
    lease_s: Annotated[float, typer.Option(min=10, help="help.archive.lease_s")] = 120,
    cache_gib: Annotated[float, typer.Option(min=0, help="help.archive.cache_gib")] = 50,
    ray: Annotated[str | None, typer.Option(help="help.archive.ray")] = None,
) -> int:
    from service.commands import archive as command

    return command.run(database, workers, work, lease_s, cache_gib, ray)


@add_to(archive, "status", "command.archive.status")
def archive_status(database: Database = DATABASE) -> int:
    from service.commands import archive as command

    return command.status(database)


@add_to(archive, "retry", "command.archive.retry")
def retry(database: Database = DATABASE) -> int:
    from service.commands import archive as command

    return command.retry(database)


@add_to(archive, "questions", "command.archive.questions")
def archive_questions(
    database: Database = DATABASE,
    out: Annotated[Path | None, typer.Option(help="help.archive.questions.out")] = None,
    answers: Annotated[Path | None, typer.Option(help="help.archive.questions.answers")] = None,
) -> int:
    from service.commands import archive as command

    return command.questions(database, out, answers)


@add_to(archive, "export", "command.archive.export")
def export_hands(
    database: Database = DATABASE,
    out: Annotated[Path | None, typer.Option(help="help.archive.export.out")] = None,
    rules: Annotated[str | None, typer.Option(help="help.archive.export.rules")] = None,
    player: Annotated[str | None, typer.Option(help="help.archive.export.player")] = None,
    pattern: Annotated[str | None, typer.Option(help="help.archive.export.pattern")] = None,
    points: Annotated[int | None, typer.Option(help="help.archive.export.points")] = None,
    doubtful: Annotated[
        bool | None, typer.Option("--doubtful/--sure", help="help.archive.export.doubtful")
    ] = None,
) -> int:
    from service.archive.hands_table import HandSearch
    from service.commands import archive as command

    return command.export(database, HandSearch(rules, player, pattern, points, doubtful), out)


@add_to(archive, "reread", "command.archive.reread")
def reread(database: Database = DATABASE) -> int:
    from service.commands import archive as command

    return command.reread(database)


@add_to(archive, "changes", "command.archive.changes")
def changes(database: Database = DATABASE) -> int:
    from service.commands import archive as command

    return command.tell_changes(database)


@add_to(app, "score")
def score(
    context: typer.Context,
    videos: Annotated[list[Path], typer.Argument(metavar="VIDEO...", help="help.score.video")],
    rules: Rules,
    table: TableFile = None,
    seat0: SeatSide = None,
    own_set: OwnSet = None,
    out: Annotated[Path | None, typer.Option(help="help.score.out")] = None,
    lang: Lang = None,
    answers: Annotated[Path | None, typer.Option(help="help.score.answers")] = None,
    seat_camera: SeatCamera = None,
    seat_shift: SeatShift = None,
    first_dealer: FirstDealer = None,
    mirrored: Mirrored = None,
    keep_tiles: KeepTiles = None,
    players: Players = None,
) -> int:
    from service.commands import score as command
    from service.phone.seat_cameras import seat_films
    from service.table.options import Options
    from service.table.reader_maker import ReaderMaker

    options = Options(
        rules,
        lang or terminal_language(),
        table,
        seat0,
        own_set,
        first_dealer,
        mirrored,
        tuple(seat_films(seat_camera or (), seat_shift or (), first_dealer or 0)),
        keep_tiles,
    )
    reader = ReaderMaker.of(options).of_recordings()
    return command.run(videos, options, out, reader, answers, players, context.obj)


@add_to(app, "serve")
def serve(
    given: Annotated[
        list[str] | None,
        typer.Argument(metavar="CAMERA|FILM|RECORD|FOLDER", help="help.serve.source"),
    ] = None,
    every_frame: Annotated[
        bool, typer.Option("--every-frame", help="help.serve.every_frame")
    ] = False,
    rules: AnyRules = None,
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
    phone: Annotated[bool, typer.Option("--phone", help="help.serve.phone")] = False,
    cert: Annotated[Path | None, typer.Option(help="help.serve.cert")] = None,
    cert_key: Annotated[Path | None, typer.Option(help="help.serve.cert_key")] = None,
    local_name: Annotated[
        bool, typer.Option("--local-name/--no-local-name", help="help.serve.local_name")
    ] = True,
) -> int:
    from engine.errors import Refused
    from engine.rules import DEFAULT
    from service.commands import serve as command
    from service.commands.opened import Opens, opened_by
    from service.hall.posting import HallLink
    from service.phone.seat_cameras import seat_films
    from service.phone.server import OwnCertificate
    from service.table.options import Options
    from service.table.reader_maker import ReaderMaker

    if (cert is None) != (cert_key is None):
        raise Refused("--cert and --cert-key are given together, or neither")
    if (hall_url is None) != (hall_key_file is None):
        raise Refused("--hall-url and --hall-key-file are given together, or neither")
    link = None
    if hall_url is not None and hall_key_file is not None:
        link = HallLink.of(hall_url, hall_key_file)
    options = Options(
        rules or DEFAULT,
        lang or terminal_language(),
        table,
        seat0,
        own_set,
        first_dealer,
        mirrored,
        tuple(seat_films(seat_camera or (), seat_shift or (), first_dealer or 0)),
        keep_tiles,
        every_frame,
        record,
        host,
        port,
        local_name,
        None if cert is None or cert_key is None else OwnCertificate.load(cert, cert_key),
        phone,
        json_log,
    )
    words = given or []
    opens = opened_by(words)
    if opens in (Opens.RECORDS, Opens.FOLDER):
        if phone or record is not None:
            raise Refused("a record or a folder needs no camera; leave --phone and --record out")
        if opens is Opens.FOLDER:
            return command.put_right(Path(words[0]), options, link)
        return command.study([Path(word) for word in words], options, link)
    if phone and words:
        raise Refused("--phone takes the phone's pictures; give no camera or film")
    reader = ReaderMaker.of(options)
    if words:
        return command.run(words[0], reader, options, link)
    if options.films:
        raise Refused("without a camera, each seat's page lets its own phone watch its hand")
    if table is not None or seat0 is not None:
        raise Refused("without a camera, the page asks where the table lies and who sits where")
    if first_dealer is not None:
        raise Refused("without a camera, the page asks who dealt first")
    if mirrored is not None:
        raise Refused("without a camera, the page asks whether the picture is mirrored")
    return command.set_up(options, link)


@add_to(app, "hall")
def hall(
    database: Annotated[
        str, typer.Option(envvar="TILESIGHT_DATABASE", help="help.hall.database")
    ] = "tilesight-hall.sqlite3",
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="help.port")] = 8100,
    new_admin_key: Annotated[
        bool, typer.Option("--new-admin-key", help="help.hall.new_admin_key")
    ] = False,
    revoke: Annotated[str | None, typer.Option(metavar="TABLE", help="help.hall.revoke")] = None,
    webhook: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="help.hall.webhook")
    ] = None,
    webhook_secret_file: Annotated[Path, typer.Option(help="help.hall.webhook_secret_file")] = Path(
        "webhook.secret"
    ),
    webhook_every_event: Annotated[
        bool, typer.Option("--webhook-every-event", help="help.hall.webhook_every_event")
    ] = False,
    json_log: JsonLog = False,
) -> int:
    from service.commands import hall as command
    from service.hall.webhooks import WebhookSettings
    from service.pages.request_log import json_lines

    if revoke is not None:
        return command.revoke(database, revoke)
    webhooks = None
    if webhook:
        webhooks = WebhookSettings.read(webhook, webhook_secret_file, webhook_every_event)
    tell = json_lines if json_log else None
    return command.run(database, host, port, new_admin_key, tell, webhooks)


dev = typer.Typer(add_completion=False)
app.add_typer(dev, name="dev", cls=WordedGroup, help="command.dev")


@add_to(dev, "detect")
def detect(
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE...", help="help.detect.sources")],
    as_json: Annotated[bool, typer.Option("--json", help="help.detect.json")] = False,
    own_set: OwnSet = None,
    mirrored: Mirrored = None,
    sure: Annotated[float | None, typer.Option(min=0.0, max=1.0, help="help.detect.sure")] = None,
) -> int:
    from service.commands import detect as command

    return command.run(sources, as_json, own_set, mirrored, sure)


@add_to(dev, "explain")
def explain(
    record: Annotated[str, typer.Argument(help="help.explain.record")],
    film: Annotated[Path, typer.Option(metavar="VIDEO", help="help.explain.film")],
    at_s: Annotated[float, typer.Option("--at", min=0.0, help="help.explain.at")],
    table: TableFile = None,
    seat0: SeatSide = None,
    own_set: OwnSet = None,
    mirrored: Mirrored = None,
    out: Annotated[Path, typer.Option(help="help.explain.out")] = Path("tilesight-explain.jpg"),
    lang: Lang = None,
) -> int:
    from service.commands import explain as command
    from service.table.options import Options

    given = Options("", lang or terminal_language(), table, seat0, own_set, mirrored=mirrored)
    return command.run(record, film, at_s, out, given)


@add_to(dev, "benchmark")
def benchmark(
    video: Annotated[Path, typer.Argument(help="help.benchmark.video")],
    rules: AnyRules = None,
    table: TableFile = None,
    seat0: SeatSide = None,
    seconds: Annotated[float, typer.Option(min=1, help="help.benchmark.seconds")] = 60,
    recorded_seconds: Annotated[
        float, typer.Option(min=1, help="help.benchmark.recorded_seconds")
    ] = 180,
    as_json: Annotated[bool, typer.Option("--json", help="help.benchmark.json")] = False,
) -> int:
    from engine.rules import DEFAULT
    from service.commands.score import refuse_unknown_rules
    from service.film.benchmark import measure_all

    rules = rules or DEFAULT
    refuse_unknown_rules(rules)
    return measure_all(video, seconds, recorded_seconds, as_json, rules, table, seat0)


dataset = typer.Typer(add_completion=False)
dev.add_typer(dataset, name="dataset", cls=WordedGroup, help="command.dataset")


@add_to(dataset, "export", "command.dataset.export")
def export_dataset(
    sources: Annotated[
        list[Path], typer.Argument(metavar="SOURCE...", help="help.dataset.sources")
    ],
    form: Annotated[DatasetFormat, typer.Option("--format", help="help.dataset.format")],
    out: Annotated[Path, typer.Option(help="help.dataset.out")],
) -> int:
    from service.commands import dataset as command

    return command.run(sources, form, out)
