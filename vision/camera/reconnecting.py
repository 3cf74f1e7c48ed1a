"""A camera that comes back: when its pictures stop, it is opened again until they come."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from vision.camera.frames import Frames, FrameSource
from vision.camera.live import PacedFile, open_live
from vision.camera.pictures import SourceError
from vision.notice import Notice

AGAIN_S: Final = 2.0
"""Between two attempts to open a camera that has gone."""

Say = Callable[[Notice], None]
"""Called from the thread that takes the frames."""


class ReconnectingCamera:
    """A live source that is opened again when it is lost; its clock goes on meanwhile."""

    def __init__(self, open_source: Callable[[], FrameSource], again_s: float = AGAIN_S) -> None:
        """Open it for the first time; raises ``SourceError`` if that cannot be done."""
        self._open = open_source
        self._source: FrameSource | None = open_source()
        self._again_s = again_s
        self._ended = threading.Event()
        self.name = self._source.name
        self.say: Say = lambda notice: None
        """What is told of a camera that has gone, and of one that is back."""

    def end(self) -> None:
        """Stop waiting for a camera that is gone; for any thread."""
        self._ended.set()

    def frames(self, step_s: float = 0.0) -> Frames:
        begun_s, index = time.monotonic(), -1
        gone = False
        while (source := self._opened()) is not None:
            since_s, before = time.monotonic() - begun_s, index + 1
            with contextlib.suppress(SourceError), contextlib.closing(source.frames(step_s)) as it:
                for frame in it:
                    time_s = since_s + frame.time_s
                    if gone:
                        gone = False
                        text = f"{self.name} is back; the game goes on"
                        self.say(Notice("gone", time_s, text, lasts=False))
                    index = before + frame.index
                    yield replace(frame, time_s=time_s, index=index)
            source = None  # many cameras cannot be opened again while somebody holds them
            if self._ended.is_set():
                return
            if not gone:
                gone = True
                text = f"{self.name} sends no pictures any more; it is waited for"
                self.say(Notice("gone", time.monotonic() - begun_s, text, lasts=True))

    def _opened(self) -> FrameSource | None:
        """The source, opened again where it was lost; None once nobody waits for it."""
        source, self._source = self._source, None
        while source is None:
            if self._ended.wait(self._again_s):
                return None
            with contextlib.suppress(SourceError):
                source = self._open()
        return source


def open_reconnecting(text: str, every: bool = False) -> FrameSource:
    """As ``open_live``; a camera that goes away is waited for, a file ends when it ends."""
    source = open_live(text, every)
    if isinstance(source, PacedFile):
        return source
    first: list[FrameSource] = [source]
    return ReconnectingCamera(lambda: first.pop() if first else open_live(text, every))
