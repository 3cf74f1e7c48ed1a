"""Runs a table's reader in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass
from typing import Final

from engine.errors import Refused
from engine.first_deal import Counted
from service.table.pictures import Pictures
from service.table.reader import (
    CountingReader,
    MovableReader,
    PlacedReader,
    Reader,
    StoppableReader,
)
from service.table.second_look import RecentFrames
from service.table.tile_keeper import TileKeeper
from vision.camera.frames import Frame, Frames
from vision.decoder.decoding import Decoding
from vision.decoder.pin import Pins
from vision.notice import Notice
from vision.table.view import Corners, TableView

STOP_S: Final = 20.0
"""Seconds that the running look may still take at the end."""
CRASHED: Final = "the program failed while it watched the table"


@dataclass(frozen=True)
class _Ended:
    """The reader's last message."""

    problem: str | None
    crashed: bool = False


_FromReader = Decoding | Notice | _Ended


class ReaderThread:
    """A reader at work; the thread and its owner exchange immutable values."""

    def __init__(
        self,
        reader: Reader,
        frames: Frames,
        pictures: Pictures,
        since_s: float,
        keeper: TileKeeper | None = None,
        recent: RecentFrames | None = None,
    ) -> None:
        """``since_s`` is the start of the reader's clock in the time of the record.

        ``recent``: keeps the last frames, where some are read a second time.
        """
        self._reader = reader
        self._frames = frames
        self._pictures = pictures
        self.since_s = since_s
        self.keeper = keeper
        self._recent = recent
        self.ended = False
        """Nothing more comes from the frames."""
        self.problem: str | None = None
        """Why the reader ended before its source."""
        self.crashed = False
        """The reader must not be called any more."""
        self.notice: Callable[[Notice], None] = lambda notice: None
        """Reports something about the camera, from any thread."""
        self.let_go: Callable[[], None] = lambda: None
        """Ends the wait for a camera that is gone."""
        self._stopping = threading.Event()
        self._settling = asyncio.Lock()

    async def results(self) -> AsyncGenerator[Decoding | Notice, None]:
        """Yield what the reader tells until the frames end."""
        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[_FromReader] = asyncio.Queue()

        def put(item: _FromReader) -> None:
            # The loop may be closed already when the program ends during a look.
            if not self._stopping.is_set():
                loop.call_soon_threadsafe(queue.put_nowait, item)

        self.notice = put
        thread = threading.Thread(target=self._look, args=(put,), daemon=True, name="reader")
        thread.start()
        try:
            while not isinstance(item := await queue.get(), _Ended):
                yield item
            self.problem, self.crashed = item.problem, item.crashed
        finally:
            self._stopping.set()
            self.let_go()
            try:
                # The program must not end while a thread is inside the detector.
                await asyncio.to_thread(thread.join, STOP_S)
            finally:
                self.ended = True

    def hear(self, pins: Pins) -> None:
        """Let the reader hold fixed what people say, unless it has failed."""
        if not self.crashed:
            self._reader.hear(pins)

    def show_table(self, corners: Corners) -> None:
        """Show where the table lies now; raises ``Refused`` and ``SourceError``."""
        if self.crashed or not isinstance(self._reader, MovableReader):
            raise Refused("no camera is read at this table")
        self._reader.show_table(corners)

    @property
    def counted(self) -> Counted:
        """What the reader counts on the table now; nothing where it counts none, or has ended."""
        if self.crashed or self.ended or not isinstance(self._reader, CountingReader):
            return Counted()
        return self._reader.counted() or Counted()

    @property
    def seen(self) -> tuple[Frame, TableView] | None:
        """The last frame and where the table lies in it; None where either is not known."""
        newest, reader = self._pictures.newest, self._reader
        view = reader.view if isinstance(reader, PlacedReader) else None
        return None if newest is None or view is None else (newest.frame, view)

    def leave(self) -> None:
        """Let the reader end what it tells and prepares after the last frame."""
        if isinstance(self._reader, StoppableReader):
            self._reader.stop()

    async def left(self) -> None:
        """Wait until nothing is prepared any more: the program must not end meanwhile."""
        if isinstance(self._reader, StoppableReader):
            await asyncio.to_thread(self._reader.join, STOP_S)

    async def settled(self) -> AsyncGenerator[Decoding, None]:
        """Yield what is told because of what people said after the last frame."""
        async with self._settling:
            while not self.crashed:
                try:
                    decoding = await asyncio.to_thread(self._reader.settled)
                except asyncio.CancelledError:
                    # The program waits at its end for the thread that explains.
                    self.leave()
                    raise
                except Exception as error:
                    self.failed(error)
                    return
                if decoding is None:
                    return
                yield decoding

    def failed(self, error: Exception) -> None:
        """Note a fault of the program; the reader must not be called any more."""
        self.problem, self.crashed = CRASHED, True
        told = {"message": CRASHED, "exception": error}
        asyncio.get_running_loop().call_exception_handler(told)

    @property
    def newest(self) -> int:
        """Index of the last frame that was looked at; -1 before the first."""
        seen = self._pictures.newest
        return -1 if seen is None else seen.frame.index

    @property
    def time_s(self) -> float | None:
        """Time of that frame, in seconds from the start."""
        seen = self._pictures.newest
        return None if seen is None else seen.frame.time_s

    @property
    def clock_s(self) -> float | None:
        """Time of that frame in the record."""
        return None if self.time_s is None else self.since_s + self.time_s

    def _look(self, put: Callable[[_FromReader], None]) -> None:
        ended = _Ended(CRASHED, crashed=True)
        try:
            for reading in self._reader.read(self._until_stopped()):
                self._pictures.see(reading, self.since_s)
                if self._recent is not None:
                    self._recent.see(reading.frame, self.since_s)
                if self.keeper is not None:
                    self.keeper.add(reading)
                for notice in reading.notices:
                    put(notice)
                if reading.decoding is not None:
                    put(reading.decoding)
            ended = _Ended(None)
        except ValueError as error:
            ended = _Ended(str(error))
        finally:
            put(ended)

    def _until_stopped(self) -> Iterator[Frame]:
        with contextlib.closing(self._frames) as frames:
            for frame in frames:
                if self._stopping.is_set():
                    return
                yield frame
