"""Hands over a random table, and things on it besides tiles."""

from __future__ import annotations

import numpy as np

from studio.random_table.laying import RandomTable
from studio.scene import Arm, Pose, Prop, PropKind, RoomKind, triple


def random_arms(table: RandomTable) -> tuple[Arm, ...]:
    """Draw hands over the table: some hold a tile, some touch one."""
    rng, half = table.rng, table.look.field_mm / 2
    arms = []
    for _ in range(int(rng.choice([0, 0, 1, 1, 2, 3, 4]))):
        seat = int(rng.integers(4))
        x, y = (float(at) for at in rng.uniform(-half * 0.8, half * 0.8, 2))
        height = float(rng.uniform(15, 90))
        if table.tiles and rng.random() < 0.65:  # hands are where tiles are
            tile = table.tiles[int(rng.integers(len(table.tiles)))]
            x, y = tile.x_mm + float(rng.normal(0, 15)), tile.y_mm + float(rng.normal(0, 15))
            if rng.random() < 0.6:  # finger tips on its nearer part: the rest stays visible
                out_x, out_y, _ = table.seat(seat, 0.0, float(rng.uniform(-6, 26)), 0.0)
                x, y = tile.x_mm + out_x + float(rng.normal(0, 10)), tile.y_mm + out_y
                height = tile.z_mm + float(rng.uniform(10, 24))
        arm = Arm(seat, x, y, height, float(rng.random()), bool(rng.random() < 0.35))
        arms.append(arm)
        if arm.open_amount < 0.5 and rng.random() < 0.6:
            _held(table, arm)
    return tuple(arms)


def _held(table: RandomTable, arm: Arm) -> None:
    """Put a tile into the fingers, under them or before them, at any slant."""
    rng, thick = table.rng, table.look.tiles.thickness_mm
    pose: Pose = "up" if rng.random() < 0.6 else "down"
    ahead_x, ahead_y, _ = table.seat(arm.seat, 0.0, -float(rng.uniform(0, 22)), 0.0)
    low = arm.height_mm + 5 - 0.5 * thick
    lean = table.tipped(14.0) if rng.random() < 0.6 else (0.0, 0.0)
    z = max(low, 1.6 * thick)
    yaw = float(rng.normal(-90.0 * arm.seat, 20))
    table.put(None, arm.x_mm + ahead_x, arm.y_mm + ahead_y, z, yaw, pose, lean)


_REACH: dict[PropKind | RoomKind, tuple[float, float]] = {
    "cup": (52, 44), "phone": (38, 78), "stick": (5, 46), "chip": (20, 20), "die": (8, 8),
    "marker": (23, 31), "card": (30, 45), "rack": (202, 26), "block": (14, 19),
    "domino": (13, 25), "paper": (80, 110), "pen": (5, 70), "coins": (60, 60), "keys": (52, 90),
    "bottle": (37, 37), "bowl": (80, 80), "tissues": (56, 86), "lighter": (12, 42),
    "note": (37, 75), "tray": (204, 94),
}  # fmt: skip
_KINDS: tuple[PropKind | RoomKind, ...] = (
    "die", "die", "die", "stick", "stick", "chip", "chip", "card", "card", "block", "block",
    "domino", "domino", "marker", "keys", *_REACH,
)  # fmt: skip
_WHITE_ONES = ("block", "domino", "die", "stick", "marker", "card")


def random_things(table: RandomTable) -> tuple[Prop, ...]:
    """Draw other things; some are white, so that not everything white is a tile."""
    rng, half = table.rng, table.look.field_mm / 2
    found: list[Prop] = []
    for _ in range(int(rng.integers(0, 14))):
        kind = _KINDS[int(rng.integers(len(_KINDS)))]
        pale = rng.uniform(0.55, 0.9) * rng.uniform(0.92, 1.0, 3)
        white = rng.random() < (0.7 if kind in _WHITE_ONES else 0.35)
        colour = pale if white else rng.uniform(0.02, 0.9, 3)
        x, y = (float(at) for at in rng.uniform(-half, half, 2))
        yaw = float(rng.uniform(0, 360))
        if kind == "rack":
            x, y, yaw = table.seat(int(rng.integers(4)), float(rng.normal(0, 40)), half - 30, 0.0)
        size = float(np.exp(rng.normal(0, 0.12)))
        stretch = (size, size * float(np.exp(rng.normal(0, 0.05))), size)
        prop = Prop(kind, x, y, yaw, triple(colour), stretch, int(rng.integers(1 << 31)))
        inside = max(abs(x), abs(y)) < half - 45 or kind == "rack"
        if inside and _is_free(table, prop):
            found.append(prop)
    return tuple(found)


def _is_free(table: RandomTable, prop: Prop) -> bool:
    """Return whether no tile lies where the thing would lie."""
    turn = np.deg2rad(prop.yaw_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    wide, deep = _REACH[prop.kind]
    reach = 0.6 * table.look.tiles.height_mm
    for tile in table.tiles:
        dx, dy = tile.x_mm - prop.x_mm, tile.y_mm - prop.y_mm
        across, along = abs(cos * dx + sin * dy), abs(cos * dy - sin * dx)
        if np.hypot(max(across - wide, 0.0), max(along - deep, 0.0)) < reach:
            return False
    return True
