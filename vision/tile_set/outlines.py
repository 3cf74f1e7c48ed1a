"""Check the outlines of a set laid out, and mend what is turned or has the wrong shape.

All tiles of a set have one size and lie in rows, so that neighbours have nearly the same width,
height and direction in the picture. That refutes an outline that lies across its tile or shows a
part of it, and what has the shape but not the colour of a tile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Bytes, Doubles, Floats
from vision.tiles.rectify import rectify

WRONG_SIZE: Final = 0.14
"""Sides off by more than this, as logarithm, are cut again: the finder is off by 0.05."""
NO_TILE: Final = 0.5
"""If both sides are too long, or both too short, by more than this logarithm, it is no tile."""
FAR: Final = 2.5
"""Least distance to the next tile, in heights, of something that lies by itself."""
OTHER_COLOUR: Final = 20.0
"""Least difference of a body's colour from the usual one (CIELAB).

On 25 rendered pictures tiles differ by up to 16, squares of the cloth and other things by 25.
"""
SPREAD_OF_COLOUR: Final = 6.0
"""The same in median differences, because the light may be uneven."""
OVERLAID: Final = 0.8
"""Tiles whose middles are nearer than this, in widths, cannot lie side by side."""
SURELY_READ: Final = 0.9
LEAST_FIT: Final = 8
"""Fewer tiles of usual size say nothing about perspective."""
_ROUNDS: Final = 6

Recut = Callable[[Floats], Floats]
"""Improved outlines (n, 4, 2) of given ones; each may begin with another corner."""


@dataclass(frozen=True, eq=False)
class CheckedOutlines:
    """The outlines of n things that may be tiles of one set."""

    corners_px: Floats
    """(n, 4, 2)"""
    mended: Bools
    """(n,) cut again, so that they must be read again."""
    odd: Bools
    """(n,) not like the other tiles: asked about."""


def checked(
    image_bgr: Bytes, corners_px: Floats, confidences: Floats, recut: Recut
) -> CheckedOutlines:
    """Compare outlines (n, 4, 2) with the usual one, and cut those again that it refutes.

    ``confidences`` (n,) of the faces: what is surely read tells what is usual, because the cloth
    may look like many tiles.
    """
    corners = corners_px.copy()
    middles = corners.mean(axis=1)
    known = confidences >= SURELY_READ
    if known.sum() < LEAST_FIT:
        known[:] = True
    turned = _turned(corners, known)
    fits = known & ~turned
    usual = _usual_sides(middles[fits], _sides(corners[fits]), middles)
    off = np.log(_sides(corners) / usual)
    wrong = (np.abs(off) > WRONG_SIZE).any(axis=1)
    another = (np.abs(off) > NO_TILE).all(axis=1) & (np.sign(off[:, 0]) == np.sign(off[:, 1]))
    mended = wrong & ~another
    for row in np.flatnonzero(mended):
        starts = [corners[row]]
        if turned[row]:
            starts.append(np.roll(corners[row], 1, axis=0))
        starts.sort(key=lambda start: _misfit(start, usual[row]))
        corners[row] = _best_cut(starts, usual[row], recut)
    refuted = (np.abs(np.log(_sides(corners) / usual)) > 2 * WRONG_SIZE).any(axis=1)
    odd = another | refuted | _alone(middles, usual[:, 1]) | _coloured(image_bgr, corners, known)
    odd |= _overlaid(corners.mean(axis=1), usual[:, 0], confidences)
    return CheckedOutlines(corners, mended, odd)


def _sides(corners: Floats) -> Doubles:
    """(n, 2): width and height, each the mean of two edges."""
    edges = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    return np.asarray((edges[:, :2] + edges[:, 2:]) / 2, np.float64)


def _turned(corners: Floats, known: Bools) -> Bools:
    """(n,) whether the upper edge lies across the rows."""
    edges = corners[:, 1] - corners[:, 0]
    angles = np.arctan2(edges[:, 1], edges[:, 0])
    rows = np.angle(np.exp(2j * angles[known]).mean()) / 2
    return np.asarray(np.abs(np.cos(angles - rows)) < np.sqrt(0.5), bool)


def _usual_sides(middles: Floats, sides: Doubles, asked: Floats) -> Doubles:
    """(n, 2): the width and height of a tile at places (n, 2), which perspective changes evenly."""
    centre, unit = middles.mean(axis=0), max(float(np.ptp(middles)), 1.0)
    inputs, at = (
        np.column_stack([np.ones(len(places)), (places - centre) / unit])
        for places in (middles, asked)
    )
    logs = np.log(sides)
    slopes = np.zeros((3, 2))
    slopes[0] = np.median(logs, axis=0)
    for _ in range(_ROUNDS):
        good = (np.abs(logs - inputs @ slopes) < 2 * WRONG_SIZE).all(axis=1)
        if good.sum() < LEAST_FIT:
            break
        slopes = np.linalg.lstsq(inputs[good], logs[good], rcond=None)[0]
    return np.asarray(np.exp(at @ slopes), np.float64)


def _best_cut(starts: Sequence[Floats], size: Doubles, recut: Recut) -> Floats:
    """(4, 2): the outline of usual size that has to be corrected least, its short side first.

    A part of a tile may lie at either side of it, so the middle is not known. Among equals the
    first start wins.
    """
    given = np.concatenate([_cuts(start, size) for start in starts])
    better = recut(given)
    # An outline that begins with another corner is compared all the same.
    far = [
        min(float(np.abs(np.roll(one, turn, axis=0) - cut).max()) for turn in range(4))
        for cut, one in zip(given, better, strict=True)
    ]
    best = np.asarray(better[int(np.argmin(far))], np.float32)
    width, height = _sides(best[None])[0]
    return np.roll(best, 1, axis=0) if width > height else best


def _misfit(corners: Floats, size: Doubles) -> float:
    return float(np.abs(np.log(_sides(corners[None])[0] / size)).sum())


def _cuts(corners: Floats, size: Doubles) -> Floats:
    """(9, 4, 2): outlines of this size around the same middle, or with a common side."""
    right, down = (_direction(corners, edge) for edge in ((0, 1, 3, 2), (0, 3, 1, 2)))
    aside, along = (size - _sides(corners[None])[0]) / 2
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * size
    shape = corners.mean(axis=0) + square @ np.stack([right, down])
    shifts = [x * aside * right + y * along * down for x, y in product((0, -1, 1), repeat=2)]
    return np.asarray([shape + shift for shift in shifts], np.float32)


def _direction(corners: Floats, edge: tuple[int, int, int, int]) -> Doubles:
    """(2,): the direction of two opposite edges."""
    a, b, c, d = (corners[place] for place in edge)
    both = np.asarray(b - a + d - c, np.float64)
    return np.asarray(both / max(float(np.linalg.norm(both)), 1e-6), np.float64)


def _alone(middles: Floats, heights: Doubles) -> Bools:
    """(n,) whether nothing lies near."""
    far = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    np.fill_diagonal(far, np.inf)
    return np.asarray(far.min(axis=1) > FAR * heights, bool)


def _overlaid(middles: Floats, widths: Doubles, confidences: Floats) -> Bools:
    """(n,) whether a surer tile lies at the same place."""
    near = np.linalg.norm(middles[:, None] - middles[None], axis=2) < OVERLAID * widths[:, None]
    return np.asarray((near & (confidences[None] > confidences[:, None])).any(axis=1), bool)


def _coloured(image_bgr: Bytes, corners: Floats, known: Bools) -> Bools:
    """(n,) whether the body has another colour than most of the ``known`` ones."""
    crops = np.stack([rectify(image_bgr, quad, margin=0.0) for quad in corners])
    lab = np.stack([cv2.cvtColor(crop, cv2.COLOR_BGR2LAB) for crop in crops]).astype(np.float64)
    lab[..., 0] *= 100 / 255
    # The lightest fifth of a crop is body, whatever the print.
    pixels = lab.reshape(len(lab), -1, 3)
    light = np.argsort(pixels[..., 0], axis=1)[:, -pixels.shape[1] // 5 :]
    bodies = np.median(np.take_along_axis(pixels, light[..., None], axis=1), axis=1)
    off = np.linalg.norm(bodies - np.median(bodies[known], axis=0), axis=1)
    return np.asarray(
        off > max(OTHER_COLOUR, SPREAD_OF_COLOUR * float(np.median(off[known]))), bool
    )
