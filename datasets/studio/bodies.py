"""The table itself and the arms over it, built of balls, boxes, tubes and planes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from studio.looks import Colour, Look
from studio.scene import Arm

Shape = Literal["ball", "box", "tube", "cone", "plane"]
CLOTH, RIM, FLOOR = 0, 1, 2
"""Places of ``Look.sheets``."""
FLOOR_MM = -720.0
SKIN, CLOTH_WORN = 1, 2
_STILL = np.eye(3)


@dataclass(frozen=True, eq=False)
class Solid:
    mesh: Shape
    at_mm: tuple[float, float, float]
    half_mm: tuple[float, float, float]
    """Half sizes along its own axes."""
    rotation: NDArray[np.float64]
    """(3, 3) from its own axes to the table's."""
    colour: Colour
    sheet: int = -1
    """Place in ``Look.sheets`` of its pattern; -1: plain."""
    stuff: int = 0
    """What it is made of: 0 anything, ``SKIN`` or ``CLOTH_WORN``."""


def table_body(look: Look) -> Solid:
    """What carries the cloth."""
    whole = look.field_mm / 2 + look.rim_mm[0]
    return Solid("box", (0, 0, -21.5), (whole, whole, 20), _STILL, look.rim, RIM)


def table_solids(look: Look) -> Iterator[Solid]:
    """Floor, cloth, rim and console."""
    half = look.field_mm / 2
    width, height = look.rim_mm
    whole = half + width
    yield Solid("plane", (0, 0, 0), (whole, whole, 1), _STILL, look.cloth, CLOTH)
    yield Solid("plane", (0, 0, FLOOR_MM), (4000, 4000, 1), _STILL, look.floor, FLOOR)
    if height:
        for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            at = (dx * (half + width / 2), dy * (half + width / 2), height / 2 - 2)
            # The two pairs of bars must not lie in one plane where they cross.
            lift = height / 2 + 2 + 0.2 * abs(dx)
            size = (whole, width / 2, lift) if dy else (width / 2, whole, lift)
            yield Solid("box", at, size, _STILL, look.rim, RIM)
    if look.console_mm:
        yield from _console(look, look.console_mm / 2)


def _console(look: Look, side: float) -> Iterator[Solid]:
    yield Solid("box", (0, 0, 2), (side, side, 5), _STILL, look.console)
    yield Solid("tube", (0, 0, 6), (side * 0.42, side * 0.42, 3), _STILL, look.rim)
    yield Solid("ball", (0, 0, 6), (side * 0.38, side * 0.38, 14), _STILL, _mixed(look))
    for turn in range(4):
        c, s = round(np.cos(turn * np.pi / 2)), round(np.sin(turn * np.pi / 2))
        across, along = side * 0.11, side * 0.5
        size = (along, across, 1.2) if turn % 2 == 0 else (across, along, 1.2)
        yield Solid("box", (s * side * 0.8, c * side * 0.8, 6.8), size, _STILL, look.rim)


def _mixed(look: Look) -> Colour:
    red, green, blue = (0.5 * a + 0.1 for a in look.console)
    return red, green, blue


def arm_solids(arm: Arm, look: Look) -> Iterator[Solid]:
    """A palm, four fingers, a thumb, a forearm and a sleeve, reaching in from the seat's side."""
    skin, sleeve = look.skins[arm.seat], look.sleeves[arm.seat]
    turn = -np.pi / 2 * arm.seat
    out = np.array([-np.sin(turn), np.cos(turn), 0.0])  # from the middle to the seat
    along = np.array([-out[1], out[0], 0.0])
    tip = np.array([arm.x_mm, arm.y_mm, arm.height_mm])
    # The elbow rests outside the table, near the middle of the seat's side.
    elbow = out * (look.field_mm / 2 + 400) + along * (0.55 * float(tip @ along) + 60)
    elbow[2] = 110.0
    back = _unit(elbow - tip)
    side = _unit(np.cross([0.0, 0.0, 1.0], back))
    up = np.cross(back, side)
    frame = np.stack([side, back, up], axis=1)
    spread = 0.2 + 0.8 * arm.open_amount
    lift = 22.0 - 8.0 * arm.open_amount
    for finger in range(4):
        place = finger - 1.5
        shorter = 7.0 * abs(finger - 1.3)
        root = tip + side * place * 19 + back * 74 + up * lift
        end = tip + side * place * (11 + 15 * spread) + back * shorter
        middle = 0.5 * (root + end) + up * (9 + 7 * (1 - arm.open_amount))
        yield _limb(root, middle, 9.2, skin)
        yield _limb(middle, end, 7.8, skin)
    thumb = tip + side * (30 + 26 * spread) + back * 34 + up * 2
    root = tip + side * 34 + back * 92 + up * 10
    bend = 0.5 * (thumb + root) + side * 8 + up * 4
    yield _limb(root, bend, 11.5, skin)
    yield _limb(bend, thumb, 9.0, skin)
    palm = tip + back * 100 + up * (lift - 2)
    yield Solid("ball", _point(palm), (41, 46, 16), frame, skin, stuff=SKIN)
    wrist, length = tip + back * 128 + up * (lift - 2), float(np.linalg.norm(elbow - tip))
    forearm = np.stack([side, -up, back], axis=1)
    cuff = 60.0 if sleeve != skin else length
    yield _tube("cone", wrist, back, length - 60, (44, 36), forearm, skin, SKIN)
    yield Solid("ball", _point(wrist), (30, 34, 18), frame, skin, stuff=SKIN)
    if cuff < length:
        yield _tube(
            "cone", wrist + back * cuff, back, length - 80, (56, 48), forearm, sleeve, CLOTH_WORN
        )


def _tube(
    mesh: Shape,
    start: NDArray[np.float64],
    way: NDArray[np.float64],
    length: float,
    radii: tuple[float, float],
    frame: NDArray[np.float64],
    colour: Colour,
    stuff: int,
) -> Solid:
    """A limb from its narrow end on; cones are narrow at the top, so the frame is turned over."""
    middle = start + way * length / 2
    over = frame * np.array([-1.0, 1.0, -1.0])
    return Solid(mesh, _point(middle), (*radii, length / 2), over, colour, stuff=stuff)


def _limb(
    start: NDArray[np.float64], end: NDArray[np.float64], radius: float, colour: Colour
) -> Solid:
    way = end - start
    back = _unit(way)
    side = _unit(np.cross([0.0, 0.0, 1.0], back) + 1e-6)
    frame = np.stack([side, back, np.cross(back, side)], axis=1)
    half = float(np.linalg.norm(way)) / 2 + radius * 0.75
    middle = _point((start + end) / 2)
    return Solid("ball", middle, (radius, half, radius), frame, colour, stuff=SKIN)


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vector / np.linalg.norm(vector))


def _point(at: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(at[0]), float(at[1]), float(at[2])
