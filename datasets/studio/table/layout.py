"""Where every tile of a game lies: walls, hands, rivers, claimed sets, in table millimetres.

A seat's own frame is (u, v) from the table's centre: u to its player's right, v towards the
player. For seat 0 it is the table's own frame.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from engine.rules.layout import TableLayout
from studio.scene import Pose

SIDEWAYS_DEG = 90.0

MOST_HELD: Final = 17
"""Tiles of the longest hand."""


@dataclass(frozen=True)
class Spot:
    """Where and how a tile lies, without saying which tile."""

    x_mm: float
    y_mm: float
    z_mm: float
    yaw_deg: float
    pose: Pose


@dataclass(frozen=True)
class Measures:
    """The sizes that determine where things go on one table, in millimetres."""

    field_mm: float
    width_mm: float
    height_mm: float
    thickness_mm: float
    console_mm: float
    """Side of the console in the middle; 0 without one."""
    stacks: int
    """Stacks of two in each of the four walls."""
    hand_v: float
    sets_v: float
    """The edge of the claimed sets that is nearest to the player."""
    wall_v: float
    wall_shift: float
    """How far each wall is shifted to its player's right, so that corners do not touch."""
    river_v: float
    """Middle of a river's first row."""

    @property
    def half_mm(self) -> float:
        return self.field_mm / 2

    @property
    def inner_mm(self) -> float:
        """Distance from the centre to the inner edge of the walls."""
        return self.wall_v - self.height_mm / 2

    @property
    def row_left_mm(self) -> float:
        """How far left of its middle a hand may begin; the neighbour's sets lie beyond."""
        return self.half_mm - 2 * self.width_mm - 26


