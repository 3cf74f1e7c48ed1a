"""Trouble an archive while it reads, and compare what it has read with undisturbed readings.

``python -m tests.support.archive_troubles --troubles 40`` on a PostgreSQL server of its own; prints
what happened. At random moments processes that read are killed or frozen, the run that hands out
films is killed, a second one begins beside it, the database is restarted, and the disk is full.
Processes also die between storing a result and saying so. With ``--ray`` tasks of a cluster of Ray
with two members read, and the head or the other member is lost, too.
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
from functools import partial
from pathlib import Path
from unittest import mock

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from service.archive.cluster import CORES, ray_cluster
from service.archive.films import ReadingSettings, films_at
from service.archive.leases import DONE, RUNNING, WAITING
from service.archive.ledger import Ledger
from service.commands import archive
from service.commands.score import run
from service.hall.database import engine_of, open_database
from service.hall.database_schema import READINGS
from service.table.options import Options
from tests.support.archive_films import copies
from tests.support.archive_worker import DIES, FULL, PROGRAM, reader_of
from tests.support.evening import ByColour
from tests.support.folders import files
from tests.support.paths import ROOT
from tests.support.patience import until
from tests.support.postgres import Postgres, running
from tests.support.ray_head import GIVES_UP, RayHead, RayMember
from tests.support.score_program import LIES, RULES, film_at, made

LEASE_S = 20.0
WORKERS = 2
APART_S = (0.2, 3.0)
DEATHS = 0.3
FULL_S = 3.0


class Trouble:
    """An archive whose runs are processes of their own."""

    def __init__(self, server: Postgres, folder: Path, seed: int) -> None:
        self.rng = random.Random(seed)
        self.happened: Counter[str] = Counter()
        self._server, self._folder = server, folder
        self.database = server.new_database()
        open_database(self.database).dispose()
        self.ledger = Ledger(engine_of(self.database))
        self._runs: list[subprocess.Popen[bytes]] = []

    def drive(self, runs: int = 1) -> bool:
        """Begin a run where fewer are going on."""
        self._runs = [one for one in self._runs if one.poll() is None]
        if len(self._runs) >= runs:
            return False
        command = [sys.executable, "-m", __spec__.name, "--drive", str(self._folder / "work")]
        environment = {**os.environ, "DATABASE": self.database, **self._told()}
        self._runs.append(subprocess.Popen(command, cwd=ROOT, env=environment))
        return True

    def _told(self) -> dict[str, str]:
        """What runs find in their environment."""
        return {DIES: str(DEATHS), FULL: str(self._folder / "full")}

    def one(self) -> None:
        """One trouble, of a kind that is possible now."""
        kinds = self._kinds()
        kind = self.rng.choice(["reading process killed", *kinds])
        self.happened[kind] += kinds[kind]()

    def _kinds(self) -> dict[str, Callable[[], bool]]:
        return {
            "reading process killed": lambda: self._signalled(signal.SIGKILL) is not None,
            "reading process frozen past its lease": self._freeze,
            "run killed": self._kill_run,
            "database restarted": self._restart_database,
            "second run beside the first": lambda: self.drive(2),
            "disk full": self._fill_disk,
        }

    def _freeze(self) -> bool:
        frozen = self._signalled(signal.SIGSTOP)
        if frozen is not None:
            time.sleep(1.5 * LEASE_S)
            with contextlib.suppress(ProcessLookupError):
                os.kill(frozen, signal.SIGCONT)
        return frozen is not None

    def _kill_run(self) -> bool:
        self._runs[-1].kill()
        self._runs[-1].wait()
        return True

    def _restart_database(self) -> bool:
        self._server.stop(signal.SIGQUIT)
        self._server.start()
        return True

    def _fill_disk(self) -> bool:
        (self._folder / "full").touch()
        time.sleep(FULL_S)
        (self._folder / "full").unlink()
        return True

    def _signalled(self, how: signal.Signals) -> int | None:
        readers = sorted(self._readers())
        if not readers:
            return None
        chosen = self.rng.choice(readers)
        with contextlib.suppress(ProcessLookupError):
            os.kill(chosen, how)
            return chosen
        return None

    def _readers(self) -> list[int]:
        """The processes that read for runs of this archive, also those whose run was killed."""
        program = PROGRAM[-1].encode()
        found = []
        for one in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                environment = one.with_name("environ").read_bytes()
                if program in one.read_bytes() and str(self._folder).encode() in environment:
                    found.append(int(one.parent.name))
        return found

    def reads(self) -> bool:
        """Whether there is something to trouble."""
        self.drive()
        return bool(self._readers()) or not self.left()

    def left(self) -> int:
        """How many films are not read yet."""
        while True:
            try:
                counts = self.ledger.counts().readings
            except DBAPIError:
                continue
            return counts[WAITING] + counts[RUNNING]

    def attempts(self) -> int:
        with self.ledger.engine.connect() as connection:
            return sum(connection.execute(select(READINGS.c.token)).scalars())

    def end(self) -> None:
        """Wait until every film is read."""
        while self.left():
            self.drive()
            time.sleep(0.2)
        self.drive()  # what processes left that were killed at the very end
        for one in self._runs:
            one.wait()

    def close(self) -> None:
        """Nothing of it runs on."""
        for one in self._runs:
            one.kill()


class RayTrouble(Trouble):
    """The runs are on a cluster."""

    def __init__(self, server: Postgres, folder: Path, seed: int) -> None:
        super().__init__(server, folder, seed)
        self._begin_cluster()

    def _begin_cluster(self) -> None:
        self._head = RayHead(CORES)
        self._join()

    def _join(self) -> None:
        self._member = RayMember(CORES, f"--address={self._head.address}")

    def _told(self) -> dict[str, str]:
        return {"HEAD": self._head.address, **GIVES_UP}

    def _kinds(self) -> dict[str, Callable[[], bool]]:
        left_out = ("disk full",)  # the processes that read are not begun by the test
        kinds = {kind: one for kind, one in super()._kinds().items() if kind not in left_out}
        return kinds | {"head lost": self._lose_head, "member lost": self._lose_member}

    def _lose_head(self) -> bool:
        self._head.kill()
        self._member.kill()  # it would end by itself, and must not join twice
        for one in self._runs:
            one.wait()
        self._begin_cluster()
        return True

    def _lose_member(self) -> bool:
        lost = bool(self._member.tasks())
        self._member.kill()
        self._join()
        return lost

    def _readers(self) -> list[int]:
        return [*self._head.tasks(), *self._member.tasks()]

    def close(self) -> None:
        super().close()
        self._member.kill()
        self._head.kill()


def drive(work: Path) -> int:
    """``tilesight archive run`` with the readers of the tests."""
    with (
        mock.patch.object(archive, "PROGRAM", PROGRAM),
        mock.patch.object(archive, "ray_cluster", partial(ray_cluster, reader_of=reader_of)),
    ):
        head, database = os.environ.get("HEAD"), os.environ["DATABASE"]
        return archive.run(database, WORKERS, work, LEASE_S, cache_gib=1.0, ray=head)


def troubled(server: Postgres, folder: Path, given: argparse.Namespace) -> Counter[str]:
    """Read films among troubles; raises ``AssertionError`` where a result is wrong."""
    film = film_at(folder / "friday.mp4")
    assert run([film], Options(RULES), folder / "whole", made(ByColour(LIES))) == 0
    whole = files(folder / "whole")
    trouble = (RayTrouble if given.ray else Trouble)(server, folder, given.seed)
    try:
        _trouble(trouble, given, film, whole, folder)
    finally:
        trouble.close()
    return trouble.happened


def _trouble(
    trouble: Trouble,
    given: argparse.Namespace,
    film: Path,
    whole: dict[str, bytes],
    folder: Path,
) -> None:
    settings = ReadingSettings(RULES, str(folder / "results"))
    for one in films_at(str(copies(film, folder / "films", given.films))):
        trouble.ledger.add(one, settings)
    while trouble.happened.total() < given.troubles and trouble.left():
        until(trouble.reads)
        time.sleep(trouble.rng.uniform(*APART_S))
        trouble.one()
    trouble.end()
    readings = trouble.ledger.readings()
    assert [read.state for read in readings] == [DONE] * given.films, readings
    for read in readings:
        assert read.result is not None
        mine = files(Path(read.result))
        assert mine.keys() == whole.keys()
        assert mine["record.jsonl"] == whole["record.jsonl"]
    kept = sorted(path.name for path in (folder / "results").iterdir())
    assert kept == sorted(Path(str(read.result)).name for read in readings)
    trouble.happened["films, each read once and as undisturbed"] = given.films
    trouble.happened["attempts at them"] = trouble.attempts()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--troubles", type=int, default=40)
    parser.add_argument("--films", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ray", action="store_true", help="on a cluster of Ray with two members")
    parser.add_argument("--drive", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.drive is not None:
        sys.exit(drive(given.drive))
    with running() as server, tempfile.TemporaryDirectory() as folder:
        assert server is not None, "the wheel of PostgreSQL is not installed"
        begun_s = time.monotonic()
        for kind, times in troubled(server, Path(folder), given).items():
            print(f"{times:4} {kind}")
        print(f"{time.monotonic() - begun_s:4.0f} s")


if __name__ == "__main__":
    main()
