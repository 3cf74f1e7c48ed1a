"""While the focus hunts nothing is read for a moment, or again once the picture is sharp."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from vision.camera.decoded import small_size
from vision.camera.frames import Frame
from vision.camera.pictures import Region
from vision.notice import Notice
from vision.table.quality import softness

EVERY_NTH: Final = 4
"""Only every so many rows of the small picture are measured."""
SOFT, SHARP = 0.06, 0.03
"""A picture that is softer than usual by the first is read later; by the second or less it counts
as sharp. Measured: 0.06 where the focus hunts by a tenth of a tile's width, 0.15 by a fifth, and
less than 0.02 by all that hands and tiles do."""
RISES: Final = 0.002
"""What counts as usual grows by so much each second."""
WAIT_S: Final = 2.5
"""Reading waits at most so long for a sharp picture: a focus that hunts comes back."""
HUNTS, HUNTS_S = 3, 40.0
"""People are told that the focus hunts if it was lost so often within this time, and that it holds
again after as long without a loss."""


class FocusWatch:
    """Knows whether to wait for a sharp picture, and what was read in soft ones."""

    def __init__(self) -> None:
        self._soft: list[Region] = []
        self._usual = np.inf
        self._measured_s = 0.0
        self._soft_s: float | None = None
        """Since when the pictures have been soft."""
        self._went_s: deque[float] = deque(maxlen=HUNTS)
        """Times at which the focus was last lost."""
        self._told = False
        self._known = -np.inf, 0.0
        """When a frame was last measured, and how much softer than usual it was."""

    def notices(self, now_s: float) -> Iterator[Notice]:
        """What is new to be told of a focus that hunts."""
        gone = len(self._went_s) == HUNTS and now_s - self._went_s[0] < HUNTS_S
        if gone and not self._told:
            self._told = True
            text = "the focus hunts: fix it by hand, on the table; events may be missed"
            yield Notice("focus", now_s, text, lasts=True)
        elif self._told and now_s - self._went_s[-1] > HUNTS_S:
            self._told = False
            yield Notice("focus", now_s, "the focus holds again", lasts=False)

    def waits(self, frame: Frame) -> bool:
        """Whether to read this frame later, because it is soft."""
        if self._softer(frame) <= SOFT:
            self._soft_s = None
            return False
        if self._soft_s is None:
            self._soft_s = frame.time_s
            self._went_s.append(frame.time_s)
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
        if self._known[0] == frame.time_s:
            return self._known[1]
        now = softness(frame.small_grey(small_size(frame.size_px))[::EVERY_NTH])
        risen = RISES * (frame.time_s - self._measured_s)
        self._usual, self._measured_s = min(now, self._usual + risen), frame.time_s
        self._known = frame.time_s, now - self._usual
        return now - self._usual
