"""When the next look may begin, and what it may take in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.attention.motion import MotionMap
from vision.camera.pictures import Region

LOOK_S: Final = 0.13
"""Least time between two looks, so that their errors are not quite the same."""
WHOLE_S: Final = 0.5
"""Further delay after a look at the whole field, as while tiles are dealt or washed."""
SMALL_SHARE: Final = 0.1
"""Parts that cover no more of the field, and have moved since a larger look, do not wait for that
delay, where a camera is read: a discard covers 0.04 of it."""


class LookTimes:
    """Looks at much lie farther apart; what has just changed in a small part is read before."""

    def __init__(self, small_first: bool) -> None:
        """``small_first``: whether small parts are read meanwhile, as a camera's are."""
        self._small_first = small_first
        self._next_s = self._next_small_s = -np.inf
        self._large_s = -np.inf
        """When a larger part than ``SMALL_SHARE`` was looked at last."""

    def due(
        self, motion: MotionMap, time_s: float, margin_px: float, awaited: Sequence[Region]
    ) -> list[Region]:
        """The parts to look at now; ``awaited`` as ``MotionMap.regions`` takes it."""
        if time_s >= self._next_s:
            return motion.regions(margin_px, awaited)
        if not self._small_first or time_s < self._next_small_s:
            return []
        changed = motion.regions(margin_px, since_s=self._large_s)
        return changed if motion.share_of(changed) <= SMALL_SHARE else []

    def looked(self, time_s: float, share: float) -> None:
        """A look was begun that covers this share of the field."""
        if share > SMALL_SHARE:
            self._large_s = time_s
        self._next_small_s = time_s + LOOK_S
        self._next_s = max(self._next_s, time_s + LOOK_S + WHOLE_S * share)
