"""Find the table by its edge, by the tiles on it, and by the four hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from vision.camera.pictures import Picture
from vision.table.calibrate import NoTable, find_table
from vision.table.hand_rows import table_by_hands
from vision.table.view import TableView
from vision.tiles.classes import DetectedTile, Side

AGREE: Final = 0.1
"""Share of a side by which the edge and the hands may disagree about a corner."""
LEAST_TILES: Final = 8
"""Fewer tiles do not tell anything about the table."""
FIELD_TILES: Final = (20.0, 42.0)
"""Length of a field in tile widths: 700 to 1000 mm with tiles of 20 to 40 mm."""
HELD: Final = 0.6
"""Least share of the tiles that lie on the table, because not every detection is a tile."""
ACROSS: Final = 26.0
"""Assumed length of a picture's shorter side, in tile widths. With a usual table it has 33: where
tiles are taken to be larger, the picture is read at a smaller size, and no fewer are found."""
NEAR: Final = (0.7, 1.4)
"""Tiles were read well if their width is within these factors of the assumed one."""


One = TypeVar("One", bound=DetectedTile)
ReadAtSize = Callable[[float | None], Sequence[One]]
"""Read the tiles of a picture, given their width in pixels if it is known."""


@dataclass(frozen=True)
class Search:
    """The result of a search for the table in one picture."""

    readings: Sequence[DetectedTile]
    view: TableView | None
    """None if no table was found."""


def look_for_table(
    read: ReadAtSize[DetectedTile], image_bgr: Picture, tile_px: float | None = None
) -> Search:
    """Read the tiles of a picture, and find the table by them and by its edge.

    ``tile_px``: how wide they were in another picture.
    """
    readings = tiles_in(read, (image_bgr.shape[1], image_bgr.shape[0]), tile_px)
    try:
        return Search(readings, table_in(image_bgr, readings))
    except NoTable:
        return Search(readings, None)


def tiles_in(
    read: ReadAtSize[One], picture_px: tuple[int, int], tile_px: float | None = None
) -> Sequence[One]:
    """The tiles of a picture that shows a table; ``tile_px``: how wide they were in another one.

    ``read`` first gets the likely width of a tile, which costs far less than every scale.
    """
    guess_px = tile_px or min(picture_px) / ACROSS
    readings = read(guess_px)
    if len(readings) < LEAST_TILES:
        return read(None)
    lying = [reading.corners_px for reading in readings if reading.side is not Side.STANDING]
    if len(lying) < LEAST_TILES:
        return readings
    sides_px = np.linalg.norm(np.diff(np.array(lying, np.float64), axis=1), axis=2)
    width_px = float(np.median(sides_px.min(axis=1)))
    if NEAR[0] < width_px / guess_px < NEAR[1]:
        return readings
    return read(width_px)


def table_in(image_bgr: Picture, readings: Sequence[DetectedTile]) -> TableView:
    """The table of a picture whose tiles have been read; raises ``NoTable``.

    Hands are inexact but hardly ever wrong. An edge is exact if it is the right one.
    """
    height, width = image_bgr.shape[:2]
    tiles_px = np.array([reading.corners_px for reading in readings], np.float64).reshape(-1, 4, 2)
    try:
        edge = find_table(image_bgr, tiles_px=tiles_px if len(tiles_px) >= LEAST_TILES else None)
    except NoTable:
        return table_by_hands(readings, (width, height))
    if not _plausible(edge, readings):
        return table_by_hands(readings, (width, height))
    try:
        hands = table_by_hands(readings, (width, height))
    except NoTable:
        return edge
    side_px = float(np.linalg.norm(np.diff(hands.field_px, axis=0), axis=1).mean())
    off_px = float(np.abs(edge.field_px - hands.field_px).max())
    return edge if off_px < AGREE * side_px else hands


def _plausible(view: TableView, readings: Sequence[DetectedTile]) -> bool:
    """Whether tiles of this size and in these places can be those of a game on this table."""
    lying = [reading.corners_px for reading in readings if reading.side is not Side.STANDING]
    if len(lying) < LEAST_TILES:
        return True
    corners_px = np.array(lying, np.float64).reshape(-1, 2)
    placed = view.to_table(corners_px, view.lying_mm).reshape(-1, 4, 2)
    width_mm = float(np.median(np.linalg.norm(np.diff(placed, axis=1), axis=2).min(axis=1)))
    across = view.size_mm[0] / max(width_mm, 1e-9)
    held = np.abs(placed.mean(axis=1)).max(axis=1) < view.size_mm[0] / 2
    return bool(FIELD_TILES[0] < across < FIELD_TILES[1] and held.mean() >= HELD)
