"""Draws the faces of a set of tiles; every seed is another set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.tiles import CODES
from studio.faces.canvas import Canvas
from studio.faces.honours import draw_corner, draw_flower, draw_honour
from studio.faces.style import FAMILIES, HELD_OUT, TRAINING_FAMILIES, Style, style_of
from studio.faces.suits import draw_bamboos, draw_characters, draw_circles, draw_teaching
from studio.faces.wear import Wear
from studio.faces.widen import widened

_SUITS: Final = {"m": draw_characters, "p": draw_circles, "s": draw_bamboos}


@dataclass(frozen=True, eq=False)
class FaceSet:
    """The faces of one set of tiles; kinds may be missing if it came from a folder."""

    name: str
    images: Mapping[str, NDArray[np.uint8]]
    """Code of the tile to its picture (height, width, 4), RGBA, clear where the body shows."""
    body: tuple[float, float, float] | None = None
    """Linear colour of the tiles that the ink is made for; None: any pale one."""


def style_family(seed: int) -> str:
    """Name the family that ``draw_faces`` takes for a seed; never the held-out one."""
    return TRAINING_FAMILIES[int(_dice(seed, 0).integers(len(TRAINING_FAMILIES)))]


def draw_faces(
    seed: int,
    width_px: int = 128,
    height_px: int = 170,
    family: str | None = None,
    dark: bool = False,
) -> FaceSet:
    """Draw every tile of a set; the same seed draws the same set.

    The held-out family is drawn only when ``family`` names it, so that nothing that is
    trained on seeds alone ever sees it. ``dark``: pale ink on tiles of the set's ``body``.
    """
    family = family or style_family(seed)
    if family not in FAMILIES:
        raise ValueError(f"expected a family of faces ({', '.join(FAMILIES)}), got {family!r}")
    rng = _dice(seed, 1)
    style = style_of(family, rng)
    wear = Wear.random(rng)
    body = None
    if family != HELD_OUT:
        style = widened(style, _dice(seed, 3), dark)
        body = _dark_body(_dice(seed, 4)) if dark else None
    images = {
        code: wear.age(_draw(code, style, width_px, height_px), _dice(seed, 2, i))
        for i, code in enumerate(CODES)
    }
    return FaceSet(f"{family}-{seed}", images, body)


def _dark_body(rng: np.random.Generator) -> tuple[float, float, float]:
    """Black, or any colour that is dark enough for pale ink; linear."""
    grey = np.full(3, rng.uniform(0.006, 0.04))
    colour = grey if rng.random() < 0.5 else rng.uniform(0.004, 0.12, 3)
    red, green, blue = (float(c) for c in colour)
    return red, green, blue


def _draw(code: str, style: Style, width_px: int, height_px: int) -> NDArray[np.uint8]:
    canvas = Canvas(width_px, height_px, style.shift)
    rank, suit = int(code[0]), code[1]
    marked = rank == 0 and style.marked_five
    if rank == 0:
        style, rank = (style if marked else style.all_red()), 5
    canvas.frame(*_room(style, code))
    if style.teaching and suit in _SUITS:
        draw_teaching(canvas, rank, suit, style)
    elif suit in _SUITS:
        _SUITS[suit](canvas, rank, style)
    elif suit == "f":
        draw_flower(canvas, code, style)
    else:
        draw_honour(canvas, code, style)
    canvas.frame()
    draw_corner(canvas, code, style)
    if code[0] == "0" and (style.red_dot or marked):
        paint = style.five_paint or style.palette.red
        canvas.disc(-29, 42, 6.5 if marked else 3.6, paint)
    return canvas.picture()


def _room(style: Style, code: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Stretch and shift of the drawing: it makes way for a large letter in a corner."""
    if not style.latin or style.latin_size < 15 or code[1] == "f":
        return style.stretch, (0.0, 0.0)
    wide, high = style.stretch
    if style.latin == "both":
        return (wide * 0.84, high * 0.84), (0.0, 0.0)
    side = 3.0 if style.latin == "left" else -3.0
    return (wide * 0.84, high * 0.84), (side, -5.0 if style.latin == "low" else 5.0)


def _dice(seed: int, *use: int) -> np.random.Generator:
    return np.random.default_rng([seed, *use])
