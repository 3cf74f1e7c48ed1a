"""Frames of the table, and what every source of frames offers."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, runtime_checkable
from zlib import crc32

from vision.camera.decoded import DecodedFrame, Pixels, every_nth, mirror_image, size_of
from vision.camera.pictures import Picture, Region

MARKED: Final = 7
"""Every so many rows and columns of a frame are compared with one that is to be found again."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the table and when it was taken."""

    pixels: Pixels
    """Upright: the rotation that a phone notes in its file is applied."""
    time_s: float
    """Seconds from the start of the source."""
    index: int
    """Place in the source, frames that were passed over counted."""

    @property
    def image_bgr(self) -> Picture:
        """(H, W, 3) uint8."""
        return self.pixels.bgr() if isinstance(self.pixels, DecodedFrame) else self.pixels

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return size_of(self.pixels)

    def mirror_image(self) -> Frame:
        """The same frame with left and right exchanged."""
        pixels = self.pixels
        if isinstance(pixels, DecodedFrame):
            return replace(self, pixels=pixels.mirror_image())
        return replace(self, pixels=mirror_image(pixels))

    def parts(self, parts: Sequence[Region]) -> Picture:
        """The picture of which nothing but these parts is looked at."""
        if isinstance(self.pixels, DecodedFrame):
            return self.pixels.parts(parts)
        return self.pixels


@dataclass(frozen=True)
class FramePosition:
    """One frame of a recording, by which it is found again."""

    time_s: float
    index: int
    mark: int
    """Sum over some of its pixels."""

    @classmethod
    def of(cls, frame: Frame) -> FramePosition:
        return cls(frame.time_s, frame.index, crc32(every_nth(frame.pixels, MARKED).tobytes()))


Frames = Generator[Frame, None, None]
"""Frames in order; closing it lets the camera or file go."""


class FrameSource(Protocol):
    """Anything that shows the table over time."""

    name: str

    def frames(self, step_s: float = 0.0) -> Frames:
        """Frames in order, at least ``step_s`` apart; raises ``SourceError``."""
        ...


@runtime_checkable
class RecordedSource(FrameSource, Protocol):
    """A source that need not be waited for."""

    def hurried(self) -> FrameSource:
        """The same pictures, each as soon as the one before has been looked at."""
        ...
