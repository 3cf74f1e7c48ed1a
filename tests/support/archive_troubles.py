"""Trouble an archive while it reads, and compare what it has read with undisturbed readings.

``python -m tests.support.archive_troubles --troubles 40`` on a PostgreSQL server of its own; prints
what happened. Workers, the program that watches over them, and the database are killed or frozen at
random moments, and workers die between storing a result and saying so.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from sqlalchemy.exc import DBAPIError

from service.archive.films import ReadingSettings, films_at
from service.archive.leases import DONE, RUNNING, WAITING
from service.archive.ledger import Ledger
from service.commands import archive
from service.commands.score import run
from service.hall.database import engine_of, open_database
from service.table.options import Options
from tests.support.archive_films import copies
from tests.support.archive_worker import DIES, PROGRAM
from tests.support.evening import ByColour
from tests.support.folders import files
from tests.support.paths import ROOT
from tests.support.postgres import Postgres, running
from tests.support.score_program import LIES, RULES, film_at, made

LEASE_S = 3.0
WORKERS = 2
FILMS_A_TROUBLE = 1.5
APART_S = (0.2, 1.5)
DEATHS = 0.3


class Trouble:
    """An archive whose driver runs as a process of its own."""

    def __init__(self, server: Postgres, folder: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.happened: Counter[str] = Counter()
        self._server, self._folder = server, folder
        self.database = server.new_database()
        open_database(self.database).dispose()
        self.ledger = Ledger(engine_of(self.database))
        self._drivers: list[subprocess.Popen[bytes]] = []

    def drive(self) -> None:
        """Start the driver where none runs."""
        if not self._drivers or self._drivers[-1].poll() is not None:
            command = [sys.executable, "-m", __spec__.name, "--drive", str(self._folder / "work")]
            environment = {**os.environ, "DATABASE": self.database, DIES: str(DEATHS)}
            self._drivers.append(subprocess.Popen(command, cwd=ROOT, env=environment))

    def one(self) -> None:
        """One trouble, of a kind that is possible now."""
        kinds: dict[str, Callable[[], bool]] = {
            "worker killed": self._kill_worker,
            "worker frozen past its lease": self._freeze_worker,
            "driver killed": self._kill_driver,
            "database restarted": self._restart_database,
        }
        kind = self.rng.choice(["worker killed", *kinds])
        self.happened[kind] += kinds[kind]()

    def _kill_worker(self) -> bool:
        return self._signalled(signal.SIGKILL) is not None

    def _freeze_worker(self) -> bool:
        frozen = self._signalled(signal.SIGSTOP)
        if frozen is not None:
            time.sleep(1.5 * LEASE_S)
            with contextlib.suppress(ProcessLookupError):
                os.kill(frozen, signal.SIGCONT)
        return frozen is not None

    def _kill_driver(self) -> bool:
        self._drivers[-1].kill()
        self._drivers[-1].wait()
        return True

    def _restart_database(self) -> bool:
        self._server.stop(signal.SIGQUIT)
        self._server.start()
        return True

    def _signalled(self, how: signal.Signals) -> int | None:
        workers = sorted(_workers())
        if not workers:
            return None
        chosen = self.rng.choice(workers)
        with contextlib.suppress(ProcessLookupError):
            os.kill(chosen, how)
            return chosen
        return None

    def left(self) -> int:
        """How many films are not read yet."""
        while True:
            try:
                counts = self.ledger.counts().readings
            except DBAPIError:
                continue
            return counts[WAITING] + counts[RUNNING]

    def end(self) -> None:
        """Wait until every film is read."""
        while self.left():
            self.drive()
            time.sleep(0.2)
        self._drivers[-1].wait()


def _workers() -> list[int]:
    """The processes of workers, whoever started them."""
    found = []
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if PROGRAM[-1].encode() in one.read_bytes():
                found.append(int(one.parent.name))
    return found


def drive(work: Path) -> int:
    """``tilesight archive run`` with the workers of the tests."""
    with mock.patch.object(archive, "PROGRAM", PROGRAM):
        return archive.run(os.environ["DATABASE"], WORKERS, work, LEASE_S, cache_gib=1.0)


def troubled(server: Postgres, folder: Path, troubles: int, seed: int) -> Counter[str]:
    """Read films among troubles; raises ``AssertionError`` where a result is wrong."""
    film = film_at(folder / "friday.mp4")
    assert run([film], Options(RULES), folder / "whole", made(ByColour(LIES))) == 0
    whole = files(folder / "whole")
    count = max(2, round(FILMS_A_TROUBLE * troubles))
    trouble = Trouble(server, folder, seed)
    settings = ReadingSettings(RULES, str(folder / "results"))
    for one in films_at(str(copies(film, folder / "films", count))):
        trouble.ledger.add(one, settings)
    while trouble.happened.total() < troubles and trouble.left():
        trouble.drive()
        time.sleep(trouble.rng.uniform(*APART_S))
        trouble.one()
    trouble.end()
    readings = trouble.ledger.readings()
    assert [read.state for read in readings] == [DONE] * count
    for read in readings:
        assert read.result is not None
        mine = files(Path(read.result))
        assert mine.keys() == whole.keys()
        assert mine["record.jsonl"] == whole["record.jsonl"]
    kept = sorted(path.name for path in (folder / "results").iterdir())
    assert kept == sorted(Path(str(read.result)).name for read in readings)
    trouble.happened["films, each read once and as undisturbed"] = count
    tokens = [int(name.rpartition(".")[2]) for name in kept if name.count(".") > 1]
    trouble.happened["of them with a result by a later worker"] = len(tokens)
    return trouble.happened


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--troubles", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--drive", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.drive is not None:
        sys.exit(drive(given.drive))
    with running() as server, tempfile.TemporaryDirectory() as folder:
        assert server is not None, "the wheel of PostgreSQL is not installed"
        for kind, times in troubled(server, Path(folder), given.troubles, given.seed).items():
            print(f"{times:4} {kind}")


if __name__ == "__main__":
    main()
