"""Workers of an archive as processes of this machine, and the program that each of them runs."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Final

from service.archive.ledger import Ledger
from service.archive.pool import Ended, WorkerSettings
from service.archive.worker import ReaderOf, Worker
from service.files import keep_new_files_private
from service.hall.database import engine_of


def main(arguments: Sequence[str] | None = None, reader_of: ReaderOf | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--lease-s", type=float, required=True)
    parser.add_argument("--cache-bytes", type=int, required=True)
    given = parser.parse_args(arguments)
    # Ended from outside, it gives its film back.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    keep_new_files_private()
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    engine = engine_of(os.environ[DATABASE])
    try:
        ledger = Ledger(engine)
        Worker(ledger, given.name, given.work, given.lease_s, given.cache_bytes, reader_of).run(
            Event()
        )
    finally:
        engine.dispose()
    return 0


PROGRAM: Final = (sys.executable, "-m", "service.archive.process_worker")
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


if __name__ == "__main__":
    raise SystemExit(main())
