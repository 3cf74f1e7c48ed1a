"""The suit of circles: a big rosette, and two to nine dots in their places."""

from __future__ import annotations

from typing import Final

import numpy as np

from studio.faces.canvas import HEIGHT, WIDTH, Canvas, Colour, blade, turned
from studio.faces.ornaments import draw_ornament
from studio.faces.style import Style

_A, _RED, _B = 0, 1, 2
Spot = tuple[float, float, int]
"""Place in halves of the field (-1 to 1) and which of the three colours."""

SPOTS: Final[dict[int, tuple[Spot, ...]]] = {
    2: ((0, -0.52, _A), (0, 0.52, _B)),
    3: ((-0.62, -0.68, _A), (0, 0, _RED), (0.62, 0.68, _B)),
    4: ((-0.52, -0.6, _A), (0.52, -0.6, _B), (-0.52, 0.6, _B), (0.52, 0.6, _A)),
    5: (
        (-0.58, -0.68, _A),
        (0.58, -0.68, _B),
        (0, 0, _RED),
        (-0.58, 0.68, _B),
        (0.58, 0.68, _A),
    ),
    6: (
        *((x, -0.72, _A) for x in (-0.46, 0.46)),
        *((x, y, _RED) for y in (0.1, 0.76) for x in (-0.46, 0.46)),
    ),
    7: (
        (-0.74, -0.86, _A),
        (-0.02, -0.62, _A),
        (0.7, -0.38, _A),
        *((x, y, _RED) for y in (0.2, 0.82) for x in (-0.42, 0.42)),
    ),
    8: tuple((x, y, _B) for y in (-0.84, -0.28, 0.28, 0.84) for x in (-0.42, 0.42)),
    9: tuple((x, y, c) for y, c in ((-0.72, _A), (0, _RED), (0.72, _B)) for x in (-0.74, 0, 0.74)),
}
_RADIUS: Final = {2: 15.2, 3: 12.2, 4: 12.0, 5: 11.6, 6: 11.0, 7: 9.9, 8: 9.9, 9: 9.7}
_MOST: Final = {7: 10.3, 8: 10.2, 9: 9.9}
"""Radius at which neighbours touch."""


def draw_circles(canvas: Canvas, rank: int, style: Style) -> None:
    """Draw one face of the suit."""
    if rank == 1:
        _rosette(canvas, style)
        return
    half = np.array([27.0, 37.0]) * style.spread
    radius = _RADIUS[rank] * style.dot_size * style.size
    radius = min(radius, _MOST.get(rank, 20.0) * style.spread)
    for x, y, which in SPOTS[rank]:
        if style.inverted and rank in (6, 7):
            which = _RED if which == _A else _A
        elif rank == 8 and style.rank_swap:
            which = _A
        at_x, at_y = WIDTH / 2 + x * half[0], HEIGHT / 2 + y * half[1]
        if rank == 8:
            at_x = WIDTH / 2 + x * half[0] * 0.95
        _dot(canvas, at_x, at_y, radius, style.dots[which], style)


def draw_one_dot(
    canvas: Canvas, at: tuple[float, float], radius: float, paint: Colour, style: Style
) -> None:
    """A dot of the set anywhere on a face."""
    _dot(canvas, *at, radius, paint, style)


def _dot(canvas: Canvas, x: float, y: float, radius: float, paint: Colour, style: Style) -> None:
    if style.make.dot:
        second = style.palette.red if style.make.second else paint
        draw_ornament(canvas, (x, y), radius, style.make.dot, (paint, second))
        return
    line = max(1.1, 0.17 * radius * style.line)
    match style.dot:
        case "rings":
            canvas.ring(x, y, radius, line * 1.25, paint)
            canvas.disc(x, y, radius * 0.62, paint)
            canvas.disc(x, y, radius * 0.62 - line * 0.9, None)
            canvas.disc(x, y, radius * 0.2, paint)
        case "target":
            for share in (1.0, 0.66, 0.34):
                canvas.ring(x, y, radius * share, line, paint)
        case "eye":
            canvas.disc(x, y, radius, paint)
            canvas.ring(x, y, radius * 0.74, line * 0.6, None)
            canvas.disc(x, y, radius * 0.26, None)
        case "plain":
            canvas.disc(x, y, radius, paint)
            canvas.disc(x, y, radius * (0.2 + 0.2 * style.line), None)
            canvas.disc(x, y, radius * (0.05 + 0.1 * style.line), paint)
        case "wheel":
            canvas.ring(x, y, radius, line, paint)
            spokes = 8
            for spoke in range(spokes):
                petal = [(radius * 0.28, 0), (radius * 0.56, 0), (radius * 0.8, 0)]
                leaf = blade(petal, radius * 0.36, 0.4)
                canvas.polygon(turned(leaf, 360 / spokes * spoke, x, y), paint)
            canvas.ring(x, y, radius * 0.32, line * 0.8, paint)
        case "cross":
            canvas.disc(x, y, radius, paint)
            for spoke in range(4):
                leaf = blade(
                    [(radius * 0.08, 0), (radius * 0.5, 0), (radius * 0.86, 0)], radius * 0.4, 0.6
                )
                canvas.polygon(turned(leaf, 45 + 90 * spoke, x, y), None)
            canvas.disc(x, y, radius * 0.14, paint)
        case "flower":
            for turn in np.radians(range(0, 360, 60)):
                at_x = float(x + radius * 0.62 * np.cos(turn))
                at_y = float(y + radius * 0.62 * np.sin(turn))
                canvas.disc(at_x, at_y, radius * 0.38, paint)
                canvas.disc(at_x, at_y, radius * 0.2, None)
            canvas.disc(x, y, radius * 0.36, paint)
        case other:
            raise ValueError(f"expected a kind of dot, got {other!r}")


