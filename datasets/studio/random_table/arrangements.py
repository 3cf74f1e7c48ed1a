"""Random tables for training: tiles in rows, piles, heaps and crowds, or leaning on others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from studio.materials.appearance import TableLook
from studio.random_table.hands_and_things import random_arms, random_things
from studio.random_table.laying import RandomTable, apart
from studio.scene import Pose, TableScene

STEP_MM = 2.0  # of a tile that is pushed towards others


_CLOSED = ((0, 3), (1, 2), (0, 1, 2, 3))  # tiles of a closed kong that lie backs up; customs differ


def _row(
    table: RandomTable, seat: int, x: float, y: float, count: int, pose: Pose, back_deg: float = 0.0
) -> None:
    rng, width = table.rng, table.look.tiles.width_mm
    step = width * (1 + abs(rng.normal(0, 0.02)))
    bend, wobble = rng.normal(0, 0.03), rng.uniform(0, 2.0)
    for place in range(count):
        if rng.random() < 0.02:
            continue
        gap = 10.0 if place == count - 1 and rng.random() < 0.3 else 0.0
        at = (x + place * step + gap, y + bend * place * step + rng.normal(0, 0.02) * width)
        lean = (back_deg + float(rng.normal(0, 1.0)), 0.0) if back_deg else (0.0, 0.0)
        table.lay(*table.seat(seat, *at, rng.normal(0, wobble)), pose, lean=lean)


def _hands(table: RandomTable) -> None:
    rng, width = table.rng, table.look.tiles.width_mm
    y = table.look.field_mm / 2 - rng.uniform(0.8, 2.6) * table.look.tiles.height_mm
    for seat in range(4):
        count = int(rng.integers(10, 15) if rng.random() < 0.65 else rng.integers(1, 14))
        how = str(rng.choice(["standing", "up", "down"], p=[0.72, 0.18, 0.10]))
        poses: dict[str, Pose] = {"standing": "standing", "up": "up", "down": "down"}
        x = -count * width / 2 + rng.normal(0, 30)
        racked = how == "standing" and rng.random() < 0.25  # leaning on a rack, faces up a little
        back = float(rng.uniform(3, 24)) if racked else 0.0
        _row(table, seat, x, y + rng.normal(0, 5), count, poses[how], back)
        _melds(table, seat, x + count * width + rng.uniform(20, 60), y)


def _melds(table: RandomTable, seat: int, x: float, y: float) -> None:
    rng = table.rng
    width, height, _ = table.look.tiles.size_mm
    for _ in range(int(rng.integers(0, 4))):
        count, turned = (4 if rng.random() < 0.3 else 3), int(rng.integers(-1, 4))
        hidden: tuple[int, ...] = ()
        if count == 4 and rng.random() < 0.5:
            hidden, turned = _CLOSED[int(rng.integers(len(_CLOSED)))], -1
        for place in range(count):
            sideways = place == turned
            wide = height if sideways else width
            pose: Pose = "down" if place in hidden else "up"
            lower = (height - width) / 2 if sideways else 0.0
            spot = table.seat(seat, x + wide / 2, y + lower, -90.0 if sideways else 0.0)
            laid = table.lay(spot[0], spot[1], spot[2] + rng.normal(0, 1.5), pose)
            if laid and place == max(turned, 0) and count == 3 and rng.random() < 0.12:
                _added(table, seat, x + wide / 2, y + lower, spot, width if sideways else height)
            x += wide * 1.01
        x += rng.uniform(1, 12)


def _added(
    table: RandomTable, seat: int, x: float, y: float, spot: tuple[float, float, float], deep: float
) -> None:
    """Lay the fourth tile of an added kong on or beside one of the set."""
    if table.rng.random() < 0.5:
        table.lay(*spot, "up", level=1)
    else:
        table.lay(*table.seat(seat, x, y - deep * 1.01, spot[2] + 90 * seat), "up")


def _pile(table: RandomTable) -> None:
    """Lay loose discards in the middle, at any angle."""
    rng, spread = table.rng, table.look.field_mm * table.rng.uniform(0.06, 0.2)
    middle = rng.normal(0, 40, 2)
    shown = rng.uniform(0.75, 1.0)
    for _ in range(int(rng.integers(10, 100))):
        pose: Pose = "up" if rng.random() < shown else "down"
        if rng.random() < 0.02:
            pose = "standing"
        at = middle + rng.normal(0, spread, 2)
        table.lay(float(at[0]), float(at[1]), rng.uniform(0, 360), pose)


def _rivers(table: RandomTable) -> None:
    rng = table.rng
    width, height, _ = table.look.tiles.size_mm
    for seat in range(4):
        y = rng.uniform(80, 130)
        for place in range(int(rng.integers(0, 20))):
            line, column = divmod(place, 6)
            yaw = -90.0 if rng.random() < 0.04 else rng.normal(0, 2)
            x = (column - 2.5) * width * 1.03 + rng.normal(0, 0.6)
            table.lay(*table.seat(seat, x, y + line * height * 1.04, yaw), "up")


def _walls(table: RandomTable) -> None:
    rng = table.rng
    width, height, _ = table.look.tiles.size_mm
    y = table.look.field_mm / 2 - height * rng.uniform(2.6, 4.2)
    for seat in range(4):
        count = int(rng.integers(10, 19) if rng.random() < 0.5 else rng.integers(2, 18))
        skew = rng.normal(0, 1.5)
        for place in range(count):
            x = (place - count / 2) * width * 1.005 + rng.normal(0, 0.2)
            spot = table.seat(seat, x, y + np.tan(np.deg2rad(skew)) * x, skew)
            if table.lay(*spot, "down") and not (place in (0, count - 1) and rng.random() < 0.4):
                pose: Pose = "up" if rng.random() < 0.02 else "down"
                table.lay(spot[0] + rng.normal(0, 0.5), spot[1], spot[2], pose, level=1)


def _rows_close(table: RandomTable) -> None:
    """Lay open tiles in blocks and rows, as people photograph them."""
    rng = table.rng
    width, height, _ = table.look.tiles.size_mm
    turn = rng.uniform(0, 360) if rng.random() < 0.4 else rng.normal(0, 4)
    c, s = np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))
    gap = 1.0 + abs(rng.normal(0, 0.04))
    upset = rng.random() < 0.3
    for line in range(int(rng.integers(1, 6))):
        for place in range(int(rng.integers(2, 15))):
            x, y = (place - 6) * width * gap, (line - 2) * height * gap * 1.02
            yaw = turn + rng.normal(0, 1.5) + (180 * int(rng.integers(2)) if upset else 0)
            pose: Pose = "down" if rng.random() < 0.03 else "up"
            table.lay(c * x - s * y, s * x + c * y, yaw, pose)


def lay_leaning(table: RandomTable) -> None:
    """Lay tiles with one edge on another tile."""
    rng = table.rng
    width, height, thick = table.look.tiles.size_mm
    flat = [tile for tile in table.tiles if tile.pose != "standing" and tile.z_mm < thick]
    for _ in range(int(rng.integers(1, 7))):
        if not flat:
            return
        below = flat[int(rng.integers(len(flat)))]
        side = int(rng.integers(4))
        long, reach = (height, width / 2) if side % 2 else (height, height / 2)
        along = rng.random() < 0.5
        long = height if along else width
        lean = float(np.rad2deg(np.arcsin(min(0.9, thick * rng.uniform(0.35, 1.0) / long))))
        way = np.deg2rad(below.yaw_deg + (90.0 if side % 2 == 0 else 0.0) + 180 * (side // 2))
        far = reach + 0.5 * long * np.cos(np.deg2rad(lean)) - rng.uniform(0, 0.3) * long
        x, y = below.x_mm + far * np.cos(way), below.y_mm + far * np.sin(way)
        # The raised edge points back at the tile below.
        yaw = float(np.rad2deg(way)) + (90.0 if along else 180.0)
        tip = (lean, 0.0) if along else (0.0, -lean)
        pose: Pose = "up" if rng.random() < 0.8 else "down"
        if pose == "down":
            tip = (-tip[0], tip[1]) if along else (tip[0], tip[1])
        near = [other for other in table.tiles if other is not below]
        if any(not apart(table.look, (x, y, yaw, pose), other) for other in near):
            continue
        z = 0.5 * (thick * np.cos(np.deg2rad(lean)) + long * np.sin(np.deg2rad(lean)))
        if max(abs(x), abs(y)) < table.look.field_mm / 2 - height:
            table.put(None, x, y, float(z), yaw, pose, tip)


def lay_crowd(table: RandomTable) -> None:
    """Lay many tiles close together without order, as after many discards."""
    rng, look = table.rng, table.look
    side = np.sqrt(look.tiles.width_mm * look.tiles.height_mm)
    middle = rng.uniform(-0.15, 0.15, 2) * look.field_mm
    count = int(rng.integers(25, 90))
    reach = side * np.sqrt(count) * rng.uniform(0.75, 1.0)
    shown, turned = rng.uniform(0.6, 1.0), rng.random() < 0.7
    first = len(table.tiles)
    for _ in range(4 * count):
        pose: Pose = "up" if rng.random() < shown else "down"
        x, y = (float(at) for at in middle + rng.uniform(-0.5, 0.5, 2) * reach * 1.25)
        yaw = float(rng.uniform(0, 360) if turned else rng.normal(0, 12))
        table.lay(x, y, yaw, pose)
        if len(table.tiles) == first + count:
            break
    if rng.random() < 0.8:
        _pushed_together(table, first, middle)


def _pushed_together(table: RandomTable, first: int, middle: NDArray[np.float64]) -> None:
    """Slide the tiles from this one on towards a place until others stop them."""
    keep = table.look.console_mm / 2 + table.look.tiles.height_mm
    for far in sorted(
        table.tiles[first:], key=lambda tile: np.hypot(*(middle - (tile.x_mm, tile.y_mm)))
    ):
        way = middle - (far.x_mm, far.y_mm)
        steps = int(np.hypot(*way) // STEP_MM)
        for _ in range(steps):
            now = table.tiles[far.id]
            x, y = (float(at) for at in way / steps + (now.x_mm, now.y_mm))
            at = (x, y, now.yaw_deg, now.pose)
            if table.look.console_mm and max(abs(x), abs(y)) < keep:
                break
            if any(
                other.id != far.id
                and np.hypot(other.x_mm - x, other.y_mm - y) < 1.7 * table.look.tiles.height_mm
                and not apart(table.look, at, other)
                for other in table.tiles
            ):
                break
            table.tiles[far.id] = replace(now, x_mm=x, y_mm=y)


def lay_heap(table: RandomTable) -> None:
    """Sweep tiles together: some lie on others, at any slant."""
    rng = table.rng
    middle = rng.uniform(-0.3, 0.3, 2) * table.look.field_mm
    spread = rng.uniform(30, 90)
    for _ in range(int(rng.integers(6, 40))):
        pose: Pose = "up" if rng.random() < 0.7 else ("down" if rng.random() < 0.8 else "standing")
        x, y = (float(at) for at in middle + rng.normal(0, spread, 2))
        yaw = float(rng.uniform(0, 360))
        if not table.lay(x, y, yaw, pose) and rng.random() < 0.5 and pose != "standing":
            lean = table.tipped(12.0)
            inside = max(abs(x), abs(y)) < table.look.field_mm / 2 - 40
            if inside and not _crowded(table, x, y):
                table.put(
                    None, x, y, table.rest_mm(pose, lean) + table.look.tiles.thickness_mm, yaw,
                    pose, lean,
                )  # fmt: skip


def _crowded(table: RandomTable, x: float, y: float) -> bool:
    """Return whether another tile lies on others here already."""
    thick, reach = table.look.tiles.thickness_mm, table.look.tiles.height_mm
    return any(
        tile.z_mm > 1.2 * thick and np.hypot(tile.x_mm - x, tile.y_mm - y) < 1.1 * reach
        for tile in table.tiles
    )


_PARTS: tuple[tuple[float, Callable[[RandomTable], None]], ...] = (
    (0.80, _hands),
    (0.60, _walls),
    (0.40, _rivers),
    (0.60, _pile),
    (0.12, lay_crowd),
    (0.10, lay_heap),
    (0.35, lay_leaning),
)


def random_scene(rng: np.random.Generator, look: TableLook, codes: Sequence[str]) -> TableScene:
    """Draw a table in the middle of a game, or tiles laid out for a picture."""
    table = RandomTable(look, rng, codes)
    if rng.random() < 0.35:
        _rows_close(table)
    for chance, part in _PARTS:
        if rng.random() < chance:
            part(table)
    arms = random_arms(table)
    return TableScene(tuple(table.tiles), arms, random_things(table))
