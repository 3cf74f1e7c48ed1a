"""Reading an archive with Ray: each film is a task of the cluster.

Ray is told never to repeat a task by itself. It repeats those of machines that it takes for dead,
which may only be slow: only the ledger numbers attempts, and refuses what an older one says.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import socket
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from engine.errors import Refused
from service.archive.ledger import Ledger
from service.archive.run import TaskLost
from service.archive.worker import ReaderOf, TaskEnd, Worker, WorkerSettings
from service.hall.database import engine_of
from vision.camera.native_stderr import native_stderr_dropped

LOCAL: Final = "local"
ON_CLUSTER: Final = "auto"
"""Ray's word for the cluster to which this machine belongs."""
CORES: Final = 2
"""Cores of each task."""
REACH_S: Final = 5.0
"""How long the head of a cluster may take to answer."""

GIVEN_TOKENS: Final = ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
"""Where a token may be given in the environment; Ray reads them only in its mode ``token``."""
TOKEN_FILE: Final = Path(".ray/auth_token")
"""Where Ray looks for one otherwise, in the home of the user."""
TOKEN_REFUSED: Final = "InvalidAuthToken"
"""What a head says; Ray tells it only in the cause of another error."""
WANTS_TOKEN: Final = (
    "Ray's token is missing or is not that of the cluster; set RAY_AUTH_MODE=token, and "
    "RAY_AUTH_TOKEN to what 'ray get-auth-token' prints on the head"
)


def read_film(given: WorkerSettings, reader_of: ReaderOf | None, task: str) -> TaskEnd:
    """What Ray runs, in processes that it keeps for the next task."""
    return _worker(given, reader_of).read_next(task)


@lru_cache(maxsize=1)
def _worker(given: WorkerSettings, reader_of: ReaderOf | None) -> Worker:
    """Of this process: its nets stay loaded between films."""
    return given.worker(Ledger(engine_of(given.database)), reader_of)


class RayCluster:
    """Tasks of Ray, on whichever machine has room."""

    def __init__(self, ray: Any, given: WorkerSettings, reader_of: ReaderOf | None) -> None:
        self._ray, self._given = ray, (given, reader_of)
        self._read = ray.remote(num_cpus=CORES, max_retries=0)(read_film)
        self._tasks: dict[Any, str] = {}
        """By Ray's promise of its end."""

    def start(self, task: str) -> None:
        self._tasks[self._read.remote(*self._given, task)] = task

    def ended(self, wait_s: float) -> dict[str, TaskEnd | TaskLost]:
        running = [*self._tasks]
        if not running:
            time.sleep(wait_s)
            return {}
        self._ray.wait(running, timeout=wait_s)
        done, _ = self._ray.wait(running, num_returns=len(running), timeout=0)
        return {self._tasks.pop(one): self._end(one) for one in done}

    def _end(self, done: Any) -> TaskEnd | TaskLost:
        try:
            end: TaskEnd = self._ray.get(done)
        except self._ray.exceptions.RayError as error:
            # A process that ended alone: a lost machine and full memory have other errors.
            crashed = isinstance(error, self._ray.exceptions.WorkerCrashedError)
            return TaskLost(f"the worker ended: {' '.join(str(error).split()[:40])}", crashed)
        return end

    def kill(self, task: str) -> None:
        for one, name in [*self._tasks.items()]:
            if name == task:
                del self._tasks[one]
                self._ray.cancel(one, force=True)

    def close(self) -> None:
        for task in [*self._tasks.values()]:
            self.kill(task)


@contextlib.contextmanager
def ray_cluster(
    address: str, count: int, given: WorkerSettings, reader_of: ReaderOf | None = None
) -> Iterator[RayCluster]:
    """Connect to a cluster, or start Ray on this machine for ``local``; raises ``Refused``."""
    # Ray tells its makers how it is used unless it is told not to.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # Ray uses a token by itself where it starts or finds a cluster, and not for an address.
    # A cluster that wants none takes no notice of one.
    if _has_token():
        os.environ.setdefault("RAY_AUTH_MODE", "token")
    try:
        ray: Any = importlib.import_module("ray")
    except ImportError:
        raise Refused("--ray needs the extra archive: pip install 'tilesight[archive]'") from None
    # Versions before 2.52 have no tokens.
    unknown_token = getattr(ray.exceptions, "AuthenticationError", ())
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        if address == LOCAL:
            ray.init("local", num_cpus=CORES * count, include_dashboard=False, **quiet)
        else:
            if address != ON_CLUSTER:
                _reach(address)
            with native_stderr_dropped():  # each try of Ray to connect is a line
                ray.init(address, **quiet)
    except unknown_token as error:
        raise Refused(f"--ray {address}: {WANTS_TOKEN}") from error
    except (OSError, ValueError, RuntimeError) as error:
        if TOKEN_REFUSED in f"{error} {error.__cause__} {error.__context__}":
            raise Refused(f"--ray {address}: {WANTS_TOKEN}") from error
        said = " ".join(str(error).split())
        raise Refused(
            f"--ray {address}: {said}; give an address such as ray-head:6379, auto or local"
        ) from error
    try:
        yield RayCluster(ray, given, reader_of)
    finally:
        ray.shutdown()


def _has_token() -> bool:
    if any(os.environ.get(name) for name in GIVEN_TOKENS):
        return True
    with contextlib.suppress(OSError, RuntimeError):  # RuntimeError: the user has no home
        return bool((Path.home() / TOKEN_FILE).read_bytes().strip())
    return False


def _reach(address: str) -> None:
    """Raise ``OSError`` or ``ValueError`` at once, where Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    socket.create_connection((host, int(port)), REACH_S).close()
