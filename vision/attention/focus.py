"""While the focus hunts nothing is read for a moment, or again once the picture is sharp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes
from vision.camera.decoded import small_grey, small_size
from vision.camera.frames import Frame
from vision.camera.pictures import Region

EVERY_NTH: Final = 4
"""Every how many rows of the small picture are measured."""
KERNEL_PX: Final = 9
SOFT, SHARP = 0.06, 0.03
"""By how much softer than usual a picture is in which tiles are misread, and one in which they are
not. Measured: 0.06 where the focus hunts by a tenth of a tile's width, 0.15 by a fifth, and less
than 0.02 by all that hands and tiles do."""
RISES: Final = 0.002
"""How much softer than before a picture may be each second and count as usual."""
WAIT_S: Final = 2.5
"""Reading waits at most so long for a sharp picture: a focus that hunts comes back."""


class FocusWatch:
    """Knows whether to wait for a sharp picture, and what was read in soft ones."""

    def __init__(self) -> None:
        self._soft: list[Region] = []
        self._usual = np.inf
        self._measured_s = 0.0
        self._soft_s: float | None = None
        """Since when the pictures have been soft."""

    def waits(self, frame: Frame) -> bool:
        """Whether to read this frame later, because it is soft."""
        if self._softer(frame) <= SOFT:
            self._soft_s = None
            return False
        self._soft_s = frame.time_s if self._soft_s is None else self._soft_s
        return frame.time_s - self._soft_s < WAIT_S

    def was_read(self, frame: Frame, regions: Sequence[Region]) -> None:
        """Take the parts of a frame that are read."""
        if self._softer(frame) > SOFT:
            self._soft += regions

    def again(self, frame: Frame) -> list[Region]:
        """The parts to read again, because this frame shows them sharp."""
        if not self._soft or self._softer(frame) > SHARP:
            return []
        sharp, self._soft = self._soft, []
        return sharp

    def _softer(self, frame: Frame) -> float:
        """How much softer this picture is than usual."""
        now = softness(small_grey(frame.pixels, small_size(frame.size_px))[::EVERY_NTH])
        risen = RISES * (frame.time_s - self._measured_s)
        self._usual, self._measured_s = min(now, self._usual + risen), frame.time_s
        return now - self._usual


def softness(grey: Bytes) -> float:
    """How little a further blur changes the differences of neighbours in a row, 0..1."""
    sharp = grey.astype(np.float32)
    before = np.abs(np.diff(sharp, axis=1))
    lost = before - np.abs(np.diff(cv2.blur(sharp, (KERNEL_PX, 1)), axis=1))
    total = float(before.sum())
    return 1 - float(np.maximum(0.0, lost).sum()) / total if total > 0 else 1.0
