"""The three suits: circles, bamboos and characters, and the numerals of sets for learners."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from studio.faces import writing
from studio.faces.arrangement import USUAL, RankMarks
from studio.faces.canvas import Canvas, InkColour
from studio.faces.mix import art_of
from studio.faces.motif import Motif, hollowed, load
from studio.faces.outlines import CurvePoints
from studio.faces.style import Style

PRINTED = USUAL.rank(0, "p")
"""Marks that are all alike."""


def draw_circles(canvas: Canvas, rank: int, style: Style) -> None:
    """Dots in the places of the layout; the one is a rosette."""
    marks = style.arrangement.rank(rank, "p")
    inks = marks.inks(circle_inks(rank, style))
    if rank == 1:
        size = 58.0 * style.size * (0.92 + 0.1 * style.dot_size)
        rosette = _swollen(art_of(style, "rosettes"), style)
        canvas.paint(rosette.placed((0, 0), (size, size), line=style.line), inks)
        return
    places = load("layouts", f"{rank}p").shapes
    usual = style.spread * np.array([[place.points[:-1].mean(axis=0)] for place in places])
    reach = float(np.ptp(places[0].points[:, 0])) / 2 * style.dot_size * style.size
    centres = marks.places(usual, reach)[:, 0]
    nearest = min(float(np.linalg.norm(a - b)) for a, b in combinations(centres, 2))
    for place, centre in zip(places, centres, strict=True):
        radius = float(np.ptp(place.points[:, 0])) / 2 * style.dot_size * style.size * marks.size
        _dot(canvas, centre, min(radius, 0.49 * nearest), inks[place.ink], style, marks)


def circle_inks(rank: int, style: Style) -> dict[str, InkColour]:
    """The colours of a layout of circles."""
    palette = style.palette
    first, red, last = palette.green, palette.red, palette.blue
    if style.rank_swap:
        first, last = last, first
    if style.inverted and rank in (6, 7):
        first, red = red, first
    return {"green": first, "red": red, "blue": last, "navy": palette.blue}


def draw_bamboos(canvas: Canvas, rank: int, style: Style) -> None:
    """Sticks along the lines of the layout; the one is a bird."""
    if rank == 1:
        _bird(canvas, style)
        return
    marks = style.arrangement.rank(rank, "s")
    inks = marks.inks(_stick_inks(style))
    side = -1 if style.w_above else 1  # otherwise the W and the M of the eight change places
    places = load("layouts", f"{rank}s").shapes
    usual = style.spread * np.array([place.points for place in places])
    width = _stick_width(style) * marks.size
    for place, (top, foot) in zip(places, marks.places(usual, width / 2, 1.2 * width), strict=True):
        way = foot - top
        lean = float(np.degrees(np.arctan2(side * way[0], way[1])))
        length = float(np.linalg.norm(way)) * style.stick_length
        _stick(canvas, (top + foot) / 2, lean, length, inks[place.ink], style, marks)


def _stick_inks(style: Style) -> Mapping[str, InkColour]:
    red, green = style.palette.red, style.palette.green
    blue = style.palette.blue if style.blue_sticks else green
    return {
        "red": red,
        "green": green,
        "blue": blue,
        "teal": blue if style.rank_swap else green,
        "purple": red if style.red_tops else blue,
        "navy": green if style.inverted else blue,
    }


def draw_characters(canvas: Canvas, rank: int, style: Style) -> None:
    """A Chinese numeral above 萬."""
    numeral = "伍" if rank == 5 and style.formal_five else writing.CHARACTERS[f"{rank}m"]
    size = 44.0 * style.character_size * style.hand.numeral
    gap = 24.0 * style.spread
    above = (0.0, 1 - gap, size * 1.06, size * 0.98)
    writing.write(canvas, numeral, above, style.numeral, style, fill=False)
    lower = style.character_size * style.hand.myriad
    writing.write(canvas, "萬", (0.0, gap, 42.0 * lower, 41.0 * lower), style.myriad, style)


def draw_teaching(canvas: Canvas, rank: int, suit: str, style: Style) -> None:
    """A large numeral, and the suit's sign below it."""
    paint = {"m": style.myriad, "p": style.palette.blue, "s": style.palette.green}[suit]
    box = (0.0, -14.0, 36.0 * style.character_size, 48.0 * style.character_size)
    writing.draw(canvas, style.latin_font, str(rank), box, paint)
    if suit == "m":
        writing.write(canvas, "萬", (0.0, 30.0, 24.0, 24.0), paint, style)
    elif suit == "p":
        _dot(canvas, (0, 30), 11.0, paint, style)
    else:
        _stick(canvas, (0, 30), 0.0, 24.0, paint, style)


def _dot(
    canvas: Canvas,
    at: ArrayLike,
    radius: float,
    paint: InkColour,
    style: Style,
    marks: RankMarks = PRINTED,
) -> None:
    motif = marks.mark(_swollen(art_of(style, "dots"), style))
    shapes = motif.placed(at, (2 * radius, 2 * radius), marks.turn_deg(), line=style.line)
    canvas.paint(shapes, {"black": paint, "red": style.palette.red if style.second_ink else paint})


def _swollen(motif: Motif, style: Style) -> Motif:
    """Rounds with narrower holes where the set's lines are thick."""
    power = style.line**0.35 - 1
    half = motif.size / 2

    def swell(points: CurvePoints) -> CurvePoints:
        share = np.linalg.norm(points / half, axis=1, keepdims=True)
        return np.asarray(points * np.maximum(share, 0.02) ** power)

    return motif.changed(swell)


def _stick(
    canvas: Canvas,
    at: ArrayLike,
    lean_deg: float,
    length: float,
    paint: InkColour,
    style: Style,
    marks: RankMarks = PRINTED,
) -> None:
    width = _stick_width(style) * marks.size
    motif = marks.mark(art_of(style, "sticks"))
    canvas.paint(motif.placed(at, (width, length), lean_deg + marks.turn_deg()), {"green": paint})


def _stick_width(style: Style) -> float:
    return 8.4 * style.stick_size * (0.8 + 0.2 * style.size)


def _bird(canvas: Canvas, style: Style) -> None:
    """The set's bird, gently bent so that no two sets draw the same."""
    rng = np.random.default_rng(style.plant_seed)
    sway = rng.normal(0, 0.035, 4)
    size = 66.0 * style.size * (0.9 + 0.1 * style.spread)
    motif = art_of(style, "birds")
    half = motif.size / 2

    def bent(points: CurvePoints) -> CurvePoints:
        x, y = (points / half).T
        across = x + sway[0] * np.sin(3 * y + sway[1] * 40) + sway[2] * y
        return np.stack([across, y + sway[3] * x], axis=1) * half

    mirror = -1 if rng.random() < 0.3 else 1
    shapes = motif.changed(bent).placed((0, 0), (mirror * size, 1.18 * size), line=style.line)
    palette = style.palette
    canvas.paint(
        hollowed(shapes, 1.7 * style.line) if style.hollow else shapes,
        {"red": palette.red, "green": palette.green, "blue": palette.blue},
    )
