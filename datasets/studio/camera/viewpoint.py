"""Random cameras over random tables."""

from __future__ import annotations

import numpy as np

from studio.camera.pinhole import PinholeCamera
from studio.materials.appearance import TableLook
from studio.scene import TableScene, triple


def tile_width_px(camera: PinholeCamera, look: TableLook) -> float:
    """Return the width of a tile in the middle of the picture."""
    distance = float(np.linalg.norm(np.subtract((*camera.aim_mm, 0.0), camera.eye_mm)))
    return camera.focal_px * look.tiles.width_mm / distance


def random_camera(
    rng: np.random.Generator, look: TableLook, scene: TableScene, width_px: int, height_px: int
) -> PinholeCamera:
    """Draw a camera at any usual height and tilt, near enough to see tiles well."""
    height_mm = rng.uniform(600, 1600)
    tilt = np.deg2rad(rng.uniform(0, 38) if rng.random() < 0.85 else rng.uniform(38, 58))
    where = rng.uniform(0, 2 * np.pi)
    tiles = scene.tiles
    if tiles:
        tile = tiles[int(rng.integers(len(tiles)))]
        aim = np.array([tile.x_mm, tile.y_mm]) * (
            rng.uniform(0.2, 1.0) if rng.random() < 0.4 else 1.0
        )
    else:
        aim = rng.uniform(-200, 200, 2)
    eye = np.array(
        [*(aim + height_mm * np.tan(tilt) * np.array([np.cos(where), np.sin(where)])), height_mm]
    )
    distance = float(np.linalg.norm(eye - [*aim, 0]))
    if rng.random() < 0.7:
        tile_px = np.clip(np.exp(rng.normal(np.log(38), 0.45)), 12, 120)
    else:
        tile_px = np.exp(rng.uniform(np.log(12), np.log(120)))
    return PinholeCamera(
        width_px,
        height_px,
        float(tile_px * distance / look.tiles.width_mm),
        triple(eye),
        (float(aim[0]), float(aim[1])),
        float(rng.uniform(-180, 180)),
        float(rng.normal(0, 0.03)),
    )
