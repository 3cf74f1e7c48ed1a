"""Random cameras over random tables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from studio.camera.pinhole import PinholeCamera
from studio.materials.appearance import TableLook
from studio.scene import TableScene, TilePose, triple


def tile_width_px(camera: PinholeCamera, look: TableLook) -> float:
    """Return the width of a tile in the middle of the picture."""
    distance = float(np.linalg.norm(np.subtract((*camera.aim_mm, 0.0), camera.eye_mm)))
    return camera.focal_px * look.tiles.width_mm / distance


BEFORE_HANDS = 0.25
"""Share of the cameras that look at a standing row from its front or from behind."""
LOW_DEG = (20.0, 60.0)
"""How high above the cloth such a camera stands, as an angle at the row, ..."""
ASIDE_DEG = 22.0
"""... and how far beside the row's middle (spread)."""


def random_camera(
    rng: np.random.Generator,
    look: TableLook,
    scene: TableScene,
    width_px: int,
    height_px: int,
    before_hands: float = BEFORE_HANDS,
) -> PinholeCamera:
    """Draw a camera at any usual height and tilt, near enough to see tiles well."""
    standing = [tile for tile in scene.tiles if tile.pose == "standing"]
    if standing and rng.random() < before_hands:
        return _camera_before(
            standing[int(rng.integers(len(standing)))], rng, look, width_px, height_px
        )
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
    return _aimed(eye, aim, rng, look, width_px, height_px)


def _camera_before(
    tile: TilePose, rng: np.random.Generator, look: TableLook, width_px: int, height_px: int
) -> PinholeCamera:
    """Draw a camera as low as a phone on a stand or in a player's hand."""
    height = np.deg2rad(rng.uniform(*LOW_DEG))
    behind = 180.0 * (rng.random() < 0.35)
    # The face of a tile with yaw 0 looks down in the picture, along y.
    way = np.deg2rad(tile.yaw_deg + 90.0 + behind + rng.normal(0, ASIDE_DEG))
    far = rng.uniform(350, 1300)
    aim = np.array([tile.x_mm, tile.y_mm]) + rng.normal(0, 40, 2)
    level = far * np.cos(height) * np.array([np.cos(way), np.sin(way)])
    eye = np.array([*(aim + level), far * np.sin(height)])
    return _aimed(eye, aim, rng, look, width_px, height_px)


def _aimed(
    eye: NDArray[np.float64],
    aim: NDArray[np.float64],
    rng: np.random.Generator,
    look: TableLook,
    width_px: int,
    height_px: int,
) -> PinholeCamera:
    """Return the camera there, near enough to see tiles well."""
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
