"""Outlines that show a part of a tile, such as half of a 4p, which is then read as a 2p.

Tiles that lie have nearly one area in the picture, whatever their direction, and perspective
changes it evenly. That refutes a part of a tile; its outline is then extended to a whole one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Doubles, Floats

PART: Final = 0.8
"""Share of the usual area below which an outline is a part of a tile.

On rendered pictures 83 % of such outlines overlap their tile by less than three quarters, and of
those between 0.9 and 1.1 below 1 %.
"""
SMALL: Final = 0.92
"""The same share where the outline itself is among the tiles that tell the usual area."""
LEAST_OTHERS: Final = 4
"""Fewer tiles say nothing about the usual area."""
_ROUNDS: Final = 6
_LEAST_SPREAD: Final = 0.05
_EVEN: Final = 0.3
"""How strongly the area is held to be the same everywhere, in tiles."""


def usual_areas(corners_px: Floats, weights: Floats, asked: Sequence[int]) -> Doubles:
    """(m,) usual area in square pixels of the other tiles, at the m tiles that are ``asked``.

    The tiles that lie have outlines (n, 4, 2) and weights (n,), how surely they are tiles. Returns
    NaN where there are fewer than ``LEAST_OTHERS`` other tiles.
    """
    usual = np.full(len(asked), np.nan)
    if len(corners_px) <= LEAST_OTHERS:
        return usual
    middles = corners_px.mean(axis=1).astype(np.float64)
    logs = np.log(np.maximum(areas(corners_px), 1.0))
    places = middles - middles.mean(axis=0)
    inputs = np.column_stack([np.ones(len(places)), places / max(float(places.std()), 1.0)])
    usual[:] = np.exp(inputs[asked] @ _plane(inputs, logs, weights))
    for row, tile in enumerate(asked):
        if np.exp(logs[tile]) < SMALL * usual[row]:  # it may have drawn the plane to itself
            others = np.arange(len(logs)) != tile
            plane = _plane(inputs[others], logs[others], weights[others])
            usual[row] = np.exp(inputs[tile] @ plane)
    return usual


def _plane(inputs: Doubles, logs: Doubles, weights: Floats) -> Doubles:
    """(3,): a plane through the logarithms that outliers hardly move."""
    held = np.diag([1e-6, _EVEN, _EVEN])
    now = np.asarray(weights + 1e-3, np.float64)
    plane: Doubles = np.zeros(3)
    for _ in range(_ROUNDS):
        weighed = inputs.T * now
        plane = np.asarray(np.linalg.solve(weighed @ inputs + held, weighed @ logs), np.float64)
        off = np.abs(logs - inputs @ plane)
        spread = max(1.5 * float(np.median(off)), _LEAST_SPREAD)
        now = np.asarray((weights + 1e-3) / (1 + (off / spread) ** 2), np.float64)
    return plane


def areas(corners_px: Floats) -> Doubles:
    """(n,) areas of outlines (n, 4, 2)."""
    one, other = corners_px[:, 2] - corners_px[:, 0], corners_px[:, 3] - corners_px[:, 1]
    crossed = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    return np.asarray(np.abs(crossed) / 2, np.float64)


def extended(corners_px: Floats, area_px: float) -> Floats:
    """(3, 4, 2): the outline (4, 2) made as large as a tile, to one side, to the other, to both.

    A part has one whole side, the longer one. Each outline begins with its shorter side.
    """
    part = short_side_first(corners_px)
    growth = area_px / float(areas(part[None])[0]) - 1
    upper, lower = part[1] - part[0], part[2] - part[3]
    found = []
    for share in (0.0, 0.5, 1.0):
        before, after = growth * share, growth * (1 - share)
        shifts = np.stack([-before * upper, after * upper, after * lower, -before * lower])
        found.append(short_side_first(part + shifts))
    return np.asarray(found, np.float32)


def short_side_first(corners: Floats) -> Floats:
    """(4, 2): the corners of an outline, beginning with the shorter pair of its sides."""
    edges = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return corners if edges[0] + edges[2] <= edges[1] + edges[3] else np.roll(corners, -1, axis=0)
