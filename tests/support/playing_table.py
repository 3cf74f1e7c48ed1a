"""A live table that a test plays step by step, with one page that listens."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from engine.events import Entry
from engine.log import standing
from service.table.corrections import EditKind, correction, undone
from service.table.live_table import LiveTable, TableSettings
from service.table.page_messages import Subscriber
from tests.support.harbin_game import ENTRIES
from tests.support.live_table import KeptLines, frames
from tests.support.patience import PATIENCE_S
from tests.support.told_reader import ToldReader
from vision.camera.frames import Frame, Frames


class Stepping:
    """Frames that come when the test wants them to."""

    def __init__(self) -> None:
        self._go: queue.Queue[bool] = queue.Queue()

    def frames(self) -> Frames:
        for frame in frames(10**6):
            yield Frame(frame.image_bgr, 2 + frame.time_s, frame.index)
            if not self._go.get(timeout=PATIENCE_S):
                return

    def step(self) -> None:
        self._go.put(True)

    def end(self) -> None:
        self._go.put(False)


@dataclass
class Playing:
    """A table at which everything that its reader tells by itself has been told."""

    table: LiveTable
    reader: Any
    record: KeptLines
    film: Stepping
    page: Subscriber

    async def message(self, kind: str = "corrected") -> dict[str, Any]:
        while True:
            message = await asyncio.wait_for(self.page.messages.get(), PATIENCE_S)
            if message["type"] == kind:
                return message

    async def mend(self, number: int, *events: Entry) -> None:
        async with self.table.writing:
            entries = self.table.game.entries
            how: EditKind = "replace" if events else "remove"
            await self.table.submit(correction(entries, number, 0, how, events))

    async def undo(self) -> None:
        await self.table.submit(*undone(self.table.history))

    async def end(self) -> None:
        self.film.end()
        while not self.table.ended:
            await self.message("status")

    @property
    def in_force(self) -> list[Entry]:
        return [each.entry for each in standing(self.table.game.entries)]


@asynccontextmanager
async def playing(
    reader: ToldReader, told: int = len(ENTRIES), before: Sequence[Entry] = ()
) -> AsyncIterator[Playing]:
    """A table whose reader tells so many lines at its first frame."""
    record, film = KeptLines(), Stepping()
    settings = TableSettings("harbin-hlr", "x", before=before)
    table = LiveTable(reader, film.frames(), record, settings)
    with table.subscribed() as page:
        running = asyncio.create_task(table.run())
        for _ in range(told):
            await asyncio.wait_for(page.messages.get(), PATIENCE_S)
        yield Playing(table, reader, record, film, page)
        film.end()
        await asyncio.wait_for(running, PATIENCE_S)
