"""A decoded frame that converts only the parts and colours that are asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
from av.sidedata.sidedata import Type as SideData

from vision.arrays import Bytes, Doubles, Floats
from vision.camera.pictures import Picture, Region

Grey = Bytes
"""(H, W) uint8."""

LIMITED: Final = "yuv420p"
"""The pixel format of most cameras and phones: brightness 16 to 235, colours at half the size."""
FULL: Final = "yuvj420p"
"""The same format with brightness 0 to 255."""
SMALL_PX: Final = 640
"""Width of the small pictures in which motion is found."""
_STRETCHED: Final = np.clip(np.rint((np.arange(256) - 16) * 255 / 219), 0, 255).astype(np.uint8)


Planes = tuple[Bytes, ...]
"""Brightness (h, w) and two colours (h / 2, w / 2); or one picture (h, w, 3), BGR."""


@dataclass(frozen=True)
class Orientation:
    """How a picture in a file lies: one of the eight ways to turn and mirror it."""

    transposed: bool = False
    """Rows and columns are exchanged; then it is flipped."""
    flipped_x: bool = False
    flipped_y: bool = False

    @classmethod
    def of(cls, frame: Any) -> Orientation:
        """By the display matrix of an ``av.VideoFrame``; its parts are not larger or smaller.

        A frame that was asked for its side data is part of a cycle, and stays in memory until
        cycles are searched: ask few.
        """
        found = [one for one in frame.side_data if one.type is SideData.DISPLAYMATRIX]
        if not found:
            return UPRIGHT
        # ISO 14496-12, 6.2.2: x' = a x + c y, y' = b x + d y.
        a, b, _, c, d, *_ = np.frombuffer(found[0], np.int32, 5).tolist()
        if abs(a) + abs(d) >= abs(b) + abs(c):
            return cls(False, a < 0, d < 0)
        return cls(True, c < 0, b < 0)

    def upright(self, picture: Picture) -> Picture:
        if self == UPRIGHT:
            return picture
        turned = picture.swapaxes(0, 1) if self.transposed else picture
        steps = (-1 if self.flipped_y else 1), (-1 if self.flipped_x else 1)
        return np.ascontiguousarray(turned[:: steps[0], :: steps[1]])


UPRIGHT: Final = Orientation()


class DecodedFrame:
    """One decoded frame, upright; safe to use from any thread."""

    def __init__(self, frame: Any, lies: Orientation, quick: bool = False) -> None:
        """``frame``: an ``av.VideoFrame``, which lies so in its file.

        ``quick``: small pictures are halved as often as they can be, not averaged exactly.
        """
        self._quick = quick
        self._frame = frame
        self._lies = lies
        self._plain = self._lies == UPRIGHT and frame.format.name in (LIMITED, FULL)
        self._one_at_a_time = threading.Lock()
        self._bgr: Picture | None = None
        self._small: Grey | None = None

    @property
    def size_px(self) -> tuple[int, int]:
        width, height = int(self._frame.width), int(self._frame.height)
        return (height, width) if self._lies.transposed else (width, height)

    def bgr(self) -> Picture:
        """(H, W, 3): the whole frame, converted once."""
        with self._one_at_a_time:
            if self._bgr is None:
                image: Picture = self._frame.to_ndarray(format="bgr24")
                self._bgr = self._lies.upright(np.asarray(image, np.uint8))
            return self._bgr

    def mirror_image(self) -> DecodedFrame:
        """The frame with left and right exchanged; nothing is converted yet."""
        lies = replace(self._lies, flipped_x=not self._lies.flipped_x)
        return DecodedFrame(self._frame, lies, self._quick)

    def parts(self, parts: Iterable[Region]) -> Picture:
        """(H, W, 3) with only these parts filled in; the rest costs next to nothing."""
        if self._bgr is not None or not (self._plain and self._frame.format.name == LIMITED):
            return self.bgr()
        width, height = self.size_px
        # Not by ``mmap``: each of its new pages costs more than all that is done with it.
        image: Picture = np.zeros((height, width, 3), np.uint8)
        planes = [_plane(plane) for plane in self._frame.planes]
        for part in parts:
            # Two by two pixels share one colour.
            x0, y0 = max(0, part[0] - part[0] % 2), max(0, part[1] - part[1] % 2)
            x1, y1 = min(width, part[2] + part[2] % 2), min(height, part[3] + part[3] % 2)
            if x1 - x0 < 2 or y1 - y0 < 2 or (x1 - x0) % 2 or (y1 - y0) % 2:
                return self.bgr()
            image[y0:y1, x0:x1] = _converted(planes, x0, y0, x1, y1)
        return image

    def planes(self) -> Planes:
        """Brightness and colours as they were decoded, without a copy.

        One picture where the frame is turned, has odd sides or is not ``LIMITED``.
        """
        odd = any(side % 2 for side in self.size_px)
        if odd or not (self._plain and self._frame.format.name == LIMITED):
            return (self.bgr(),)
        return tuple(_plane(plane) for plane in self._frame.planes)

    def scaled_bgr(self, scale: float) -> Picture | None:
        """(h, w, 3): the frame at a smaller scale, with even sides; only this is converted.

        None where the whole frame must be converted first.
        """
        if not (self._plain and self._frame.format.name == LIMITED):
            return None
        width, height = (max(2, round(side * scale / 2) * 2) for side in self.size_px)
        brightness, *colours = (_plane(plane) for plane in self._frame.planes)
        half = (width // 2, height // 2)
        planes = [shrunk(brightness, (width, height)), *(shrunk(one, half) for one in colours)]
        return _converted(planes, 0, 0, width, height)

    def some_bgr(self, step: int, size: int) -> Floats:
        """(h, w, 3): mean colours of the parts that ``sampled`` takes; they lie as in the file."""
        if (name := self._frame.format.name) not in (LIMITED, FULL):
            return sampled(self.bgr(), step, size)
        planes = zip(self._frame.planes, (1, 2, 2), (0, 128, 128), strict=True)
        parts = [
            sampled(_plane(plane), step // by, size // by) - np.float32(none)
            for plane, by, none in planes
        ]
        # A side of odd pixels has one more half of them in its colours.
        rows, columns = (min(part.shape[axis] for part in parts) for axis in (0, 1))
        light, blue, red = (part[:rows, :columns] for part in parts)
        if name == LIMITED:
            light = (light - 16) * np.float32(255 / 219)
            blue, red = blue * np.float32(255 / 224), red * np.float32(255 / 224)
        # ITU-T T.871, 7.
        green = light - 0.344 * blue - 0.714 * red
        some = [light + 1.772 * blue, green, light + 1.402 * red]
        return np.asarray(np.stack(some, axis=2), np.float32)

    def grey(self) -> Grey:
        """(H, W): brightness with the file's own range; see ``stretched``."""
        if self._plain:
            return _plane(self._frame.planes[0])
        return np.asarray(cv2.cvtColor(self.bgr(), cv2.COLOR_BGR2GRAY), np.uint8)

    def small_grey(self, size_px: tuple[int, int]) -> Grey:
        """(h, w): brightness of the whole picture; kept, because it is asked for again."""
        if self._small is None or self._small.shape != (size_px[1], size_px[0]):
            if self._quick:
                small = shrunk(self.grey(), size_px)
            else:
                small = np.asarray(cv2.resize(self.grey(), size_px, interpolation=cv2.INTER_AREA))
            self._small = self.stretched(small)
        return self._small

    def stretched(self, grey: Grey) -> Grey:
        """Convert brightness from the file's range to 0..255."""
        if self._plain and self._frame.format.name == LIMITED:
            return np.asarray(cv2.LUT(grey, _STRETCHED), np.uint8)
        return grey


