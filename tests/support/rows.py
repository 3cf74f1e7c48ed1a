"""Rows of standing tiles as a seat's camera would give them, without pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.tiles import Tile, parse
from vision.seat_camera.row_reader import StandingRow
from vision.seat_camera.standing_hand import HandWatch
from vision.tiles.classes import FACE_INDEX, FACES

STEP_S = 0.25
TILE_PX = 50.0


def shares(tile: Tile, sure: float = 0.95) -> NDArray[np.float64]:
    """(38,) a reading of this face; what is left is shared by all."""
    faces = np.full(len(FACES), (1 - sure) / len(FACES))
    faces[FACE_INDEX[str(tile)]] += sure
    return faces


def row(
    tiles: str, shift_tiles: float = 0.0, without: int | None = None, sure: float = 0.95
) -> StandingRow:
    """A row of these tiles, side by side; ``without`` one place that no tile is found at."""
    faces = parse(tiles)
    kept = [place for place in range(len(faces)) if place != without]
    middles = np.array([(100 + TILE_PX * (place + shift_tiles), 300.0) for place in kept])
    quad = np.array([[-0.5, -0.66], [0.5, -0.66], [0.5, 0.66], [-0.5, 0.66]]) * TILE_PX
    return StandingRow(
        np.array([shares(faces[place], sure) for place in kept]),
        middles[:, None] + quad,
        np.array(kept, float) + shift_tiles,
    )


def watched(
    *hands: tuple[float, float, str], sure: float = 0.95, hands_so_far: HandWatch | None = None
) -> HandWatch:
    """What is known of a seat that held these hands, each from one moment to another."""
    watch = HandWatch() if hands_so_far is None else hands_so_far
    for from_s, to_s, tiles in hands:
        for time_s in np.arange(from_s, to_s, STEP_S):
            watch.look(float(time_s), row(tiles, sure=sure))
    return watch
