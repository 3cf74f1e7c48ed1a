"""Tables drawn as a camera sees them, and the hands that stand on them."""

from __future__ import annotations

import cv2
import numpy as np

from tests.support.tables import TILE_MM, Read
from vision.camera.pictures import Picture
from vision.table.view import TableView, from_seat
from vision.tiles.classes import FACES, Side

PICTURE_PX = (1280, 720)
CORNERS = np.array([[400, 70], [900, 60], [980, 660], [310, 640]])
VIEW = TableView(tuple((float(x), float(y)) for x, y in CORNERS), (800, 800), PICTURE_PX)


def drawn(felt: tuple[int, int, int], rim: tuple[int, int, int] | None, tiles: bool) -> Picture:
    """A table seen aslant on a floor, colours in BGR."""
    rng = np.random.default_rng(3)
    picture = np.full((720, 1280, 3), (60, 75, 95), np.uint8)
    if rim is not None:
        middle = CORNERS.mean(axis=0)
        outer = np.rint(middle + 1.08 * (CORNERS - middle)).astype(np.int32)
        cv2.fillConvexPoly(picture, outer, rim)
    cv2.fillConvexPoly(picture, CORNERS.astype(np.int32), felt)
    if tiles:
        for x in range(450, 850, 22):
            cv2.rectangle(picture, (x, 560), (x + 20, 588), (230, 235, 235), -1)
        for x, y in rng.integers((450, 200), (800, 450), (25, 2)):
            cv2.rectangle(picture, (int(x), int(y)), (int(x) + 20, int(y) + 27), (235,) * 3, -1)
    light = np.linspace(0.8, 1.1, 1280)[None, :, None]
    noise = rng.normal(0, 4, picture.shape)
    return np.clip(picture * light + noise, 0, 255).astype(np.uint8)


def hands(view: TableView, count: int = 13, noise_px: float = 0.8) -> list[Read]:
    """Standing tiles before all players; which of their sides is the upper one is not told."""
    rng = np.random.default_rng(3)
    thick = 0.75 * TILE_MM
    size = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([TILE_MM, thick]) / 2
    found = []
    for seat in range(4):
        for place in range(count):
            own = size + np.array([-200.0 + (TILE_MM + 0.4) * place, 345.0])
            seen = view.to_image(from_seat(own, seat), view.standing_mm)
            seen = np.roll(seen, 2 * int(rng.integers(2)), axis=0)
            seen = seen + rng.normal(0, noise_px, (4, 2))
            none = np.zeros(len(FACES), np.float32)
            found.append(Read(Side.STANDING, seen.astype(np.float32), 0.9, none))
    return found
