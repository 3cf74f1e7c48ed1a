"""The commands of ``tilesight``, and their options."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from service.commands.options import (
    AnyRules,
    ExportFormat,
    FirstDealer,
    Host,
    JsonLog,
    Lang,
    LogFormat,
    Mirrored,
    OwnSet,
    Rules,
    SeatCamera,
    SeatShift,
    SeatSide,
    TableFile,
)

app = typer.Typer(name="tilesight", add_completion=False, pretty_exceptions_enable=False)

# Commands import what they need: reading a record must not wait for OpenCV to load.


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(f"tilesight {version('tilesight')}")
        raise typer.Exit


@app.callback()
def program(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and end."
        ),
    ] = False,
) -> None:
    """Watches a mahjong table through a camera and keeps the record."""


@app.command()
def replay(
    record: Annotated[str, typer.Argument(help="A record, or - for standard input.")],
    lang: Lang = "en",
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines.")] = False,
    seat: Annotated[
        int | None, typer.Option(min=0, max=3, help="Only what this seat may know.")
    ] = None,
    hints: Annotated[
        bool, typer.Option("--hints", help="Also what each known hand might discard or claim.")
    ] = False,
    go_on: Annotated[
        bool, typer.Option("--go-on", help="Name lines that cannot be read, and go on without.")
    ] = False,
) -> int:
    """Say what the rules say about a record: who is ready, who pays what, what is wrong."""
    from service.commands import replay as command

    return command.run(record, lang, as_json, seat, hints, go_on)


@app.command("import")
def import_log(
    file: Annotated[str, typer.Argument(help="A public riichi log, or - for standard input.")],
    form: Annotated[
        LogFormat | None, typer.Option("--format", help="Seen from the file where left out.")
    ] = None,
) -> int:
    """Write the record of a riichi log to standard output."""
    from service.commands import import_log as command

    return command.run(file, None if form is None else form.value)


@app.command()
def export(
    record: Annotated[str, typer.Argument(help="A record, or - for standard input.")],
    form: Annotated[ExportFormat, typer.Option("--format", help="What to write.")],
) -> int:
    """Write a record's score sheet, or a log for riichi viewers, to standard output."""
    from service.commands import export as command

    return command.run(record, form.value)


@app.command()
def detect(
    sources: Annotated[list[Path], typer.Argument(metavar="SOURCE...", help="Pictures, folders.")],
    as_json: Annotated[bool, typer.Option("--json", help="An object a line.")] = False,
    own_set: OwnSet = None,
    mirrored: Mirrored = None,
) -> int:
    """Find the tiles in pictures."""
    from service.commands import detect as command

    return command.run(sources, as_json, own_set, mirrored)


@app.command()
def enroll(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE...]",
            help="Pictures, folders: the whole set face up, every kind once, in any order. "
            "Or a game: videos, a camera's number, an rtsp:// address.",
        ),
    ] = None,
    told: Annotated[
        list[str] | None,
        typer.Option("--is", help="A tile's name, NUMBER=TILE or PICTURE:NUMBER=TILE."),
    ] = None,
    out: Annotated[Path, typer.Option("--set", "--out", help="The profile, a new file.")] = Path(
        "my-set.tiles"
    ),
    answers: Annotated[
        Path | None, typer.Option(help="What the page of questions about a game saved.")
    ] = None,
    extend: Annotated[
        bool, typer.Option("--extend", help="Add what a game shows to a profile that is there.")
    ] = False,
    table: TableFile = None,
    minutes: Annotated[float, typer.Option(help="How long a camera is watched.")] = 10,
    mirrored: Mirrored = None,
) -> int:
    """Make recognition fit your own set of tiles: from pictures of it, or from a game."""
    from service.commands import enroll as command

    return command.enroll(sources or (), told or (), out, answers, extend, table, minutes, mirrored)


@app.command()
def score(
    video: Annotated[Path, typer.Argument(help="A recorded game.")],
    rules: Rules,
    table: TableFile = None,
    seat0: SeatSide = None,
    own_set: OwnSet = None,
    out: Annotated[
        Path | None,
        typer.Option(help="A new folder, or one to go on with; named like the video without it."),
    ] = None,
    lang: Lang = "en",
    answers: Annotated[
        Path | None,
        typer.Option(help="The questions.json of an earlier run with its answers filled in."),
    ] = None,
    seat_camera: SeatCamera = None,
    seat_shift: SeatShift = None,
    first_dealer: FirstDealer = None,
    mirrored: Mirrored = None,
) -> int:
    """Turn a recorded game into its record, a score sheet and a report with pictures."""
    from service.commands import score as command
    from service.seat_camera.films import seat_films
    from service.setup.readers import ReaderMaker
    from vision.attention.schedule import RECORDED

    given = ReaderMaker.of(rules, table, seat0, own_set, mirrored)
    reader = replace(given, pace=RECORDED, first_dealer=first_dealer)
    films = seat_films(seat_camera or (), seat_shift or (), first_dealer or 0)
    return command.run(video, rules, out, reader, lang, answers, films, own_set)


