"""Frames of the table, and what every source of frames offers."""

from __future__ import annotations

import contextlib
import copy
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal, Protocol, Self
from zlib import crc32

import cv2
import numpy as np

from vision.arrays import Doubles
from vision.camera.colours import without_colours
from vision.camera.decoded import (
    DecodedFrame,
    Grey,
    Pixels,
    every_nth_row,
    mirror_image,
    sampled,
    size_of,
)
from vision.camera.pictures import Picture, Region

SAMPLED_PX: Final = (16, 8)
"""Of each square of the first size a square of the second size is looked at for its colour."""
MARKED: Final = 49
"""Every how many rows a frame is sampled to recognise it again."""


GapReason = Literal["damaged", "clock", "missing"]
"""The file is damaged there, its clock goes back or jumps, or it holds no pictures."""


@dataclass(frozen=True)
class FilmGap:
    """A place of a film where pictures are missing."""

    since_s: float
    """When the last whole picture before it was taken."""
    why: GapReason


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the table and the time when it was taken."""

    pixels: Pixels
    """Upright: the rotation that a phone stores in the file has been applied."""
    time_s: float
    """Seconds from the start of the source."""
    index: int
    """Position in the source, counting frames that were skipped."""
    shift: Doubles | None = None
    """(3, 3), affine: from the pixels of a picture that holds still to those of this one, where the
    camera swings; None where it stands."""
    whole: bool = True
    """False behind a damaged place, where a picture may show what was there before."""
    gap: FilmGap | None = None
    """What is missing between the whole picture before and this one."""
    _small: dict[tuple[int, int], tuple[Pixels, Grey]] = field(default_factory=dict, repr=False)
    """Small pictures that were asked for, with the pixels that they show."""

    def small_grey(self, size_px: tuple[int, int]) -> Grey:
        """(h, w): brightness of the whole picture, resized to ``size_px`` (width, height)."""
        if isinstance(self.pixels, DecodedFrame):
            return self.pixels.small_grey(size_px)
        shown, grey = self._small.get(size_px, (None, None))
        if grey is None or shown is not self.pixels:
            small = cv2.resize(self.pixels, size_px, interpolation=cv2.INTER_AREA)
            grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
            self._small[size_px] = self.pixels, grey
        return grey

    def held_grey(self, size_px: tuple[int, int]) -> Grey:
        """(h, w): brightness of the whole picture, resized, as if the camera stood still."""
        grey = self.small_grey(size_px)
        if self.shift is None:
            return grey
        width, height = self.size_px
        zoom = np.diag([size_px[0] / width, size_px[1] / height, 1.0])
        small = zoom @ self.shift @ np.linalg.inv(zoom)
        return np.asarray(_held(grey, small), np.uint8)

    def held_bgr(self, parts: Sequence[Region]) -> Picture:
        """The picture, with at least these parts filled in, as if the camera stood still."""
        return self.parts(parts) if self.shift is None else _held(self.image_bgr, self.shift)

    @property
    def colourless(self) -> bool:
        """Whether nothing in the picture has a colour, as in a camera's night mode.

        All may have the same one: a lamp's, or a filter's. In the dark, nobody can say.
        """
        pixels = self.pixels
        if isinstance(pixels, DecodedFrame):
            return without_colours(pixels.some_bgr(*SAMPLED_PX))
        return without_colours(sampled(pixels, *SAMPLED_PX))

    @property
    def image_bgr(self) -> Picture:
        """(H, W, 3) uint8, BGR."""
        return self.pixels.bgr() if isinstance(self.pixels, DecodedFrame) else self.pixels

    def scaled_bgr(self, scale: float) -> Picture | None:
        """The picture at a smaller scale; None where that is no cheaper than ``image_bgr``."""
        pixels = self.pixels
        return pixels.scaled_bgr(scale) if isinstance(pixels, DecodedFrame) else None

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


def _held(picture: Picture, shift: Doubles) -> Picture:
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (picture.shape[1], picture.shape[0])
    held = cv2.warpAffine(picture, shift[:2], size, flags=how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(held, np.uint8)


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


def whole_of(frames: Frames) -> Frames:
    """The frames that show what was there."""
    with contextlib.closing(frames):
        for frame in frames:
            if frame.whole:
                yield frame


class RecordedSource(ABC):
    """A source that can also be read faster than in real time."""

    name: str
    path: Path
    _hurried = False

    @property
    def is_hurried(self) -> bool:
        return self._hurried

    def hurried(self) -> Self:
        """The same frames without waiting for real time."""
        other = copy.copy(self)
        other._hurried = True
        return other

    @abstractmethod
    def frames(self, step_s: float = 0.0) -> Frames: ...
