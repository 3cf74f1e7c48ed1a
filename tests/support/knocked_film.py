"""A film of three discards whose camera may be knocked."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.events import Discard
from engine.tiles import Tile
from tests.support.felt_film import Film
from tests.support.tables import VIEW, Read, read_at
from vision.camera.pictures import Picture

RIVER = {3.0: read_at(0, 120, "3s"), 6.0: read_at(120, 0, "9p"), 13.0: read_at(0, -120, "1m")}
EVENTS = [Discard(0, Tile("3s")), Discard(1, Tile("9p")), Discard(2, Tile("1m"))]
LASTS_S = 15.5
KNOCKED_S = (8.0, 8.6)
TO = np.array([[0.998, -0.035, 62.0], [0.035, 0.998, -41.0], [0.0, 0.0, 1.0]])
"""A knock that turns the picture by two degrees and moves it by two tiles."""


def floor() -> Picture:
    """What lies around the table, with patterns that can be found again."""
    rng = np.random.default_rng(8)
    coarse = rng.integers(40, 160, (54, 96, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, (1920, 1080), interpolation=cv2.INTER_LINEAR), np.uint8)


def laid_table() -> Picture:
    """Walls and rivers of faces and backs on a patterned floor."""
    picture = floor()
    cv2.fillConvexPoly(picture, np.rint(VIEW.field_px).astype(np.int32), (70, 110, 60))
    for row in range(9):
        for column in range(16):
            x, y = 600 + 45 * column, 180 + 80 * row
            face = (row + column) % 3
            colour = (225, 240, 242) if face else (60, 160, 90)
            cv2.rectangle(picture, (x, y), (x + 36, y + 50), colour, -1)
            if face:
                cv2.circle(picture, (x + 18, y + 25), 9, (30, 40, 160 * face), -1)
    return picture


class Knocked(Film):
    """A film whose camera is knocked and stands differently afterwards."""

    def __init__(self, to: NDArray[np.float64] = TO) -> None:
        super().__init__(RIVER, LASTS_S)
        self._to, self._floor = to, floor()

    def _seen(self, tile: Read) -> Read:
        corners = cv2.perspectiveTransform(tile.corners_px[None].astype(np.float64), self._pose())
        return replace(tile, corners_px=corners[0].astype(np.float32))

    def _pose(self) -> NDArray[np.float64]:
        begun, ended = KNOCKED_S
        share = float(np.clip((self._time_s - begun) / (ended - begun), 0, 1))
        swing = 25.0 * np.sin(37 * self._time_s) if 0 < share < 1 else 0.0
        pose = np.eye(3) + share * (self._to - np.eye(3))
        pose[:2, 2] += swing
        return np.asarray(pose, np.float64)

    def _picture(self) -> Picture:
        picture = self._floor.copy()
        cv2.fillConvexPoly(picture, np.rint(VIEW.field_px).astype(np.int32), (70, 110, 60))
        for tile in self._lying():
            cv2.fillConvexPoly(picture, np.rint(tile.corners_px).astype(np.int32), (230, 235, 235))
        return np.asarray(cv2.warpPerspective(picture, self._pose(), (1920, 1080)), np.uint8)
