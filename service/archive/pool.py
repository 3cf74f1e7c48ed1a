"""Reading an archive: films are handed out as tasks, to processes of this machine or to Ray."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Final, NoReturn, Protocol, TypeVar

from engine.errors import Refused
from service.archive.ledger import Ledger
from service.archive.worker import ReaderOf, TaskEnd, Worker, patiently
from service.hall.database import AWAY, engine_of
from service.machine.process import run_process

LOOK_S: Final = 0.5
SLOW_S: Final = 1.0
"""A ledger that takes longer to answer was away."""
ENDS_S: Final = 30.0
"""How long processes may take to remove what they were writing."""
MOST_STILLBORN: Final = 5
"""Tasks that may be lost in a row before they have taken a film."""
LONGEST_PAUSE_S: Final = 60.0
"""Before films are handed out again after a storage did not answer; the first pause is a second."""

_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class WorkerSettings:
    """What everybody who reads is given."""

    database: str
    work: Path
    """A folder of each machine."""
    lease_s: float
    cache_bytes: int

    def worker(self, ledger: Ledger, reader_of: ReaderOf | None = None) -> Worker:
        return Worker(ledger, self.work, self.lease_s, self.cache_bytes, reader_of)


@dataclass(frozen=True)
class TaskLost:
    """A task ended without a word."""

    how: str
    crashed: bool = False
    """The film may have caused it."""


class FilmEngine(Protocol):
    """Where tasks run; each calls ``Worker.read_next`` once."""

    def start(self, task: str) -> None:
        """Have one film read; ``task`` is a name that no other running task has."""

    def ended(self, wait_s: float) -> dict[str, TaskEnd | TaskLost]:
        """Which tasks have ended since; waits at most so long for one."""

    def kill(self, task: str) -> None:
        """End a task at once; ``ended`` names it no more."""

    def close(self) -> None:
        """End all tasks."""


class ArchiveRun:
    """Hands out films until all are done or set aside.

    It keeps nothing: the ledger knows which films wait, so that any number of runs may go on
    beside and after each other.
    """

    def __init__(self, ledger: Ledger, given: WorkerSettings, count: int, place: str) -> None:
        """``count`` films at a time; ``place`` begins the names of tasks: no other run has it."""
        self._ledger, self._given = ledger, given
        self._free = [f"{place}:{number}" for number in range(count)]
        self._leased_s: dict[str, float | None] = {}
        """Of each running task: when it had a lease for the last time, None before it has one."""
        self._stillborn = 0
        self._pause_s = self._rests_until_s = 0.0
        self._trusts_from_s = 0.0
        """When leases mean something again: none can be renewed while the ledger is away."""

    def run(self, engine: FilmEngine, look: Callable[[], None]) -> None:
        """Return when no film is left; ``look`` is called all the time.

        Raises ``Refused`` where nothing can read.
        """
        try:
            while True:
                look()
                self._hand_out(engine)
                if not self._leased_s and self._ask(self._ledger.idle):
                    break
                for task, end in engine.ended(LOOK_S).items():
                    self._note(task, end)
                self._kill_hanging(engine)
        finally:
            engine.close()  # nobody reads any more: their films need not wait for their leases
            with contextlib.suppress(*AWAY):  # stopping must not wait for the database
                self._ledger.give_back([*self._leased_s])
        self._given.worker(self._ledger).tidy()
        look()

    def _hand_out(self, engine: FilmEngine) -> None:
        if not self._free or time.monotonic() < self._rests_until_s:
            return
        for _ in range(self._ask(lambda: self._ledger.claimable(len(self._free)))):
            task = self._free.pop()
            self._leased_s[task] = None
            engine.start(task)

    def _note(self, task: str, end: TaskEnd | TaskLost) -> None:
        self._free.append(task)
        leased_s = self._leased_s.pop(task)
        if isinstance(end, TaskLost):
            had_film = self._ask(lambda: self._ledger.lost(task, end.how, end.crashed))
            self._stillborn = 0 if had_film or leased_s is not None else self._stillborn + 1
            if self._stillborn == MOST_STILLBORN:
                raise Refused(
                    f"workers end before they read anything: {end.how}; see what they say above"
                )
            return
        self._stillborn = 0
        away = end is TaskEnd.AWAY
        self._pause_s = min(max(1.0, 2 * self._pause_s), LONGEST_PAUSE_S) if away else 0.0
        self._rests_until_s = time.monotonic() + self._pause_s

    def _kill_hanging(self, engine: FilmEngine) -> None:
        hold = self._ask(lambda: self._ledger.hold([*self._leased_s]))
        now_s = time.monotonic()
        for task, leased_s in [*self._leased_s.items()]:
            if hold.get(task) or now_s < self._trusts_from_s:
                self._leased_s[task] = now_s if task in hold else leased_s
            elif task in hold or (
                # Another task has its film by now, and it does not notice.
                leased_s is not None and now_s > leased_s + self._given.lease_s
            ):
                engine.kill(task)
                self._note(task, TaskLost("the worker hung", crashed=True))

    def _ask(self, call: Callable[[], _Answer]) -> _Answer:
        """Ask the ledger, which may be away."""
        asked_s = time.monotonic()
        answer = patiently(call)
        if time.monotonic() > asked_s + SLOW_S:
            self._trusts_from_s = time.monotonic() + self._given.lease_s
        return answer


class ProcessPool:
    """Processes of this machine, each of which reads one film after the other."""

    def __init__(self, given: WorkerSettings, program: Sequence[str]) -> None:
        self._given, self._program = given, program
        self._idle: list[_Process] = []
        self.running: dict[str, _Process] = {}

    def start(self, task: str) -> None:
        process = self._idle.pop() if self._idle else _Process(self._given, self._program)
        process.start(task)
        self.running[task] = process

    def ended(self, wait_s: float) -> dict[str, TaskEnd | TaskLost]:
        ready = wait([process.connection for process in self.running.values()], wait_s)
        found: dict[str, TaskEnd | TaskLost] = {}
        for task, process in [*self.running.items()]:
            if process.connection in ready:
                del self.running[task]
                found[task] = end = process.end()
                if isinstance(end, TaskEnd):
                    self._idle.append(process)
        return found

    def kill(self, task: str) -> None:
        self.running.pop(task).kill()

    def close(self) -> None:
        """Ask the processes to end, which remove what they were writing."""
        processes = [*self._idle, *self.running.values()]
        for process in processes:
            process.process.terminate()
        until_s = time.monotonic() + ENDS_S
        for process in processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.process.wait(max(0.0, until_s - time.monotonic()))
            process.kill()


class _Process:
    def __init__(self, given: WorkerSettings, program: Sequence[str]) -> None:
        self.connection, theirs = Pipe()
        with theirs:
            number = theirs.fileno()
            # Ctrl-C reaches the run alone, which tells its processes.
            self.process = subprocess.Popen(
                [*program, str(number)], pass_fds=[number], start_new_session=True
            )
        self._say(given)

    def start(self, task: str) -> None:
        self._say(task)

    def _say(self, told: object) -> None:
        with contextlib.suppress(OSError):  # it was killed: ``end`` says so
            self.connection.send(told)

    def end(self) -> TaskEnd | TaskLost:
        """What became of its task; called when there is something to be read."""
        try:
            end: TaskEnd = self.connection.recv()
        except (EOFError, OSError):
            code = self.process.wait()
            self.connection.close()
            return TaskLost(f"the worker was ended by {_named(code)}", -code in _CRASHES)
        return end

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.connection.close()


_CRASHES: Final = tuple(
    getattr(signal, name)
    for name in ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT")
    if hasattr(signal, name)  # Windows has no SIGBUS
)


def _named(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit status {code}"


def main(descriptor: int, reader_of: ReaderOf | None = None) -> NoReturn:
    """A process of the pool; one that is ended from outside removes what it was writing."""
    run_process(lambda: _work(descriptor, reader_of))


def _work(descriptor: int, reader_of: ReaderOf | None) -> int:
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    # A run that is gone gives no further film: the last one is read, and then it ends, too.
    with Connection(descriptor) as run, contextlib.suppress(EOFError, BrokenPipeError):
        given: WorkerSettings = run.recv()
        engine = engine_of(given.database)
        try:
            worker = given.worker(Ledger(engine), reader_of)
            while True:
                run.send(worker.read_next(run.recv()))
        finally:
            engine.dispose()
    return 0


PROGRAM: Final = (sys.executable, "-m", "service.archive.pool")

if __name__ == "__main__":
    main(int(sys.argv[1]))
