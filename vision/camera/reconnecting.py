"""Reopen a camera when its pictures stop."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from queue import SimpleQueue
from typing import Final

from vision.camera.frames import Frames, FrameSource
from vision.camera.live import PacedFile, open_live
from vision.camera.pictures import SourceError
from vision.notice import Notice

AGAIN_S: Final = 2.0
"""Interval between two attempts to reopen a camera."""

Say = Callable[[Notice], None]
"""Called from the thread that takes the frames."""


class ReconnectingCamera:
    """A live source that is reopened when it is lost; its clock goes on meanwhile."""

    def __init__(self, open_source: Callable[[], FrameSource], again_s: float = AGAIN_S) -> None:
        """Open the source for the first time; raises ``SourceError`` if that fails."""
        self._open = open_source
        self._source: FrameSource | None = open_source()
        self._again_s = again_s
        self._ended = threading.Event()
        self._attempts: SimpleQueue[FrameSource | None] = SimpleQueue()
        """What attempts to reopen the camera gave; None is a failure, or the end of all of them."""
        self.name = self._source.name
        self.say: Say = lambda notice: None
        """Receives a notice when the camera is gone and when it is back."""

    def end(self) -> None:
        """Stop waiting for a lost camera; safe to call from any thread."""
        self._ended.set()
        self._attempts.put(None)

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
            source = None  # many cameras cannot be reopened while the old handle is held
            if self._ended.is_set():
                return
            if not gone:
                gone = True
                text = f"{self.name} sends no pictures any more; waiting for it"
                self.say(Notice("gone", time.monotonic() - begun_s, text, lasts=True))

    def _opened(self) -> FrameSource | None:
        """The source, reopened if it was lost; None after ``end``."""
        source, self._source = self._source, None
        while source is None:
            if self._ended.wait(self._again_s):
                return None
            # A camera that does not answer cannot be broken off, so nobody waits for this thread.
            threading.Thread(target=self._attempt, daemon=True, name="reopening").start()
            source = self._attempts.get()
        return None if self._ended.is_set() else source

    def _attempt(self) -> None:
        source = None
        with contextlib.suppress(SourceError):
            source = self._open()
        self._attempts.put(source)


def open_reconnecting(text: str, every: bool = False) -> FrameSource:
    """As ``open_live``, but a camera that goes away is reopened; a file still ends."""
    source = open_live(text, every)
    if isinstance(source, PacedFile):
        return source
    first: list[FrameSource] = [source]
    return ReconnectingCamera(lambda: first.pop() if first else open_live(text, every))
