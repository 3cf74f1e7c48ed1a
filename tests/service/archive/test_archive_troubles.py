"""An archive reads every film once and whole, whatever dies, hangs or is full meanwhile."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import signal
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Literal
from unittest import mock

import pytest

from service.archive.films import ReadingSettings
from service.archive.leases import DONE, QUARANTINED, WAITING, Lease
from service.archive.ledger import Ledger
from service.archive.pool import ProcessPool
from service.archive.worker import FileOf, TaskEnd, Worker
from service.table.reader_maker import MakeReader
from tests.support.archive_films import copies
from tests.support.archive_readings import added, given, kept, read_by_processes, row
from tests.support.archive_worker import PROGRAM, read_all, reader_of
from tests.support.evening import HAND_S
from tests.support.folders import files
from tests.support.halls import on_sqlite
from tests.support.patience import PATIENCE_S, until
from tests.support.score_program import HANDS

KILLS = 2


@on_sqlite
@pytest.mark.parametrize(
    ("seat0", "lease_s", "says"),
    [("left", 60.0, "the worker was ended by SIGABRT"), ("right", 0.3, "the worker hung")],
    ids=["crashes", "hangs"],
)
def test_a_film_at_which_the_program_ends_or_hangs_is_set_aside(
    ledger: Ledger,
    settings: ReadingSettings,
    database: str,
    short: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seat0: Literal["left", "right"],
    lease_s: float,
    says: str,
) -> None:
    monkeypatch.setattr("service.archive.leases.MOST_FAILURES", 1)
    added(ledger, short, replace(settings, seat0=seat0))
    read_by_processes(ledger, given(database, tmp_path, lease_s))
    (read,) = ledger.readings()
    assert (read.state, read.error) == (QUARANTINED, says)


def freeze(process: int, database: str) -> None:
    """Stop a process while it writes nothing: in the midst of a write it would hold up all."""
    while True:
        os.kill(process, signal.SIGSTOP)
        other = sqlite3.connect(database, timeout=0.5)
        with contextlib.closing(other), contextlib.suppress(sqlite3.OperationalError):
            other.execute("BEGIN IMMEDIATE")
            return
        os.kill(process, signal.SIGCONT)


@on_sqlite
def test_what_a_process_says_that_was_frozen_is_not_taken(
    ledger: Ledger,
    settings: ReadingSettings,
    database: str,
    film: Path,
    whole: dict[str, bytes],
    tmp_path: Path,
) -> None:
    added(ledger, film, settings)
    pool = ProcessPool(given(database, tmp_path, 0.5), PROGRAM)
    pool.start("frozen")
    process = pool.running["frozen"].process.pid
    while not ledger.counts().seconds_read:
        assert not pool.ended(0)
    freeze(process, database)
    until(lambda: ledger.claimable(1))
    read_all(Worker(ledger, tmp_path / "awake", reader_of=reader_of), "awake")
    (read,) = ledger.readings()
    os.kill(process, signal.SIGCONT)
    assert pool.ended(PATIENCE_S) == {"frozen": TaskEnd.READ}, "it noticed, and left the film"
    pool.close()
    assert ledger.readings() == [read]
    assert (read.state, row(ledger).worker, row(ledger).token) == (DONE, "awake", 2)
    assert files(Path(str(read.result))) == whole
    assert kept(settings) == [Path(str(read.result)).name]


@on_sqlite
def test_a_film_that_another_version_began_is_read_from_its_beginning(
    ledger: Ledger,
    settings: ReadingSettings,
    film: Path,
    whole: dict[str, bytes],
    tmp_path: Path,
) -> None:
    added(ledger, film, settings)
    worker = Worker(ledger, tmp_path / "work", reader_of=reader_of)
    keep = ledger.keep

    def updated(lease: Lease, checkpoint: int) -> None:
        keep(lease, checkpoint)
        raise KeyboardInterrupt

    for is_another in (True, False):
        with mock.patch.object(ledger, "keep", updated), pytest.raises(KeyboardInterrupt):
            read_all(worker)
        ledger.give_back(["here"])
        for path in Path(settings.out, "unfinished.1").rglob("*") if is_another else ():
            if path.is_file():
                path.write_bytes(b"of another version")
    read_all(worker)
    (read,) = ledger.readings()
    assert read.state == DONE
    assert files(Path(str(read.result))) == whole


@on_sqlite
@pytest.mark.parametrize(
    ("error", "end", "failures", "losses"),
    [
        (errno.ENOSPC, TaskEnd.AWAY, 0, 1),
        (errno.EDQUOT, TaskEnd.AWAY, 0, 1),
        (errno.ENOENT, TaskEnd.READ, 1, 0),
        (errno.EISDIR, TaskEnd.READ, 1, 0),
    ],
    ids=["no room", "over the quota", "a file is gone", "a folder is in the way"],
)
def test_of_the_errors_of_this_machine_only_a_full_disk_pauses_the_run(
    ledger: Ledger,
    settings: ReadingSettings,
    short: Path,
    tmp_path: Path,
    error: int,
    end: TaskEnd,
    failures: int,
    losses: int,
) -> None:
    added(ledger, short, settings)

    def fails(settings: ReadingSettings, file: FileOf) -> MakeReader:
        raise OSError(error, os.strerror(error))

    assert Worker(ledger, tmp_path / "work", reader_of=fails).read_next("here") is end
    assert (row(ledger).failures, row(ledger).losses) == (failures, losses)
    assert os.strerror(error) in row(ledger).error


@on_sqlite
def test_a_full_disk_is_no_fault_of_the_films(
    ledger: Ledger, settings: ReadingSettings, short: Path, tmp_path: Path
) -> None:
    """Every byte that is written to ``/dev/full`` finds no room."""
    Path(settings.out).mkdir()
    added(ledger, short, settings)
    worker = Worker(ledger, tmp_path / "work", reader_of=reader_of)
    with mock.patch("service.archive.films.write_whole", no_room):
        lease = ledger.claim("here", 60)
        assert lease is not None
        assert worker.read(lease) is TaskEnd.AWAY
    assert (row(ledger).state, row(ledger).failures, row(ledger).losses) == (WAITING, 0, 1)
    assert "No space left on device" in row(ledger).error
    assert not ledger.claimable(1)
    until(lambda: ledger.claimable(1))
    read_all(worker)
    assert row(ledger).state == DONE


def no_room(path: Path, content: bytes) -> None:
    with Path("/dev/full").open("wb") as full:
        full.write(content)


@pytest.mark.parametrize("database", ["postgres"], indirect=True)
def test_killed_at_any_moment_every_film_is_read_once_and_as_without_it(
    ledger: Ledger,
    settings: ReadingSettings,
    database: str,
    film: Path,
    whole: dict[str, bytes],
    tmp_path: Path,
) -> None:
    added(ledger, copies(film, tmp_path / "films", 2), settings)
    rng = random.Random(3)
    moments = sorted(rng.uniform(1.0, 2 * HANDS * HAND_S) for _ in range(KILLS))

    def kill(pool: ProcessPool) -> None:
        """A process, once it has read so far."""
        done = ledger.counts().seconds_read
        if moments and done >= moments[0]:
            moments.pop(0)
            for one in pool.running.values():
                one.process.kill()

    read_by_processes(ledger, given(database, tmp_path), kill)
    assert len(moments) < KILLS
    for read in ledger.readings():
        assert read.state == DONE
        assert read.result is not None
        mine = files(Path(read.result))
        assert mine.keys() == whole.keys()
        assert mine["record.jsonl"] == whole["record.jsonl"]
    assert kept(settings) == sorted(Path(str(read.result)).name for read in ledger.readings())
    assert not [*(tmp_path / "work").glob("reading-*")]
