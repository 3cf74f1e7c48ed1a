"""Workers of an archive as processes of this machine."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from service.archive.pool import Ended, WorkerSettings

PROGRAM: Final = (sys.executable, "-m", "service.archive.worker_program")
DATABASE: Final = "TILESIGHT_DATABASE"
"""Workers read the address from their environment: it may hold a password."""
_CRASHES: Final = (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE, signal.SIGABRT)


class ProcessWorker:
    """A worker in a process of its own."""

    def __init__(self, name: str, given: WorkerSettings, program: Sequence[str] = PROGRAM) -> None:
        options = ("--name", name, "--work", str(given.work), "--lease-s", str(given.lease_s))
        command = [*program, *options, "--cache-bytes", str(given.cache_bytes)]
        environment = {**os.environ, DATABASE: given.database}
        # Ctrl-C reaches the pool alone, which tells its workers.
        self.process = subprocess.Popen(command, env=environment, start_new_session=True)

    def ended(self) -> Ended | None:
        code = self.process.poll()
        if not code:
            return None if code is None else Ended()
        return Ended(f"the worker was ended by {_named(code)}", -code in _CRASHES)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def ask_to_end(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def wait(self, seconds: float) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)


def _named(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit status {code}"
