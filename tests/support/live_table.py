"""The parts of a live table that tests put together: frames, and a record in memory."""

from __future__ import annotations

import numpy as np

from engine.events import Entry
from service.table.live_table import LiveTable, TableSettings
from tests.support.harbin_game import ENTRIES
from tests.support.told_reader import ToldReader
from vision.camera.frames import Frame, Frames


def frames(count: int = 15) -> Frames:
    for index in range(count):
        yield Frame(np.full((36, 64, 3), index, np.uint8), index / 10, index)


class KeptLines:
    """A record in memory; can be told to fail."""

    def __init__(self, room: int = 1000) -> None:
        self.entries: list[Entry] = []
        self.room = room
        self.refused = 0

    def append(self, entry: Entry) -> None:
        if len(self.entries) == self.room:
            self.refused += 1
            raise OSError(28, "No space left on device")
        self.entries.append(entry)


def table_of_a_game() -> LiveTable:
    settings = TableSettings("harbin-hlr", "game.mp4", before=ENTRIES)
    return LiveTable(ToldReader([]), frames(2), KeptLines(), settings)
