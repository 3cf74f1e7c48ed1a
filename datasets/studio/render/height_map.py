"""Height of things on the table, for shading where they block skylight."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.materials.appearance import TableLook
from studio.scene import TableScene, footprint

SPREAD_MM = 8.0


def height_map(
    scene: TableScene, look: TableLook, side_px: int, reach_mm: float, most_mm: float
) -> NDArray[np.uint8]:
    """Return (side, side) levels over a square of ``2 * reach_mm``; 255 is ``most_mm``; blurred."""
    per_mm = side_px / (2 * reach_mm)
    table = np.zeros((side_px, side_px), np.uint8)
    width, height = look.rim_mm
    if height:
        half = look.field_mm / 2
        outer, inner = (
            [round((sign * size + reach_mm) * per_mm) for sign in (-1, 1)]
            for size in (half + width, half)
        )
        table[slice(*outer), slice(*outer)] = _level(height, most_mm)
        table[slice(*inner), slice(*inner)] = 0
    if look.console_mm:
        side = round(look.console_mm / 2 * per_mm)
        centre = side_px // 2
        table[centre - side : centre + side, centre - side : centre + side] = _level(7, most_mm)
    for tile in sorted(scene.tiles, key=lambda tile: tile.z_mm):
        deep = look.tiles.thickness_mm if tile.pose == "standing" else look.tiles.height_mm
        tall = look.tiles.height_mm if tile.pose == "standing" else look.tiles.thickness_mm
        if tile.z_mm > 1.5 * tall:  # in the air, or on another tile
            continue
        quad = footprint(tile.x_mm, tile.y_mm, tile.yaw_deg, look.tiles.width_mm, deep)
        quad = (quad + reach_mm) * per_mm * 16
        level = _level(tile.z_mm + tall / 2, most_mm)
        cv2.fillConvexPoly(table, quad.round().astype(np.int32), level, cv2.LINE_AA, 4)
    return np.asarray(cv2.GaussianBlur(table, (0, 0), SPREAD_MM * per_mm), np.uint8)


def _level(height_mm: float, most_mm: float) -> int:
    return min(255, round(255 * height_mm / most_mm))
