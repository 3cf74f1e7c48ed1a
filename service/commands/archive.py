"""``tilesight archive``: many recorded films, read by workers; see docs/archive.md."""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

import service.archive.hands_table as table
from engine.errors import Refused
from engine.texts.files import filled
from service.archive.cluster import ray_cluster
from service.archive.films import ReadingSettings, as_text, films_at, is_remote, readable_address
from service.archive.hands_table import HandSearch, changes
from service.archive.leases import DONE, QUARANTINED, RUNNING
from service.archive.ledger import LARGEST_FILE, ArchiveProgress, Ledger
from service.archive.pool import PROGRAM, ProcessPool
from service.archive.run import ArchiveRun, TaskRunner
from service.archive.worker import WorkerSettings
from service.commands.options import (
    DATABASE,
    Database,
    FirstDealer,
    HouseRules,
    Lang,
    Mirrored,
    OwnSet,
    Players,
    Rules,
    SeatSide,
    TableFile,
    WordedGroup,
    add_to,
)
from service.commands.progress import time_left
from service.commands.score import reading_options, refuse_unknown_rules
from service.film.seat_recordings import players_of
from service.hall.database import AWAY, open_database, refuse_missing
from service.machine.files import write_whole
from service.report.public import Json
from service.report.questions import AnswersFile
from service.table.options import Options
from service.table.reader_maker import ReaderMaker, program_fingerprint
from service.texts.catalogue import terminal_texts
from vision.given_files import read_given

GIB: Final = 1 << 30
HOUR_S: Final = 3600.0
SHOWN_S: Final = 2.0
"""Interval at which the progress is counted, which takes 0.1 s with 100,000 films."""


def add(
    sources: Sequence[str],
    database: str,
    out: str,
    options: Options,
    players: str | None = None,
) -> int:
    """Add films; raises ``Refused``, ``SourceError`` or ``ProfileError`` with none added.

    ``out``: the address below which results are stored. ``players``: the names of seats 0 to 3
    in all of them, with commas.
    """
    refuse_unknown_rules(options.rules)
    named = None if players is None else players_of(players)
    ReaderMaker.of(options)
    films = [film for source in sources for film in films_at(source)]
    with _ledger(database, new=True) as ledger:
        known = ReadingSettings(
            options.rules,
            out if is_remote(out) else as_text(os.path.realpath(out)),
            _kept(ledger, options.table),
            _kept(ledger, options.own_set),
            options.seat0,
            options.first_dealer,
            options.mirrored,
            options.lang,
            tuple(sorted(options.house_rules.items())),
        )
        new = sum(ledger.add(film, known, named) for film in films)
    _say("cli.archive.added", new=new, known=len(films) - new)
    return 0


def run(
    database: str,
    workers: int,
    work: Path | None,
    lease_s: float,
    cache_gib: float,
    ray: str | None = None,
) -> int:
    """Read until no film is left; Ctrl-C gives films back. Raises ``Refused``.

    ``ray``: ``local``, or the address of a cluster whose machines read.
    """
    folder = work or Path(tempfile.gettempdir()) / f"tilesight-archive-{getpass.getuser()}"
    given = WorkerSettings(database, folder, lease_s, round(cache_gib * GIB))
    with contextlib.ExitStack() as held:
        ledger = held.enter_context(_ledger(database))
        runner: TaskRunner = ProcessPool(given, PROGRAM)
        if ray is not None:
            runner = held.enter_context(ray_cluster(ray, workers, given))
        look = held.enter_context(_progress(ledger))
        ArchiveRun(ledger, given, workers, socket.gethostname()).run(runner, look)
    return status(database)


def status(database: str) -> int:
    """Say how far the archive is, and what was set aside."""
    with _ledger(database) as ledger:
        counts, readings = ledger.counts(), ledger.readings()
    told = {state: counts.readings[state] for state in counts.readings}
    hours = f"{counts.seconds_read / HOUR_S:.1f}"
    _say("cli.archive.status", hands=counts.hands, questions=counts.questions, hours=hours, **told)
    for row in readings:
        if row.state == QUARANTINED or (row.state == DONE and row.error):
            typer.echo(f"{readable_address(row.address)}: {row.error}")
    return 0


def retry(database: str) -> int:
    with _ledger(database) as ledger:
        _say("cli.archive.retried", count=ledger.retry())
    return 0


def questions(database: str, out: Path | None, answers: Path | None) -> int:
    """Write every film's open questions, or take answers back; raises ``Refused``."""
    with _ledger(database) as ledger:
        if answers is not None:
            given = _by_reading(answers)
            for reading, said in given.items():
                ledger.answer(reading, said)
            _say("cli.archive.answered", films=len(given))
            return 0
        asked = [
            {"reading": asked.reading, "film": asked.film, **question}
            for asked in ledger.questions()
            for question in asked.questions
        ]
    text = json.dumps({"questions": asked}, ensure_ascii=False, indent=1) + "\n"
    if out is None:
        sys.stdout.write(text)
    else:
        write_whole(out, text)
        _say("cli.archive.asked", count=len(asked), file=out)
    return 0