Pixels = Picture | DecodedFrame
"""A picture, or a frame that is converted on demand."""


def mirror_image(picture: Picture) -> Picture:
    return np.ascontiguousarray(picture[:, ::-1])


def size_of(pixels: Pixels) -> tuple[int, int]:
    return (
        pixels.size_px if isinstance(pixels, DecodedFrame) else (pixels.shape[1], pixels.shape[0])
    )


def small_size(size_px: tuple[int, int]) -> tuple[int, int]:
    """Width and height of the small picture of a frame of this size."""
    scale = min(1.0, SMALL_PX / size_px[0])
    return max(8, round(size_px[0] * scale)), max(8, round(size_px[1] * scale))


def shrunk(grey: Grey, size_px: tuple[int, int]) -> Grey:
    """A picture made smaller: four times faster than the mean of each area, and nearly that."""
    height, width = grey.shape
    while width >= 2 * size_px[0] and height >= 2 * size_px[1]:
        width, height = width // 2, height // 2
        halved = cv2.resize(grey, (width, height), interpolation=cv2.INTER_AREA)
        grey = np.asarray(halved, np.uint8)
    return np.asarray(cv2.resize(grey, size_px, interpolation=cv2.INTER_LINEAR), np.uint8)


def sampled(picture: Bytes, step: int, size: int) -> Floats:
    """(H / step, W / step, ...): the mean of a square part of each larger square, sides in pixels.

    Coarser than a pixel, because where light and shadow meet, files mix their colours.
    """
    height, width = (side // step * step for side in picture.shape[:2])
    if not height or not width:
        return np.zeros((0, 0, *picture.shape[2:]), np.float32)
    means = cv2.resize(
        picture[:height, :width], (width // size, height // size), interpolation=cv2.INTER_AREA
    )
    return np.asarray(means[:: step // size, :: step // size], np.float32)


def every_nth_row(pixels: Pixels, step: int) -> Bytes:
    """Every ``step``-th row of the picture."""
    shown = pixels.grey() if isinstance(pixels, DecodedFrame) else pixels
    return shown[::step]


def some_rows(pixels: Pixels, step: int, by: int) -> Doubles:
    """(n, w): brightness of every ``step``-th row of the picture made ``by`` times smaller, where
    the rows of the picture itself are counted."""
    shown = pixels.grey() if isinstance(pixels, DecodedFrame) else pixels
    width, count = shown.shape[1] // by, (len(shown) - by) // step + 1
    rows = [shown[at::step][:count, : width * by] for at in range(by)]
    grey = [row if row.ndim == 2 else cv2.cvtColor(row, cv2.COLOR_BGR2GRAY) for row in rows]
    return np.asarray(np.mean(grey, axis=0).reshape(count, width, by).mean(axis=2), np.float64)


def planes_of(pixels: Pixels, by: int) -> Planes:
    """The picture made ``by`` times smaller, without what is left over at its right and bottom."""
    planes = pixels.planes() if isinstance(pixels, DecodedFrame) else (pixels,)
    if by == 1:
        return planes
    height, width = (side // by for side in planes[-1].shape[:2])
    smaller = []
    for plane in planes:
        larger = plane.shape[1] // planes[-1].shape[1]
        size = (width * larger, height * larger)
        whole = plane[: size[1] * by, : size[0] * by]
        smaller.append(np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8))
    return tuple(smaller)


def bgr_of(planes: Planes) -> Picture:
    if len(planes) == 1:
        return planes[0]
    height, width = planes[0].shape
    return _converted(list(planes), 0, 0, width, height)


def _plane(plane: Any) -> Grey:
    """(h, w) of a decoded plane, whose lines may be padded."""
    lines = np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size)
    return lines[:, : plane.width]


def _converted(planes: list[Grey], x0: int, y0: int, x1: int, y1: int) -> Picture:
    width, height = x1 - x0, y1 - y0
    packed = np.empty((height * 3 // 2, width), np.uint8)
    packed[:height] = planes[0][y0:y1, x0:x1]
    half = (height // 2, width // 2)
    for at, plane in enumerate(planes[1:]):
        size = half[0] * half[1]
        colours = packed[height:].reshape(-1)[at * size : (at + 1) * size].reshape(half)
        colours[:] = plane[y0 // 2 : y1 // 2, x0 // 2 : x1 // 2]
    return np.asarray(cv2.cvtColor(packed, cv2.COLOR_YUV2BGR_I420), np.uint8)
