"""A run through an archive: hands out its films, one a task, to whatever runs tasks."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar
from uuid import uuid4

from engine.errors import Refused
from service.archive.leases import pause_s
from service.archive.ledger import Ledger
from service.archive.worker import TaskEnd, WorkerSettings, patiently
from service.hall.database import AWAY

LOOK_S: Final = 0.5
SLOW_S: Final = 1.0
"""A ledger that takes longer to answer was away."""
MOST_STILLBORN: Final = 5
"""Tasks that may be lost in a row before they have taken a film."""

_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class TaskLost:
    """A task ended without a word."""

    how: str
    crashed: bool = False
    """The film may have caused it."""


class TaskRunner(Protocol):
    """Where tasks run; each calls ``Worker.read_next`` once."""

    def start(self, task: str) -> None:
        """Have one film read; ``task`` is a name that no other task ever has."""

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
        """``count`` films at a time; ``place`` begins the names of tasks."""
        self._ledger, self._given = ledger, given
        self._count, self._place = count, place
        self._leased_s: dict[str, float | None] = {}
        """Of each running task: when it had a lease for the last time, None before it has one."""
        self._stillborn = 0
        self._aways = 0
        """How often in a row a storage did not answer."""
        self._rests_until_s = 0.0
        self._trusts_from_s = 0.0
        """When leases mean something again: none can be renewed while the ledger is away."""

    def run(self, runner: TaskRunner, look: Callable[[], None]) -> None:
        """Return when no film is left; ``look`` is called all the time.

        Raises ``Refused`` where nothing can read.
        """
        try:
            while True:
                look()
                self._hand_out(runner)
                if not self._leased_s and self._ask(self._ledger.idle):
                    break
                for task, end in runner.ended(LOOK_S).items():
                    self._note(task, end)
                self._kill_hanging(runner)
        finally:
            runner.close()  # nobody reads any more: their films need not wait for their leases
            with contextlib.suppress(*AWAY):  # stopping must not wait for the database
                self._ledger.give_back([*self._leased_s])
        self._given.worker(self._ledger).tidy()
        look()

    def _hand_out(self, runner: TaskRunner) -> None:
        free = self._count - len(self._leased_s)
        if not free or time.monotonic() < self._rests_until_s:
            return
        waiting = self._ask(lambda: self._ledger.claimable(self._count))
        starting = sum(leased_s is None for leased_s in self._leased_s.values())
        for _ in range(min(free, waiting - starting)):
            # Machines and processes have the same names again after a restart.
            task = f"{self._place}:{uuid4()}"
            self._leased_s[task] = None
            runner.start(task)

    def _note(self, task: str, end: TaskEnd | TaskLost) -> None:
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
        match end:
            case TaskEnd.READ:
                self._aways, self._rests_until_s = 0, 0.0
            case TaskEnd.AWAY if time.monotonic() >= self._rests_until_s:
                # What others say meanwhile, who asked before the pause, is nothing new.
                self._aways += 1
                self._rests_until_s = time.monotonic() + pause_s(self._aways)

    def _kill_hanging(self, runner: TaskRunner) -> None:
        hold = self._ask(lambda: self._ledger.hold([*self._leased_s]))
        now_s = time.monotonic()
        for task, leased_s in [*self._leased_s.items()]:
            if hold.get(task) or now_s < self._trusts_from_s:
                self._leased_s[task] = now_s if task in hold else leased_s
            elif task in hold or (
                # Another task has its film by now, and it does not notice.
                leased_s is not None and now_s > leased_s + self._given.lease_s
            ):
                runner.kill(task)
                self._note(task, TaskLost("the worker hung", crashed=True))

    def _ask(self, call: Callable[[], _Answer]) -> _Answer:
        """Ask the ledger, which may be away."""
        asked_s = time.monotonic()
        answer = patiently(call)
        if time.monotonic() > asked_s + SLOW_S:
            self._trusts_from_s = time.monotonic() + self._given.lease_s
        return answer
