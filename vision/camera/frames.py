"""Frames of the table, and what every source of frames offers."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, Self
from zlib import crc32

from vision.camera.decoded import DecodedFrame, Pixels, every_nth_row, mirror_image, size_of
from vision.camera.pictures import Picture, Region

MARKED: Final = 49
"""Every how many rows a frame is sampled to recognise it again."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the table and the time when it was taken."""

    pixels: Pixels
    """Upright: the rotation that a phone stores in the file has been applied."""
    time_s: float
    """Seconds from the start of the source."""
    index: int
    """Position in the source, counting frames that were skipped."""

    @property
    def image_bgr(self) -> Picture:
        """(H, W, 3) uint8, BGR."""
        return self.pixels.bgr() if isinstance(self.pixels, DecodedFrame) else self.pixels

    @property
    def size_px(self) -> tuple[int, int]:
        return size_of(self.pixels)

    def mirror_image(self) -> Frame:
        pixels = self.pixels
        if isinstance(pixels, DecodedFrame):
            return replace(self, pixels=pixels.mirror_image())
        return replace(self, pixels=mirror_image(pixels))

    def parts(self, parts: Sequence[Region]) -> Picture:
        """The picture, with at least these parts filled in."""
        if isinstance(self.pixels, DecodedFrame):
            return self.pixels.parts(parts)
        return self.pixels


@dataclass(frozen=True)
class FramePosition:
    """Identifies one frame of a recording, so that it can be found again."""

    time_s: float
    index: int
    mark: int
    """Checksum of some of its pixels."""

    @classmethod
    def of(cls, frame: Frame) -> FramePosition:
        return cls(frame.time_s, frame.index, crc32(every_nth_row(frame.pixels, MARKED).tobytes()))


Frames = Generator[Frame, None, None]
"""Frames in order; closing the generator releases the camera or file."""


class FrameSource(Protocol):
    """Anything that shows the table over time."""

    name: str

    def frames(self, step_s: float = 0.0) -> Frames:
        """Frames in order, at least ``step_s`` apart; raises ``SourceError``."""
        ...


class RecordedSource(ABC):
    """A source that can also be read faster than in real time."""

    name: str
    _hurried = False

    def hurried(self) -> Self:
        """The same frames without waiting for real time."""
        other = copy.copy(self)
        other._hurried = True
        return other

    @abstractmethod
    def frames(self, step_s: float = 0.0) -> Frames: ...
