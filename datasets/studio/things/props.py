"""Things that people leave on a table, each built of a few simple bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np

from studio.materials.appearance import Colour
from studio.scene import Prop, PropKind, RoomKind, triple
from studio.things.dice import PIPS, die_solids
from studio.things.furniture import FURNITURE
from studio.things.people import sitter_solids
from studio.things.table_body import BodyPart, Solid

_RED: Final[Colour] = (0.6, 0.02, 0.02)
_DARK: Final[Colour] = (0.02, 0.02, 0.025)
_BLUE: Final[Colour] = (0.02, 0.06, 0.4)
_WHITE: Final[Colour] = (0.8, 0.79, 0.75)
_STEEL: Final[Colour] = (0.45, 0.46, 0.48)
_INKS: Final = (_RED, _DARK, _DARK, _BLUE, (0.02, 0.25, 0.08))


def prop_solids(props: Sequence[Prop]) -> Iterator[Solid]:
    for prop in props:
        if prop.kind == "die" and prop.upper:
            yield from die_solids(prop)
            continue
        if prop.kind == "sitter":
            yield from sitter_solids(prop)
            continue
        turn = np.deg2rad(prop.yaw_deg)
        c, s = np.cos(turn), np.sin(turn)
        yaw = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        blue, green, red = prop.colour_bgr
        wide, deep, tall = prop.stretch
        for mesh, at, half, shade in _BUILD[prop.kind](np.random.default_rng(prop.seed)):
            x, y = at[0] * wide, at[1] * deep
            place = (prop.x_mm + float(c * x - s * y), prop.y_mm + float(s * x + c * y))
            size = (half[0] * wide, half[1] * deep, half[2] * tall)
            colour = (red, green, blue) if shade is None else shade
            yield Solid(mesh, (*place, prop.lift_mm + at[2] * tall), size, yaw, colour)


def _die(rng: np.random.Generator) -> Iterator[BodyPart]:
    yield "box", (0, 0, 7), (7, 7, 7), None
    number = int(rng.integers(1, 7))
    size = 2.4 if number == 1 else 1.3
    for x, y in PIPS[number]:
        yield "ball", (3.6 * x, 3.6 * y, 14), (size, size, 0.4), _RED if number == 1 else _DARK


def _stick(rng: np.random.Generator) -> Iterator[BodyPart]:
    yield "box", (0, 0, 2), (4, 45, 2), None
    ink = _INKS[int(rng.integers(len(_INKS)))]
    for place in range(int(rng.integers(1, 6))):
        yield "ball", (0, (place + 1) // 2 * 7.0 * (-1) ** place, 4), (1.8, 1.8, 0.5), ink


def _chip(rng: np.random.Generator) -> Iterator[BodyPart]:
    for level in range(int(rng.choice([1, 1, 2, 5]))):
        z = 1.8 + 3.7 * level
        yield "tube", (0, 0, z), (19, 19, 1.8), None
        yield "tube", (0, 0, z + 0.2), (12, 12, 1.8), _WHITE if rng.random() < 0.4 else None


def _cup(rng: np.random.Generator) -> Iterator[BodyPart]:
    drink = ((0.09, 0.035, 0.012), (0.3, 0.12, 0.02), (0.5, 0.5, 0.45), (0.12, 0.2, 0.03))
    yield "cone", (0, 0, 42), (42, 42, -42), None
    yield "tube", (0, 0, 76), (36, 36, 8.2), drink[int(rng.integers(len(drink)))]
    if rng.random() < 0.5:  # a handle
        yield "box", (47, 0, 45), (9, 5, 24), None


def _phone(rng: np.random.Generator) -> Iterator[BodyPart]:
    lit = rng.random() < 0.4
    screen = (0.3, 0.4, 0.6) if lit else (0.012, 0.012, 0.016)
    yield "box", (0, 0, 4), (37, 77, 4), None
    yield "box", (0, 0, 4.3), (34, 73, 4), screen
    if lit:
        for row in range(5):
            for column in range(3):
                shade = triple(rng.uniform(0.05, 0.9, 3))
                yield "box", ((column - 1) * 21.0, (row - 2) * 26.0, 4.5), (8, 8, 4), shade


def _rack(rng: np.random.Generator) -> Iterator[BodyPart]:
    yield "box", (0, 0, 6), (200, 24, 6), None
    yield "box", (0, 22, 12), (200, 3, 12), None
    if rng.random() < 0.4:
        yield "box", (0, -22, 8), (200, 2, 8), None


def _tray(rng: np.random.Generator) -> Iterator[BodyPart]:
    wide, deep = rng.uniform(60, 200), rng.uniform(30, 90)
    yield "box", (0, 0, 2), (wide, deep, 2), None
    for side in (-1, 1):
        yield "box", (0, side * deep, 6), (wide, 3, 6), None
        yield "box", (side * wide, 0, 6), (3, deep, 6), None


def _dish(_: np.random.Generator) -> Iterator[BodyPart]:
    """A flat dish with a raised edge for rolling dice."""
    yield "disc", (0, 0, 1.2), (54, 54, 1.2), _STEEL
    yield "disc", (0, 0, 1.8), (51, 51, 1.4), None


def _card(rng: np.random.Generator) -> Iterator[BodyPart]:
    yield "box", (0, 0, 0.4), (29, 44, 0.4), _WHITE if rng.random() < 0.6 else None
    ink = _RED if rng.random() < 0.5 else _DARK
    kind = rng.random()
    if kind < 0.2:  # its back
        yield "box", (0, 0, 0.5), (25, 40, 0.4), ink
    elif kind < 0.8:
        for x, y in PIPS[int(rng.integers(1, 7))]:
            yield "ball", (13.0 * x, 24.0 * y, 0.8), (4, 4.6, 0.15), ink
        for side in (-1, 1):
            yield "box", (side * 24, side * 36, 0.55), (1.6, 3.4, 0.4), ink


def _marker(rng: np.random.Generator) -> Iterator[BodyPart]:
    yield "box", (0, 0, 6), (22, 30, 6), (0.75, 0.73, 0.68)
    yield "box", (0, 0, 6.4), (13, 19, 6), None
    yield "box", (0, rng.uniform(-6, 6), 6.6), (8, 1.5, 6), _WHITE
    yield "box", (rng.uniform(-4, 4), 0, 6.6), (1.5, 12, 6), _WHITE


def _block(rng: np.random.Generator) -> Iterator[BodyPart]:
    """A white object as large as a tile: an eraser, a lump of sugar, a plug."""
    tall = rng.uniform(5, 22)
    yield "box", (0, 0, tall / 2), (13, 18, tall / 2), None
    if rng.random() < 0.5:  # a sleeve of paper
        yield "box", (0, 5, tall / 2), (13.3, 12, tall / 2 + 0.3), _some(rng)


def _domino(rng: np.random.Generator) -> Iterator[BodyPart]:
    yield "box", (0, 0, 4.5), (12, 24, 4.5), None
    yield "box", (0, 0, 4.7), (10, 0.7, 4.5), _DARK
    for half in (-12, 12):
        for x, y in PIPS[int(rng.integers(1, 7))]:
            yield "ball", (6.0 * x, half + 6.5 * y, 9), (1.9, 1.9, 0.4), _DARK


def _paper(rng: np.random.Generator) -> Iterator[BodyPart]:
    """A score sheet or receipt with lines of writing."""
    wide, deep = rng.uniform(25, 80), rng.uniform(35, 110)
    yield "box", (0, 0, 0.3), (wide, deep, 0.3), _WHITE
    for row in np.arange(-deep + 8, deep - 6, rng.uniform(5, 11)):
        long = rng.uniform(0.3, 0.85) * wide
        yield "box", (long - wide * 0.88, float(row), 0.45), (long, 0.7, 0.3), _DARK


def _pen(rng: np.random.Generator) -> Iterator[BodyPart]:
    yield "box", (0, 0, 4), (4, 68, 4), None
    yield "box", (0, -56, 4), (4.3, 14, 4.3), _some(rng)


def _coins(rng: np.random.Generator) -> Iterator[BodyPart]:
    for _ in range(int(rng.integers(1, 7))):
        x, y = rng.normal(0, 22, 2)
        size, gold = rng.uniform(9, 13), rng.random() < 0.5
        colour = (0.5, 0.36, 0.12) if gold else _STEEL
        yield "tube", (float(x), float(y), 1.2), (size, size, 1.2), colour


def _keys(rng: np.random.Generator) -> Iterator[BodyPart]:
    """A calculator or remote control with pale or dark keys."""
    rows, columns = int(rng.integers(4, 7)), int(rng.integers(3, 5))
    step = rng.uniform(12, 24)
    yield "box", (0, 0, 5), (columns * step / 2 + 4, rows * step / 2 + 16, 5), None
    shade = _WHITE if rng.random() < 0.6 else _some(rng)
    screen = -rows * step / 2 - 6
    yield "box", (0, screen, 5.4), (columns * step / 2, 6, 5), (0.25, 0.3, 0.22)
    for row in range(rows):
        for column in range(columns):
            x, y = (column - (columns - 1) / 2) * step, (row - (rows - 1) / 2) * step + 6
            yield "box", (x, y, 6.4), (step * 0.38, step * 0.33, 5), shade


def _bottle(rng: np.random.Generator) -> Iterator[BodyPart]:
    wide = rng.uniform(26, 36)
    yield "tube", (0, 0, 75), (wide, wide, 75), None
    yield "tube", (0, 0, 95), (wide + 0.4, wide + 0.4, 38), _some(rng)
    yield "cone", (0, 0, 170), (wide, wide, 22), None
    yield "tube", (0, 0, 202), (15, 15, 11), _WHITE if rng.random() < 0.5 else _some(rng)


def _bowl(rng: np.random.Generator) -> Iterator[BodyPart]:
    """A dish of food, or an ashtray."""
    wide = rng.uniform(40, 80)
    yield "cone", (0, 0, 14), (wide, wide, -14), None
    yield "tube", (0, 0, 20), (wide * 0.86, wide * 0.86, 8.5), _some(rng)
    shade = _some(rng)
    for _ in range(int(rng.integers(0, 22))):
        x, y = rng.normal(0, wide * 0.33, 2)
        yield "ball", (float(x), float(y), 30), (7, float(rng.uniform(5, 12)), 6), shade


def _tissues(rng: np.random.Generator) -> Iterator[BodyPart]:
    yield "box", (0, 0, 12), (55, 85, 12), None
    yield "ball", (0, 0, 26), (9, 32, 16), _WHITE
    yield "ball", (6, 4, 30), (14, 20, 12), _WHITE


def _lighter(rng: np.random.Generator) -> Iterator[BodyPart]:
    yield "box", (0, 4, 6), (11, 32, 6), None
    yield "box", (0, -34, 6), (11, 7, 5.5), _STEEL


def _note(rng: np.random.Generator) -> Iterator[BodyPart]:
    """Paper money."""
    yield "box", (0, 0, 0.3), (36, 74, 0.3), None
    yield "ball", (0, 30, 0.6), (18, 16, 0.2), _some(rng)
    yield "box", (0, -40, 0.45), (28, 12, 0.3), _WHITE


def _some(rng: np.random.Generator) -> Colour:
    return triple(rng.uniform(0.02, 0.8, 3))


_BUILD: Final[dict[PropKind | RoomKind, Callable[[np.random.Generator], Iterator[BodyPart]]]] = {
    "die": _die, "stick": _stick, "chip": _chip, "cup": _cup, "phone": _phone, "rack": _rack,
    "card": _card, "marker": _marker, "block": _block, "domino": _domino, "paper": _paper,
    "pen": _pen, "coins": _coins, "keys": _keys, "bottle": _bottle, "bowl": _bowl,
    "tissues": _tissues, "lighter": _lighter, "note": _note, "tray": _tray, "dish": _dish,
    **FURNITURE,
}  # fmt: skip
