"""Remember how the middle of the table looked a moment ago, to notice what is new there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Bytes
from vision.table.view import Points, TableView

ClothPart = tuple[float, float, float, float]
"""Left, top, right and bottom in table millimetres."""

AGO_S: Final = 1.5
"""Age of the remembered look; a die that comes to rest is seen sooner."""
CELL_MM: Final = 20
SAME: Final = 0.6
"""Correlation above which two pictures of a place show the same."""
AROUND_MM: Final = 12
"""Half the side of the square that is compared around a place."""


class Cloth:
    """Remembers a square around the table's middle at one pixel per millimetre."""

    def __init__(self, reach_mm: float) -> None:
        cells = max(1, round(2 * reach_mm / CELL_MM))
        self.size_mm = cells * CELL_MM
        self._grey = np.zeros((self.size_mm, self.size_mm), np.uint8)
        self._known = np.zeros((self.size_mm, self.size_mm), bool)
        self._new: deque[tuple[float, Bytes, Bools]] = deque()
        """Looks that are too recent: time, picture, and where it was seen."""
        steps = np.arange(cells) * CELL_MM + CELL_MM / 2 - self.size_mm / 2
        self._middles = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        self._cells = cells

    def look(
        self,
        time_s: float,
        image_bgr: Bytes,
        view: TableView,
        parts: Sequence[ClothPart],
        clear: Callable[[Points], Bools],
    ) -> tuple[Bytes, Bools]:
        """Take the parts that were looked at, as far as they are still; return them.

        They are the picture, with one pixel per millimetre, and where it is still.
        """
        while self._new and time_s - self._new[0][0] > AGO_S:
            _, grey, seen = self._new.popleft()
            self._grey[seen] = grey[seen]
            self._known |= seen
        half = self.size_mm / 2
        above = view.from_above(image_bgr, (-half, -half), (half, half))
        inside = np.zeros(len(self._middles), bool)
        for left, top, right, bottom in parts:
            low, high = np.array([left, top]), np.array([right, bottom])
            near = np.abs(self._middles - (low + high) / 2) <= (high - low) / 2 - CELL_MM / 2
            inside |= near.all(axis=1)
        inside &= clear(self._middles)
        cells = inside.reshape(self._cells, self._cells)
        seen = np.kron(cells, np.ones((CELL_MM, CELL_MM), bool)).astype(bool)
        grey = np.asarray(cv2.cvtColor(above, cv2.COLOR_BGR2GRAY), np.uint8)
        self._new.append((time_s, grey, seen))
        return grey, seen

    def changed(self, x_mm: float, y_mm: float) -> bool:
        """Whether this place is known to have looked different a moment before the last look."""
        x, y = round(x_mm + self.size_mm / 2), round(y_mm + self.size_mm / 2)
        place = np.s_[max(0, y - AROUND_MM) : y + AROUND_MM, max(0, x - AROUND_MM) : x + AROUND_MM]
        if not self._known[place].all() or not self._new:
            return False
        was, now = self._grey[place].astype(float), self._new[-1][1][place].astype(float)
        was, now = was - was.mean(), now - now.mean()
        both = float(np.sqrt((was**2).sum() * (now**2).sum()))
        return both < 1e-6 or float((was * now).sum()) / both < SAME
