"""Workers of an archive as actors of Ray, on the machines of a cluster.

Ray only moves the work: which films are read, and how far, is in the ledger.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import socket
from collections.abc import Iterator
from threading import Event
from typing import Any, Final

from service.archive.ledger import Ledger
from service.archive.pool import Ended, RunningWorker, StartWorker, WorkerSettings
from service.archive.worker import ReaderOf, Worker, patiently
from service.errors import Refused
from service.hall.database import engine_of

LOCAL: Final = "local"
ON_CLUSTER: Final = "auto"
"""Ray's word for the cluster to which this machine belongs."""
CORES: Final = 2
"""Of each actor."""
FOR_EVER: Final = -1
REACH_S: Final = 5.0
"""How long the head of a cluster may take to answer."""


class FilmReader:
    """An actor: one worker, whose nets stay loaded between films."""

    def __init__(self, name: str, given: WorkerSettings, reader_of: ReaderOf | None) -> None:
        self._ledger = Ledger(engine_of(given.database))
        self._stop = Event()
        # Ray starts an actor anew when it was killed: its film need not wait for the lease's end.
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
        # Of its own accord Ray starts nothing again.
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
        with contextlib.suppress(Exception):  # whoever stops it must not wait for a database
            ledger.give_back(self._name)

    def wait(self, seconds: float) -> None:
        """It has ended."""


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