def _rosette(canvas: Canvas, style: Style) -> None:
    x, y = WIDTH / 2, HEIGHT / 2
    radius = 29.0 * style.size * (0.92 + 0.1 * style.dot_size)
    first, red, last = style.dots
    if style.make.rosette:
        paints = (last, red, first)
        draw_ornament(canvas, (x, y), radius, style.make.rosette, paints)
        return
    line = radius * 0.07 * style.line
    match style.rosette:
        case "bands":
            canvas.ring(x, y, radius, radius * 0.2, last)
            for petal in range(14):
                turn = np.radians(360 / 14 * petal)
                away = radius * 0.66
                canvas.disc(x + away * np.cos(turn), y + away * np.sin(turn), radius * 0.13, first)
            canvas.ring(x, y, radius * 0.74, radius * 0.17, first)
            canvas.ring(x, y, radius * 0.44, radius * 0.11, red)
            canvas.disc(x, y, radius * 0.14 * style.line, red)
        case "petals":
            _petals(canvas, x, y, (radius * 0.5, radius), 14, (first, line))
            canvas.disc(x, y, radius * 0.48, red)
            canvas.ring(x, y, radius * 0.4, line * 0.8, None)
            _cross(canvas, x, y, radius * 0.3, None)
        case "wheel":
            canvas.ring(x, y, radius, line * 1.6, last)
            canvas.ring(x, y, radius * 0.84, line * 0.8, last)
            for spoke in range(12):
                leaf = blade([(radius * 0.42, 0), (radius * 0.6, 0), (radius * 0.82, 0)], 4.5, 0.4)
                canvas.polygon(turned(leaf, 30 * spoke, x, y), first)
            canvas.ring(x, y, radius * 0.4, line * 1.2, red)
            canvas.disc(x, y, radius * 0.2, red)
        case "chrysanthemum":
            canvas.ring(x, y, radius, line, last)
            _petals(canvas, x, y, (radius * 0.62, radius * 0.93), 18, (first, line * 0.7))
            _petals(canvas, x, y, (radius * 0.3, radius * 0.6), 10, (red, line * 0.7))
            canvas.disc(x, y, radius * 0.2, red)
        case "shield":
            canvas.disc(x, y, radius, last)
            canvas.ring(x, y, radius * 0.88, line * 0.5, None)
            for petal in range(8):
                leaf = blade([(radius * 0.46, 0), (radius * 0.62, 0), (radius * 0.8, 0)], 9, 0.2)
                canvas.polygon(turned(leaf, 45 * petal + 22.5, x, y), None)
            canvas.disc(x, y, radius * 0.4, None)
            canvas.disc(x, y, radius * 0.34, red)
            _cross(canvas, x, y, radius * 0.26, None)
        case "lotus":
            _petals(canvas, x, y, (radius * 0.35, radius), 8, (last, line * 1.4))
            _petals(canvas, x, y, (radius * 0.2, radius * 0.62), 8, (first, line))
            for seed in range(6):
                turn = np.radians(60 * seed)
                away = radius * 0.2
                canvas.disc(x + away * np.cos(turn), y + away * np.sin(turn), radius * 0.08, red)
            canvas.disc(x, y, radius * 0.1, red)
        case other:
            raise ValueError(f"expected a kind of rosette, got {other!r}")


def _petals(
    canvas: Canvas,
    x: float,
    y: float,
    reach: tuple[float, float],
    count: int,
    ink: tuple[Colour, float],
) -> None:
    """A wreath of petals drawn with a line (colour, width) between two radii."""
    inner, outer = reach
    paint, line = ink
    width = 2 * np.pi * (inner + outer) / 2 / count * 1.25
    for share, colour in ((1.0, paint), (max(0.2, 1 - 2.6 * line / width), None)):
        for petal in range(count):
            middle = (inner + outer) / 2
            half = (outer - inner) / 2 * (1 if colour else share)
            leaf = blade([(middle - half, 0), (middle, 0), (middle + half, 0)], width * share, 0.35)
            canvas.polygon(turned(leaf, 360 / count * petal, x, y), colour)


def _cross(canvas: Canvas, x: float, y: float, radius: float, paint: Colour | None) -> None:
    for spoke in range(4):
        leaf = blade([(radius * 0.1, 0), (radius * 0.6, 0), (radius, 0)], radius * 0.6, 0.5)
        canvas.polygon(turned(leaf, 45 + 90 * spoke, x, y), paint)
