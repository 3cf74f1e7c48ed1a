"""The suit of bamboos: sticks of many makes in their places; the one is a bird."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from studio.faces.birds import draw_bird
from studio.faces.canvas import HEIGHT, WIDTH, Canvas, Colour, Points, moved, turned
from studio.faces.ornaments import draw_stick
from studio.faces.style import Style

_HALF: Final = np.array([26.0, 36.0])


def draw_bamboos(canvas: Canvas, rank: int, style: Style) -> None:
    """Draw one face of the suit."""
    if rank == 1:
        draw_bird(canvas, style)
        return
    if rank == 8:
        _eight(canvas, style)
        return
    half = _HALF * style.spread
    for x, y, length, paint in _sticks(rank, style):
        centre = (WIDTH / 2 + x * half[0], HEIGHT / 2 + y * half[1])
        _stick(canvas, centre, 0.0, length * half[1] * 2 * style.stick_length, paint, style)


def _sticks(rank: int, style: Style) -> list[tuple[float, float, float, Colour]]:
    """Place, length (both in halves of the field) and colour of each stick."""
    green, red = style.palette.green, style.palette.red
    blue = style.palette.blue if style.blue_sticks else green
    top, low = -0.54, 0.54
    match rank:
        case 2:
            return [(0, top, 0.47, green), (0, low, 0.47, green if style.inverted else blue)]
        case 3:
            first = red if style.red_tops else blue
            return [(0, top, 0.46, first), *((x, low, 0.46, green) for x in (-0.5, 0.5))]
        case 4:
            other = blue if style.rank_swap else green
            paints = (green, other, other, green)
            spots = ((-0.5, top), (0.5, top), (-0.5, low), (0.5, low))
            return [(x, y, 0.46, paint) for (x, y), paint in zip(spots, paints, strict=True)]
        case 5:
            corners = [(x, y, 0.45, green) for x in (-0.68, 0.68) for y in (top, low)]
            return [*corners, (0, 0, 0.45, red)]
        case 6:
            lower = blue if style.rank_swap else green
            return [
                (x, y, 0.46, paint)
                for y, paint in ((top, green), (low, lower))
                for x in (-0.68, 0, 0.68)
            ]
        case 7:
            rest = [
                (x, y, 0.31, blue if x == 0 else green)
                for y in (0.02, 0.7)
                for x in (-0.68, 0, 0.68)
            ]
            return [(0, -0.68, 0.31, red), *rest]
        case 9:
            columns = (green, red, blue if style.rank_swap else green)
            return [
                (x, y, 0.31, paint)
                for y in (-0.69, 0, 0.69)
                for x, paint in zip((-0.7, 0, 0.7), columns, strict=True)
            ]
        case _:
            raise ValueError(f"expected a rank of bamboos drawn with sticks, got {rank}")


def _eight(canvas: Canvas, style: Style) -> None:
    """Four sticks that make a W and four that make an M, one above the other."""
    half = _HALF * style.spread
    green = style.palette.green
    blue = style.palette.blue if style.rank_swap else green
    for above in (True, False):
        peak_up = above == style.w_above
        y = HEIGHT / 2 + (-0.54 if above else 0.54) * half[1]
        length = 0.46 * half[1] * 2
        paint = green if above else blue
        for side in (-1, 1):
            x = WIDTH / 2 + side * 0.86 * half[0]
            _stick(canvas, (x, y), 0.0, length, paint, style)
            lean = (18 + 0.74 * half[0]) * side * (1 if peak_up else -1)
            x = WIDTH / 2 + side * 0.4 * half[0]
            _stick(canvas, (x, y), -lean, length * 0.96, paint, style)


def draw_one_stick(
    canvas: Canvas, at: tuple[float, float], length: float, paint: Colour, style: Style
) -> None:
    """A stick of the set anywhere on a face."""
    _stick(canvas, at, 0.0, length, paint, style)


def _stick(
    canvas: Canvas,
    centre: tuple[float, float],
    lean_deg: float,
    length: float,
    paint: Colour,
    style: Style,
) -> None:
    width = 8.4 * style.stick_size * (0.8 + 0.2 * style.size)
    line = 1.3 * style.line
    if style.make.stick is not None:
        at = (*centre, lean_deg)
        draw_stick(canvas, style.make.stick, at, (width, length), paint)
        return

    def put(points: Points, colour: Colour | None) -> None:
        canvas.polygon(turned(points, lean_deg, *centre), colour)

    match style.stick:
        case "bone":
            put(_profile(length, width, (1.0, 0.62, 0.95, 0.62, 1.0)), paint)
            for side in (-1, 1):
                core = moved(_box(width * 0.2, length * 0.3), 0, side * length * 0.21)
                put(core, None)
        case "core":
            put(_profile(length, width, (0.9, 0.8, 1.05, 0.8, 0.9)), paint)
            put(_profile(length * 0.72, width * 0.26, (0.8, 1.0, 0.8)), None)
        case "segments":
            for part in (-1, 0, 1):
                piece = _profile(length * 0.36, width, (0.95, 0.72, 0.95))
                put(moved(piece, 0, part * length * 0.32), paint)
                put(moved(_box(width * 0.22, length * 0.16), 0, part * length * 0.32), None)
        case "beads":
            beads = 3
            radius = length / beads / 2 * 1.06
            for bead in range(beads):
                x, y = turned([(0, (bead - 1) * length / beads)], lean_deg, *centre)[0]
                canvas.disc(x, y, min(radius, width * 0.72), paint)
                canvas.disc(x, y, min(radius, width * 0.72) - 1.5 * line, None)
            put(_box(line * 1.2, length * 0.9), paint)
        case "beam":
            put(_box(width * 0.62, length), paint)
            for place in (-0.46, 0.0, 0.46):
                put(moved(_box(width * 1.25, length * 0.09), 0, place * length), paint)
            for side in (-1, 1):
                put(moved(_box(width * 0.24, length * 0.26), 0, side * length * 0.23), None)
        case "plain":
            put(_profile(length, width, (0.85, 0.85, 1.0, 0.85, 0.85)), paint)
            put(_box(width * 1.3, line * 0.7), None)
        case "hourglass":
            for part in (-1, 1):
                piece = _profile(length * 0.52, width * 1.05, (1.0, 0.5, 1.0))
                put(moved(piece, 0, part * length * 0.24), paint)
                inside = _profile(length * 0.4, width * 0.6, (1.0, 0.3, 1.0))
                put(moved(inside, 0, part * length * 0.24), None)
        case other:
            raise ValueError(f"expected a kind of stick, got {other!r}")


def _profile(length: float, width: float, widths: tuple[float, ...]) -> Points:
    """Outline of an upright stick with rounded ends, its widths given from top to bottom."""
    along = np.linspace(-1, 1, 33)
    knots = np.linspace(-1, 1, len(widths))
    smooth = 0.5 - 0.5 * np.cos(np.pi * np.linspace(0, 1, 9))
    fine = np.concatenate([a + (b - a) * smooth for a, b in pairwise(widths)])
    places = np.concatenate([a + (b - a) * np.linspace(0, 1, 9) for a, b in pairwise(knots)])
    half = np.interp(along, places, fine) * width / 2
    end = min(1.0, width / length)
    past = np.clip((np.abs(along) - (1 - end)) / end, 0, 1)
    half *= np.sqrt(np.maximum(1 - past**2, 0))
    side = np.stack([half, along * length / 2], axis=1)
    return np.concatenate([side, (side * (-1, 1))[::-1]])


def _box(width: float, height: float) -> Points:
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)
