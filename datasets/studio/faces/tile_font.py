"""Faces from a font of mahjong tiles (Unicode 1F000 and on), painted by us."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont
from numpy.typing import NDArray

from studio.faces.canvas import HEIGHT, WIDTH, Canvas, InkColour
from studio.faces.motif import load
from studio.faces.outlines import CurvePoints, flatten
from studio.faces.style import TRAINING_FAMILIES, Style, style_of
from studio.faces.suits import circle_inks

_FIRST: Final = 0x1F000
_ORDER: Final = (
    *("1z", "2z", "3z", "4z", "7z", "6z", "5z"),
    *(f"{rank}{suit}" for suit in "msp" for rank in range(1, 10)),
    *("5f", "6f", "8f", "7f", "1f", "2f", "3f", "4f"),
)
"""The tiles in the order of Unicode."""


def font_faces(
    path: Path, rng: np.random.Generator, size: tuple[int, int]
) -> dict[str, NDArray[np.uint8]]:
    """Every face that the font has, in colours drawn from the dice; red fives too."""
    font = TTFont(path)
    names, glyphs = font.getBestCmap(), font.getGlyphSet()
    family = TRAINING_FAMILIES[int(rng.integers(len(TRAINING_FAMILIES)))]
    style = style_of(family, rng)
    faces: dict[str, NDArray[np.uint8]] = {}
    for index, code in enumerate(_ORDER):
        name = names.get(_FIRST + index)
        if name is None:
            continue
        pen = DecomposingRecordingPen(glyphs)
        glyphs[name].draw(pen)
        shapes = _without_edge(flatten(pen.value))
        faces[code] = _paint(code, shapes, style, size)
        if code in ("5m", "5p", "5s"):
            faces["0" + code[1]] = _paint(code, shapes, style.all_red(), size)
    return faces


def _without_edge(shapes: list[CurvePoints]) -> list[CurvePoints]:
    """Outlines in tile units without the tile's own two edge lines, which come as the largest."""
    largest = sorted(shapes, key=lambda s: -float(np.prod(np.ptp(s, axis=0))))
    outer = largest[0]
    low, high = outer.min(axis=0), outer.max(axis=0)
    scale = min(WIDTH / (high[0] - low[0]), HEIGHT / (high[1] - low[1]))
    middle = (low + high) / 2
    return [(shape - middle) * (scale, -scale) for shape in largest[2:]]


def _paint(
    code: str, shapes: list[CurvePoints], style: Style, size: tuple[int, int]
) -> NDArray[np.uint8]:
    canvas = Canvas(*size)
    groups: dict[InkColour, list[CurvePoints]] = {}
    for shape in shapes:
        groups.setdefault(_colour(code, shape.mean(axis=0), style), []).append(shape)
    for colour, group in groups.items():
        canvas.contours(group, colour)
    return canvas.picture()


def _colour(code: str, at: CurvePoints, style: Style) -> InkColour:
    """Paint of the part of a face that lies about a place."""
    x, y = at[0] / 27, at[1] / 37
    rank, suit = int(code[0]), code[1]
    palette = style.palette
    if suit == "m":
        return style.numeral if y < 0.05 else style.myriad
    if suit == "p":
        inks = circle_inks(rank, style)
        if rank == 1:
            return inks["red" if x * x + y * y < 0.16 else "green"]
        places = load("layouts", code).shapes
        apart = [np.linalg.norm(place.points.mean(axis=0) - at) for place in places]
        return inks[places[int(np.argmin(apart))].ink]
    middle = abs(x) < 0.3
    if suit == "s":
        red = (rank == 5 and middle) or (rank == 7 and y < -0.4) or (rank == 9 and middle)
        return palette.red if red else palette.green
    if suit == "f":
        return palette.red if y < -0.45 else palette.green
    return {"5z": palette.blue, "6z": palette.green, "7z": palette.red}.get(code, style.wind)
