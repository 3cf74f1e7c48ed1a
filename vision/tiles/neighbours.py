"""Outlines of half a tile or of two tiles that touch, told by the sure faces beside them.

Half of a 4s is surely a 2s, and what is half as large as a face beside it may be such a half: then
the whole is read too. What is doubtful and much larger may be two tiles: then both are read. A 2s
with half of the 4s that touches it is surely a 4s: what is sure and much larger is cut, too, where
it has not the shape of the tiles beside it and the cut face is a part of the named one. The areas
alone decide nothing, because tiles of one table may stand, lie near or lie far.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.tiles import Tile
from vision.arrays import Doubles, Floats
from vision.tiles.classes import FACE_INDEX, FACES
from vision.tiles.company import SURE
from vision.tiles.parts import areas, short_side_first

HALVES: Final = frozenset(FACE_INDEX[face] for face in ("1p", "2p", "3p", "4p", "2s", "3s", "4s"))
"""Faces that a half of another one looks like."""
BESIDE: Final = 1.8
"""Farthest middle of a face beside an outline, in sides of a square as large as the larger one."""
LIKE: Final = 2.5
"""Within this factor the larger outline may be a whole one and the smaller one its half."""
HALF: Final = 0.75
"""A face of ``HALVES`` with less than this share of the area of one beside it may be a half.

Of 35 such on 233 held-out photos and 96 rendered tables three are halves, whose wholes are read
with 0.98 and more; none of the others is read as another face from 0.89 on.
"""
TWO: Final = 1.4
"""A doubtful outline with so many areas of the faces beside it may be two tiles.

Of 50 such on the same photos 12 are, both named from 0.92 on; so is none of 18 on the tables.
"""
MANY: Final = 3
"""So many sure faces tell the usual area by their median; one of fewer may be the only whole one.

By the largest of many, outlined loosely, a 2s of a webcam's picture was made a 4s with half of its
neighbour. A sure outline is too large only beside many: on the same photos and 22 rendered tables
24 faces have 1.25 times their area, heaped up or outlined loosely; cut to it, none is surely read
as another face.
"""
SURELY: Final = 0.92
"""Least confidence of a whole tile, and of both of two, in place of what was outlined."""


def beside(corners_px: Floats, confidences: Floats) -> Doubles:
    """(n, n): areas of the faces beside each outline, in areas of that one; 0 for all others.

    ``confidences`` (n,) of the outlines (n, 4, 2) are those of faces; 0 for what shows none. Only
    sure faces count.
    """
    sizes = np.maximum(areas(corners_px), 1.0)
    middles = corners_px.mean(axis=1).astype(np.float64)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    near = apart < BESIDE * np.sqrt(np.maximum(sizes[:, None], sizes[None]))
    shares = sizes[None] / sizes[:, None]
    near &= (confidences >= SURE)[None] & (shares < LIKE) & (shares > 1 / LIKE)
    np.fill_diagonal(near, False)
    return np.asarray(np.where(near, shares, 0.0), np.float64)


def usual(shares: Doubles) -> Doubles:
    """(n,): of the areas ``beside`` (n, n) the one that is usual; 0 where no face lies beside."""
    found = np.where(shares > 0, shares, np.nan)
    many = np.count_nonzero(shares, axis=1) >= MANY
    told = shares.max(axis=1, initial=0.0)
    if many.any():
        told[many] = np.nanmedian(found[many], axis=1)
    return np.asarray(told, np.float64)


def parted(corners_px: Floats) -> Floats:
    """(2, 2, 4, 2): the outline (4, 2) as two tiles, one below the other and side by side."""
    found = []
    for first, second, third, fourth in (corners_px, np.roll(corners_px, -1, axis=0)):
        before, behind = (second + third) / 2, (fourth + first) / 2
        one, other = (first, second, before, behind), (behind, before, third, fourth)
        found.append([short_side_first(np.stack(part)) for part in (one, other)])
    return np.asarray(found, np.float32)


def has_part(whole: int, part: int) -> bool:
    """Whether a face has the dots or sticks of one of ``HALVES``, and more of them."""
    more, fewer = Tile(FACES[whole]), Tile(FACES[part])
    return part in HALVES and more.suit == fewer.suit and fewer.rank < more.rank


def elongations(corners_px: Floats) -> Doubles:
    """(n,) logarithm of the longer side by the shorter one of outlines (n, 4, 2)."""
    edges = np.linalg.norm(np.roll(corners_px, -1, axis=1) - corners_px, axis=2)
    sides = np.maximum(edges[:, :2] + edges[:, 2:], 1.0)
    return np.asarray(np.abs(np.log(sides[:, 0] / sides[:, 1])), np.float64)


def more_alike(outlines_px: Floats, corners_px: Floats, others_px: Floats) -> Floats:
    """Those of some outlines (n, 4, 2) that have the usual shape of others (m, 4, 2) more nearly
    than an outline (4, 2) has it.

    A front that stands nearer is as large as two tiles and has the shape of one.
    """
    told = float(np.median(elongations(others_px)))
    own = abs(float(elongations(corners_px[None])[0]) - told)
    return np.asarray(outlines_px[np.abs(elongations(outlines_px) - told) < own], np.float32)


def cut(corners_px: Floats, share: float) -> Floats:
    """(4, 4, 2): this share of the outline (4, 2), from each of its sides on."""
    found = []
    for turn in range(4):
        first, second, third, fourth = np.roll(corners_px, -turn, axis=0)
        ends = second + share * (third - second), first + share * (fourth - first)
        found.append(short_side_first(np.stack([first, second, *ends])))
    return np.asarray(found, np.float32)
