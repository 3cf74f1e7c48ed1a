"""Score a film of ``tests.support.evening``, and tell of each look, so that it can be killed."""

from __future__ import annotations

from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from service.commands.score import run
from service.machine.process import run_process
from service.table.options import Options
from service.table.reader_maker import MakeReader
from tests.support.evening import HAND_S, ByColour, evening, write
from tests.support.tables import SMALL_VIEW
from vision.attention.schedule import RECORDED
from vision.detect import Detection
from vision.pipeline import ReaderSettings, TableReader, TileReader

RULES = "harbin-hlr"
HANDS = 2
LIES = evening(HANDS)


def film_at(path: Path, hands: int = HANDS, more_s: float = 0.0) -> Path:
    """The film of the first of these hands, and some seconds more. It is encoded once."""
    path.write_bytes(_film(hands * HAND_S + more_s))
    return path


@cache
def _film(seconds: float) -> bytes:
    with TemporaryDirectory() as folder:
        return write(Path(folder) / "film.mp4", LIES, seconds).read_bytes()


def made(detector: TileReader) -> MakeReader:
    return lambda: TableReader(detector, RULES, ReaderSettings(SMALL_VIEW, schedule=RECORDED))


class Telling(ByColour):
    """Says on a line that it looks."""

    def __init__(self, line: Connection) -> None:
        super().__init__(LIES)
        self._line = line

    def read(self, *asked: Any) -> list[Detection]:
        self._line.send("look")
        return super().read(*asked)


def score_film(line: Connection, video: Path, out: Path) -> None:
    run_process(lambda: run([video], Options(RULES), out, made(Telling(line))))