def export(database: str, search: table.HandSearch, out: Path | None) -> int:
    """Write the hands as CSV, or as Parquet where the file is named so; raises ``Refused``."""
    with _ledger(database) as ledger:
        rows = table.FoundHands(ledger.engine).search(search)
    if out is not None and out.suffix == ".parquet":
        table.write_parquet(rows, out)
    elif out is not None:
        write_whole(out, table.to_csv(rows))
    else:
        sys.stdout.write(table.to_csv(rows))
    return 0


def reread(database: str) -> int:
    """Have what another version read be read anew."""
    with _ledger(database) as ledger:
        _say("cli.archive.reread", count=ledger.reread(ledger.outdated(program_fingerprint())))
    return 0


def tell_changes(database: str) -> int:
    """Say hand by hand what the latest reading of each film changed."""
    with _ledger(database) as ledger:
        for line in changes(ledger):
            typer.echo(line)
    return 0


def _kept(ledger: Ledger, file: Path | None) -> str | None:
    return None if file is None else ledger.add_file(read_given(file, LARGEST_FILE))


def _by_reading(answers: Path) -> dict[int, list[Json]]:
    found: dict[int, list[Json]] = {}
    for asked, _ in AnswersFile.read(answers).rows:
        reading = asked.get("reading")
        if not isinstance(reading, int):
            raise Refused(f"{answers}: a question lacks its reading; answer the file as it came")
        found.setdefault(reading, []).append(asked)
    return found


@contextlib.contextmanager
def _ledger(database: str, new: bool = False) -> Iterator[Ledger]:
    if not new:
        refuse_missing(database)
    engine = open_database(database)
    try:
        yield Ledger(engine)
    finally:
        engine.dispose()


@contextlib.contextmanager
def _progress(ledger: Ledger) -> Iterator[Callable[[], None]]:
    """A bar of films on standard error, with hands an hour and questions."""
    texts = terminal_texts()
    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(texts["cli.archive.films"]),
        TextColumn("{task.fields[told]}"),
        TextColumn("{task.fields[left]}"),
        console=Console(stderr=True),
    )
    before, begun_s = ledger.counts(), time.monotonic()
    task = bar.add_task("", total=1, told="", left="")
    next_s, over = 0.0, -1

    def look() -> None:
        nonlocal next_s, over
        if time.monotonic() < next_s:
            return
        next_s = time.monotonic() + SHOWN_S
        try:
            counts = ledger.counts()
            now_over = counts.readings[DONE] + counts.readings[QUARANTINED]
            if now_over != over:
                left_s = ledger.time_left_s()
                bar.update(task, left="" if left_s is None else time_left(left_s, texts))
                over = now_over
        except AWAY:
            return  # the database is away; the workers retry, too
        values = {
            "running": counts.readings[RUNNING],
            "questions": counts.questions,
            "hands": round(_an_hour(before, counts, time.monotonic() - begun_s)),
        }
        told = filled(texts["cli.archive.progress"], values)
        bar.update(task, completed=over, total=sum(counts.readings.values()), told=told)

    with bar:
        yield look


def _an_hour(before: ArchiveProgress, after: ArchiveProgress, took_s: float) -> float:
    return (after.hands - before.hands) * HOUR_S / max(took_s, 1.0)


def _say(key: str, **told: object) -> None:
    typer.echo(filled(terminal_texts()[key], told))


app = typer.Typer(name="archive", cls=WordedGroup, help="command.archive", add_completion=False)


@add_to(app, "add", "command.archive.add")
def add_command(
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
    option: HouseRules = None,
) -> int:
    options = reading_options(
        rules=rules,
        lang=lang,
        table=table,
        seat0=seat0,
        own_set=own_set,
        first_dealer=first_dealer,
        mirrored=mirrored,
        option=option,
    )
    return add(sources, database, out, options, players)


@add_to(app, "run", "command.archive.run")
def run_command(
    database: Database = DATABASE,
    workers: Annotated[int, typer.Option(min=1, help="help.archive.workers")] = 1,
    work: Annotated[Path | None, typer.Option(help="help.archive.work")] = None,
    lease_s: Annotated[float, typer.Option(min=10, help="help.archive.lease_s")] = 120,
    cache_gib: Annotated[float, typer.Option(min=0, help="help.archive.cache_gib")] = 50,
    ray: Annotated[str | None, typer.Option(help="help.archive.ray")] = None,
) -> int:
    return run(database, workers, work, lease_s, cache_gib, ray)


@add_to(app, "status", "command.archive.status")
def status_command(database: Database = DATABASE) -> int:
    return status(database)


@add_to(app, "retry", "command.archive.retry")
def retry_command(database: Database = DATABASE) -> int:
    return retry(database)


@add_to(app, "questions", "command.archive.questions")
def questions_command(
    database: Database = DATABASE,
    out: Annotated[Path | None, typer.Option(help="help.archive.questions.out")] = None,
    answers: Annotated[Path | None, typer.Option(help="help.archive.questions.answers")] = None,
) -> int:
    return questions(database, out, answers)


@add_to(app, "export", "command.archive.export")
def export_command(
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
    return export(database, HandSearch(rules, player, pattern, points, doubtful), out)


@add_to(app, "reread", "command.archive.reread")
def reread_command(database: Database = DATABASE) -> int:
    return reread(database)


@add_to(app, "changes", "command.archive.changes")
def changes_command(database: Database = DATABASE) -> int:
    return tell_changes(database)
