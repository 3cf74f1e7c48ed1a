"""Writes characters with the small fonts in ``studio/fonts``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.ttLib import TTFont

from studio.faces.canvas import Canvas, InkColour
from studio.faces.outlines import CurvePoints, flatten
from studio.faces.style import PRINT, Handwriting, Style

_FONTS = Path(__file__).parents[1] / "fonts"

CHARACTERS: Final = {
    **{f"{rank}m": "一二三四五六七八九"[rank - 1] for rank in range(1, 10)},
    **{f"{rank}z": "東南西北白發中"[rank - 1] for rank in range(1, 8)},
    **{f"{rank}f": "春夏秋冬梅蘭菊竹"[rank - 1] for rank in range(1, 9)},
}
"""The character of each face that has one, in its traditional form."""

SIMPLIFIED: Final = {"東": "东", "發": "发", "萬": "万", "蘭": "兰"}


@cache
def outlines(font: str, character: str) -> tuple[CurvePoints, ...]:
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
    colour: InkColour,
    *,
    fill: bool = True,
    bold: float = 0.0,
    hand: Handwriting = PRINT,
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
    placed = [_bent((shape - middle) * scale, height, hand) + np.array([x, y]) for shape in shapes]
    if hand.hollow:
        for shape in placed:
            canvas.line(shape, 1.1 + 0.6 * bold, colour)
        return
    canvas.contours(placed, colour)
    if bold > 0:
        for shape in placed:
            canvas.line(shape, bold, colour)


def write(
    canvas: Canvas,
    character: str,
    box: tuple[float, float, float, float],
    colour: InkColour,
    style: Style,
    *,
    fill: bool = True,
) -> None:
    """Write a character with the style's font, or its other form if the font has no such."""
    simple = SIMPLIFIED.get(character, character)
    wanted = simple if style.simplified else character
    for font, form in ((style.font, wanted), (style.fallback, wanted), (style.font, simple)):
        if has(font, form):
            draw(canvas, font, form, box, colour, fill=fill, bold=style.bold, hand=style.hand)
            return
    raise ValueError(f"no font has {character}")


def _bent(points: CurvePoints, height: float, hand: Handwriting) -> CurvePoints:
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
