"""The workers of an archive and the watch over them: processes of this machine, or Ray's actors."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any, Final, NoReturn, Protocol

from engine.errors import Refused
from service.archive.ledger import Ledger
from service.archive.worker import ReaderOf, Worker, patiently
from service.hall.database import engine_of
from service.machine.process import run_process

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


def main(arguments: Sequence[str] | None = None, reader_of: ReaderOf | None = None) -> NoReturn:
    """The process of a worker; one that is ended from outside gives its film back."""
    run_process(lambda: _work(arguments, reader_of))


def _work(arguments: Sequence[str] | None, reader_of: ReaderOf | None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--lease-s", type=float, required=True)
    parser.add_argument("--cache-bytes", type=int, required=True)
    given = parser.parse_args(arguments)
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


PROGRAM: Final = (sys.executable, "-m", "service.archive.pool")
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
    main()


LOCAL: Final = "local"
ON_CLUSTER: Final = "auto"
"""Ray's word for the cluster to which this machine belongs."""
CORES: Final = 2
"""Cores of each actor."""
FOR_EVER: Final = -1
REACH_S: Final = 5.0
"""How long the head of a cluster may take to answer."""


class FilmReader:
    """An actor: one worker, whose nets stay loaded between films."""

    def __init__(self, name: str, given: WorkerSettings, reader_of: ReaderOf | None) -> None:
        self._ledger = Ledger(engine_of(given.database))
        self._stop = Event()
        # If this actor was killed, Ray has started it anew. The film that it read need not wait for
        # the end of its lease.
        patiently(lambda: self._ledger.lost(name, "the worker was lost", fault=False))
        self._worker = Worker(
            self._ledger, name, given.work, given.lease_s, given.cache_bytes, reader_of
        )

    def read(self) -> None:
        """Read until no film is left."""
        self._worker.run(self._stop)


class RayWorker:
    """Handle of an actor."""

    def __init__(
        self, ray: Any, name: str, given: WorkerSettings, reader_of: ReaderOf | None
    ) -> None:
        self._ray = ray
        self._name, self._given = name, given
        # Without these options Ray restarts neither actors nor tasks.
        kept = {"max_restarts": FOR_EVER, "max_task_retries": FOR_EVER}
        actor = ray.remote(num_cpus=CORES, **kept)(FilmReader)
        self._actor = actor.remote(name, given, reader_of)
        self._reading = self._actor.read.remote()

    def ended(self) -> Ended | None:
        done, _ = self._ray.wait([self._reading], timeout=0)
        if not done:
            return None
        try:
            self._ray.get(self._reading)
        except self._ray.exceptions.RayError as error:
            return Ended(f"the worker ended: {' '.join(str(error).split()[:40])}")
        return Ended()

    def kill(self) -> None:
        self._ray.kill(self._actor)

    def ask_to_end(self) -> None:
        """End it; its film waits again at once, for it did nothing wrong."""
        self.kill()
        ledger = Ledger(engine_of(self._given.database))
        with contextlib.suppress(Exception):  # stopping must not wait for the database
            ledger.give_back(self._name)

    def wait(self, seconds: float) -> None:
        """A killed actor has ended already."""


@contextlib.contextmanager
def ray_workers(
    address: str, count: int, given: WorkerSettings, reader_of: ReaderOf | None = None
) -> Iterator[StartWorker]:
    """Connect to a cluster, or start Ray on this machine for ``local``; raises ``Refused``."""
    # Ray tells its makers how it is used unless it is told not to.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise Refused("--ray needs the extra archive: pip install 'tilesight[archive]'") from None
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address == LOCAL:
            ray.init("local", num_cpus=CORES * count, include_dashboard=False, **quiet)
        else:
            if address != ON_CLUSTER:
                _reach(address)
            ray.init(address, **quiet)
    except (OSError, ValueError, RuntimeError) as error:
        said = " ".join(str(error).split())
        raise Refused(
            f"--ray {address}: {said}; give an address such as ray-head:6379, auto or local"
        ) from error
    try:

        def start(name: str) -> RunningWorker:
            return RayWorker(ray, name, given, reader_of)

        yield start
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Raise ``OSError`` or ``ValueError`` at once, where Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host, int(port)), REACH_S).close()
