"""How noisy a camera's pictures are, and the mean of those that show the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Bytes, Doubles, Floats, Ints
from vision.camera.decoded import Pixels, Planes, bgr_of, planes_of, some_rows
from vision.camera.frames import Frame
from vision.camera.pictures import Picture, Region
from vision.notice import Notice

ROWS: Final = 49
"""Only every so many rows are measured, because noise is everywhere."""
EVERY_S: Final = 0.5
"""Interval between two measurements, ..."""
MEASURED: Final = 5
"""... of which so many are kept: the middle one counts, because hands and swings are no noise."""
BRIGHT: Final = 99
"""Percentile of brightness that is taken for a tile's. Noise is measured as a share of it."""
NOISY, QUIET = 0.02, 0.014
"""Noise from which pictures are averaged, and below which they no longer are. Measured: at 0.027
the tiles are read as without noise, but a hand that moves is missed now and then."""
HOPELESS, HOPEFUL = 0.07, 0.055
"""Noise from which people are told, and below which they are told of its end. Measured: at 0.05
most films are read without an error, at 0.08 wins are taken for others. At 0.16 one picture shows
75 % of the tiles, and the mean of eight shows 97 %. At 0.25 it is 60 % and 90 %."""
STRONG: Final = 0.03
MORE_READS: Final = 2
"""Further looks if the noise is above ``STRONG``; each of them sees the mean of more pictures."""
MOST: Final = 8
"""Pictures that are averaged."""
DEVIATION: Final = 1 / (0.6745 * np.sqrt(2))
"""Standard deviation of a picture's noise, from the median difference of two."""
ADVICE: Final = "the picture is too noisy: give the table more light"


@dataclass(frozen=True, eq=False)
class _Kept:
    """An earlier picture, as small as it is read."""

    time_s: float
    size_px: tuple[int, int]
    """Of the frame."""
    shown: Pixels | Planes
    """Pixels are the frame's own, which are converted when they are asked for."""

    @property
    def planes(self) -> Planes:
        return self.shown if isinstance(self.shown, tuple) else planes_of(self.shown, 1)


class NoiseWatch:
    """Takes every frame in order; keeps the last ones while they are noisy."""

    def __init__(self) -> None:
        self.share = 0.0
        """Standard deviation of the noise as a share of a tile's brightness."""
        self.noisy = False
        self._by = 1
        """How many times smaller the frames are read."""
        self._told = False
        self._shares: deque[float] = deque(maxlen=MEASURED)
        self._before: Doubles | None = None
        self._next_s = -np.inf
        self._recent: deque[_Kept] = deque(maxlen=MOST - 1)

    def __getstate__(self) -> dict[str, object]:
        """A checkpoint holds no pictures: those of the next moment are averaged."""
        return {**self.__dict__, "_recent": deque[_Kept](maxlen=MOST - 1)}

    @property
    def more_reads(self) -> int:
        return MORE_READS if self.share > STRONG else 0

    def update(self, frame: Frame, by: int = 1) -> Iterator[Notice]:
        """``by``: how many times smaller the frame may be read; noise counts in that size."""
        if by != self._by:
            self._by = by
            self._shares.clear()
            self._recent.clear()
            self._before, self._next_s = None, -np.inf
        if frame.time_s >= self._next_s and frame.shift is None:
            self._measure(frame)
        resized = self._recent and self._recent[-1].size_px != frame.size_px
        if resized or not self.noisy or frame.shift is not None:
            self._recent.clear()
        if self.noisy and frame.shift is None:
            shown = frame.pixels if by == 1 else planes_of(frame.pixels, by)
            self._recent.append(_Kept(frame.time_s, frame.size_px, shown))
        if self.share > HOPELESS and not self._told:
            self._told = True
            yield Notice("noise", frame.time_s, f"{ADVICE}; events may be missed", lasts=True)
        elif self.share < HOPEFUL and self._told:
            self._told = False
            yield Notice("noise", frame.time_s, "the picture is no longer so noisy", lasts=False)

    def _measure(self, frame: Frame) -> None:
        """Measure the second of two frames that follow each other."""
        grey = some_rows(frame.pixels, ROWS, self._by)
        before, self._before = self._before, grey
        if before is None or before.shape != grey.shape:
            return
        self._before, self._next_s = None, frame.time_s + EVERY_S
        # Light is no noise, and changes row by row; noise is cut off where it is black.
        light = np.median((grey + 1.0) / (before + 1.0), axis=1, keepdims=True)
        change = np.abs(grey - light * before)[before >= np.median(before)]
        noise = DEVIATION * float(np.median(change))
        self._shares.append(noise / max(1.0, float(np.percentile(grey, BRIGHT))))
        self.share = float(np.median(self._shares))
        self.noisy = self.share > (QUIET if self.noisy else NOISY)

    def averaged(
        self,
        frame: Frame,
        regions: Sequence[Region],
        still_s: Doubles,
        cells_per_px: float,
        beside: Sequence[Region] = (),
    ) -> Frame:
        """The frame with less noise in these regions, if it is noisy, and as small as it is read.

        ``still_s``: (h, w), since when each cell of the picture shows the same. ``beside``: what is
        shown as it is; the rest is black. A smaller frame has a ``shift`` that leads to its pixels.
        """
        before = [one for one in self._recent if one.time_s < frame.time_s]
        if not before or frame.shift is not None:
            return frame
        by = self._by
        now = planes_of(frame.pixels, by)
        picture = np.zeros((*now[0].shape[:2], 3), np.uint8)
        for part in (_smaller(part, by, now) for part in beside):
            _paste(picture, part, _cut(now, part))
        for part in (_smaller(part, by, now) for part in regions):
            x0, y0, x1, y1 = part
            rows, columns = (
                (np.arange(*side) * by * cells_per_px).astype(np.intp)
                for side in ((y0, y1), (x0, x1))
            )
            same = [_expanded(still_s <= one.time_s, rows, columns) for one in before]
            earlier = [_cut(one.planes, part) for one in before]
            mean = [
                _mean(plane, [one[at] for one in earlier], same)
                for at, plane in enumerate(_cut(now, part))
            ]
            _paste(picture, part, tuple(mean))
        smaller = None if by == 1 else np.diag([1 / by, 1 / by, 1.0])
        return replace(frame, pixels=picture, shift=smaller)

    def everywhere(self, frame: Frame) -> Frame:
        """The frame with less noise everywhere, if it is noisy: most of a picture is still."""
        width, height = frame.size_px
        mean = self.averaged(frame, [(0, 0, width, height)], np.full((1, 1), -np.inf), 0.0)
        if mean.size_px == frame.size_px:
            return mean
        enlarged = cv2.resize(mean.image_bgr, frame.size_px, interpolation=cv2.INTER_LINEAR)
        return replace(frame, pixels=np.asarray(enlarged, np.uint8))

    def why(self, text: str) -> str:
        """The text about what could not be seen; with advice if noise may be the reason."""
        return f"{text}; {ADVICE}" if self.noisy else text


