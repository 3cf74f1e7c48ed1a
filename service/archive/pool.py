"""Workers of an archive as processes of this machine, and what watches over them."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from service.archive.ledger import Ledger
from service.archive.worker import patiently
from service.errors import Refused

PROGRAM: Final = (sys.executable, "-m", "service.archive.worker_program")
DATABASE: Final = "TILESIGHT_DATABASE"
"""Workers read the address from their environment: it may hold a password."""
LOOK_S: Final = 0.5
ENDS_S: Final = 30.0
"""How long a worker may take to give its film back."""
MOST_STILLBORN: Final = 5
"""Workers that may end in a row without having taken a film."""
_CRASHES: Final = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGABRT)


@dataclass(frozen=True)
class PoolSettings:
    """How many workers, and what each of them is given."""

    database: str
    workers: int
    work: Path
    lease_s: float
    cache_bytes: int
    program: Sequence[str] = PROGRAM


class Pool:
    """Starts workers, replaces those that end or hang, until no film is left."""

    def __init__(self, ledger: Ledger, given: PoolSettings) -> None:
        self._ledger = ledger
        self._given = given
        self._stillborn = 0
        self._workers: dict[str, subprocess.Popen[bytes]] = {}

    def run(self, look: Callable[[], None]) -> None:
        """Return when all films are done or set aside; ``look`` is called all the time.

        Raises ``Refused`` where no worker can be started.
        """
        place = f"{socket.gethostname()}:{os.getpid()}"
        try:
            for number in range(self._given.workers):
                self._start(f"{place}:{number}")
            while self._workers:
                look()
                time.sleep(LOOK_S)
                for name in [*self._workers]:
                    self._check(name)
        finally:
            self._end()
        look()

    def _start(self, name: str) -> None:
        given = self._given
        options = ("--name", name, "--work", str(given.work), "--lease-s", str(given.lease_s))
        command = [*given.program, *options, "--cache-bytes", str(given.cache_bytes)]
        environment = {**os.environ, DATABASE: given.database}
        # Ctrl-C reaches this process alone, which tells its workers.
        self._workers[name] = subprocess.Popen(command, env=environment, start_new_session=True)

    def _check(self, name: str) -> None:
        process = self._workers[name]
        code = process.poll()
        if code is None:
            if not patiently(lambda: self._ledger.overdue(name)):
                return
            process.kill()
            process.wait()
            how, fault = "the worker hung", True
        elif code == 0:
            del self._workers[name]
            return
        else:
            how, fault = f"the worker was ended by {_named(code)}", -code in _CRASHES
        taken = patiently(lambda: self._ledger.lost(name, how, fault))
        self._stillborn = 0 if taken else self._stillborn + 1
        if self._stillborn == MOST_STILLBORN:
            raise Refused(f"workers end before they read anything: {how}; see what they say above")
        self._start(name)

    def _end(self) -> None:
        for process in self._workers.values():
            process.send_signal(signal.SIGTERM)
        until_s = time.monotonic() + ENDS_S
        for process in self._workers.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, until_s - time.monotonic()))
            process.kill()
            process.wait()


def _named(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit status {code}"
