"""Everything on a table that is no tile, built of balls, boxes and planes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from studio.looks import Colour, Look
from studio.scene import Arm, Prop


@dataclass(frozen=True, eq=False)
class Solid:
    mesh: Literal["ball", "box", "plane"]
    at_mm: tuple[float, float, float]
    half_mm: tuple[float, float, float]
    """Half sizes along its own axes."""
    rotation: NDArray[np.float64]
    """(3, 3) from its own axes to the table's."""
    colour: Colour


def table_solids(look: Look) -> Iterator[Solid]:
    """Cloth, rim and console."""
    still = np.eye(3)
    half = look.field_mm / 2
    width, height = look.rim_mm
    yield Solid("plane", (0, 0, 0), (half + width, half + width, 1), still, look.cloth)
    if height:
        for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            at = (dx * (half + width / 2), dy * (half + width / 2), height / 2 - 2)
            long = half + width
            size = (long, width / 2, height / 2 + 2) if dy else (width / 2, long, height / 2 + 2)
            yield Solid("box", at, size, still, look.rim)
    if look.console_mm:
        side = look.console_mm / 2
        dark: Colour = (0.03, 0.03, 0.035)
        yield Solid("box", (0, 0, 2), (side, side, 5), still, dark)
        for turn in range(4):
            c, s = np.cos(turn * np.pi / 2), np.sin(turn * np.pi / 2)
            at = (s * side * 0.65, c * side * 0.65, 6.5)
            size = (
                (side * 0.55, side * 0.16, 1.2)
                if turn % 2 == 0
                else (side * 0.16, side * 0.55, 1.2)
            )
            yield Solid("box", at, size, still, look.rim)


def arm_solids(arm: Arm, look: Look) -> Iterator[Solid]:
    """A palm, four fingers, a thumb, a forearm and a sleeve, reaching in from the seat's side."""
    turn = -np.pi / 2 * arm.seat
    out = np.array([-np.sin(turn), np.cos(turn), 0.0])  # from the middle to the seat
    out = out / np.linalg.norm(out)
    tip = np.array([arm.x_mm, arm.y_mm, arm.height_mm])
    # The elbow rests outside the table, near the middle of the seat's side.
    elbow = out * (look.field_mm / 2 + 240) + np.array([-out[1], out[0], 0]) * (
        0.55 * float(tip @ np.array([-out[1], out[0], 0.0])) + 60
    )
    elbow[2] = 110.0
    back = elbow - tip
    back /= np.linalg.norm(back)
    side = np.cross([0.0, 0.0, 1.0], back)
    side /= np.linalg.norm(side)
    up = np.cross(back, side)
    frame = np.stack([side, back, up], axis=1)
    spread = 4.0 + 16.0 * arm.open_amount
    for finger in range(4):
        offset = (finger - 1.5) * (14 + spread * 0.35)
        at = tip + side * offset + back * (26 + 6 * abs(finger - 1.3)) + up * 10
        yield Solid("ball", _point(at), (8.5, 34, 8.5), frame, look.skin)
    thumb = tip + side * (34 + spread) + back * 46 + up * 4
    yield Solid("ball", _point(thumb), (10, 30, 10), frame, look.skin)
    palm = tip + back * 88 + up * 14
    yield Solid("ball", _point(palm), (42, 54, 19), frame, look.skin)
    length = float(np.linalg.norm(elbow - tip))
    wrist = tip + back * 165 + up * 16
    yield Solid("ball", _point(wrist), (27, 70, 22), frame, look.skin)
    sleeve = tip + back * (190 + (length - 150) / 2) + up * 20
    yield Solid(
        "ball", _point(sleeve), (48, max(80.0, (length - 130) / 2 + 60), 42), frame, look.sleeve
    )


def prop_solids(props: Sequence[Prop], look: Look) -> Iterator[Solid]:
    for prop in props:
        turn = np.deg2rad(prop.yaw_deg)
        c, s = np.cos(turn), np.sin(turn)
        yaw = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
        blue, green, red = prop.colour_bgr
        mesh, half = _PROPS[prop.kind]
        yield Solid(mesh, (prop.x_mm, prop.y_mm, half[2]), half, yaw, (red, green, blue))


_PROPS: dict[str, tuple[Literal["ball", "box"], tuple[float, float, float]]] = {
    "die": ("box", (7, 7, 7)),
    "stick": ("box", (4, 45, 2)),
    "chip": ("ball", (18, 18, 3)),
    "cup": ("ball", (38, 38, 45)),
    "phone": ("box", (36, 75, 4)),
    "marker": ("box", (22, 30, 6)),
}


def _point(at: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(at[0]), float(at[1]), float(at[2])
