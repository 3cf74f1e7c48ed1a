"""Watch one seat's hand; a hand that does not move costs next to nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes, Floats
from vision.camera.frames import Frame
from vision.seat_camera.row_reader import DetectorNets, RowReader
from vision.seat_camera.standing_hand import HandWatch
from vision.tiles.fives import without_colour

LOOK_S: Final = 0.3
"""Interval between two looks."""
SURELY_S: Final = 4.0
"""Interval at which a still hand is read again."""
SMALL_PX: Final = (160, 90)
MOVED: Final = 12.0
"""Largest difference, in greys, of a small picture in which nothing moves."""
SETTLED: Final = 5
"""Looks after which a still hand is known well enough."""


class SeatWatch:
    """Takes the frames of one seat's camera in order; not safe for two threads at once."""

    def __init__(self, nets: DetectorNets) -> None:
        self.hands = HandWatch()
        self.seen = False
        """Whether the last look found a row of tiles."""
        self._reader = RowReader(nets)
        self._looked_s = float("-inf")
        self._read_s = float("-inf")
        self._before: Floats | None = None
        self._still = 0

    def look(self, frame: Frame) -> bool:
        """Take a frame; return whether it was looked at."""
        if frame.time_s - self._looked_s < LOOK_S:
            return False
        self._looked_s = frame.time_s
        self._still = self._still + 1 if self._is_still(frame.image_bgr) else 0
        if self._still > SETTLED and frame.time_s - self._read_s < SURELY_S:
            self.hands.still(frame.time_s)
            return True
        self._read_s = frame.time_s
        row = self._reader.read(frame.image_bgr)
        if row is not None and frame.colourless:
            row = replace(row, probabilities=without_colour(row.probabilities))
        self.seen = row is not None
        self.hands.look(frame.time_s, row)
        return True

    def _is_still(self, image_bgr: Bytes) -> bool:
        small = cv2.resize(image_bgr, SMALL_PX, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
        before, self._before = self._before, grey
        return before is not None and float(np.abs(grey - before).max()) < MOVED
