"""How a run hands out films, whatever becomes of tasks and of what runs them."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from unittest import mock

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from engine.errors import Refused
from service.archive.films import FilmFile, FolderStorage, ReadingSettings, films_at
from service.archive.leases import DONE, LONGEST_PAUSE_S, QUARANTINED, WAITING, found_in
from service.archive.ledger import Ledger
from service.archive.pool import ProcessPool
from service.archive.run import LOOK_S, MOST_STILLBORN, ArchiveRun, TaskLost
from service.archive.worker import TaskEnd, WorkerSettings
from service.hall.database import open_database
from service.hall.database_schema import READINGS
from tests.support.archive_films import copies
from tests.support.archive_worker import PROGRAM, read_all, reader_of
from tests.support.patience import PATIENCE_S

LEASE_S = 60.0
ENDS_S = 5000.0
LOOKS = 3
"""Of a run, until a task has begun."""
FOUND = found_in((), [], {}, 60.0)
AWAY = OperationalError("the database is away", None, Exception())


@pytest.fixture
def given(tmp_path: Path) -> WorkerSettings:
    return WorkerSettings(str(tmp_path / "archive.sqlite3"), tmp_path / "work", LEASE_S, 1 << 30)


@pytest.fixture
def ledger(given: WorkerSettings) -> Iterator[Ledger]:
    engine = open_database(given.database)
    yield Ledger(engine)
    engine.dispose()


class Clock:
    """Time that passes only while somebody waits, but each look takes a little."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def monotonic(self) -> float:
        self.now_s += 1e-3
        assert self.now_s < ENDS_S, "it never comes to an end"
        return self.now_s

    time = monotonic

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    for module in ("run", "worker", "leases"):
        monkeypatch.setattr(f"service.archive.{module}.time", clock)
    return clock


class Played:
    """Tasks that do what a test says, once somebody waits for them."""

    def __init__(self, clock: Clock, does: Callable[[str], TaskEnd | TaskLost | None]) -> None:
        """``does`` is asked for each task at each look; None while the task goes on."""
        self._clock, self._does = clock, does
        self.running: list[str] = []
        self.started_s: list[float] = []
        self.killed: list[str] = []
        self.killed_s: list[float] = []

    def start(self, task: str) -> None:
        self.running.append(task)
        self.started_s.append(self._clock.now_s)

    def ended(self, wait_s: float) -> dict[str, TaskEnd | TaskLost]:
        ends = {task: end for task in self.running if (end := self._does(task)) is not None}
        self.running = [task for task in self.running if task not in ends]
        if not ends:
            self._clock.sleep(wait_s)
        return ends

    def kill(self, task: str) -> None:
        self.running.remove(task)
        self.killed.append(task)
        self.killed_s.append(self._clock.now_s)

    def close(self) -> None:
        self.running.clear()


def add(ledger: Ledger, settings: ReadingSettings, count: int = 1) -> None:
    for number in range(count):
        ledger.add(FilmFile(f"{number}.mp4", f"{number}.mp4", f"{number}", 1), settings)


def read(ledger: Ledger, task: str) -> TaskEnd:
    """A task that finds nothing in its film."""
    lease = ledger.claim(task, LEASE_S)
    if lease is None:
        return TaskEnd.NONE_WAITED
    ledger.finish(lease, FOUND, "")
    ledger.cleared(lease)
    return TaskEnd.READ


def states(ledger: Ledger) -> list[str]:
    return [reading.state for reading in ledger.readings()]


def attempts(ledger: Ledger) -> list[int]:
    with ledger.engine.connect() as connection:
        asked = select(READINGS.c.token).order_by(READINGS.c.id)
        return [*connection.execute(asked).scalars()]


def test_each_film_is_one_task(
    ledger: Ledger, given: WorkerSettings, settings: ReadingSettings, clock: Clock
) -> None:
    add(ledger, settings, 5)
    most = 0

    def does(task: str) -> TaskEnd:
        nonlocal most
        most = max(most, len(runner.running))
        return read(ledger, task)

    runner = Played(clock, does)
    ArchiveRun(ledger, given, 2, "here").run(runner, lambda: None)
    assert (states(ledger), attempts(ledger)) == ([DONE] * 5, [1] * 5)
    assert (len(runner.started_s), most) == (5, 2)


def test_no_two_tasks_have_one_name_though_runs_have(
    ledger: Ledger, given: WorkerSettings, settings: ReadingSettings, clock: Clock
) -> None:
    """A container that is started again has the same host and numbers of processes."""
    names: list[str] = []

    def does(task: str) -> TaskEnd:
        names.append(task)
        return read(ledger, task)

    for films in (2, 4):
        add(ledger, settings, films)
        ArchiveRun(ledger, given, 1, "here").run(Played(clock, does), lambda: None)
    assert len({*names}) == len(names) == 4
    assert all(name.startswith("here:") for name in names)