def _smaller(region: Region, by: int, planes: Planes) -> Region:
    """The region in a picture that is so many times smaller; two by two pixels share one colour."""
    height, width = planes[0].shape[:2]
    x0, y0 = (max(0, side // by // 2 * 2) for side in region[:2])
    x1, y1 = (-(-side // (2 * by)) * 2 for side in region[2:])
    return x0, y0, min(width, x1), min(height, y1)


def _cut(planes: Planes, region: Region) -> Planes:
    x0, y0, x1, y1 = region
    steps = [planes[0].shape[1] // plane.shape[1] for plane in planes]
    return tuple(
        plane[y0 // step : y1 // step, x0 // step : x1 // step]
        for plane, step in zip(planes, steps, strict=True)
    )


def _paste(picture: Picture, region: Region, planes: Planes) -> None:
    x0, y0, x1, y1 = region
    if x0 < x1 and y0 < y1:
        picture[y0:y1, x0:x1] = bgr_of(planes)


def _expanded(cells: Bools, rows: Ints, columns: Ints) -> Bytes | bool:
    """(h, w): whether the cell of each pixel is one of these; a bool where all are alike."""
    if not len(rows) or not len(columns):
        return False
    few = cells[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if few.all() or not few.any():
        return bool(few[0, 0])
    return np.asarray(cells.astype(np.uint8)[rows][:, columns])


def _mean(plane: Bytes, earlier: Sequence[Bytes], same: Sequence[Bytes | bool]) -> Bytes:
    """A plane, averaged with earlier ones where they show the ``same``."""
    total = plane.astype(np.float32)
    height, width = total.shape[:2]
    count: Floats = np.ones((height, width), np.float32)
    for one, mask in zip(earlier, same, strict=True):
        if isinstance(mask, bool):
            if mask:
                cv2.accumulate(one, total)
                count += 1
            continue
        step = mask.shape[1] // width
        here = np.ascontiguousarray(mask[::step, ::step])
        cv2.accumulate(one, total, here)
        count += here
    return np.asarray(np.rint(total / (count if total.ndim == 2 else count[..., None])), np.uint8)
