"""When the next look may begin, what it may take in, and whether this computer keeps up."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from vision.attention.motion import MotionMap
from vision.camera.pictures import Region
from vision.notice import Notice

LOOK_S: Final = 0.13
"""Least time between two looks, so that their errors are not quite the same."""
WHOLE_S: Final = 0.5
"""Further delay after a look at the whole field, as while tiles are dealt or washed."""
SMALL_SHARE: Final = 0.1
"""Parts that cover no more of the field, and have moved since a larger look, do not wait for that
delay, where a camera is read: a discard covers 0.04 of it."""

LATEST: Final = 16
"""So many looks at small parts tell how fast they are read: half a minute of play."""
LEAST_SHARE, ENOUGH_SHARE = 0.5, 0.7
"""People are told below the first share of the looks that play needs; it is over above the second.
At the first a look takes 0.26 s, and two of them and what they wait for a second."""
MOST_APART_S: Final = 1.0
"""Frames that lie farther apart are a pause of the camera, not work of this computer."""


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


class LookPace:
    """Knows whether looks at small parts are read as fast as play needs them.

    A camera's frames are watched beside the looks, so they may come fast where looks are read late.
    """

    def __init__(self) -> None:
        self._took_s: deque[float] = deque(maxlen=LATEST)
        """How long the last small looks were read."""
        self._reads_s: float | None = None
        """How long the small look that is being read has been; None where none is."""
        self._last_s = -np.inf
        self._slow = False

    def sees(self, time_s: float, reads: bool) -> None:
        """Take a frame, and whether a look is being read while it comes."""
        apart_s = min(time_s - self._last_s, MOST_APART_S)
        self._last_s = time_s
        if self._reads_s is None:
            return
        if reads:
            self._reads_s += apart_s
        else:  # it ended somewhere between this frame and the one before
            self._took_s.append(self._reads_s + apart_s / 2)
            self._reads_s = None

    def looked(self, share: float) -> None:
        """A look was begun with the last frame that covers this share of the field."""
        self._reads_s = 0.0 if share <= SMALL_SHARE else None

    def notices(self) -> Iterator[Notice]:
        """What is new to be told of a computer that is too slow."""
        if len(self._took_s) < LATEST:
            return
        keeps_up = LOOK_S / max(LOOK_S, float(np.mean(self._took_s)))
        if not self._slow and keeps_up < LEAST_SHARE:
            self._slow = True
            text = (
                f"this computer is too slow: it reads {keeps_up:.0%} of the looks that play needs; "
                "events are told late or missed"
            )
            yield Notice("busy", self._last_s, text, lasts=True)
        elif self._slow and keeps_up > ENOUGH_SHARE:
            self._slow = False
            text = "this computer is fast enough again"
            yield Notice("busy", self._last_s, text, lasts=False)
