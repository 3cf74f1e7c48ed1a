"""Tiles that lean on others, lie crowded, or are swept into heaps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from studio.random_table.laying import RandomTable, apart
from studio.scene import Pose

STEP_MM = 2.0


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
