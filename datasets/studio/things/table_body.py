"""The table itself, built of simple bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from studio.materials.appearance import Colour, TableLook
from studio.scene import Triple, triple

Shape = Literal["ball", "box", "tube", "disc", "cone", "plane"]
"""Meshes that every scene may need; people add more."""
BodyPart = tuple[Shape, tuple[float, float, float], tuple[float, float, float], Colour | None]
"""Part of a thing: mesh, place, half sizes in mm, and its colour if it has one of its own."""
CLOTH, RIM, FLOOR = 0, 1, 2  # indices into ``TableLook.sheets``
FLOOR_MM = -720.0
SKIN, CLOTH_WORN = 1, 2
_STILL = np.eye(3)


@dataclass(frozen=True, eq=False)
class Solid:
    mesh: str
    at_mm: Triple | NDArray[np.float64]
    half_mm: tuple[float, float, float]
    """Half sizes along its own axes."""
    rotation: NDArray[np.float64]
    """(3, 3) from its own axes to the table's."""
    colour: Colour
    sheet: int = -1
    """Index into ``TableLook.sheets``; -1: plain."""
    stuff: int = 0
    """Material: 0 anything, ``SKIN`` or ``CLOTH_WORN``."""


def table_body(look: TableLook) -> Solid:
    """Return the body that carries the cloth."""
    whole = look.field_mm / 2 + look.rim_mm[0]
    if look.round and _is_mat(look):
        far = max(whole, 0.75 * look.field_mm)
        return Solid("disc", (0, 0, -21.5), (far, far, 20), _STILL, look.rim, RIM)
    return Solid("box", (0, 0, -21.5), (whole, whole, 20), _STILL, look.rim, RIM)


def _is_mat(look: TableLook) -> bool:
    return look.rim_mm[0] > 0 and not look.rim_mm[1]


def table_solids(look: TableLook) -> Iterator[Solid]:
    """Yield floor, cloth, rim and console."""
    half = look.field_mm / 2
    width, height = look.rim_mm
    whole = half + width
    cloth = half if _is_mat(look) else whole
    yield Solid("plane", (0, 0, 0), (cloth, cloth, 1), _STILL, look.cloth, CLOTH)
    yield Solid("plane", (0, 0, FLOOR_MM), (4000, 4000, 1), _STILL, look.floor, FLOOR)
    if height:
        for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            at = (dx * (half + width / 2), dy * (half + width / 2), height / 2 - 2)
            # The two pairs of bars must not share a plane where they cross.
            lift = height / 2 + 2 + 0.2 * abs(dx)
            size = (whole, width / 2, lift) if dy else (width / 2, whole, lift)
            yield Solid("box", at, size, _STILL, look.rim, RIM)
        if look.trays and width > 60:
            yield from _trays(look, half + width / 2, width * 0.32, height)
    if look.console_mm:
        yield from _console(look, look.console_mm / 2)


def _trays(look: TableLook, far: float, deep: float, height: float) -> Iterator[Solid]:
    """Yield a shallow tray in each side of the rim: a raised edge around a darker floor."""
    floor = triple(0.82 * a for a in look.rim)
    long = look.field_mm * 0.3
    for turn in range(4):
        c, s = round(np.cos(turn * np.pi / 2)), round(np.sin(turn * np.pi / 2))
        at = (s * far, c * far)
        for size, tall, colour in ((1.0, 2.2, look.rim), (0.9, 2.6, floor)):
            wide, high = long + deep * (size - 1), deep * size
            half = (wide, high, tall) if turn % 2 == 0 else (high, wide, tall)
            yield Solid("box", (*at, height), half, _STILL, colour, RIM)


def _console(look: TableLook, side: float) -> Iterator[Solid]:
    yield Solid("box", (0, 0, 2), (side, side, 5), _STILL, look.console)
    yield Solid("tube", (0, 0, 6), (side * 0.42, side * 0.42, 3), _STILL, look.rim)
    yield Solid("ball", (0, 0, 6), (side * 0.38, side * 0.38, 14), _STILL, _mixed(look))
    for turn in range(4):
        c, s = round(np.cos(turn * np.pi / 2)), round(np.sin(turn * np.pi / 2))
        across, along = side * 0.11, side * 0.5
        size = (along, across, 1.2) if turn % 2 == 0 else (across, along, 1.2)
        yield Solid("box", (s * side * 0.8, c * side * 0.8, 6.8), size, _STILL, look.rim)


def _mixed(look: TableLook) -> Colour:
    return triple(0.5 * a + 0.1 for a in look.console)
