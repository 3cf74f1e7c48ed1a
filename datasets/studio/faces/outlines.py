"""Outlines from the drawing commands of fonts and SVG paths, and ways to change them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final

import numpy as np
from fontTools.pens.basePen import decomposeQuadraticSegment
from numpy.typing import ArrayLike, NDArray

CurvePoints = NDArray[np.float64]
"""(n, 2)"""

_ALONG: Final = np.arange(1, 7)[:, None] / 6
"""Where curves are sampled."""
_TURN: Final = np.linspace(0, 2 * np.pi, 49)
CIRCLE: Final[CurvePoints] = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)


def flatten(commands: Iterable[tuple[str, Any]]) -> list[CurvePoints]:
    """Lines through the outlines that a fontTools pen recorded; closed ones end where they begin.

    Raises ``ValueError`` for commands other than lines and curves.
    """
    found: list[CurvePoints] = []
    line: list[ArrayLike] = []
    for verb, knots in commands:
        match verb:
            case "moveTo":
                line = [knots[0]]
            case "lineTo":
                line.append(knots[0])
            case "curveTo":
                line += list(_bezier(line[-1], *knots))
            case "qCurveTo":
                if knots[-1] is None:  # no point lies on the curve
                    line = [(np.asarray(knots[0]) + np.asarray(knots[-2])) / 2]
                    knots = (*knots[:-1], line[0])
                for control, end in decomposeQuadraticSegment(knots):
                    line += list(_bezier(line[-1], control, end))
            case "closePath":
                closed = np.array_equal(line[-1], line[0])
                found.append(np.array(line if closed else [*line, line[0]], float))
                line = []
            case "endPath":
                found.append(np.array(line, float))
                line = []
            case _:
                raise ValueError(f"expected an outline of lines and curves, got {verb}")
    return found


def turned(points: ArrayLike, degrees: float) -> CurvePoints:
    """Points turned clockwise about the origin."""
    turn = np.radians(degrees)
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(np.asarray(points, float) @ np.array([[cos, sin], [-sin, cos]]))


def _bezier(*knots: ArrayLike) -> CurvePoints:
    """De Casteljau's construction, without the curve's first point."""
    way = [np.asarray(knot, float) for knot in knots]
    while len(way) > 1:
        way = [a + (b - a) * _ALONG for a, b in pairwise(way)]
    return way[0]
