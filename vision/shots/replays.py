"""Tell a replay: hands that move through the very pictures of a moment before."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes
from vision.camera.light import LightGain, light_between, lit
from vision.shots.small import count_over

KEPT_S: Final = 60.0
"""A replay begins at most this long after what it shows."""
LEAST_S: Final = 1.0
"""Pictures that are younger are no replay."""
MATCHES: Final = 4
"""So many pictures in a row must be seen again in the same order. Hands never repeat a movement for
so long."""
CHANGED_GREY: Final = 12
STILL_GREY: Final = 6
"""Nothing has moved if no pixel changes by more than this."""
LIT_GREY, LIT_SHARE = 3, 0.25
"""The light is measured anew where more than this share of the pixels has changed by more since it
was measured last. An arm covers less; measuring takes a quarter of the watch for edits. ..."""
LIT_S: Final = 1.0
"""... It is measured after so long anyway, ..."""
SAME_LIGHT: Final = 0.01
"""... and in each picture for as long as pictures are kept after it changed by this logarithm. Else
a picture and its replay are put in different lights: 8 of 36 replays in drifting light were missed.
With it none was."""
MOVES_PX: Final = 25
"""Pixels that change from one picture to the next while something moves."""
MOVES_IN: Final = 0.4
"""Hands move in at most this share of the picture's parts. If more of them move, the camera does,
and a camera that swings shows the same pictures again and again."""
SAME_PX: Final = 6
SAME_SHARE: Final = 0.1
"""Two pictures are the same if they differ in at most so many pixels, or in this share of those
that move."""
TINY: Final = 8
"""How many pixels are averaged, each way, for a first comparison."""
LOOKED_AT: Final = 12
"""How many of the pictures that look most alike are compared in full."""
LONGEST_S: Final = 60.0
"""Longest part of a replay in which nothing moves."""


class _Remembered:
    """Pictures of the last minute, in order of time."""

    def __init__(self) -> None:
        self.pictures: list[Bytes] = []
        self.times_s = np.zeros(0)
        self.moves = np.zeros(0, bool)
        """Whether each differs from the picture before it."""
        self.tiny = np.zeros((0, 0), np.uint8)
        """(n, pixels)"""
        self.forgotten = 0
        """How many pictures were dropped from the beginning."""

    def add(self, time_s: float, picture: Bytes, moves: bool) -> None:
        gone = int(np.count_nonzero(time_s - self.times_s > KEPT_S))
        self.forgotten += gone
        del self.pictures[:gone]
        tiny = _tiny(picture).reshape(1, -1)
        self.tiny = np.concatenate([self.tiny[gone:], tiny]) if self.pictures else tiny
        self.times_s = np.append(self.times_s[gone:], time_s)
        self.moves = np.append(self.moves[gone:], moves)
        self.pictures.append(picture)


class ReplayWatch:
    """Remembers what was seen in motion, and notices when it is shown again."""

    def __init__(self) -> None:
        self._light: Bytes | None = None
        """The first picture, in whose light all are compared."""
        self._last: Bytes | None = None
        """The last picture that was put in that light."""
        self._measured: Bytes | None = None
        """The last picture whose light was measured."""
        self._gain: LightGain | None = None
        """Of that picture; None if it could not be measured."""
        self._lit_s = -math.inf
        """When it was measured."""
        self._steady_s = -math.inf
        """From when on the light counts as steady."""
        self._seen = _Remembered()
        self._before: Bytes | None = None
        self._run: list[int] = []
        """Numbers of the remembered pictures that were seen again, in a row."""
        self._replay_s: float | None = None
        """When a picture of the running replay was last seen again; None outside replays."""

    def update(self, small: Bytes, time_s: float, swings: bool = False) -> bool:
        """Take a small picture of the table; return whether it belongs to a replay.

        ``swings``: the camera is known to swing, and such a camera shows the same pictures again.
        """
        size = (small.shape[1] // 2, small.shape[0] // 2)
        shown = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), np.uint8)
        if self._light is None:
            self._light = shown
        if self._still(shown) and self._before is not None:
            picture, moved = self._before, 0
        else:
            self._last = shown
            picture = lit(shown, self._gain_of(shown, self._light, time_s))
            moved = _differ(picture, self._before) if self._before is not None else 0
        swings |= moved >= MOVES_PX and _moves_in(picture, self._before) >= MOVES_IN
        self._before = picture
        if swings:
            self._run, self._replay_s = [], None
        elif moved >= MOVES_PX:
            self._match(picture, time_s, moved)
        if self._replay_s is not None and time_s - self._replay_s > LONGEST_S:
            self._replay_s = None
        if self._replay_s is None:
            self._seen.add(time_s, picture, moved >= MOVES_PX)
        return self._replay_s is not None

    def _still(self, shown: Bytes) -> bool:
        """Whether nothing has changed since the last picture; both are compared in the first
        picture's light."""
        return self._last is not None and not count_over(cv2.absdiff(shown, self._last), STILL_GREY)

    def _gain_of(self, shown: Bytes, light: Bytes, time_s: float) -> LightGain | None:
        """What puts a picture in the light of the first one."""
        known, was = self._measured, self._gain
        if known is not None and self._steady_s <= time_s < self._lit_s + LIT_S:
            changed = count_over(cv2.absdiff(shown, known), LIT_GREY)
            if changed <= LIT_SHARE * shown.size:
                return was
        gain = light_between(shown, light)
        self._measured, self._lit_s = shown, time_s
        if known is not None and not _alike(gain, was):
            self._steady_s = time_s + KEPT_S
        elif known is not None and time_s >= self._steady_s:
            return was
        self._gain = gain
        return gain

    def _match(self, picture: Bytes, time_s: float, moved: int) -> None:
        found = self._found(picture, time_s, max(SAME_PX, round(SAME_SHARE * moved)))
        if found is None:
            self._run, self._replay_s = [], None
            return
        if self._run and found < self._run[-1]:
            self._run = []
        if not self._run or found > self._run[-1]:
            self._run.append(found)
        if self._replay_s is not None or len(self._run) >= MATCHES:
            self._replay_s = time_s

    def _found(self, picture: Bytes, time_s: float, most: int) -> int | None:
        """Number of the remembered picture that is seen again. During a replay, only pictures that
        follow are searched."""
        seen = self._seen
        last = self._run[-1] - seen.forgotten if self._run else -1
        goes_on = self._replay_s is not None
        asked = time_s - seen.times_s[:-1] >= LEAST_S
        if goes_on:
            asked[: max(last, 0)] = False
        else:
            asked &= seen.moves[:-1] & seen.moves[1:]
            asked[:1] = False
        old = np.flatnonzero(asked)
        off = np.abs(seen.tiny[old] - _tiny(picture).reshape(1, -1).astype(np.int16)).sum(axis=1)
        near = old[np.argsort(off, kind="stable")[:LOOKED_AT]].tolist()
        fits = [at for at in near if _differ(picture, seen.pictures[at]) <= most]
        if not fits:
            return None
        # In slow motion a picture is seen twice. Pictures from where the replay is now are
        # preferred.
        best: int = min(fits, key=lambda at: (at < last, at))
        return best + seen.forgotten


def _alike(one: LightGain | None, other: LightGain | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(float(np.median(one)) - float(np.median(other))) <= SAME_LIGHT


def _differ(one: Bytes, other: Bytes) -> int:
    return count_over(cv2.absdiff(one, other), CHANGED_GREY)


def _moves_in(one: Bytes, other: Bytes | None) -> float:
    """In which share of the parts anything differs."""
    changed = (cv2.absdiff(one, one if other is None else other) > CHANGED_GREY) * np.uint8(255)
    return float((_tiny(np.asarray(changed, np.uint8)) > 0).mean())


def _tiny(picture: Bytes) -> Bytes:
    size = (max(1, picture.shape[1] // TINY), max(1, picture.shape[0] // TINY))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
