"""Faces with writing: the suit of characters, winds, dragons, and corner letters."""

from __future__ import annotations

from typing import Final

import numpy as np

from studio.faces import writing as glyphs
from studio.faces.canvas import HEIGHT, WIDTH, Canvas, Colour, Points, moved
from studio.faces.ornaments import draw_frame
from studio.faces.style import CHARACTERS, SIMPLIFIED, Style

LATIN: Final = {"1z": "E", "2z": "S", "3z": "W", "4z": "N", "5z": "P", "6z": "F", "7z": "C"}


def write(
    canvas: Canvas,
    character: str,
    box: tuple[float, float, float, float],
    colour: Colour,
    style: Style,
    *,
    fill: bool = True,
) -> None:
    """Write a character with the style's font, or its other form if the font has no such."""
    simple = SIMPLIFIED.get(character, character)
    wanted = simple if style.simplified else character
    for font, form in ((style.font, wanted), (style.fallback, wanted), (style.font, simple)):
        if glyphs.has(font, form):
            break
    else:
        raise ValueError(f"no font has {character}")
    glyphs.draw(canvas, font, form, box, colour, fill=fill, bold=style.bold, hand=style.make.hand)


def draw_myriad(canvas: Canvas, rank: int, style: Style) -> None:
    """A Chinese numeral above 萬."""
    numeral = "伍" if rank == 5 and style.formal_five else CHARACTERS[f"{rank}m"]
    hand = style.make.hand
    size = 44.0 * style.character_size * hand.numeral
    middle, gap = WIDTH / 2, 24.0 * style.spread
    above = HEIGHT / 2 - gap + 1
    write(
        canvas, numeral, (middle, above, size * 1.06, size * 0.98), style.numeral, style, fill=False
    )
    lower = style.character_size * hand.myriad
    below = (middle, HEIGHT / 2 + gap, 42.0 * lower, 41.0 * lower)
    write(canvas, "萬", below, style.myriad, style)


def draw_wind(canvas: Canvas, code: str, style: Style) -> None:
    """One large character."""
    width, height = 50.0 * style.character_size, 62.0 * style.character_size
    write(canvas, CHARACTERS[code], (WIDTH / 2, HEIGHT / 2, width, height), style.wind, style)


def draw_dragon(canvas: Canvas, code: str, style: Style) -> None:
    """Green 發, red 中, or the white tile's frame."""
    if code == "5z":
        _white(canvas, style)
        return
    paint = style.palette.red if code == "7z" else style.palette.green
    width, height = 50.0 * style.character_size, 62.0 * style.character_size
    if code == "7z":
        width, height = width * 0.84, height * 1.1
    write(canvas, CHARACTERS[code], (WIDTH / 2, HEIGHT / 2, width, height), paint, style)


def draw_corner(canvas: Canvas, code: str, style: Style) -> None:
    """The small Latin numeral or letter, if the style has them."""
    if not style.latin or code[1] == "f" or code[1] not in style.make.index_on:
        return
    text = LATIN.get(code) or ("5" if code[0] == "0" else code[0])
    if code == "5z" and style.white == "lettered":
        return
    size = style.latin_size
    at = {
        "left": ((-1, -1),),
        "right": ((1, -1),),
        "both": ((-1, -1), (1, 1)),
        "low": ((1, 1),),
    }[style.latin]
    for x, y in at:
        box = (WIDTH / 2 + x * (34 - size * 0.3), HEIGHT / 2 + y * (46 - size * 0.5), size, size)
        if style.make.index_ring:
            canvas.ring(box[0], box[1], size * 0.75, 1.4, style.latin_colour)
            box = (box[0], box[1], size * 0.7, size * 0.8)
        glyphs.draw(canvas, style.latin_font, text, box, style.latin_colour)


