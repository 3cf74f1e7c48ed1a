"""Dice with pips on every side, at rest or in the air."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.materials.appearance import Colour
from studio.scene import Prop
from studio.things.table_body import Solid

PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Places of the pips of each value, right and down from the middle of the face."""
USUAL_MM: Final = 14.0  # side of a die whose ``stretch`` is 1
SIZES_MM: Final = (12.0, 20.0)
PALE: Final = 0.3  # a body with a lighter mean colour has dark pips
_FAR: Final = 0.27  # distance of pips from the middle of a face, relative to its side
_NORMALS: Final = {
    1: (0, 0, 1),
    2: (0, 1, 0),
    3: (1, 0, 0),
    4: (-1, 0, 0),
    5: (0, -1, 0),
    6: (0, 0, -1),
}
"""Normals of a die's faces when its one is on top; opposite faces add up to seven."""
_RED: Final[Colour] = (0.55, 0.02, 0.02)
_DARK: Final[Colour] = (0.02, 0.02, 0.025)
_BLUE: Final[Colour] = (0.02, 0.05, 0.35)
_WHITE: Final[Colour] = (0.8, 0.8, 0.77)
_BODIES: Final = (
    (0.85, 0.85, 0.85),
    (0.82, 0.86, 0.88),
    (0.7, 0.8, 0.84),
    (0.03, 0.03, 0.03),
    (0.05, 0.03, 0.5),
    (0.05, 0.3, 0.05),
    (0.4, 0.08, 0.05),
)
"""Bodies (BGR); white ones are by far the most common."""


def draw_die(rng: random.Random) -> Prop:
    """Draw a die of any usual size and colour."""
    colour = _BODIES[0] if rng.random() < 0.4 else rng.choice(_BODIES)
    size = rng.choice((rng.uniform(*SIZES_MM), rng.uniform(12.0, 16.0))) / USUAL_MM
    return Prop("die", 0.0, 0.0, 0.0, colour, (size, size, size), rng.randrange(1 << 31), 1)


def die_solids(prop: Prop) -> Iterator[Solid]:
    """Yield a rounded cube and the pips of its six faces."""
    side = USUAL_MM * prop.stretch[0]
    blue, green, red = prop.colour_bgr
    turn = rotation(prop)
    at = np.array([prop.x_mm, prop.y_mm, prop.lift_mm + side / 2])
    yield Solid("box", at, (side / 2,) * 3, turn, (red, green, blue))
    inks, sizes = _pips(prop)
    for value, normal in _NORMALS.items():
        out = np.array(normal, float)
        right = np.roll(out, 1)
        frame = turn @ np.column_stack([right, np.cross(out, right), out])
        radius = sizes[value] * side
        for u, v in PIPS[value]:
            place = at + frame @ np.array([u * _FAR * side, v * _FAR * side, side / 2])
            yield Solid("ball", place, (radius, radius, 0.3), frame, inks[value])


def _pips(prop: Prop) -> tuple[dict[int, Colour], dict[int, float]]:
    """Draw colour and radius (as a share of the side) of the pips of each face."""
    rng = np.random.default_rng(prop.seed)
    usual = float(rng.uniform(0.085, 0.115))
    sizes = dict.fromkeys(PIPS, usual)
    if np.mean(prop.colour_bgr) <= PALE:
        return dict.fromkeys(PIPS, _WHITE), sizes
    inks = dict.fromkeys(PIPS, _DARK if rng.random() < 0.8 else _BLUE)
    if rng.random() < 0.7:
        inks[1] = _RED
        sizes[1] = usual * float(rng.choice([1.0, 1.5, 2.0]))
        inks[4] = _RED if rng.random() < 0.7 else inks[4]
    return inks, sizes


def rotation(prop: Prop) -> NDArray[np.float64]:
    """Return the rotation (3, 3) of a die, from axes with its one on top to the table's."""
    turn, (across, along) = np.deg2rad(prop.yaw_deg), np.deg2rad(prop.tumble_deg)
    yaw = _about(2, float(turn))
    return np.asarray(_about(0, float(across)) @ _about(1, float(along)) @ yaw @ _UP[prop.upper])


def _about(axis: int, angle: float) -> NDArray[np.float64]:
    one, two = (axis + 1) % 3, (axis + 2) % 3
    turn = np.eye(3)
    turn[one, one] = turn[two, two] = np.cos(angle)
    turn[two, one] = np.sin(angle)
    turn[one, two] = -turn[two, one]
    return turn


_QUARTER: Final = float(np.pi / 2)
_UP: Final = {
    1: np.eye(3),
    2: _about(0, _QUARTER),
    3: _about(1, -_QUARTER),
    4: _about(1, _QUARTER),
    5: _about(0, -_QUARTER),
    6: _about(0, 2 * _QUARTER),
}
"""The rotation that turns each face of a die up."""
