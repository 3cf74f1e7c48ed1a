"""Frames of felt on which tiles appear, and a detector that knows what lies there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from tests.support.tables import VIEW, Read, read_at
from vision.camera.frames import Frame
from vision.camera.pictures import Picture, Region
from vision.detect import Detection
from vision.table.view import HEIGHT_SHARE, THICKNESS_SHARE, from_seat
from vision.tiles.classes import Side

FPS = 5
PLAIN = np.full((1080, 1920, 3), (70, 110, 60), np.uint8)


def hand(seat: int, count: int) -> list[Read]:
    row = [from_seat(np.array([-200 + 30.5 * place, 345.0]), seat) for place in range(count)]
    return [_turned(read_at(0, 0, side=Side.STANDING), seat, x, y) for x, y in row]


def _turned(tile: Read, seat: int, x: float, y: float) -> Read:
    own = VIEW.to_table(tile.corners_px.astype(float), VIEW.standing_mm)
    own *= np.array([1.0, THICKNESS_SHARE / HEIGHT_SHARE])  # its upper edge, not its face
    corners = VIEW.to_image(from_seat(own, seat) + np.array([x, y]), VIEW.standing_mm)
    return Read(tile.side, corners.astype(np.float32), tile.score, tile.probabilities)


HANDS = [tile for seat in range(4) for tile in hand(seat, 14 if seat == 0 else 13)]


class Film:
    """Frames of a table on which tiles appear one after the other, and a detector of them."""

    def __init__(self, arrivals: dict[float, Read], lasts_s: float) -> None:
        self.arrivals, self.lasts_s = arrivals, lasts_s
        self.reads: list[Region | None] = []
        self._time_s = 0.0

    def frames(self) -> Iterator[Frame]:
        for index in range(round(self.lasts_s * FPS)):
            self._time_s = index / FPS
            yield Frame(self._picture(), self._time_s, index)

    def read(
        self,
        image_bgr: Picture,
        region: Region | None = None,
        tile_px: float | None = None,
        beside: Sequence[Detection] = (),
    ) -> list[Detection]:
        self.reads.append(region)
        x0, y0, x1, y1 = region or (0, 0, 1920, 1080)
        found = []
        for tile in map(self._seen, self._lying()):
            x, y = tile.corners_px.mean(axis=0)
            if x0 <= x < x1 and y0 <= y < y1:
                found.append(tile.detected())
        return found

    def _seen(self, tile: Read) -> Read:
        """A tile as it is seen from where the camera stands now."""
        return tile

    def _lying(self) -> list[Read]:
        return HANDS + [tile for time_s, tile in self.arrivals.items() if time_s <= self._time_s]

    def _picture(self) -> Picture:
        picture = PLAIN.copy()
        for tile in self._lying():
            cv2.fillConvexPoly(picture, np.rint(tile.corners_px).astype(np.int32), (230, 235, 235))
        return picture
