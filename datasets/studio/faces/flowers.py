"""Flowers and seasons: a plant, its character in one corner and its number in the other."""

from __future__ import annotations

import numpy as np

from studio.faces import writing as glyphs
from studio.faces.canvas import HEIGHT, WIDTH, Canvas, Colour, blade, curve, moved, turned
from studio.faces.characters import write
from studio.faces.style import CHARACTERS, Style


def draw_flower(canvas: Canvas, code: str, style: Style) -> None:
    """Draw one of the eight, ``1f`` to ``8f``."""
    number = int(code[0])
    rng = np.random.default_rng([style.plant_seed, number])
    if number == 8:
        _bamboo(canvas, style, rng)
    elif number == 6:
        _orchid(canvas, style, rng)
    else:
        _branch(canvas, number, style, rng)
    season = number <= 4
    side = 1 if season != style.rank_swap else -1
    inked = style.palette.red if season else style.wind
    size = 24.0 * style.character_size
    y = HEIGHT / 2 - 33
    write(canvas, CHARACTERS[code], (WIDTH / 2 + side * 18, y, size, size), inked, style)
    numeral = str((number - 1) % 4 + 1)
    paint = style.wind if season else style.palette.red
    glyphs.draw(canvas, style.latin_font, numeral, (WIDTH / 2 - side * 22, y, 13, 17), paint)


def _branch(canvas: Canvas, number: int, style: Style, rng: np.random.Generator) -> None:
    """A bowed stem with leaves and one to three blossoms."""
    green, red = style.palette.green, style.palette.red
    lean = float(rng.choice([-1, 1]))
    foot, top = rng.uniform(-6, 6), lean * rng.uniform(8, 16)
    spine = [(foot, 44), (foot - 5 * lean, 28), (top * 0.4, 10), (top, -10)]
    stem = moved(curve(spine), WIDTH / 2, HEIGHT / 2)
    canvas.line(stem, 2.0 * style.line, green if number != 5 else style.palette.dark)
    for leaf in range(int(rng.integers(4, 9))):
        at = stem[int(rng.integers(3, len(stem) - 2))]
        side = 1 if leaf % 2 else -1
        reach = rng.uniform(12, 20)
        bow = rng.uniform(-5, 5)
        shape = blade([(0, 0), (reach * 0.5, bow), (reach, 0)], rng.uniform(4.5, 8), 0.2)
        turn = rng.uniform(-65, 10) if side > 0 else 180 + rng.uniform(-10, 65)
        canvas.polygon(turned(shape, turn, *at), green)
        canvas.line(
            turned([(reach * 0.2, bow * 0.5), (reach * 0.75, bow * 0.4)], turn, *at), 0.8, None
        )
    blossoms = 1 + number % 3
    petals = {1: 6, 2: 8, 3: 7, 4: 5, 5: 5, 7: 14}[number]
    for blossom in range(blossoms):
        at = stem[-1 - 7 * blossom] + rng.uniform(-3, 3, 2)
        radius = rng.uniform(10, 13) * (1.0 if blossom == 0 else 0.62)
        _blossom(canvas, (float(at[0]), float(at[1])), radius, petals, red, style)


def _blossom(
    canvas: Canvas,
    at: tuple[float, float],
    radius: float,
    petals: int,
    paint: Colour,
    style: Style,
) -> None:
    line = 1.4 * style.line
    width = 2 * np.pi * radius * 0.62 / petals * 1.3
    for share, colour in ((1.0, paint), (max(0.25, 1 - 2 * line / width), None)):
        for petal in range(petals):
            away = radius * 0.56
            x, y = turned([(away, 0)], 360 / petals * petal, *at)[0]
            if petals < 10:
                canvas.disc(x, y, width / 2 * share, colour)
            else:
                shape = blade(
                    [(radius * 0.2, 0), (away, 0), (radius * 1.05, 0)], width * share, 0.3
                )
                canvas.polygon(turned(shape, 360 / petals * petal, *at), colour)
    canvas.disc(*at, radius * 0.34, paint)
    canvas.disc(*at, radius * 0.12, None)


def _orchid(canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    """Long bowed leaves from one root, a small flower among them."""
    x, y = WIDTH / 2 + rng.uniform(-3, 3), HEIGHT / 2 + 44
    for leaf in range(int(rng.integers(5, 8))):
        reach = (leaf - 3 + rng.uniform(-0.4, 0.4)) * rng.uniform(8, 12)
        tall = rng.uniform(30, 56)
        bow = [(0, 0), (reach * 0.15, -tall * 0.6), (reach * 0.55, -tall), (reach, -tall * 0.85)]
        shape = blade(bow, rng.uniform(3.5, 5.5))
        canvas.polygon(moved(shape, x, y), style.palette.green)
    for flower in range(int(rng.integers(1, 4))):
        at = (x + rng.uniform(-16, 16), y - 24 - 9 * flower)
        _blossom(canvas, at, rng.uniform(6, 8), 5, style.palette.red, style)


def _bamboo(canvas: Canvas, style: Style, rng: np.random.Generator) -> None:
    """Jointed stalks with pointed leaves."""
    stalk = style.palette.blue if style.blue_sticks else style.palette.green
    for place in (-7.0, 5.0)[: int(rng.integers(1, 3))]:
        lean = rng.uniform(-10, 10)
        for joint in range(4):
            low = np.array([place + lean * joint / 4, 44 - joint * 15.0])
            high = np.array([place + lean * (joint + 1) / 4, 31.5 - joint * 15.0])
            canvas.line(moved([low, high], WIDTH / 2, HEIGHT / 2), 4.2 * style.line, stalk)
            canvas.line(moved([low * 0.9 + high * 0.1, high], WIDTH / 2, HEIGHT / 2), 1.4, None)
            for leaf in range(int(rng.integers(1, 4))):
                reach = rng.uniform(13, 21)
                shape = blade([(0, 0), (reach * 0.5, -2), (reach, 1)], 4.6, 0.1)
                turn = rng.uniform(-30, 55) if (leaf + joint) % 2 else rng.uniform(125, 210)
                x, y = moved(high, WIDTH / 2, HEIGHT / 2)
                canvas.polygon(turned(shape, turn, x, y), style.palette.green)
    if rng.random() < 0.6:
        at = (WIDTH / 2 + rng.uniform(8, 18), HEIGHT / 2 + rng.uniform(-8, 25))
        _blossom(canvas, at, rng.uniform(5, 8), 6, style.palette.red, style)
