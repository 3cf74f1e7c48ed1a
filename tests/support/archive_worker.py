"""A worker that reads films of ``tests.support.evening``; films with some names go wrong."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any
from unittest import mock

from service.archive import kept
from service.archive.films import ReadingSettings
from service.archive.pool import main
from service.archive.worker import FileOf, TaskEnd, Worker
from service.machine import files
from service.table.reader_maker import MakeReader
from tests.support.evening import ByColour
from tests.support.score_program import LIES, made

SLOWLY_S = 0.002
DIES = "TILESIGHT_TEST_DIES"
"""In the environment: how likely a worker dies after it stored a result, and after it said so."""
FULL = "TILESIGHT_TEST_FULL"
"""In the environment: a file; while it is there, the disk of the results is full."""
PROGRAM = (sys.executable, "-m", "tests.support.archive_worker")


class Slowly(ByColour):
    """Gives a test the time to break the reading off anywhere."""

    def read(self, *asked: Any) -> Any:
        time.sleep(SLOWLY_S)
        return super().read(*asked)


class Hanging(ByColour):
    """Stands for a film at which the decoder never comes to an end."""

    def read(self, *asked: Any) -> Any:
        signal.pause()


def reader_of(settings: ReadingSettings, file: FileOf) -> MakeReader:
    """Seat 0 at the left: the film crashes the program; at the right: the reading hangs."""
    if settings.seat0 == "left":
        os.abort()
    return made(Hanging(LIES) if settings.seat0 == "right" else Slowly(LIES))


def read_all(worker: Worker, task: str = "here") -> None:
    """Read what waits, in this process, and tidy up."""
    while worker.read_next(task) is not TaskEnd.NONE_WAITED:
        pass
    worker.tidy()


def publish(*asked: Any) -> None:
    """Store a result; now and then the worker dies before it can say so."""
    kept.publish(*asked)
    die_now_and_then()


class DyingFolder(kept.KeptFolder):
    """Now and then the worker dies before it removes the unfinished folder of a finished film."""

    def drop(self) -> None:
        die_now_and_then()
        super().drop()


def die_now_and_then() -> None:
    if random.random() < float(os.environ.get(DIES, "0")):
        os.kill(os.getpid(), signal.SIGKILL)


def write_whole(path: Path, content: bytes) -> None:
    if FULL in os.environ and Path(os.environ[FULL]).exists():
        Path("/dev/full").write_bytes(content)
    files.write_whole(path, content)


if __name__ == "__main__":
    with (
        mock.patch("service.archive.films.write_whole", write_whole),
        mock.patch("service.archive.worker.publish", publish),
        mock.patch("service.archive.worker.KeptFolder", DyingFolder),
    ):
        main(int(sys.argv[1]), reader_of)
