"""Folders of films that are being read: whose they are, and who removes them."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from unittest import mock

import pytest

from service.archive.films import FolderStorage, ReadingSettings, StorageError
from service.archive.kept import FilmCache, KeptFolder
from service.archive.leases import DONE, Lease
from service.archive.ledger import Ledger
from service.archive.worker import TaskEnd, Worker
from tests.support.archive_readings import added, kept, row
from tests.support.archive_worker import read_all, reader_of
from tests.support.folders import files
from tests.support.halls import on_sqlite


@on_sqlite
def test_what_a_worker_leaves_that_dies_once_its_film_is_done_is_removed(
    ledger: Ledger, settings: ReadingSettings, short: Path, tmp_path: Path
) -> None:
    added(ledger, short, settings)
    assert ledger.claim("before", lease_s=-1) is not None, "its result would be friday.1"
    Path(settings.out, "friday.1").mkdir(parents=True)
    worker = Worker(ledger, tmp_path / "work", reader_of=reader_of)
    with (
        mock.patch.object(KeptFolder, "drop", side_effect=KeyboardInterrupt),
        pytest.raises(KeyboardInterrupt),
    ):
        read_all(worker)
    assert row(ledger).state == DONE
    assert kept(settings) == ["friday.1", "friday.1.2", "unfinished.1"]
    read_all(worker)
    assert kept(settings) == ["friday.1.2"]
    assert ledger.uncleared() == []


@on_sqlite
def test_what_a_worker_writes_after_its_film_was_done_is_removed(
    ledger: Ledger, settings: ReadingSettings, short: Path, tmp_path: Path
) -> None:
    added(ledger, short, settings)
    late = ledger.claim("late", lease_s=-1)
    assert late is not None
    read_all(Worker(ledger, tmp_path / "here", reader_of=reader_of))
    assert kept(settings) == ["friday.1.2"]
    (read,) = ledger.readings()
    before = files(Path(settings.out, "friday.1.2"))
    worker = Worker(ledger, tmp_path / "late", reader_of=reader_of)
    with mock.patch.object(ledger, "renew"):
        assert worker.read(late) is TaskEnd.READ
    assert kept(settings) == ["friday.1.2", "unfinished.1"]
    read_all(worker)
    assert kept(settings) == ["friday.1.2"]
    assert files(Path(settings.out, "friday.1.2")) == before
    assert ledger.readings() == [read]


class Bucket(FolderStorage):
    """Storage in which somebody else writes, too: its names are only texts."""

    def __init__(self, kept: dict[str, bytes]) -> None:
        super().__init__(Path())
        self._kept = kept

    def names(self, below: str = "") -> list[str]:
        return sorted(self._kept)

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        yield io.BytesIO(self._kept[name])


@pytest.fixture
def lease(settings: ReadingSettings) -> Lease:
    return Lease(1, 1, "friday.mp4", "friday.mp4", "", settings, (), 2)


def test_a_bucket_writes_nothing_but_an_unfinished_film(lease: Lease, tmp_path: Path) -> None:
    own = ["record.jsonl", "evidence/00012.jpg", "unfinished/00012-0.jpg", "state-2"]
    others = ["../../secret", "/secret", "evidence/../../secret", "state-1", "run.py", "x/y.jpg"]
    folder = tmp_path / "work" / "here"
    folder.mkdir(parents=True)
    bucket = Bucket({f"unfinished.1/{name}": name.encode() for name in own + others})
    KeptFolder(bucket, lease).restore(folder, 2)
    assert [*files(tmp_path)] == sorted(
        f"work/here/{name}".replace("state-2", "unfinished/state") for name in own
    )


def test_an_unfinished_film_has_an_end(lease: Lease, tmp_path: Path) -> None:
    bucket = Bucket({f"unfinished.1/evidence/{number}.jpg": b"12345" for number in range(9)})
    with (
        mock.patch("service.archive.kept.MOST_BYTES", 20),
        pytest.raises(StorageError, match="holds more than any unfinished film"),
    ):
        KeptFolder(bucket, lease).restore(tmp_path, 2)


@on_sqlite
def test_folders_of_killed_processes_are_removed_and_no_others(
    ledger: Ledger, tmp_path: Path
) -> None:
    work = tmp_path / "work"
    read_here, killed = work / "reading-here", work / "reading-killed"
    for folder in (read_here, killed):
        (folder / "evidence").mkdir(parents=True)
    held = os.open(read_here, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    worker = Worker(ledger, work, reader_of=reader_of)
    worker.tidy()
    assert [*work.glob("reading-*")] == [read_here]
    os.close(held)
    worker.tidy()
    assert not [*work.glob("reading-*")]


@on_sqlite
def test_a_folder_that_its_task_removes_while_another_sweeps_is_passed_over(
    ledger: Ledger, settings: ReadingSettings, short: Path, tmp_path: Path
) -> None:
    added(ledger, short, settings)
    going = tmp_path / "work" / "reading-going"
    going.mkdir(parents=True)
    opened = os.open

    def just_gone(path: Path, *how: int, **more: Any) -> int:
        if path == going:
            going.rmdir()
        return opened(path, *how, **more)

    with mock.patch("service.archive.worker.os.open", just_gone):
        worker = Worker(ledger, tmp_path / "work", reader_of=reader_of)
        assert worker.read_next("here") is TaskEnd.READ
    assert row(ledger).state == DONE


@on_sqlite
def test_a_folder_into_which_a_film_is_read_is_left_alone_by_others(
    ledger: Ledger,
    settings: ReadingSettings,
    film: Path,
    whole: dict[str, bytes],
    tmp_path: Path,
) -> None:
    added(ledger, film, settings)
    keep, other = ledger.keep, Worker(ledger, tmp_path / "work", reader_of=reader_of)
    swept: list[int] = []

    def sweep(lease: Lease, checkpoint: int) -> None:
        keep(lease, checkpoint)
        before = files(tmp_path / "work")
        other.tidy()
        assert files(tmp_path / "work") == before
        swept.append(checkpoint)

    with mock.patch.object(ledger, "keep", sweep):
        read_all(Worker(ledger, tmp_path / "work", reader_of=reader_of))
    assert swept
    assert row(ledger).state == DONE, row(ledger).error
    assert files(Path(row(ledger).result)) == whole


def test_films_that_were_fetched_in_part_are_removed_unless_somebody_fetches(
    tmp_path: Path,
) -> None:
    left, growing = tmp_path / "left.part", tmp_path / "growing.part"
    for part in (left, growing):
        part.write_bytes(b"film")
    with growing.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        FilmCache(tmp_path, 1 << 20)._make_room(1)
    assert (left.exists(), growing.exists()) == (False, True)
