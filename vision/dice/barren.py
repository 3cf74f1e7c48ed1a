"""Where the cloth shows no dice, look after look: such a place is not searched until it changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Bytes
from vision.dice.cubes import PER_MM, Cube

LOOKS: Final = 3
"""Searches in vain before a place is left out: a die may be blurred or in a hand's shadow."""
CHANGED_GREY: Final = 10
"""Least change of grey that counts: noise and compression change less."""
AROUND_MM: Final = 7
"""Size of the surroundings that must not have changed either: a die's edge may look like cloth."""
DIE_MM: Final = 30
"""Side of the square around a die that is searched again."""


class BarrenCloth:
    """Takes looks at the middle of the table, as ``Cloth`` sees it."""

    def __init__(self, size_mm: int) -> None:
        self._grey = np.zeros((size_mm, size_mm), np.uint8)
        self._looks = np.zeros((size_mm, size_mm), np.uint8)
        """How often each place was searched in vain since it changed."""
        self._seen = np.zeros((size_mm, size_mm), bool)

    def look(self, grey: Bytes, seen: Bools) -> None:
        """Take a picture with one pixel per millimetre, and where it is to be searched."""
        soft = cv2.GaussianBlur(grey, (3, 3), 0)
        unlike = (cv2.absdiff(soft, self._grey) > CHANGED_GREY).astype(np.uint8)
        changed = cv2.dilate(unlike, np.ones((AROUND_MM, AROUND_MM), np.uint8)) > 0
        changed &= seen
        self._grey[changed] = soft[changed]
        self._looks[changed] = 0
        self._seen = seen

    def within(self, low_mm: tuple[float, float], shape: tuple[int, int]) -> Bools:
        """(h, w): the barren places of a part, in pixels of ``PER_MM``."""
        half = len(self._grey) / 2
        scale = 1 / PER_MM
        left, top = (low + half + (scale - 1) / 2 for low in low_mm)
        to_map = np.array([[scale, 0, left], [0, scale, top]])
        barren = (self._looks >= LOOKS).astype(np.uint8)
        how = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        return cv2.warpAffine(barren, to_map, (shape[1], shape[0]), flags=how) > 0

    def searched(self, dice: Iterable[Cube]) -> None:
        """Note which dice the search has found."""
        self._looks[self._seen & (self._looks < LOOKS)] += 1
        half = len(self._grey) / 2
        for cube in dice:
            x, y = round(cube.x_mm + half), round(cube.y_mm + half)
            near = DIE_MM // 2
            self._looks[max(0, y - near) : y + near, max(0, x - near) : x + near] = 0
