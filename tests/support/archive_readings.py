"""Readings of an archive, and processes that read its films."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import select

from service.archive.films import ReadingSettings, films_at
from service.archive.ledger import Ledger
from service.archive.pool import ProcessPool
from service.archive.run import ArchiveRun
from service.archive.worker import WorkerSettings
from service.hall.database_schema import READINGS
from tests.support.archive_worker import PROGRAM


def added(ledger: Ledger, source: Path, settings: ReadingSettings) -> list[bool]:
    return [ledger.add(film, settings) for film in films_at(str(source))]


def row(ledger: Ledger) -> Any:
    return ledger._rows(select(READINGS))[-1]


def kept(settings: ReadingSettings) -> list[str]:
    """The folders of the results, in the order of their names."""
    return sorted(path.name for path in Path(settings.out).iterdir())


def given(database: str, tmp_path: Path, lease_s: float = 60.0) -> WorkerSettings:
    return WorkerSettings(database, tmp_path / "work", lease_s, 1 << 30)


def read_by_processes(
    ledger: Ledger, to_each: WorkerSettings, look: Callable[[ProcessPool], None] = lambda _: None
) -> None:
    """One process at a time; ``look`` may trouble it."""
    pool = ProcessPool(to_each, PROGRAM)
    ArchiveRun(ledger, to_each, 1, "here").run(pool, lambda: look(pool))
