"""Outlines of characters from the small fonts that lie beside this file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

from studio.faces.canvas import Canvas, Colour, Points, moved
from studio.faces.make import PLAIN_HAND, Hand

_FONTS = Path(__file__).parents[1] / "fonts"
_STEPS = 6


@cache
def outlines(font: str, character: str) -> tuple[Points, ...]:
    """Closed outlines (n, 2) in a square of side 1, y down; raises ``KeyError`` if unknown."""
    file = _open(font)
    glyphs = file.getGlyphSet()
    pen = DecomposingRecordingPen(glyphs)
    glyphs[file.getBestCmap()[ord(character)]].draw(pen)
    size = file["head"].unitsPerEm
    rise = 0.88 * size
    return tuple(
        np.stack([outline[:, 0] / size, (rise - outline[:, 1]) / size], axis=1)
        for outline in flatten(pen.value)
        if len(outline) > 2
    )


def has(font: str, character: str) -> bool:
    """Whether the font can draw the character; some fonts hold empty ones."""
    return ord(character) in _open(font).getBestCmap() and bool(outlines(font, character))


def draw(
    canvas: Canvas,
    font: str,
    character: str,
    box: tuple[float, float, float, float],
    colour: Colour,
    *,
    fill: bool = True,
    bold: float = 0.0,
    hand: Hand = PLAIN_HAND,
) -> None:
    """Draw a character in a box (centre x, centre y, width, height) in tile units.

    With ``fill`` its ink fills the box; otherwise its em square does, so that a flat
    character such as 一 stays flat. ``bold`` thickens strokes by so many units.
    """
    shapes = outlines(font, character)
    ink = np.concatenate(shapes)
    low, high = ink.min(axis=0), ink.max(axis=0)
    x, y, width, height = box
    if fill:
        scale = np.array([width, height]) / (high - low)
        # A thin character must not become a beam.
        scale = np.minimum(scale, 1.45 * scale.min())
    else:
        scale = np.array([width, height])
    middle = (low + high) / 2
    placed = [moved(bent((shape - middle) * scale, height, hand), x, y) for shape in shapes]
    if hand.hollow:
        for shape in placed:
            canvas.line(np.concatenate([shape, shape[:1]]), 1.1 + 0.6 * bold, colour)
        return
    canvas.contours(placed, colour)
    if bold > 0:
        for shape in placed:
            canvas.line(np.concatenate([shape, shape[:1]]), bold, colour)


def bent(points: Points, height: float, hand: Hand) -> Points:
    """Outlines about the origin as a writer's hand would have them."""
    x, y = points[:, 0] * hand.narrow, points[:, 1]
    down = y / max(height, 1e-6)
    x = x * (1 + hand.taper * down) - hand.slant * y
    wave = hand.wave * height
    turn = np.stack([np.sin(9 * down + 1.0), np.sin(9 * x / max(height, 1e-6))], axis=1)
    return np.asarray(np.stack([x, y], axis=1) + wave * turn)


@cache
def _open(font: str) -> TTFont:
    return TTFont(_FONTS / f"{font}.woff")


def flatten(commands: list[tuple[str, tuple[tuple[float, float], ...]]]) -> list[Points]:
    """Closed outlines (n, 2) in font units, y up, from what a pen recorded."""
    shapes: list[Points] = []
    line: list[tuple[float, float]] = []
    for verb, points in commands:
        match verb:
            case "moveTo":
                line = [points[0]]
            case "lineTo":
                line.append(points[0])
            case "qCurveTo":
                line += _quadratic(line[-1] if line else None, points)
            case "curveTo":
                line += _cubic(line[-1], *points)
            case "closePath" | "endPath":
                shapes.append(np.array(line, float))
                line = []
            case _:
                raise ValueError(f"expected an outline of lines and curves, got {verb}")
    return shapes


def _quadratic(
    start: tuple[float, float] | None, points: tuple[tuple[float, float] | None, ...]
) -> list[tuple[float, float]]:
    knots = [point for point in points if point is not None]
    if points[-1] is None:  # an outline without any point on the curve
        knots.append(knots[0])
        start = _between(knots[-2], knots[0])
        knots[-1] = start
    if start is None:
        raise ValueError("expected an outline that begins with a point")
    line: list[tuple[float, float]] = []
    here = start
    for index, control in enumerate(knots[:-1]):
        last = index == len(knots) - 2
        there = knots[-1] if last else _between(control, knots[index + 1])
        for step in range(1, _STEPS + 1):
            t = step / _STEPS
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
            line.append(
                (
                    a * here[0] + b * control[0] + c * there[0],
                    a * here[1] + b * control[1] + c * there[1],
                )
            )
        here = there
    return line


def _cubic(
    a: tuple[float, float],
    b: tuple[float, float],
    c: tuple[float, float],
    d: tuple[float, float],
) -> list[tuple[float, float]]:
    t = np.arange(1, _STEPS + 1)[:, None] / _STEPS
    way = (1 - t) ** 3 * np.array(a) + 3 * t * (1 - t) ** 2 * np.array(b)
    way = way + 3 * t**2 * (1 - t) * np.array(c) + t**3 * np.array(d)
    return [(float(x), float(y)) for x, y in way]


def _between(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    return ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
