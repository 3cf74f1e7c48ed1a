"""Tell faces, backs and other things by the set's own colours, where the shape alone leaves doubt.

A blank white dragon looks like the back of another set, and a pale back like a blank face. In one
picture, in one light, the faces of a set have one ground, and its backs one colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Bytes, Floats

LEAST_KNOWN: Final = 3
"""Fewer faces or backs do not tell the colour of theirs."""
NEIGHBOURS: Final = 5
"""Light differs over a table: a tile is compared with the known ones next to it."""
APART: Final = 25.0
"""Least distance in 8-bit Lab between the ground of the faces and the backs. Of a set with pale
backs the colours tell nothing."""
LIKE: Final = 0.35
"""Share of that distance within which a tile has a colour."""
UNLIKE: Final = 0.5
"""Share beyond which it has not."""
SURE_BACK: Final = 0.7
"""Least score of a back by which the colour of backs is known."""
DOUBTFUL_BACK: Final = 0.6
"""A back with less must have that colour.

Of 96 rendered tables, half of them of an unseen style, 152 of 290 backs where none lies have not,
of 1,200 backs that lie there 6.
"""
OTHERS: Final = 0.2
"""Where more than this share of the sure backs have another colour, two sets lie on the table."""
SIDE: Final = 7
"""Pixels sampled each way in a tile."""
GROUND: Final = slice(int(0.6 * SIDE**2), int(0.95 * SIDE**2))
"""Which of the pixels, from dark to bright, show the ground beside what is printed on it."""


@dataclass(frozen=True, eq=False)
class Misjudged:
    """Tiles whose colour speaks against the side that was told; indices of the n tiles."""

    as_backs: list[int]
    """Told as backs, with the ground of faces."""
    as_faces: list[int]
    """Told as faces, with the colour of backs."""
    bare: list[int]
    """Doubtful faces that show nothing but the ground of faces."""


def misjudged(
    image_bgr: Bytes, corners_px: Floats, sure_faces: Bools, backs: Bools, asked: Bools
) -> Misjudged:
    """Compare the tiles that are ``asked``, backs and doubtful faces, with what is known beside.

    All n tiles have corners (n, 4, 2); each of the others is (n,). What lies beyond the picture
    counts as its edge.
    """
    if min(int(sure_faces.sum()), int(backs.sum())) < LEAST_KNOWN:
        return Misjudged([], [], [])
    middle, ground = _colours(image_bgr, corners_px)
    apart = float(np.linalg.norm(np.median(middle[backs], 0) - np.median(ground[sure_faces], 0)))
    if apart < APART:
        return Misjudged([], [], [])
    places = corners_px.mean(axis=1)

    def off(colours: Floats, known: Floats, which: Bools, tile: int) -> float:
        near = np.argsort(np.linalg.norm(places[which] - places[tile], axis=1))[:NEIGHBOURS]
        return float(np.linalg.norm(colours[tile] - np.median(known[which][near], 0))) / apart

    return Misjudged(
        [
            tile
            for tile in np.flatnonzero(asked & backs).tolist()
            if off(middle, ground, sure_faces, tile) < LIKE
        ],
        [
            tile
            for tile in np.flatnonzero(asked & ~backs).tolist()
            if off(middle, middle, backs, tile) < LIKE
            and off(ground, ground, sure_faces, tile) > UNLIKE
        ],
        [
            tile
            for tile in np.flatnonzero(asked & ~backs).tolist()
            if off(middle, ground, sure_faces, tile) < LIKE
        ],
    )


def of_no_back(image_bgr: Bytes, corners_px: Floats, scores: Floats) -> Bools:
    """(n,) whether a doubtful back has another colour than the sure ones: a rim, a chip, a display.

    Backs have corners (n, 4, 2) and the finder's scores (n,).
    """
    sure = scores >= SURE_BACK
    if sure.sum() < LEAST_KNOWN:
        return np.zeros(len(scores), bool)
    middle, _ = _colours(image_bgr, corners_px)
    off = np.linalg.norm(middle - np.median(middle[sure], axis=0), axis=1)
    if (off[sure] > APART).mean() > OTHERS:
        return np.zeros(len(scores), bool)
    doubtful = (scores < DOUBTFUL_BACK) & (off > APART)
    places = corners_px.mean(axis=1)
    for tile in np.flatnonzero(doubtful).tolist():
        near = np.argsort(np.linalg.norm(places[sure] - places[tile], axis=1))[:NEIGHBOURS]
        beside = np.median(middle[sure][near], axis=0)
        doubtful[tile] = np.linalg.norm(middle[tile] - beside) > APART
    return np.asarray(doubtful, bool)


def _colours(image_bgr: Bytes, corners_px: Floats) -> tuple[Floats, Floats]:
    """(n, 3) each: the usual colour in the middle of tiles, and that of their ground, in Lab."""
    at = np.linspace(0.2, 0.8, SIDE)
    across, down = (each.reshape(1, -1, 1) for each in np.meshgrid(at, at))
    first, second, third, fourth = (corners_px[:, corner, None] for corner in range(4))
    upper, lower = first + (second - first) * across, fourth + (third - fourth) * across
    places = np.rint(upper + (lower - upper) * down).astype(np.int64)
    height, width = image_bgr.shape[:2]
    x, y = places[..., 0].clip(0, width - 1), places[..., 1].clip(0, height - 1)
    lab = cv2.cvtColor(image_bgr[y, x], cv2.COLOR_BGR2LAB).astype(np.float32)
    by_light = np.take_along_axis(lab, lab[..., :1].argsort(axis=1), axis=1)
    inner = (np.abs(across - 0.5) < 0.25) & (np.abs(down - 0.5) < 0.25)
    return (
        np.asarray(np.median(lab[:, inner.ravel()], axis=1), np.float32),
        np.asarray(by_light[:, GROUND].mean(axis=1), np.float32),
    )
