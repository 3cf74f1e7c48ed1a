"""Winds, dragons and flowers, and the letters in the corners of any face."""

from __future__ import annotations

from typing import Final

import numpy as np

from studio.faces import writing
from studio.faces.canvas import HEIGHT, WIDTH, Canvas
from studio.faces.mix import art_of
from studio.faces.motif import InkShape, load, names
from studio.faces.outlines import CIRCLE, CurvePoints
from studio.faces.style import Style, one_of

LATIN: Final = {"1z": "E", "2z": "S", "3z": "W", "4z": "N", "5z": "P", "6z": "F", "7z": "C"}
_CORNERS: Final = {
    "left": ((-1, -1),), "right": ((1, -1),), "both": ((-1, -1), (1, 1)), "low": ((1, 1),),
}  # fmt: skip


def draw_honour(canvas: Canvas, code: str, style: Style) -> None:
    """One large character, or the white dragon's frame."""
    if code == "5z":
        _white(canvas, style)
        return
    width, height = 50.0 * style.character_size, 62.0 * style.character_size
    if code == "7z":
        width, height = width * 0.84, height * 1.1
    paint = {"6z": style.palette.green, "7z": style.palette.red}.get(code, style.wind)
    writing.write(canvas, writing.CHARACTERS[code], (0.0, 0.0, width, height), paint, style)


def _white(canvas: Canvas, style: Style) -> None:
    mixed = "whites" in style.mixed
    letter = "B" if style.rank_swap else "P"
    if mixed or style.white not in ("empty", "character"):
        size = (WIDTH * style.size, HEIGHT * style.size)
        frame = art_of(style, "whites").placed((0, 0), size, line=1.0 if mixed else style.line)
        canvas.paint(frame, {"blue": style.frame, "red": style.palette.red})
    if mixed and style.mark == "letter":
        writing.draw(canvas, style.latin_font, letter, (0.0, 0.0, 15.0, 18.0), style.frame)
    elif mixed and style.mark == "character":
        writing.write(canvas, "白", (0.0, 0.0, 22.0, 26.0), style.frame, style)
    elif not mixed and style.white == "lettered":
        writing.draw(canvas, style.latin_font, letter, (0.0, 0.0, 14.0, 16.0), style.palette.red)
    elif not mixed and style.white == "character":
        size = (44.0 * style.character_size, 54.0 * style.character_size)
        writing.write(canvas, "白", (0.0, 0.0, *size), style.frame, style)


def draw_flower(canvas: Canvas, code: str, style: Style) -> None:
    """A plant, its character in one corner and its number in the other."""
    number = int(code[0])
    _plant(canvas, number, style)
    season = number <= 4
    side = 1 if season != style.rank_swap else -1
    red, other = style.palette.red, style.wind
    size = 24.0 * style.character_size
    name = (side * 18.0, -33.0, size, size)
    writing.write(canvas, writing.CHARACTERS[code], name, red if season else other, style)
    numeral = str((number - 1) % 4 + 1)
    place = (-side * 22.0, -33.0, 13.0, 17.0)
    writing.draw(canvas, style.latin_font, numeral, place, other if season else red)


def _plant(canvas: Canvas, number: int, style: Style) -> None:
    """A plant of the kind whose leaves and blossoms have grown a little otherwise."""
    rng = np.random.default_rng([style.plant_seed, number])
    kind = [name for name in names("plants") if name.startswith(str(number))]
    motif = load("plants", one_of(rng, kind))
    shapes: list[InkShape] = []
    for part in motif.parts:
        if part.name == "leaf" and rng.random() < 0.2:
            continue
        if part.name != "stem":
            turn, size = float(rng.normal(0, 16)), float(np.exp(rng.normal(0, 0.16)))
            part = part.put(part.joint, turn, size)
        shapes += part.shapes
    bow, lean = rng.normal(0, 1.5), rng.normal(0, 0.06)
    wide = rng.choice([-1, 1]) * rng.uniform(0.85, 1.1)

    def grown(points: CurvePoints) -> CurvePoints:
        x, y = points.T
        return np.stack([wide * x + bow * np.sin(y / 12) + lean * (44 - y), y], axis=1)

    palette = style.palette
    inks = {
        "green": palette.green,
        "red": palette.red,
        "black": palette.dark,
        "navy": palette.blue if style.blue_sticks else palette.green,
    }
    plant = motif.of(motif.size, shapes).changed(grown)
    canvas.paint(plant.placed((0, 0), motif.size, line=style.line), inks)


def draw_corner(canvas: Canvas, code: str, style: Style) -> None:
    """The small Latin numeral or letter, if the style has them."""
    if not style.latin or code[1] == "f" or code[1] not in style.latin_suits:
        return
    if code == "5z" and style.white == "lettered":
        return
    text = LATIN.get(code) or ("5" if code[0] == "0" else code[0])
    for x, y in _CORNERS[style.latin]:
        size = style.latin_size
        at = (x * (34 - size * 0.3), y * (46 - size * 0.5))
        box = (*at, size, size)
        if style.latin_ring:
            canvas.line(CIRCLE * 0.7 * size + at, 1.4, style.latin_colour)
            box = (*at, size * 0.7, size * 0.8)
        writing.draw(canvas, style.latin_font, text, box, style.latin_colour)
