"""Tiles that lie neither flat nor apart: leaning on others, swept into heaps."""

from __future__ import annotations

import numpy as np

from studio.laying import Table, apart
from studio.scene import Pose


def lay_leaning(table: Table) -> None:
    """Tiles that came to lie with one edge on another."""
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
        # The edge that is raised points back at the tile below.
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


def lay_heap(table: Table) -> None:
    """Tiles swept together: some on others, at any slant."""
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


def _crowded(table: Table, x: float, y: float) -> bool:
    """Whether another tile lies on others here already."""
    thick, reach = table.look.tiles.thickness_mm, table.look.tiles.height_mm
    return any(
        tile.z_mm > 1.2 * thick and np.hypot(tile.x_mm - x, tile.y_mm - y) < 1.1 * reach
        for tile in table.tiles
    )
