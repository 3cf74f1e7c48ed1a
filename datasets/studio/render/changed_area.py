"""The part of a picture, and of its shadow maps, in which two scenes can differ."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.camera.pinhole import PinholeCamera
from studio.materials.appearance import Lamp, TableLook
from studio.scene import Arm, TableScene, TilePose

SurfacePoints = NDArray[np.float64]  # (n, 3) in table millimetres

Box = tuple[int, int, int, int]
"""Left, bottom, width, height in pixels, counted from the bottom left as OpenGL does."""

SHADOW_PX: Final = 1024
REACH_MM: Final = 800.0  # half the width of the area that a lamp's shadow map covers
MARGIN_PX: Final = 6
NEAREST_MM: Final = 60.0
ARM_MM: Final = 75.0
_CUBE: Final = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


@dataclass(frozen=True)
class RedrawArea:
    """What has to be drawn again."""

    picture_px: Box
    """In the picture before lens distortion."""
    shadows_px: tuple[Box, ...]
    """In each lamp's shadow map."""


def changed_part(
    camera: PinholeCamera, look: TableLook, before: TableScene, after: TableScene
) -> RedrawArea | None:
    """Return the area of everything that moved, with its shadows; None for the whole picture."""
    if before.props != after.props or before.sight != after.sight.lit(before.sight.light):
        return None
    clouds = [
        *_tile_clouds(look, set(before.tiles) ^ set(after.tiles)),
        *_arm_clouds(look, set(before.arms) ^ set(after.arms)),
    ]
    if not clouds:
        return RedrawArea((0, 0, 1, 1), ((0, 0, 1, 1),) * len(look.lamps))
    bodies = np.concatenate(clouds)
    points = np.concatenate([bodies, *_shadows(look, bodies)])
    if ((points - camera.eye_mm) @ camera.axes()[2]).min() < NEAREST_MM:
        return None  # beside the camera or behind it, where projection fails
    pixels = replace(camera, bulge=0.0).project(points)
    pixels[:, 1] = camera.height_px - pixels[:, 1]
    return RedrawArea(
        _box(pixels, camera.width_px, camera.height_px),
        tuple(_shadow_box(lamp, bodies) for lamp in look.lamps),
    )


def lamp_axes(lamp: Lamp) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the two unit vectors that span a lamp's shadow map."""
    direction = np.array(lamp.direction)
    first = np.cross(direction, [0.0, 1.0, 0.0])
    first /= np.linalg.norm(first)
    return first, np.cross(direction, first)


def _shadow_box(lamp: Lamp, points: SurfacePoints) -> Box:
    flat = np.stack([points @ axis for axis in lamp_axes(lamp)], axis=1)
    return _box((flat / REACH_MM + 1) / 2 * SHADOW_PX, SHADOW_PX, SHADOW_PX)


def _box(points: NDArray[np.float64], width: int, height: int) -> Box:
    """Return the pixel box around points (n, 2), clipped to the picture and never empty."""
    size = np.array([width, height])
    low = np.clip(np.floor(points.min(axis=0)).astype(int) - MARGIN_PX, 0, size - 1)
    high = np.clip(np.ceil(points.max(axis=0)).astype(int) + MARGIN_PX, low + 1, size)
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def _tile_clouds(look: TableLook, tiles: set[TilePose]) -> Iterator[SurfacePoints]:
    size = look.tiles.size_mm
    reach = float(np.hypot(size[0], size[1])) / 2
    for tile in tiles:
        yield _CUBE * reach + (tile.x_mm, tile.y_mm, tile.z_mm)


def _arm_clouds(look: TableLook, arms: set[Arm]) -> Iterator[SurfacePoints]:
    """Yield a box around a hand and around all that its arm may hide."""
    for arm in arms:
        tip = np.array([arm.x_mm, arm.y_mm, arm.height_mm])
        out = np.array([(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][arm.seat])
        along = tip[:2] - out * (tip[:2] @ out)
        far = look.field_mm / 2 + 420
        elbow = np.array([*(out * far + along * 0.55), 110.0])
        side = np.array([-out[1], out[0], 0.0]) * 60
        for point in (tip, elbow + side, elbow - side):
            yield _CUBE * ARM_MM + point


def _shadows(look: TableLook, points: SurfacePoints) -> Iterator[SurfacePoints]:
    """Yield where the lamps cast points onto the cloth."""
    for lamp in look.lamps:
        direction = np.array(lamp.direction)
        steps = np.maximum(points[:, 2:], 0.0) / max(0.2, -direction[2])
        soft = np.array([1.0, 1.0, 0.0]) * lamp.softness_mm * 2
        thrown = points + direction * steps
        yield thrown + soft
        yield thrown - soft
