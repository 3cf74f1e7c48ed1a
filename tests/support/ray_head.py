"""A cluster of Ray on this machine, whose head and members can be lost."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.support.patience import PATIENCE_S, until

GIVES_UP: Final = {"RAY_gcs_rpc_server_reconnect_timeout_s": "2"}
"""In the environment: after how long a run gives up its head, in place of a minute."""

PROGRAM: Final = (sys.executable, "-m", "ray.scripts.scripts")
"""The command ``ray``, wherever it is installed."""


START_S: Final = {"RAY_gcs_server_port_wait_time_s": "120"}
"""In the environment: how long a busy machine may take to start a head, in place of 30 s."""


class RayMember:
    """What Ray takes for a machine: films are read on it."""

    def __init__(self, cores: int, *options: str) -> None:
        # Members of one cluster are on one machine here: each worker takes any free port.
        ports = ("--min-worker-port=0", "--max-worker-port=0", "--dashboard-agent-listen-port=0")
        always = ("--block", "--disable-usage-stats", f"--num-cpus={cores}", *ports)
        self._process = subprocess.Popen(
            [*PROGRAM, "start", *always, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **GIVES_UP, **START_S},
        )

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def tasks(self) -> list[int]:
        return tasks_below(self._process.pid)

    def kill(self) -> None:
        """With everything that runs on its machine."""
        for process in _below(self._process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._process.wait(PATIENCE_S)


class RayHead(RayMember):
    """The first member, by whose address others join."""

    def __init__(self, cores: int) -> None:
        with (
            socket.create_server(("127.0.0.1", 0)) as free,
            socket.create_server(("127.0.0.1", 0)) as other,
        ):
            port, client = free.getsockname()[1], other.getsockname()[1]
        self.address = f"127.0.0.1:{port}"
        ports = (f"--port={port}", f"--ray-client-server-port={client}")
        super().__init__(cores, "--head", "--include-dashboard=false", *ports)
        until(self._answers)

    def _answers(self) -> bool:
        host, _, port = self.address.rpartition(":")
        with contextlib.suppress(OSError), socket.create_connection((host, int(port)), 1.0):
            return True
        return False


def tasks_below(process: int) -> list[int]:
    """The processes in which films are read, by the titles that Ray gives them."""
    found = []
    for one in _below(process):
        with contextlib.suppress(OSError):
            if b"ray::read_film" in Path(f"/proc/{one}/cmdline").read_bytes():
                found.append(one)
    return found


def _below(process: int) -> list[int]:
    """A process and all that it has started."""
    found = [process]
    for one in found:
        with contextlib.suppress(OSError):
            threads = Path(f"/proc/{one}/task").glob("*/children")
            found += (int(word) for each in threads for word in each.read_text().split())
    return found
