"""Watch a stream for frozen, slow or missing pictures."""

from __future__ import annotations

from collections import deque
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes
from vision.camera.decoded import every_nth_row
from vision.camera.frames import FilmGap, Frame
from vision.notice import Notice

FROZEN_S: Final = 10.0
"""A camera whose pictures stay the same for this long is frozen: real pictures have noise."""
STILL: Final = 0.002
"""Share of a frozen picture that may still change, by one grey: an encoder that comes after the
camera goes on refining it. Measured: 0.001, and 0.002 by up to three greys where nobody moves."""
SLOW_S: Final = 6.0
ENOUGH_S: Final = 0.8 * SLOW_S
"""Window over which the frame rate is measured, and the least that tells it. Of frames that lie
farther apart the two before are counted."""
SLOW_FPS, ENOUGH_FPS = 3.5, 4.5
"""Below the first rate the stream is slow; above the second it has recovered."""
STARTING_S: Final = 20.0
"""After the start, how long the machine may be busy with finding the table and loading nets."""
GAP_S: Final = 3.0
"""Least pause between two pictures that gets a notice."""
SAMPLED: Final = 49
"""Every how many rows are compared; noise is everywhere."""


class StreamWatch:
    """Takes every frame in order and reports troubles of the stream, each once."""

    def __init__(self) -> None:
        self._before: Bytes | None = None
        self._changed_s = 0.0
        self._times: deque[tuple[float, int]] = deque()
        """Times and indices of the last frames."""
        self._newest = -1
        """Index of the last frame that was taken, whole or not."""
        self._begun_s: float | None = None
        self._frozen = False
        self._slow = False

    def update(self, frame: Frame) -> list[Notice]:
        self._begun_s = frame.time_s if self._begun_s is None else self._begun_s
        missing = self._missing(frame) or self._pause(frame)
        notices = [*missing, *self._frozen_now(frame), *self._pace(frame)]
        self._times.append((frame.time_s, frame.index))
        self._newest = frame.index
        return notices

    def pass_over(self, frame: Frame) -> None:
        """Take a frame that shows nothing: it is damaged."""
        self._newest = frame.index

    def resume(self, now_s: float) -> None:
        """Frames were passed over on purpose; this is no trouble of the stream."""
        self._times.clear()
        self._changed_s = now_s

    def damaged_until(self, last_s: float) -> list[Notice]:
        """The film ends behind a damaged place, at this time."""
        since_s = self._times[-1][0] if self._times else 0.0
        return [_told(FilmGap(since_s, "damaged"), last_s)]

    def _missing(self, frame: Frame) -> list[Notice]:
        if frame.gap is None:
            return []
        self._times.clear()
        self._changed_s = frame.time_s
        return [_told(frame.gap, frame.time_s)]

    def _pause(self, frame: Frame) -> list[Notice]:
        now_s = frame.time_s
        if not self._times or now_s - self._times[-1][0] < GAP_S:
            return []
        since_s = self._times[-1][0]
        lasted_s = now_s - since_s
        self._changed_s = now_s
        if self._came(frame, lasted_s):
            if self._slow or since_s - (self._begun_s or 0.0) < STARTING_S:
                return []
            what = f"this computer took no pictures for {lasted_s:.0f} s"
        else:
            self._times.clear()
            what = f"no pictures came for {lasted_s:.0f} s"
        text = f"{what}; events in between are told as far as the table shows it"
        return [Notice("gap", now_s, text, lasts=False, since_s=since_s)]

    def _came(self, frame: Frame, lasted_s: float) -> bool:
        """Whether pictures came as before in a pause before this frame, and nobody took them."""
        (begun_s, first), (until_s, last) = self._times[0], self._times[-1]
        usual_fps = (last - first) / (until_s - begun_s) if until_s > begun_s else 1 / GAP_S
        return (frame.index - self._newest - 1) / lasted_s > usual_fps / 2

    def _frozen_now(self, frame: Frame) -> list[Notice]:
        sample = every_nth_row(frame.pixels, SAMPLED)
        same = self._before is not None and _stands_still(sample, self._before)
        self._before = sample.copy()
        if not same:
            self._changed_s = frame.time_s
            if self._frozen:
                self._frozen = False
                return [Notice("frozen", frame.time_s, "the picture moves again", lasts=False)]
            return []
        if self._frozen or frame.time_s - self._changed_s < FROZEN_S:
            return []
        self._frozen = True
        text = "the picture stands still: is the camera frozen? nothing is read until it moves"
        return [Notice("frozen", frame.time_s, text, lasts=True)]

    def _pace(self, frame: Frame) -> list[Notice]:
        now_s, times = frame.time_s, self._times
        while len(times) > 2 and now_s - times[0][0] > SLOW_S and now_s - times[1][0] >= ENOUGH_S:
            times.popleft()
        if not times:
            return []
        first_s, first = times[0]
        taken_s = [time_s for time_s, _ in times] + [now_s]
        pauses_s = [to_s - from_s for from_s, to_s in pairwise(taken_s) if to_s - from_s >= GAP_S]
        # One alone is a pause and no pace.
        measured_s = now_s - first_s - (pauses_s[0] if len(pauses_s) == 1 else 0.0)
        if measured_s < ENOUGH_S:
            return []
        looked_fps = len(times) / measured_s
        # Frames that were skipped for lack of time count as received.
        come_fps = max(looked_fps, (frame.index - first) / (now_s - first_s))
        if self._slow:
            self._slow = looked_fps <= ENOUGH_FPS
            text = "enough pictures are read again"
            return [] if self._slow else [Notice("slow", now_s, text, lasts=False)]
        if come_fps < SLOW_FPS:
            what = f"the camera sends only {come_fps:.1f} pictures a second"
        elif looked_fps < SLOW_FPS and first_s - (self._begun_s or 0.0) > STARTING_S:
            what = f"this computer reads only {looked_fps:.1f} of {come_fps:.1f} pictures a second"
        else:
            return []
        self._slow = True
        text = f"{what}: short events may be missed; five or more are needed"
        return [Notice("slow", now_s, text, lasts=True)]


def _told(gap: FilmGap, until_s: float) -> Notice:
    """A line about a place of a film."""
    since, until = f"{gap.since_s:.1f}", f"{until_s:.1f}"
    what = {
        "damaged": f"the film is damaged from {since} to {until} s",
        "missing": f"the film has no pictures from {since} to {until} s",
        "clock": f"the film's clock goes back or jumps at {since} s, where reading goes on",
    }[gap.why]
    text = f"{what}; events in between are told as far as the table shows it"
    return Notice("gap", until_s, text, lasts=False, since_s=gap.since_s)


def _stands_still(now: Bytes, before: Bytes) -> bool:
    """Whether two samples are the same picture, encoded twice perhaps."""
    if now.shape != before.shape:
        return False
    change = cv2.absdiff(now, before)
    return bool(change.max() <= 1 and np.count_nonzero(change) <= STILL * change.size)
