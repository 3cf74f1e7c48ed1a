"""Watches over the workers of an archive, until no film is left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from service.archive.ledger import Ledger
from service.archive.worker import patiently
from service.errors import Refused

LOOK_S: Final = 0.5
ENDS_S: Final = 30.0
"""How long a worker may take to give its film back."""
MOST_STILLBORN: Final = 5
"""Workers that may end in a row without having taken a film."""


@dataclass(frozen=True)
class WorkerSettings:
    """What each worker is given."""

    database: str
    work: Path
    """A folder of its machine."""
    lease_s: float
    cache_bytes: int


@dataclass(frozen=True)
class Ended:
    """How a worker has ended."""

    how: str | None = None
    """Why, in words; None where no film is left."""
    crashed: bool = False
    """The film may have caused it."""


class RunningWorker(Protocol):
    """A worker that runs somewhere."""

    def ended(self) -> Ended | None:
        """How it has ended; None while it runs."""

    def kill(self) -> None:
        """End it at once."""

    def ask_to_end(self) -> None:
        """Ask it to give its film back and end."""

    def wait(self, seconds: float) -> None:
        """Wait until it has ended, but not for longer."""


StartWorker = Callable[[str], RunningWorker]
"""Start a worker of this name."""


class Pool:
    """Starts workers and replaces those that end or hang."""

    def __init__(self, ledger: Ledger, count: int, place: str, start: StartWorker) -> None:
        """``place`` begins the names of the workers; no other pool may use it."""
        self._ledger = ledger
        self._names = [f"{place}:{number}" for number in range(count)]
        self._start = start
        self._stillborn = 0
        self.workers: dict[str, RunningWorker] = {}

    def run(self, look: Callable[[], None]) -> None:
        """Return when all films are done or set aside; ``look`` is called all the time.

        Raises ``Refused`` where no worker can be started.
        """
        try:
            self.workers |= {name: self._start(name) for name in self._names}
            while self.workers:
                look()
                time.sleep(LOOK_S)
                for name in [*self.workers]:
                    self._check(name)
        finally:
            self._end()
        look()

    def _check(self, name: str) -> None:
        worker = self.workers[name]
        ended = worker.ended()
        if ended is None:
            if not patiently(lambda: self._ledger.overdue(name)):
                return
            worker.kill()
            ended = Ended("the worker hung", crashed=True)
        if ended.how is None:
            del self.workers[name]
            return
        how, crashed = ended.how, ended.crashed
        taken = patiently(lambda: self._ledger.lost(name, how, crashed))
        self._stillborn = 0 if taken else self._stillborn + 1
        if self._stillborn == MOST_STILLBORN:
            raise Refused(f"workers end before they read anything: {how}; see what they say above")
        self.workers[name] = self._start(name)

    def _end(self) -> None:
        for worker in self.workers.values():
            worker.ask_to_end()
        until_s = time.monotonic() + ENDS_S
        for worker in self.workers.values():
            worker.wait(max(0.0, until_s - time.monotonic()))
            worker.kill()