def test_where_tasks_end_before_they_read_the_run_ends_and_no_film_is_blamed(
    ledger: Ledger, given: WorkerSettings, settings: ReadingSettings, clock: Clock
) -> None:
    add(ledger, settings)
    runner = Played(clock, lambda _: TaskLost("exit status 1"))
    with pytest.raises(Refused, match=r"^workers end before they read anything: exit status 1"):
        ArchiveRun(ledger, given, 1, "here").run(runner, lambda: None)
    assert len(runner.started_s) == MOST_STILLBORN
    assert (states(ledger), attempts(ledger)) == ([WAITING], [0])


@pytest.mark.parametrize("count", [1, 4])
def test_while_a_storage_is_away_films_are_handed_out_ever_less_often(
    ledger: Ledger,
    given: WorkerSettings,
    settings: ReadingSettings,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    count: int,
) -> None:
    """However many tasks there may be, and though each takes a while to begin."""
    monkeypatch.setattr("service.archive.leases.MOST_LOSSES", 8)
    add(ledger, settings)
    looks: Counter[str] = Counter()
    tried_s: list[float] = []

    def does(task: str) -> TaskEnd | None:
        looks[task] += 1
        if looks[task] < LOOKS:
            return None
        tried_s.append(clock.now_s)
        return finds_it_away(ledger, task)

    runner = Played(clock, does)
    ArchiveRun(ledger, given, count, "here").run(runner, lambda: None)
    assert states(ledger) == [QUARANTINED]
    begins_s = (LOOKS - 1) * LOOK_S
    assert pauses_s(tried_s) == pytest.approx(
        [min(2.0**times, LONGEST_PAUSE_S) + begins_s for times in range(7)], abs=0.7
    )


