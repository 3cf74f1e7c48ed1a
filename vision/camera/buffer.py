"""Take frames in a thread: decode a recording ahead, keep only the newest frame of a camera, or be
called away while the next one has not come."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Generator, Iterable
from typing import Final

from vision.camera.frames import Frame, Frames
from vision.camera.pictures import SourceError

AHEAD: Final = 3
"""Frames that are decoded ahead; large ones take 12 MB each."""
STOP_S: Final = 2.0
"""How long to wait at the end for a camera that sends nothing."""


def ahead(frames: Frames, most: int = AHEAD) -> Frames:
    """Every frame in order, decoded up to ``most`` frames ahead."""
    return _buffered(_Buffer(frames, most, lossy=False), None, None)


def newest(frames: Frames, silent_s: float | None = None) -> Frames:
    """The newest frame each time one is asked for; older ones are lost.

    Raises ``SourceError`` when no frame has come for ``silent_s``. The camera's own buffer never
    fills, so no frame is old.
    """
    return _buffered(_Buffer(frames, 1, lossy=True), silent_s, STOP_S)


def _buffered(buffer: _Buffer, silent_s: float | None, stop_s: float | None) -> Frames:
    thread = threading.Thread(target=buffer.fill, daemon=True)
    thread.start()
    try:
        while (frame := buffer.take(silent_s)) is not None:
            yield frame
    finally:
        buffer.close()
        thread.join(stop_s)


class _Buffer:
    """A few frames between two threads. When it is full it waits, or drops the oldest frame."""

    def __init__(self, frames: Frames, most: int, lossy: bool) -> None:
        self._source, self._most, self._lossy = frames, most, lossy
        self._changed = threading.Condition()
        self._frames: deque[Frame] = deque(maxlen=most)
        self._closed = False
        self._error: Exception | None = None

    def fill(self) -> None:
        try:
            with contextlib.closing(self._source):
                for frame in self._source:
                    if not self._put(frame):
                        return
        except Exception as error:  # the consumer would wait forever for a frame
            self._error = error
        self.close()

    def _put(self, frame: Frame) -> bool:
        """Return False once nobody wants frames any more."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._lossy or self._closed or len(self._frames) < self._most
            )
            self._frames.append(frame)
            self._changed.notify()
            return not self._closed

    def take(self, silent_s: float | None) -> Frame | None:
        """Wait for the next frame; None at the end."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._frames or self._closed, silent_s):
                raise SourceError(f"no picture has come for {silent_s:g} s")
            if self._frames:
                self._changed.notify()
                return self._frames.popleft()
            if self._error is not None:
                raise self._error
            return None

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()


class CalledFrames:
    """Frames in order, and None where somebody calls while the next one has not come.

    A frame is taken from its source when the one before has been dealt with, as without this.
    """

    def __init__(self, frames: Iterable[Frame]) -> None:
        self._source = iter(frames)
        self._changed = threading.Condition()
        self._asked = self._called = self._ended = False
        self._frame: Frame | None = None
        self._error: Exception | None = None

    def call(self) -> None:
        """Let whoever waits for a frame go on without one; any thread may call this."""
        with self._changed:
            self._called = True
            self._changed.notify_all()

    def __iter__(self) -> Generator[Frame | None, None, None]:
        thread = threading.Thread(target=self._fetch, daemon=True, name="frames")
        thread.start()
        try:
            while self._comes():
                frame, self._frame = self._frame, None
                self._called &= frame is not None
                yield frame
        finally:
            self._end()
            thread.join(STOP_S)

    def _comes(self) -> bool:
        """Wait for a frame or a call; False at the end."""
        with self._changed:
            self._asked |= self._frame is None  # it may have come since the last call
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._frame or self._called or self._ended)
            if self._ended and self._error is not None:
                raise self._error
            return self._frame is not None or not self._ended

    def _fetch(self) -> None:
        try:
            while self._is_asked():
                frame = next(self._source, None)
                if frame is None:
                    break
                with self._changed:
                    self._asked, self._frame = False, frame
                    self._changed.notify_all()
            if isinstance(self._source, Generator):
                self._source.close()
        except Exception as error:  # the consumer would wait forever for a frame
            self._error = error
        self._end()

    def _is_asked(self) -> bool:
        """Wait until a frame is asked for; False once none will be."""
        with self._changed:
            self._changed.wait_for(lambda: self._asked or self._ended)
            return not self._ended

    def _end(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()