def measure(
    field_mm: float,
    width_mm: float,
    height_mm: float,
    thickness_mm: float,
    console_mm: float,
    tiles: int,
) -> Measures:
    """Lay out a table; raise ``ValueError`` if tiles of this size do not fit."""
    half, stacks = field_mm / 2, -(-tiles // 8)
    sets_v = half - 8 - 0.03 * half
    hand_v = min(sets_v - height_mm / 2, half - 30 - 0.07 * half)
    wall_v = hand_v - height_mm - max(6.0, 0.04 * half) - thickness_mm / 2
    inner = wall_v - height_mm / 2
    shift = max(0.0, stacks * (width_mm + 0.3) / 2 - inner + 6)
    river_v = max(console_mm / 2 + 8, 3 * width_mm + height_mm - width_mm + 6) + height_mm / 2
    if (
        river_v + 2.5 * height_mm + 3 > inner
        or stacks * width_mm / 2 + shift > half - 20
        or MOST_HELD * width_mm > 1.35 * half
    ):
        raise ValueError(
            f"tiles {width_mm:g} x {height_mm:g} mm do not fit on a field of {field_mm:g} mm"
        )
    return Measures(
        field_mm,
        width_mm,
        height_mm,
        thickness_mm,
        console_mm,
        stacks,
        hand_v,
        sets_v,
        wall_v,
        shift,
        river_v,
    )


def seat_yaw_deg(seat: int) -> float:
    """Return the turn of a tile that is upright for this seat."""
    return (-90.0 * seat) % 360


def spot(seat: int, u: float, v: float, z: float, turn_deg: float = 0.0, pose: Pose = "up") -> Spot:
    """Convert a place in a seat's own frame to the table's."""
    x, y = to_table(seat, u, v)
    return Spot(x, y, z, (seat_yaw_deg(seat) + turn_deg) % 360, pose)


def to_table(seat: int, u: float, v: float) -> tuple[float, float]:
    for _ in range(seat % 4):
        u, v = v, -u
    return u, v


def wall_spot(table: Measures, seat: int, stack: int, level: int) -> Spot:
    """Return the tile on level 0 or 1 of a wall's stack, counted from its player's right."""
    pitch = table.width_mm + 0.3
    u = table.wall_shift + pitch * (table.stacks / 2 - stack - 0.5)
    return spot(seat, u, table.wall_v, table.thickness_mm * (level + 0.5), pose="down")


def aside_spot(table: Measures, seat: int, stack: int) -> Spot:
    """Return the place of Harbin's dora, just beyond the wall's last stack, ``stack``."""
    pitch = table.width_mm + 0.3
    u = table.wall_shift + pitch * (table.stacks / 2 - stack - 1.5) - 9
    return spot(seat, u, table.wall_v, table.thickness_mm / 2, pose="down")


def hand_spots(
    table: Measures,
    seat: int,
    count: int,
    drawn: bool,
    pose: Pose,
    sets_mm: float,
    sets_at: Literal["right", "left"],
    gap_mm: float = 10.0,
) -> list[Spot]:
    """Return a hand from left to right; with ``drawn`` the last tile stands apart."""
    pitch = table.width_mm + (0.35 if pose == "standing" else 0.9)
    width = count * pitch + (gap_mm if drawn else 0.0)
    left = -((count - 1) // 3 * 3 + 1) * pitch / 2 - 8
    if sets_mm and sets_at == "right":
        end = table.half_mm - 16 - sets_mm - 14
        left = max(min(left, end - width - (0 if drawn else gap_mm + pitch)), -table.row_left_mm)
    elif sets_mm:
        left = max(left, -table.half_mm + 16 + sets_mm + 14)
    depth = table.thickness_mm if pose == "standing" else table.height_mm
    z = (table.height_mm if pose == "standing" else table.thickness_mm) / 2
    v = min(table.hand_v, table.sets_v - depth / 2)
    out = []
    for index in range(count):
        apart = gap_mm if drawn and index == count - 1 else 0.0
        out.append(spot(seat, left + (index + 0.5) * pitch + apart, v, z, pose=pose))
    return out


@dataclass(frozen=True)
class SetShape:
    """How one claimed set lies, from left to right."""

    turned: int | None
    """Index of the sideways tile."""
    down: frozenset[int] = frozenset()
    added: Literal["none", "beside", "on"] = "none"
    """Where the fourth tile of an added kong lies relative to the turned tile."""
    count: int = 3


def set_width_mm(table: Measures, shape: SetShape) -> float:
    return (
        shape.count * (table.width_mm + 0.7)
        + (0 if shape.turned is None else table.height_mm - table.width_mm)
        + 4
    )


def set_spots(
    table: Measures, seat: int, shape: SetShape, offset_mm: float, at: Literal["right", "left"]
) -> list[Spot]:
    """Return the places of a set ``offset_mm`` from the corner; an added tile comes last."""
    width = set_width_mm(table, shape)
    corner = table.half_mm - 16
    u = corner - offset_mm - width if at == "right" else -corner + offset_mm
    z = table.thickness_mm / 2
    out: list[Spot] = []
    for place in range(shape.count):
        turned = place == shape.turned
        along = table.height_mm if turned else table.width_mm
        deep = table.width_mm if turned else table.height_mm
        pose: Pose = "down" if place in shape.down else "up"
        turn = SIDEWAYS_DEG if turned else 0.0
        out.append(spot(seat, u + along / 2, table.sets_v - deep / 2, z, turn, pose))
        u += along + 0.7
    if shape.added != "none":
        base = shape.turned if shape.turned is not None else 1
        below = out[base]
        if shape.added == "on":
            out.append(Spot(below.x_mm, below.y_mm, z + table.thickness_mm, below.yaw_deg, "up"))
        else:
            deep = table.width_mm if shape.turned is not None else table.height_mm
            dx, dy = to_table(seat, 0.0, -deep - 1.4)
            out.append(Spot(below.x_mm + dx, below.y_mm + dy, z, below.yaw_deg, "up"))
    return out


def turned_place(
    layout: TableLayout, seat: int, from_seat: int, count: int, random_side: int = 0
) -> int | None:
    """Return the index of the sideways tile: left, middle or right, by who fed it."""
    step = (from_seat - seat) % 4
    if step == 3:
        return 0
    if step == 1:
        return count - 1
    return 1 + (random_side % 2 if count == 4 else 0) if layout.opposite_turned else None


def river_spot(table: Measures, seat: int, turned: Sequence[bool]) -> Spot:
    """Return the place of the last of these river tiles in rows of six; True lies sideways."""
    index = len(turned) - 1
    row = min(index // 6, 2)
    before = turned[row * 6 : index]
    u = -3.0 * table.width_mm + sum(
        (table.height_mm if side else table.width_mm) + 1.3 for side in before
    )
    along = table.height_mm if turned[-1] else table.width_mm
    v = table.river_v + row * (table.height_mm + 1.6)
    if turned[-1]:
        v += (table.height_mm - table.width_mm) / 2
    turn = SIDEWAYS_DEG if turned[-1] else 0.0
    return spot(seat, u + along / 2, v, table.thickness_mm / 2, turn, "up")


def deposit_spot(table: Measures, seat: int) -> tuple[float, float, float]:
    """Return the middle and turn of a stick before a seat's river."""
    x, y = to_table(seat, 0.0, table.river_v - table.height_mm / 2 - 6.0)
    return x, y, (seat_yaw_deg(seat) + SIDEWAYS_DEG) % 360


def outline(table: Measures, at: Spot, margin_mm: float = 0.0) -> list[tuple[float, float]]:
    """Return the corners of the area that a tile covers, in millimetres."""
    deep = table.thickness_mm if at.pose == "standing" else table.height_mm
    half_w, half_h = table.width_mm / 2 + margin_mm, deep / 2 + margin_mm
    turn = math.radians(at.yaw_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    return [
        (at.x_mm + x * cos - y * sin, at.y_mm + x * sin + y * cos)
        for x, y in ((-half_w, -half_h), (half_w, -half_h), (half_w, half_h), (-half_w, half_h))
    ]


def overlap_mm(
    first: Sequence[tuple[float, float]], second: Sequence[tuple[float, float]]
) -> float:
    """Return how deep two convex outlines overlap; negative is the gap between them."""
    depth = math.inf
    for shape in (first, second):
        for (x0, y0), (x1, y1) in zip(shape, [*shape[1:], shape[0]], strict=True):
            length = math.hypot(x1 - x0, y1 - y0)
            nx, ny = (y1 - y0) / length, (x0 - x1) / length
            one = [x * nx + y * ny for x, y in first]
            two = [x * nx + y * ny for x, y in second]
            depth = min(depth, max(one) - min(two), max(two) - min(one))
            if depth < -30:
                return depth
    return depth
