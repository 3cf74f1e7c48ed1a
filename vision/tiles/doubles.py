"""Outlines of one tile that was found twice, or whole and in part."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Floats
from vision.tiles.parts import areas

ONE: Final = 0.7
"""Shared part of the smaller of two outlines from which both are of one tile.

The finder compares boxes; outlines may come nearer when their corners are put right. On 434
held-out photos and rendered tables 75 pairs of faces share so much: 29 times one is right and the
other ``?`` or wrong, 14 times the tile is named twice, and once a doubtful face that is right goes.
From half on, seven such would go.
"""


def shared(one: Floats, other: Floats) -> Floats:
    """(n, m): the part of the smaller of two outlines, (n, 4, 2) and (m, 4, 2), that both cover."""
    out = np.zeros((len(one), len(other)), np.float32)
    if not out.size:
        return out
    smaller = np.minimum(areas(one)[:, None], areas(other)[None])
    apart = (one.max(axis=1)[:, None] < other.min(axis=1)[None]).any(axis=2)
    apart |= (other.max(axis=1)[None] < one.min(axis=1)[:, None]).any(axis=2)
    for row, column in np.argwhere(~apart & (smaller > 0)):
        both = cv2.intersectConvexConvex(one[row], other[column])[0]
        out[row, column] = both / smaller[row, column]
    return out


def singles(corners_px: Floats, worth: Floats) -> Bools:
    """(n,) whether no outline (n, 4, 2) that is worth more shows the same tile."""
    one = shared(corners_px, corners_px) >= ONE
    stays = np.ones(len(worth), bool)
    for row in np.argsort(-worth, kind="stable"):
        if stays[row]:
            stays &= ~one[row]
            stays[row] = True
    return stays
