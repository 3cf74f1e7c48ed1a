"""Pictures of what is asked: the tiles upright, with nothing drawn over them, and where they lie.

The page, the report and the archive show the same pictures.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.camera.pictures import Picture
from vision.decoder.question import Question
from vision.draw import around, resized, with_rings
from vision.tiles.rectify import rectify

UPRIGHT_PX: Final = (130, 174)
"""Width and height of one tile with what lies beside it; the tile itself is 100 wide."""
BESIDE: Final = 0.15
"""What is shown on each side of a tile, in sides of the tile."""
IN_A_ROW: Final = 4
"""More tiles, such as a whole hand, fill rows of seven."""
GAP_PX: Final = 8
GROUND_BGR: Final = (40, 40, 40)
MARGIN_TILES: Final = 3.0
"""Margin around the ringed tiles, in tile widths: their neighbours tell how they lie."""
RING_TILES: Final = 0.9
"""Radius of a ring, in tile widths."""
OVERVIEW_PX: Final = 480


def upright(image_bgr: Picture, question: Question) -> Picture | None:
    """The tiles that a question is about, side by side; None where none shows its face."""
    tiles = [
        rectify(image_bgr, tile.corners_px(image_bgr), UPRIGHT_PX, BESIDE, cv2.INTER_LANCZOS4)
        for tile in question.tiles
        if tile.face_up
    ]
    if not tiles:
        return None
    columns = len(tiles) if len(tiles) <= IN_A_ROW else min(len(tiles), 7)
    rows = -(-len(tiles) // columns)
    width, height = (side + GAP_PX for side in UPRIGHT_PX)
    sheet = np.full((rows * height - GAP_PX, columns * width - GAP_PX, 3), GROUND_BGR, np.uint8)
    for place, tile in enumerate(tiles):
        row, column = divmod(place, columns)
        y, x = row * height, column * width
        sheet[y : y + UPRIGHT_PX[1], x : x + UPRIGHT_PX[0]] = tile
    return sheet


def overview(image_bgr: Picture, question: Question) -> Picture:
    """Where the tiles lie, each in a ring; the whole picture where no tile shows it."""
    drawn = image_bgr
    if question.tiles:
        corners = [tile.corners_px(image_bgr) for tile in question.tiles]
        middles = np.array([outline.mean(axis=0) for outline in corners])
        tile_px = float(np.median([np.linalg.norm(each[1] - each[0]) for each in corners]))
        drawn = with_rings(drawn, middles, RING_TILES * tile_px)
        drawn = around(drawn, [middles], MARGIN_TILES * tile_px)
    return resized(drawn, OVERVIEW_PX / drawn.shape[1])