def test_tasks_that_were_started_before_a_storage_was_away_keep_its_pauses(
    ledger: Ledger,
    given: WorkerSettings,
    settings: ReadingSettings,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As tasks of Ray that wait for a machine."""
    monkeypatch.setattr("service.archive.leases.MOST_LOSSES", 4)
    add(ledger, settings, 8)
    tried_s: dict[int, list[float]] = defaultdict(list)

    def does(task: str) -> TaskEnd | None:
        if task != runner.running[0]:  # one machine
            return None
        lease = ledger.claim(task, LEASE_S)
        if lease is None:
            return TaskEnd.NONE_WAITED
        tried_s[lease.reading_id].append(clock.now_s)
        return finds_it_away(ledger, task)

    runner = Played(clock, does)
    ArchiveRun(ledger, given, 8, "here").run(runner, lambda: None)
    assert states(ledger) == [QUARANTINED] * 8
    for times_s in tried_s.values():
        kept = zip(pauses_s(times_s), (1.0, 2.0, 4.0), strict=True)
        assert all(pause >= promised for pause, promised in kept)


def finds_it_away(ledger: Ledger, task: str) -> TaskEnd:
    lease = ledger.claim(task, LEASE_S)
    if lease is None:
        return TaskEnd.NONE_WAITED
    ledger.fail(lease, "the disk is full", for_good=False, its_fault=False)
    return TaskEnd.AWAY


def pauses_s(times_s: Sequence[float]) -> list[float]:
    return [after - before for before, after in pairwise(times_s)]


def test_a_task_that_hangs_is_ended_and_its_film_read_by_another(
    ledger: Ledger, given: WorkerSettings, settings: ReadingSettings, clock: Clock
) -> None:
    add(ledger, settings)
    hangs: list[str] = []

    def does(task: str) -> TaskEnd | None:
        if not hangs:
            assert ledger.claim(task, LEASE_S) is not None
            hangs.append(task)
        return read(ledger, task) if runner.killed else None

    runner = Played(clock, does)
    ArchiveRun(ledger, given, 1, "here").run(runner, lambda: None)
    assert runner.killed == hangs
    assert runner.killed_s[0] - runner.started_s[0] == pytest.approx(LEASE_S, abs=2.0)
    assert (states(ledger), attempts(ledger)) == ([DONE], [2])


def test_a_task_that_hangs_while_another_run_has_its_film_is_ended_too(
    ledger: Ledger, given: WorkerSettings, settings: ReadingSettings, clock: Clock
) -> None:
    add(ledger, settings)

    looks = iter(range(2))

    def does(task: str) -> None:
        match next(looks, None):
            case 0:
                assert ledger.claim(task, LEASE_S) is not None
            case 1:  # as if the lease had run out between two looks of this run
                ledger.give_back([task])
                read(ledger, "there:0")

    runner = Played(clock, does)
    ArchiveRun(ledger, given, 1, "here").run(runner, lambda: None)
    assert len(runner.killed) == 1
    assert (states(ledger), attempts(ledger)) == ([DONE], [2])


def test_a_ledger_that_was_away_for_longer_than_a_lease_ends_no_task(
    ledger: Ledger, given: WorkerSettings, settings: ReadingSettings, clock: Clock
) -> None:
    add(ledger, settings)
    lease = None
    asked, away = ledger.hold, 0

    def hold(tasks: list[str]) -> dict[str, bool]:
        nonlocal away
        if lease is not None and clock.now_s < begun_s + 2 * LEASE_S:
            away += 1
            raise AWAY
        return asked(tasks)

    def does(task: str) -> TaskEnd | None:
        nonlocal lease
        if lease is None:
            lease = ledger.claim(task, LEASE_S)
            return None
        if clock.now_s < begun_s + 2.5 * LEASE_S:
            return None
        ledger.renew(lease, LEASE_S, 60.0)
        ledger.finish(lease, FOUND, "")
        ledger.cleared(lease)
        return TaskEnd.READ

    begun_s = clock.now_s
    runner = Played(clock, does)
    with mock.patch.object(ledger, "hold", hold):
        ArchiveRun(ledger, given, 1, "here").run(runner, lambda: None)
    assert away
    assert not runner.killed
    assert (states(ledger), attempts(ledger)) == ([DONE], [1])


def test_a_task_that_waits_for_a_machine_holds_no_film(
    ledger: Ledger, given: WorkerSettings, settings: ReadingSettings, clock: Clock
) -> None:
    add(ledger, settings, 2)
    there = iter(["there:0", "there:1"])

    def does(task: str) -> TaskEnd | None:
        """No machine has room before the other run is done."""
        if (other := next(there, None)) is not None:
            read(ledger, other)
            return None
        return read(ledger, task)

    runner = Played(clock, does)
    ArchiveRun(ledger, given, 2, "here").run(runner, lambda: None)
    assert not runner.killed
    assert (states(ledger), attempts(ledger)) == ([DONE] * 2, [1] * 2)


def test_a_run_that_is_stopped_gives_its_films_back(
    ledger: Ledger, given: WorkerSettings, settings: ReadingSettings, clock: Clock
) -> None:
    add(ledger, settings)

    def does(task: str) -> None:
        ledger.claim(task, LEASE_S)

    runner = Played(clock, does)

    def stop() -> None:
        if attempts(ledger) == [1]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ArchiveRun(ledger, given, 1, "here").run(runner, stop)
    assert states(ledger) == [WAITING]


def test_a_process_whose_run_is_gone_reads_its_film_and_no_other(
    ledger: Ledger, given: WorkerSettings, settings: ReadingSettings, short: Path, tmp_path: Path
) -> None:
    for film in films_at(str(copies(short, tmp_path / "films", 2))):
        ledger.add(film, settings)
    pool = ProcessPool(given, PROGRAM)
    pool.start("here:0")
    alone = pool.running["here:0"]
    alone.connection.close()
    assert alone.process.wait(PATIENCE_S) == 0
    assert states(ledger) == [DONE, WAITING]


def test_two_runs_on_one_folder_read_every_film_once(
    ledger: Ledger, given: WorkerSettings, settings: ReadingSettings, short: Path, tmp_path: Path
) -> None:
    for film in films_at(str(copies(short, tmp_path / "films", 4))):
        ledger.add(film, settings)

    def run(place: str) -> None:
        ArchiveRun(ledger, given, 1, place).run(ProcessPool(given, PROGRAM), lambda: None)

    runs = [threading.Thread(target=run, args=(place,)) for place in ("one", "two")]
    for one in runs:
        one.start()
    for one in runs:
        one.join(PATIENCE_S)
    assert (states(ledger), attempts(ledger)) == ([DONE] * 4, [1] * 4)
    kept = sorted(path.name for path in Path(settings.out).iterdir())
    assert kept == sorted(f"table-{number}.{number + 1}" for number in range(4))


def test_a_lease_is_kept_while_a_result_is_stored(
    ledger: Ledger, given: WorkerSettings, settings: ReadingSettings, short: Path, clock: Clock
) -> None:
    """A slow storage takes longer for an hour of play than a lease lasts."""
    (film,) = films_at(str(short))
    ledger.add(film, settings)
    held: list[bool] = []
    put = FolderStorage.put

    def slow(storage: FolderStorage, path: Path, name: str) -> None:
        if name.startswith("friday.1/"):
            held.append(ledger.hold(["here"])["here"])
            clock.sleep(LEASE_S / 2)
        put(storage, path, name)

    with mock.patch.object(FolderStorage, "put", slow):
        read_all(given.worker(ledger, reader_of))
    assert held == [True] * len(held)
    assert len(held) > 2
    assert states(ledger) == [DONE]
