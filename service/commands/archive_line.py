"""The commands of ``tilesight archive``, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from service.commands.options import (
    Database,
    FirstDealer,
    Lang,
    Mirrored,
    OwnSet,
    Players,
    Rules,
    SeatSide,
    TableFile,
    add_to,
)
from service.texts.catalogue import terminal_language

app: Final = typer.Typer(add_completion=False)
DATABASE: Final = "tilesight-archive.sqlite3"


@add_to(app, "add", "command.archive.add")
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
    from service.archive.films import ReadingSettings
    from service.commands import archive as command

    lang = lang or terminal_language()
    settings = ReadingSettings(rules, out, None, None, seat0, first_dealer, mirrored, lang)
    return command.add(sources, database, settings, table, own_set, players)


@add_to(app, "run", "command.archive.run")
def run(
    database: Database = DATABASE,
    workers: Annotated[int, typer.Option(min=1, help="help.archive.workers")] = 1,
    work: Annotated[Path | None, typer.Option(help="help.archive.work")] = None,
    lease_s: Annotated[float, typer.Option(min=10, help="help.archive.lease_s")] = 120,
    cache_gib: Annotated[float, typer.Option(min=0, help="help.archive.cache_gib")] = 50,
    ray: Annotated[str | None, typer.Option(help="help.archive.ray")] = None,
) -> int:
    from service.commands import archive as command

    return command.run(database, workers, work, lease_s, cache_gib, ray)


@add_to(app, "status", "command.archive.status")
def status(database: Database = DATABASE) -> int:
    from service.commands import archive as command

    return command.status(database)


@add_to(app, "retry", "command.archive.retry")
def retry(database: Database = DATABASE) -> int:
    from service.commands import archive as command

    return command.retry(database)


@add_to(app, "questions", "command.archive.questions")
def questions(
    database: Database = DATABASE,
    out: Annotated[Path | None, typer.Option(help="help.archive.questions.out")] = None,
    answers: Annotated[Path | None, typer.Option(help="help.archive.questions.answers")] = None,
) -> int:
    from service.commands import archive as command

    return command.questions(database, out, answers)


@add_to(app, "export", "command.archive.export")
def export(
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


@add_to(app, "reread", "command.archive.reread")
def reread(database: Database = DATABASE) -> int:
    from service.commands import archive as command

    return command.reread(database)


@add_to(app, "changes", "command.archive.changes")
def changes(database: Database = DATABASE) -> int:
    from service.commands import archive as command

    return command.tell_changes(database)