@app.command()
def serve(
    source: Annotated[
        str | None,
        typer.Option(
            help="A camera's number, an rtsp:// address, or a video file; "
            "without it, all is chosen on the page."
        ),
    ] = None,
    every_frame: Annotated[
        bool, typer.Option("--every-frame", help="Of a file, however long it takes.")
    ] = False,
    rules: AnyRules = None,
    table: TableFile = None,
    seat0: SeatSide = None,
    own_set: OwnSet = None,
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    record: Annotated[
        Path | None, typer.Option(help="File for the record: new, or one to go on with.")
    ] = None,
    lang: Lang = "en",
    json_log: JsonLog = False,
    hall_url: Annotated[
        str | None,
        typer.Option(
            help="Send the record to a hall too: the table's page there, "
            "such as http://hall.local:8100/tables/north."
        ),
    ] = None,
    hall_key_file: Annotated[
        Path | None, typer.Option(help="A file with the key that the hall made for this table.")
    ] = None,
    seat_camera: SeatCamera = None,
    seat_shift: SeatShift = None,
    first_dealer: FirstDealer = None,
    mirrored: Mirrored = None,
) -> int:
    """Watch a table live, on a page in the browser; the page also sets it up."""
    from engine.events import GameStart
    from engine.rules import DEFAULT
    from service.commands import serve as command
    from service.errors import Refused
    from service.hall.posting import HallLink
    from service.pages.request_log import json_lines
    from service.seat_camera.films import seat_films
    from service.setup.readers import ReaderMaker

    rules = rules or DEFAULT
    if (hall_url is None) != (hall_key_file is None):
        raise Refused("--hall-url and --hall-key-file are given together, or neither")
    link = None
    if hall_url is not None and hall_key_file is not None:
        link = HallLink.of(hall_url, hall_key_file)
    settings = command.ServeSettings(
        GameStart(rules, first_dealer=first_dealer),
        host,
        port,
        record,
        lang,
        own_set,
        json_lines if json_log else None,
        link,
        seat_films(seat_camera or (), seat_shift or (), first_dealer or 0),
    )
    reader = ReaderMaker.of(rules, table, seat0, own_set, mirrored)
    if source is not None:
        reader = replace(reader, first_dealer=first_dealer)
        return command.run(source, every_frame, reader, settings)
    if settings.films:
        raise Refused("without --source, each seat's page lets its own phone watch its hand")
    if table is not None or seat0 is not None:
        raise Refused("without --source, the page asks where the table lies and who sits where")
    if first_dealer is not None:
        raise Refused("without --source, the page asks who dealt first")
    if mirrored is not None:
        raise Refused("without --source, the page asks whether the picture is mirrored")
    return command.set_up(settings)


@app.command()
def hall(
    database: Annotated[
        str,
        typer.Option(
            envvar="TILESIGHT_DATABASE",
            help="A file, or a postgresql:// address; an address with a password is better "
            "given in the environment.",
        ),
    ] = "tilesight-hall.sqlite3",
    host: Host = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8100,
    new_admin_key: Annotated[
        bool, typer.Option("--new-admin-key", help="Print another key for running the hall.")
    ] = False,
    revoke: Annotated[
        str | None,
        typer.Option(
            metavar="TABLE",
            help="Let a table's keys open nothing any more, print its new one, and end.",
        ),
    ] = None,
    json_log: JsonLog = False,
) -> int:
    """Collect the records of several tables: show all of them, and the standings of leagues."""
    from service.commands import hall as command
    from service.pages.request_log import json_lines

    if revoke is not None:
        return command.revoke(database, revoke)
    return command.run(database, host, port, new_admin_key, json_lines if json_log else None)


@app.command()
def calibrate(
    source: Annotated[
        str, typer.Argument(help="A picture, a video, a camera's number or an rtsp:// address.")
    ],
    corners: Annotated[
        str | None,
        typer.Option(help='Corners of the felt by hand: "x,y x,y x,y x,y", from the top left.'),
    ] = None,
    size_mm: Annotated[float, typer.Option(min=100, help="Side of the playing field.")] = 800,
    seat0: SeatSide = None,
    out: Annotated[Path, typer.Option(help="A new file.")] = Path("table.toml"),
    mirrored: Mirrored = None,
) -> int:
    """Find the table in the picture and keep where it lies."""
    from service.commands import calibrate as command

    return command.run(source, corners, size_mm, seat0, out, mirrored)


@app.command()
def benchmark(
    video: Annotated[
        Path | None, typer.Argument(help="A recorded game to measure reading with.")
    ] = None,
    records: Annotated[
        list[Path] | None, typer.Option("--record", help="A record to measure replaying with.")
    ] = None,
    rules: AnyRules = None,
    table: TableFile = None,
    seat0: SeatSide = None,
    seconds: Annotated[float, typer.Option(min=1, help="How much of the video is watched.")] = 60,
    recorded_seconds: Annotated[
        float, typer.Option(min=1, help="How much of it is read as a recording: a hand or more.")
    ] = 180,
    picture: Annotated[
        Path | None,
        typer.Option(help="A picture of a table to measure reading with, in place of the video's."),
    ] = None,
    events: Annotated[
        bool,
        typer.Option(
            "--events",
            help="Only read the whole video both ways, recorded and live, and compare the events.",
        ),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Lists of objects, one a line.")] = False,
) -> int:
    """Measure how fast this machine judges hands and reads a table, beside other ways of it."""
    from engine.rules import DEFAULT
    from service.benchmark import engine
    from service.benchmark.inputs import refuse_unreadable
    from service.commands.score import refuse_unknown_rules

    rules = rules or DEFAULT
    refuse_unknown_rules(rules)
    refuse_unreadable(video, picture, table)
    if events:
        if video is None:
            raise typer.BadParameter("--events needs a video")
        from service.benchmark import compare_paces as both_ways

        return both_ways.run(video, as_json, rules, table, seat0)
    engine.run(records or (), as_json)
    if video is None and picture is None:
        return 0
    from service.benchmark import picture as one_picture

    one_picture.run(video, picture, as_json)
    if video is None:
        return 0
    from service.benchmark import films as command

    return command.measure_all(video, seconds, recorded_seconds, as_json, rules, table, seat0)
