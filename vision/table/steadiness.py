"""Measure a camera over time: noise, flicker, swing, focus, and pictures that come late."""

from __future__ import annotations

from collections import deque
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes
from vision.camera.decoded import small_size
from vision.camera.frames import Frame
from vision.camera.light import light_between
from vision.camera.noise import BRIGHT, NoiseWatch
from vision.camera.stream import SLOW_S
from vision.table.quality import QualityCheck, graded, softness
from vision.table.swing import SwingWatch
from vision.table.view import TableView

MOST: Final = 2000
"""Differences between neighbouring pictures that are kept: a minute at 30 a second."""
SAMPLED_PX: Final = 256
"""Side of the part of the picture in which noise is measured."""
LIT_SHARE: Final = 80
"""Percentile of the picture's change of light: a sleeve covers less than the rest."""
USUAL: Final = 90
"""Percentile of such changes that counts: a lamp that is switched once is no flicker."""
EDGE: Final = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
"""Differences in which a plane and an edge along an axis vanish (Immerkaer 1996)."""
NOISY, TOO_NOISY = 0.035, 0.105
"""Measured: five films are read as without noise at 0.07 to 0.10."""
FLICKERING, TOO_FLICKERING = 0.06, 0.4
SWINGING, TOO_SWINGING = 0.2, 1.0
ROWS: Final = 4
"""Every how many rows of the small picture show how sharp it is."""
HUNTING, TOO_HUNTING = 0.1, 0.5
"""Measured: 0.05 where tiles are dealt, 0.16 where a focus hunts by a tenth of a tile's width and
0.4 by a fifth, which is read in the sharp pictures between."""
LATE_S, TOO_LATE_S = 1.0, 4.0
RATE_HZ, LEAST_RATE_HZ = 4.5, 1.2
"""Measured: films with 1.8 a second where they are fewest are read without an error."""
LEAST_S: Final = 1.0
"""A shorter film tells nothing about the camera's rate."""


class SteadinessWatch:
    """Collects what a camera does between one picture and the next."""

    def __init__(self, step_s: float = 0.0, most: int = MOST) -> None:
        """``step_s``: least time between the frames that are given, in seconds.

        What is older than ``most`` frames is forgotten.
        """
        self._step_s = step_s
        self._before: Bytes | None = None
        self._noise = NoiseWatch()
        self._alone: float | None = None
        """Noise of the first picture, while there is no other."""
        self._noises: deque[float] = deque(maxlen=most)
        self._times_s: deque[float] = deque(maxlen=most)
        self._light: deque[float] = deque(maxlen=most)
        self._swings: deque[float] = deque(maxlen=most)
        self._softness: deque[float] = deque(maxlen=most)
        self._swing: SwingWatch | None = None

    def take(self, frame: Frame, view: TableView | None) -> None:
        """Compare a frame with the one before; without a view, swing is not measured."""
        small = frame.small_grey(small_size(frame.size_px))
        self._alone = noise_in(frame) if self._before is None else None
        if self._before is not None and self._before.shape == small.shape:
            light = light_between(self._before, small)
            if light is not None:
                self._light.append(float(np.percentile(np.abs(light), LIT_SHARE)))
        self._before = small
        self._softness.append(softness(small[::ROWS]))
        self._times_s.append(frame.time_s)
        if view is not None and view.picture_px == frame.size_px:
            frame = self._followed(frame, view)
        list(self._noise.update(frame))  # the finding takes the place of its notices
        self._noises.append(self._noise.share)

    def _followed(self, frame: Frame, view: TableView) -> Frame:
        """The frame, and how it lies: how far the camera swings.

        A table that is found anew lies a little elsewhere.
        """
        watch = self._swing
        moved_px = (
            np.inf if watch is None else float(np.abs(watch.view.field_px - view.field_px).max())
        )
        if watch is None or moved_px > view.tile_px:
            self._swing = SwingWatch(view, frame)
            self._swings.clear()
            return frame
        held = watch.held(frame, unrest=1.0)
        self._swings.append(watch.swing_px / view.tile_px)
        return held

    def findings(self) -> tuple[QualityCheck, ...]:
        """Everything that could be measured so far."""
        checks: list[QualityCheck] = []
        light, swings = tuple(self._light), tuple(self._swings)
        if self._before is not None:
            noise = (
                float(np.percentile(self._noises, USUAL)) if self._alone is None else self._alone
            )
            checks.append(graded("noise", noise, NOISY, TOO_NOISY))
        if light:
            change = float(np.percentile(light, USUAL))
            checks.append(graded("flicker", change, FLICKERING, TOO_FLICKERING))
        if swings:
            # A few pictures in which a lamp's bands were followed are no swing.
            swing = float(np.percentile(swings, USUAL))
            checks.append(graded("swing", swing, SWINGING, TOO_SWINGING))
        if len(self._softness) > 1:
            low, high = np.percentile(tuple(self._softness), (100 - USUAL, USUAL))
            checks.append(graded("focus", float(high - low), HUNTING, TOO_HUNTING))
        return (*checks, *self._pace())

    def _pace(self) -> list[QualityCheck]:
        """Pictures a second where they are fewest, and the longest time without one."""
        times_s = tuple(self._times_s)
        if len(times_s) < 2 or times_s[-1] - times_s[0] < LEAST_S:
            return []
        apart_s = np.diff(times_s)
        usual_s = float(np.median(apart_s))
        later = np.searchsorted(times_s, np.add(times_s, SLOW_S))
        slowest_hz = min(
            (number - at) / (times_s[number] - times_s[at])
            for at, number in enumerate(np.minimum(later, len(times_s) - 1).tolist())
            if number > at and (at == 0 or later[at] < len(times_s))
        )
        checks = [graded("gap", float(apart_s.max()), LATE_S, TOO_LATE_S)]
        if usual_s > 1.5 * self._step_s:  # else the frames were thinned out
            checks.append(graded("rate", slowest_hz, RATE_HZ, LEAST_RATE_HZ))
        return checks


def noise_in(frame: Frame) -> float:
    """What ``NoiseWatch`` measures, from one picture alone; print and cloth add to it."""
    grey = _sampled(frame)
    rest = cv2.filter2D(grey.astype(np.float32), -1, EDGE)
    noise = 1.4826 * float(np.median(np.abs(rest))) / float(np.linalg.norm(EDGE))
    return noise / max(1.0, float(np.percentile(grey, BRIGHT)))


def _sampled(frame: Frame) -> Bytes:
    """A part of the middle, in grey."""
    width, height = frame.size_px
    side = min(SAMPLED_PX, width, height)
    x0, y0 = (width - side) // 2, (height - side) // 2
    part = (x0, y0, x0 + side, y0 + side)
    picture = frame.parts([part])[y0 : y0 + side, x0 : x0 + side]
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
