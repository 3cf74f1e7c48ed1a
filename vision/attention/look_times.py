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

LATEST: Final = 32
"""So many looks tell whether this computer keeps up: some ten seconds of play."""
PART: Final = 0.3
"""Looks at a larger share of the field, as while tiles are dealt, do not count."""
NEEDED_S: Final = 0.1
"""A look is to be told so long after its frame, or with the next one that the camera sends.

Measured on two cores (the sample at 1920x1080, 32 looks each): 0.10 to 0.12 s; 0.12 to 0.15 s with
half of each core and 0.22 to 0.34 s with a quarter, where a discard is told after 1.2 s."""
LEAST_SHARE, ENOUGH_SHARE = 0.4, 0.55
"""People are told below the first share of that; it is over above the second. Below 0.5 it was said
on AVX2 beside a program that took the other core, where all was told, a discard after 0.8 s."""
MOST_LATE_S: Final = 1.0
"""No look counts as later: a camera may pause."""


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
    """Knows whether what looks show is told as soon as play needs it.

    Frames are watched beside the looks that are read, so these may be late though many come: the
    nets, the decoder or what is done with each frame may take too long.
    """

    def __init__(self) -> None:
        self._late_s: deque[float] = deque(maxlen=LATEST)
        """How long after their frames the last looks had been told."""
        self._told_s: list[float] = []
        """Times of the frames whose looks were told since the last frame."""
        self._frames: deque[tuple[float, int]] = deque(maxlen=LATEST)
        """Times and indices of the last frames; the camera sent those between, too."""
        self._slow = False

    def told(self, time_s: float, share: float) -> None:
        """A look at a frame of this time, at this share of the field, has been told."""
        if share <= PART:
            self._told_s.append(time_s)

    def sees(self, time_s: float, index: int) -> None:
        """Take the next frame."""
        self._late_s.extend(min(time_s - told_s, MOST_LATE_S) for told_s in self._told_s)
        self._told_s.clear()
        self._frames.append((time_s, index))

    def notices(self) -> Iterator[Notice]:
        """What is new to be told of a computer that is too slow."""
        if len(self._late_s) < LATEST:
            return
        (first_s, first), (last_s, last) = self._frames[0], self._frames[-1]
        comes_s = (last_s - first_s) / max(1, last - first)
        keeps_up = min(1.0, max(NEEDED_S, comes_s) / float(np.mean(self._late_s)))
        if not self._slow and keeps_up < LEAST_SHARE:
            self._slow = True
            text = (
                f"this computer is too slow: it reads {keeps_up:.0%} of the looks that play needs; "
                "events are told late or missed"
            )
            yield Notice("busy", last_s, text, lasts=True)
        elif self._slow and keeps_up > ENOUGH_SHARE:
            self._slow = False
            text = "this computer is fast enough again"
            yield Notice("busy", last_s, text, lasts=False)