def _white(canvas: Canvas, style: Style) -> None:
    paint = style.frame
    if style.make.frame is not None:
        draw_frame(canvas, style.make.frame, style.size, (paint, style.palette.red))
        if style.make.frame.inside == "letter":
            letter = "B" if style.rank_swap else "P"
            glyphs.draw(canvas, style.latin_font, letter, (WIDTH / 2, HEIGHT / 2, 15, 18), paint)
        elif style.make.frame.inside == "character":
            write(canvas, "白", (WIDTH / 2, HEIGHT / 2, 22, 26), paint, style)
        return
    width, height = 49.0 * style.size, 71.0 * style.size
    line = 1.8 * style.line
    match style.white:
        case "empty":
            return
        case "single":
            _frame(canvas, width, height, 2.2 * line, 3.0, paint)
        case "double":
            _frame(canvas, width, height, line * 1.6, 5.0, paint)
            _frame(canvas, width - 6 * line, height - 6 * line, line * 0.8, 3.0, paint)
        case "cut":
            _frame(canvas, width, height, line * 2.0, 3.0, paint)
            _frame(canvas, width - 8 * line, height - 8 * line, line, 9.0, paint, cut=True)
        case "ornate":
            _frame(canvas, width, height, line, 1.0, paint)
            _frame(canvas, width - 20, height - 20, line, 1.0, paint)
            for x, y in _round(width - 10, height - 10, 16):
                canvas.ring(x, y, 4.2, line * 1.1, paint)
        case "fret":
            _frame(canvas, width, height, line, 0.5, paint)
            _frame(canvas, width - 22, height - 22, line, 0.5, paint)
            for index, (x, y) in enumerate(_round(width - 11, height - 11, 14)):
                arm = 3.4
                bend = [(-arm, -arm), (arm, -arm), (arm, arm), (-arm * 0.2, arm), (-arm * 0.2, 0)]
                canvas.line(moved(np.array(bend) * (1 if index % 2 else -1), x, y), line, paint)
        case "lettered":
            _frame(canvas, width, height, line * 1.8, 4.0, paint)
            _frame(canvas, width - 8 * line, height - 8 * line, line * 0.8, 2.0, paint)
            letter = "B" if style.rank_swap else "P"
            box = (WIDTH / 2, HEIGHT / 2, 14.0, 16.0)
            glyphs.draw(canvas, style.latin_font, letter, box, style.palette.red)
        case "character":
            box = (WIDTH / 2, HEIGHT / 2, 44.0 * style.character_size, 54.0 * style.character_size)
            write(canvas, "白", box, paint, style)
        case "sign":
            _frame(canvas, width, height, line * 1.4, 14.0, paint, cut=True)
            for side in (-1, 1):
                canvas.disc(WIDTH / 2, HEIGHT / 2 + side * height * 0.36, 2.4, style.palette.red)
        case other:
            raise ValueError(f"expected a kind of white dragon, got {other!r}")


def _frame(
    canvas: Canvas,
    width: float,
    height: float,
    line: float,
    corner: float,
    paint: Colour,
    *,
    cut: bool = False,
) -> None:
    for inset, colour in ((0.0, paint), (line, None)):
        rim = max(corner - inset * 0.6, 0.1)
        outline = _rounded(width - 2 * inset, height - 2 * inset, rim, cut)
        canvas.polygon(moved(outline, WIDTH / 2, HEIGHT / 2), colour)


def _rounded(width: float, height: float, corner: float, cut: bool) -> Points:
    """Outline of an upright rectangle with round, or straightly cut, corners."""
    turn = np.linspace(0, np.pi / 2, 2 if cut else 7)
    arc = np.stack([np.cos(turn), np.sin(turn)], axis=1) * corner
    inner = np.array([width / 2 - corner, height / 2 - corner])
    first = arc + inner
    quarter = [first, (first * (-1, 1))[::-1], first * (-1, -1), (first * (1, -1))[::-1]]
    return np.concatenate(quarter)


def _round(width: float, height: float, count: int) -> list[tuple[float, float]]:
    """Places along a rectangle around the middle of the face."""
    length = 2 * (width + height)
    places = []
    for index in range(count):
        way = length * index / count
        if way < width:
            x, y = way - width / 2, -height / 2
        elif way < width + height:
            x, y = width / 2, way - width - height / 2
        elif way < 2 * width + height:
            x, y = width / 2 - (way - width - height), height / 2
        else:
            x, y = -width / 2, height / 2 - (way - 2 * width - height)
        places.append((x + WIDTH / 2, y + HEIGHT / 2))
    return places
