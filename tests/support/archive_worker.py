"""A worker that reads films of ``tests.support.evening``; films with some names go wrong."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from service.archive.settings import ReadingSettings
from service.archive.worker import FileOf
from service.archive.worker_program import main
from service.setup.readers import MakeReader
from tests.support.evening import ByColour
from tests.support.score_program import LIES, made

SLOWLY_S = 0.002
PROGRAM = (sys.executable, "-m", "tests.support.archive_worker")


class Slowly(ByColour):
    """Gives a test the time to break the reading off anywhere."""

    def read(self, *asked: Any) -> Any:
        time.sleep(SLOWLY_S)
        return super().read(*asked)


def reader_of(settings: ReadingSettings, file: FileOf) -> MakeReader:
    """Seat 0 at the left stands for a film that crashes the program."""
    if settings.seat0 == "left":
        os.abort()
    return made(Slowly(LIES))


if __name__ == "__main__":
    sys.exit(main(reader_of=reader_of))
