"""Processes of this machine that read the films of an archive."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection, Pipe, wait
from typing import Final, NoReturn

from service.archive.ledger import Ledger
from service.archive.run import TaskLost
from service.archive.worker import ReaderOf, TaskEnd, WorkerSettings
from service.hall.database import engine_of
from service.machine.process import run_process

ENDS_S: Final = 30.0
"""How long processes may take to remove what they were writing."""


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
