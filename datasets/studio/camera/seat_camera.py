"""A camera for one seat, such as a phone on a stand, that looks at the player's standing hand.

It stands behind the hand and a little above it, so that it sees the faces from the front.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.camera.pinhole import PinholeCamera
from studio.film.cameras import FilmCamera, FrameContent
from studio.render.label_geometry import FOREARM_MM, HAND_MM
from studio.scene import Arm, CameraState, Label, TableScene, TilePose, front
from studio.table.layout import Measures, seat_yaw_deg, to_table

BACK_MM: Final = (300.0, 460.0)  # distance from the hand
ABOVE_DEG: Final = (26.0, 46.0)
"""Angle at which it looks down; any lower, the rim would hide the tiles' feet."""
ASIDE_MM: Final = 45.0
ROLL_DEG: Final = 2.5
FILLED: Final = (0.74, 0.94)  # share of the picture's width that a hand of fourteen tiles fills
HAND_TILES: Final = 15
OWN_DEG: Final = 45.0  # a tile of the player's hand is turned by no more than this
LEAST_VISIBLE: Final = 0.05


@dataclass(frozen=True)
class SeatLabelCamera:
    """Labels the tiles of one standing hand in the picture of its camera."""

    table: Measures
    camera: PinholeCamera
    seat: int

    def look(self, scenes: Sequence[TableScene]) -> FrameContent:
        return FrameContent(self.labels(scenes[-1]))

    def labels(self, scene: TableScene) -> tuple[Label, ...]:
        """Return the tiles of the hand whose faces look at the camera, from left to right."""
        labels = []
        for tile in scene.tiles:
            if not self._in_hand(tile):
                continue
            table = self.table
            size_mm = (table.width_mm, table.height_mm, table.thickness_mm)
            corners = self.camera.project(front(tile, size_mm)).astype(np.float32)
            visible = self._visible(corners, scene.arms)
            if visible > LEAST_VISIBLE:
                labels.append(Label(tile.id, tile.tile, "face", corners, visible))
        return tuple(sorted(labels, key=lambda label: float(label.corners_px[:, 0].mean())))

    def _in_hand(self, tile: TilePose) -> bool:
        off = (tile.yaw_deg - seat_yaw_deg(self.seat) + 180) % 360 - 180
        _, v = to_table((4 - self.seat) % 4, tile.x_mm, tile.y_mm)
        near = v > self.table.hand_v - 2 * self.table.width_mm
        return tile.pose == "standing" and abs(off) < OWN_DEG and near

    def _visible(self, corners: NDArray[np.float32], arms: tuple[Arm, ...]) -> float:
        """Return the share of a face in the picture that the player's hand does not cover."""
        low, high = corners.min(axis=0), corners.max(axis=0)
        size = np.maximum(np.ceil(high - low), 1).astype(int) + 1
        patch = np.zeros((int(size[1]), int(size[0])), np.uint8)
        cv2.fillConvexPoly(patch, np.rint(corners - low).astype(np.int32), 1)
        whole = max(1, int(patch.sum()))
        for arm in arms:
            self._cover(patch, low, arm)
        left, top = np.maximum(np.ceil(-low), 0).astype(int)
        right = int(self.camera.width_px - low[0])
        bottom = int(self.camera.height_px - low[1])
        return float(patch[top : max(0, bottom), left : max(0, right)].sum()) / whole

    def _cover(self, patch: NDArray[np.uint8], low: NDArray[np.float32], arm: Arm) -> None:
        if arm.seat != self.seat:
            return
        # Only the part in front of the camera counts: the rest is beside it or behind it.
        tip = np.array([arm.x_mm, arm.y_mm, arm.height_mm + 20.0])
        shoulder = np.array([*to_table(self.seat, 0.0, self.table.half_mm + 250), 120.0])
        on_way = [tip + share * (shoulder - tip) for share in np.linspace(0, 1, 9)]
        forward = self.camera.axes()[2]
        for number, point in enumerate(on_way):
            depth = float((point - self.camera.eye_mm) @ forward)
            if depth < 60.0:
                return
            x, y = self.camera.project(point[None])[0] - low
            wide = (HAND_MM if number == 0 else FOREARM_MM) / 2
            radius = max(1, round(wide * self.camera.focal_px / depth))
            if abs(x) < 1e5 and abs(y) < 1e5:
                cv2.circle(patch, (round(float(x)), round(float(y))), radius, 0, -1)


class SeatFilmCamera:
    """Films one standing hand; a jolt of the camera above the table does not move it."""

    def __init__(self, eye: SeatLabelCamera, pictures: FilmCamera) -> None:
        self._eye, self._pictures = eye, pictures

    def look(self, scenes: Sequence[TableScene]) -> FrameContent:
        still = [replace(scene, sight=CameraState(light=scene.sight.light)) for scene in scenes]
        return replace(self._pictures.look(still), labels=self._eye.labels(still[-1]))


def draw_seat_camera(
    rng: random.Random, table: Measures, seat: int, width_px: int, height_px: int
) -> PinholeCamera:
    """Draw a camera behind a seat's hand, with all of the hand in its picture."""
    back, down = rng.uniform(*BACK_MM), math.radians(rng.uniform(*ABOVE_DEG))
    aside = rng.gauss(0, ASIDE_MM)
    high = table.height_mm / 2
    eye = to_table(seat, aside, table.hand_v + back * math.cos(down))
    aim = to_table(seat, rng.gauss(0, 6.0), table.hand_v - high / math.tan(down))
    roll = -seat_yaw_deg(seat) + rng.gauss(0, ROLL_DEG)
    camera = PinholeCamera(
        width_px, height_px, 1000.0, (*eye, high + back * math.sin(down)), aim, roll
    )
    ends = [
        (*to_table(seat, side * HAND_TILES / 2 * table.width_mm, table.hand_v), z)
        for side in (-1, 1)
        for z in (0.0, table.height_mm)
    ]
    filled = rng.uniform(*FILLED)
    pixels = camera.project(np.array(ends))
    # The whole hand stays in the picture, wherever its middle is.
    far = float(np.abs(pixels[:, 0] - width_px / 2).max())
    return replace(camera, focal_px=camera.focal_px * filled * width_px / 2 / far)
