"""Labels of a scene from geometry alone, without rendering; occlusion is approximate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.camera.pinhole import PinholeCamera
from studio.scene import SIDES, Arm, Label, TableScene, TilePose
from studio.table.layout import Measures, to_table

SHRINK = 2
LEVEL_MM = 4.0
LEAST_SEEN = 0.04
FOREARM_MM, HAND_MM = 72.0, 84.0
_CORNERS = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True)
class Geometry:
    """Computes labels from the table's sizes and the camera."""

    table: Measures
    camera: PinholeCamera

    def labels(self, scene: TableScene) -> tuple[Label, ...]:
        """Return the outline of every tile that is at least partly visible."""
        if not scene.tiles:
            return ()
        bodies = np.stack([_body(self.table, tile) for tile in scene.tiles])
        flat = self.camera.project(bodies.reshape(-1, 3)).reshape(len(bodies), 8, 2)
        tops = flat[:, :4]
        picture = np.zeros(
            (self.camera.height_px // SHRINK, self.camera.width_px // SHRINK), np.int32
        )
        fixed = np.rint(flat / SHRINK).astype(np.int32)
        centres = np.array([[t.x_mm, t.y_mm, t.z_mm] for t in scene.tiles])
        far = np.linalg.norm(centres - np.array(self.camera.eye_mm), axis=1)
        areas = np.zeros(len(bodies))
        # Higher things hide lower ones; at equal height the nearer hides the farther.
        levels = np.round(centres[:, 2] / LEVEL_MM)
        for index in np.lexsort((-far, levels)):
            hull, areas[index] = _hull_and_area(fixed[index].tobytes())
            cv2.fillConvexPoly(picture, hull, 0)
            cv2.fillConvexPoly(picture, fixed[index, :4], int(index) + 1)
        for arm in scene.arms:
            self._cover(picture, arm)
        shown = np.bincount(picture.ravel(), minlength=len(bodies) + 1)[1:]
        return tuple(
            Label(
                tile.id,
                tile.tile,
                SIDES[tile.pose],
                tops[index].astype(np.float32),
                float(min(1.0, shown[index] / areas[index])),
            )
            for index, tile in enumerate(scene.tiles)
            if shown[index] >= LEAST_SEEN * areas[index]
        )

    def _cover(self, picture: NDArray[np.int32], arm: Arm) -> None:
        """Erase what a hand with its forearm hides."""
        u, _ = to_table((4 - arm.seat) % 4, arm.x_mm, arm.y_mm)
        shoulder = to_table(arm.seat, u * 0.5, self.table.half_mm + 250)
        ends = np.array(
            [
                [arm.x_mm, arm.y_mm, arm.height_mm],
                [*shoulder, 120.0],
                [arm.x_mm + 10.0, arm.y_mm, arm.height_mm],
            ]
        )
        tip, root, beside = self.camera.project(ends) / SHRINK
        scale = float(np.linalg.norm(beside - tip)) / 10.0
        start = (round(float(tip[0])), round(float(tip[1])))
        end = (round(float(root[0])), round(float(root[1])))
        cv2.line(picture, start, end, 0, max(1, round(FOREARM_MM * scale)))
        cv2.circle(picture, start, max(1, round(HAND_MM * scale / 2)), 0, -1)


@lru_cache(maxsize=1024)
def _body(table: Measures, tile: TilePose) -> NDArray[np.float64]:
    """Return corners (8, 3): the upper side clockwise from its own top left, then the lower."""
    width, height = table.width_mm, table.height_mm
    thickness = table.thickness_mm
    deep, tall = (thickness, height) if tile.pose == "standing" else (height, thickness)
    turn = np.radians(tile.yaw_deg)
    cos, sin = np.cos(turn), np.sin(turn)
    flat = _CORNERS * (width, deep) @ np.array([[cos, sin], [-sin, cos]])
    flat += (tile.x_mm, tile.y_mm)
    upper = np.column_stack([flat, np.full(4, tile.z_mm + tall / 2)])
    lower = np.column_stack([flat, np.full(4, tile.z_mm - tall / 2)])
    return np.vstack([upper, lower])


@lru_cache(maxsize=4096)
def _hull_and_area(pixels: bytes) -> tuple[NDArray[np.int32], float]:
    """The outline of a body (8, 2) and how many pixels ``fillConvexPoly`` sets for its upper side,
    border included; most tiles lie still from frame to frame."""
    body = np.frombuffer(pixels, np.int32).reshape(8, 2)
    upper = body[:4] - body[:4].min(axis=0)
    width, height = upper.max(axis=0) + 1
    patch = np.zeros((int(height), int(width)), np.uint8)
    cv2.fillConvexPoly(patch, upper, 1)
    return np.asarray(cv2.convexHull(body), np.int32), max(1.0, float(patch.sum()))
