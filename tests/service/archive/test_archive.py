"""An archive reads many films, whatever dies meanwhile."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import json
import os
import random
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Literal
from unittest import mock

import pytest
from sqlalchemy import select

from engine.codec import read_record
from engine.events import Entry
from service.archive.films import FolderStorage, ReadingSettings, StorageError, films_at
from service.archive.hands_table import FoundHands, HandSearch
from service.archive.kept import FilmCache, KeptFolder, fetch_result
from service.archive.leases import DONE, QUARANTINED, RUNNING, WAITING, Lease, LeaseLost, found_in
from service.archive.ledger import Ledger
from service.archive.pool import ProcessPool
from service.archive.run import ArchiveRun
from service.archive.worker import FileOf, TaskEnd, Worker, WorkerSettings
from service.film.film import FilmScoring, FilmToScore
from service.film.kept_looks import ABOUT, LOOKS, NoLooks
from service.hall.database import open_database
from service.hall.database_schema import READINGS
from service.table.options import Options
from service.table.reader_maker import MakeReader
from tests.support.archive_films import copies
from tests.support.archive_worker import PROGRAM, read_all, reader_of
from tests.support.evening import HAND_S, PENDING_S, ByColour
from tests.support.folders import files
from tests.support.golden import golden
from tests.support.halls import on_sqlite
from tests.support.patience import PATIENCE_S, until
from tests.support.score_program import HANDS, LIES, RULES, film_at, made

KILLS = 2


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return film_at(tmp_path_factory.mktemp("film") / "friday.mp4")


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One hand, for what is not about hands."""
    return film_at(tmp_path_factory.mktemp("film") / "friday.mp4", 1, PENDING_S)


@pytest.fixture(scope="module")
def whole(film: Path) -> dict[str, bytes]:
    """What ``tilesight score`` makes of the film, but for the command and the seal that its report
    names."""
    out = film.with_name("whole")
    scoring = FilmScoring(
        FilmToScore((film,), Options(RULES), made(ByColour(LIES)), told_seal=False), out
    )
    scoring.read(lambda _: None)
    scoring.finish()
    return files(out)


@pytest.fixture
def ledger(database: str) -> Iterator[Ledger]:
    engine = open_database(database)
    yield Ledger(engine)
    engine.dispose()


@pytest.fixture
def settings(tmp_path: Path) -> ReadingSettings:
    return ReadingSettings(RULES, str(tmp_path / "results"))


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


@on_sqlite
def test_a_film_is_read_as_by_score_and_its_hands_can_be_searched(
    ledger: Ledger, settings: ReadingSettings, film: Path, whole: dict[str, bytes], tmp_path: Path
) -> None:
    assert added(ledger, film, settings) == [True]
    assert added(ledger, film, settings) == [False], "the same film is one job"
    read_all(Worker(ledger, tmp_path / "work", reader_of=reader_of))
    (read,) = ledger.readings()
    assert (read.state, read.hands) == (DONE, HANDS)
    assert read.result is not None
    assert files(Path(read.result)) == whole
    assert kept(settings) == ["friday.1"]
    assert [len(asked.questions) for asked in ledger.questions()] == [read.questions]
    assert ledger.counts().hands == HANDS


@on_sqlite
def test_answers_explain_a_film_without_it_as_reading_it_again_does(
    ledger: Ledger, settings: ReadingSettings, film: Path, tmp_path: Path
) -> None:
    video = Path(shutil.copyfile(film, tmp_path / "friday.mp4"))
    added(ledger, video, settings)

    def read() -> dict[str, bytes]:
        read_all(Worker(ledger, tmp_path / "work", reader_of=reader_of))
        assert row(ledger).state == DONE, row(ledger).error
        return files(Path(row(ledger).result))

    read()
    (asked,) = ledger.questions()
    said = [{**asked.questions[0], "answer": 2}]
    shutil.rmtree(Path(row(ledger).result) / LOOKS)
    ledger.answer(asked.reading, said)
    by_film = read()
    again = [{**one, "answer": 2} for one in ledger.questions()[0].questions[:1]]
    ledger.answer(row(ledger).id, again)
    video.unlink()
    explained = read()
    video.write_bytes(film.read_bytes())
    shutil.rmtree(Path(row(ledger).result) / LOOKS)
    ledger.reread([row(ledger).id])
    read_again = read()
    assert same_game(explained["record.jsonl"]) == same_game(read_again["record.jsonl"])
    assert same_game(explained["record.jsonl"]) != same_game(by_film["record.jsonl"])
    assert explained["sheet.csv"] == read_again["sheet.csv"]


@on_sqlite
def test_answers_to_a_film_whose_result_is_damaged_read_the_film(
    ledger: Ledger, settings: ReadingSettings, film: Path, tmp_path: Path
) -> None:
    added(ledger, film, settings)
    for _ in range(2):
        read_all(Worker(ledger, tmp_path / "work", reader_of=reader_of))
        assert row(ledger).state == DONE, row(ledger).error
        (Path(row(ledger).result) / "questions.json").write_text("{")
        (asked,) = ledger.questions()
        ledger.answer(asked.reading, [{**asked.questions[0], "answer": 2}])


