"""How noisy a camera's pictures are, and the mean of those that show the same."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes, Doubles
from vision.camera.decoded import Pixels, every_nth_row, size_of
from vision.camera.frames import Frame
from vision.camera.pictures import Region
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


class NoiseWatch:
    """Takes every frame in order; keeps the last ones while they are noisy."""

    def __init__(self) -> None:
        self.share = 0.0
        """Standard deviation of the noise as a share of a tile's brightness."""
        self.noisy = False
        self._told = False
        self._shares: deque[float] = deque(maxlen=MEASURED)
        self._before: Bytes | None = None
        self._next_s = -np.inf
        self._recent: deque[tuple[float, Pixels]] = deque(maxlen=MOST - 1)

    def __getstate__(self) -> dict[str, object]:
        """A checkpoint holds no pictures: those of the next moment are averaged."""
        return {**self.__dict__, "_recent": deque[tuple[float, Pixels]](maxlen=MOST - 1)}

    @property
    def more_reads(self) -> int:
        return MORE_READS if self.share > STRONG else 0

    def update(self, frame: Frame) -> Iterator[Notice]:
        if frame.time_s >= self._next_s and frame.shift is None:
            self._measure(frame)
        resized = self._recent and size_of(self._recent[-1][1]) != frame.size_px
        if resized or not self.noisy or frame.shift is not None:
            self._recent.clear()
        if self.noisy and frame.shift is None:
            self._recent.append((frame.time_s, frame.pixels))
        if self.share > HOPELESS and not self._told:
            self._told = True
            yield Notice("noise", frame.time_s, f"{ADVICE}; events may be missed", lasts=True)
        elif self.share < HOPEFUL and self._told:
            self._told = False
            yield Notice("noise", frame.time_s, "the picture is no longer so noisy", lasts=False)

    def _measure(self, frame: Frame) -> None:
        """Measure the second of two frames that follow each other."""
        rows = every_nth_row(frame.pixels, ROWS)
        shown = rows if rows.ndim == 2 else cv2.cvtColor(rows, cv2.COLOR_BGR2GRAY)
        grey = np.array(shown, np.uint8)
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
        self, frame: Frame, regions: Sequence[Region], still_s: Doubles, cells_per_px: float
    ) -> Frame:
        """The frame with less noise in these regions, if it is noisy.

        ``still_s``: (h, w), since when each cell of the picture shows the same.
        """
        before = [one for one in self._recent if one[0] < frame.time_s]
        if not before or frame.shift is not None:
            return frame
        mean = np.array(frame.parts(regions))
        for x0, y0, x1, y1 in regions:
            total = mean[y0:y1, x0:x1].astype(np.float32)
            count = np.ones(total.shape[:2], np.float32)
            rows, columns = (
                (np.arange(*side) * cells_per_px).astype(np.intp) for side in ((y0, y1), (x0, x1))
            )
            since_s = still_s[rows][:, columns]
            for time_s, pixels in before:
                same = (since_s <= time_s).astype(np.uint8)
                shown = replace(frame, pixels=pixels).parts([(x0, y0, x1, y1)])
                cv2.accumulate(shown[y0:y1, x0:x1], total, same)
                count += same
            mean[y0:y1, x0:x1] = np.rint(total / count[..., None])
        return replace(frame, pixels=mean)

    def everywhere(self, frame: Frame) -> Frame:
        """The frame with less noise everywhere, if it is noisy: most of a picture is still."""
        width, height = frame.size_px
        return self.averaged(frame, [(0, 0, width, height)], np.full((1, 1), -np.inf), 0.0)

    def why(self, text: str) -> str:
        """The text about what could not be seen; with advice if noise may be the reason."""
        return f"{text}; {ADVICE}" if self.noisy else text