def test_of_a_result_that_another_version_made_nothing_else_is_fetched(
    whole: dict[str, bytes], tmp_path: Path
) -> None:
    result, fetched = tmp_path / "results" / "friday.1", tmp_path / "fetched"
    about = json.loads(whole[f"{LOOKS}/{ABOUT}"]) | {"program": "another"}
    for name, data in (whole | {f"{LOOKS}/{ABOUT}": json.dumps(about).encode()}).items():
        (result / name).parent.mkdir(parents=True, exist_ok=True)
        (result / name).write_bytes(data)
    fetched.mkdir()
    with pytest.raises(NoLooks, match="another version"):
        fetch_result(FolderStorage(result.parent), result.name, fetched, lambda: None)
    assert [*files(fetched)] == [f"{LOOKS}/{ABOUT}"]


def same_game(record: bytes) -> list[Entry]:
    """A record without the names of its pictures."""
    return [replace(line, evidence=None) for line in read_record(record.decode())]


def test_of_two_workers_the_later_counts(
    ledger: Ledger, settings: ReadingSettings, film: Path
) -> None:
    added(ledger, film, settings)
    first = ledger.claim("frozen", lease_s=-1)  # it has run out at once
    second = ledger.claim("awake", lease_s=60)
    assert first is not None
    assert second is not None
    assert second.attempt > first.attempt
    assert ledger.claim("third", 60) is None
    with pytest.raises(LeaseLost):
        ledger.renew(first, 60, 1.0)
    with pytest.raises(LeaseLost):
        ledger.keep(first, 1)
    with pytest.raises(LeaseLost):
        ledger.fail(first, "it broke", for_good=True)
    ledger.renew(second, 60, 2.0)
    assert (row(ledger).state, row(ledger).worker) == (RUNNING, "awake")
    ledger.give_back(["frozen"])
    assert row(ledger).state == RUNNING
    ledger.give_back(["awake"])
    assert row(ledger).state == WAITING
    with pytest.raises(LeaseLost):
        ledger.finish(second, found_in((), [], {}, 60.0), "")


def test_a_task_that_did_not_hear_which_film_it_has_is_told_again(
    ledger: Ledger, settings: ReadingSettings, short: Path, tmp_path: Path
) -> None:
    added(ledger, copies(short, tmp_path / "films", 2), settings)
    first = ledger.claim("here", 60)
    assert first is not None
    ledger.renew(first, -5, 0)
    assert ledger.claim("here", 60) == first
    assert ledger.hold(["here"]) == {"here": True}
    assert [read.state for read in ledger.readings()] == [RUNNING, WAITING]
    other = ledger.claim("there", 60)
    assert other is not None
    assert other.reading_id != first.reading_id


def test_names_that_are_given_while_a_film_is_read_stay(
    ledger: Ledger, settings: ReadingSettings, film: Path
) -> None:
    added(ledger, film, settings)
    lease = ledger.claim("one", 60)
    assert lease is not None
    ledger.name_players(lease.reading_id, ("Anna", "", "Chen", "Dana"))
    ledger.finish(lease, found_in(golden("harbin-hlr"), [], {}, 60.0), "")
    (hand, *_) = FoundHands(ledger.engine).search(HandSearch())
    assert (hand.player_0, hand.player_1, hand.player_2) == ("Anna", None, "Chen")


@pytest.mark.parametrize(("its_fault", "most"), [(True, 3), (False, 10)])
def test_some_failures_in_a_row_set_a_film_aside_until_it_is_tried_again(
    ledger: Ledger,
    settings: ReadingSettings,
    film: Path,
    monkeypatch: pytest.MonkeyPatch,
    its_fault: bool,
    most: int,
) -> None:
    """More where others were at fault: the network, a machine that was switched off."""
    monkeypatch.setattr("service.archive.leases.FIRST_PAUSE_S", 0.0)
    added(ledger, film, settings)

    def fail(times: int, kept: bool = False) -> None:
        for _ in range(times):
            assert row(ledger).state == WAITING
            lease = ledger.claim("one", 60)
            assert lease is not None
            if kept:
                ledger.keep(lease, 1)
            ledger.fail(lease, "it broke", for_good=False, its_fault=its_fault)

    fail(most - 1)
    fail(1, kept=True)
    assert row(ledger).state == WAITING, "a hand was finished meanwhile"
    fail(most - 1)
    assert (row(ledger).state, row(ledger).error) == (QUARANTINED, "it broke")
    assert ledger.claim("one", 60) is None
    assert ledger.retry() == 1
    assert ledger.claim("one", 60) is not None


@on_sqlite
def test_what_is_no_film_is_set_aside_at_once_and_the_others_go_on(
    ledger: Ledger, settings: ReadingSettings, short: Path, tmp_path: Path
) -> None:
    folder = copies(short, tmp_path / "films", 1)
    (folder / "a.mp4").write_text("no film")
    assert added(ledger, folder, settings) == [True, True]
    read_all(Worker(ledger, tmp_path / "work", reader_of=reader_of))
    broken, read = ledger.readings()
    assert (broken.state, read.state) == (QUARANTINED, DONE)
    assert broken.error is not None
    assert "cannot be read as a video" in broken.error


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
