"""Regions and their tiles: those of two looks are compared, and moved with a swinging camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.arrays import Bools, Doubles, Floats
from vision.camera.pictures import Region
from vision.detect import Detection
from vision.tiles.classes import Side

FOUND: Final = 0.45
"""A tile is found where a reading lies within so many tile widths of it."""


def within(tiles: Sequence[Detection], regions: Sequence[Region]) -> Bools:
    """(n,): whether each tile's centre lies in one of the regions."""
    places = middles(tiles)
    inside = np.zeros(len(tiles), bool)
    for region in regions:
        low, high = np.array(region[:2]), np.array(region[2:])
        inside |= ((places >= low) & (places < high)).all(axis=1)
    return inside


def whole_in(tiles: Sequence[Detection], region: Region, picture_px: tuple[int, int]) -> Bools:
    """(n,): whether the region holds the whole tile; the picture's own edges cut nothing."""
    corners = _corners(tiles)
    low, high = corners.min(axis=1), corners.max(axis=1)
    start, end = np.array(region[:2]), np.array(region[2:])
    cut = (start > 0) & (low < start + 1)
    cut |= (end < np.array(picture_px)) & (high > end - 1)
    return np.asarray(~cut.any(axis=1))


def agree(before: Sequence[Detection], now: Sequence[Detection], near_px: float) -> bool:
    """Whether two looks show the same tiles in the same places, with every face known."""
    if len(before) != len(now):
        return False
    if not now:
        return True
    places = middles(before)
    for tile in now:
        far = np.linalg.norm(places - tile.corners_px.mean(axis=0), axis=1)
        same = before[int(far.argmin())]
        if far.min() > near_px or tile.side is not same.side or tile.tile != same.tile:
            return False
        if tile.side is Side.FACE and not tile.tile.known:
            return False
    return True


def missing_px(
    tiles: Sequence[Detection], lying_px: Doubles, region: Region, tile_px: float
) -> Doubles:
    """(m, 2): those of the places (n, 2) well inside a region where tiles lie that have no tile."""
    low, high = np.array(region[:2]) + tile_px, np.array(region[2:]) - tile_px
    inside_px = lying_px[((lying_px > low) & (lying_px < high)).all(axis=1)]
    far_px = np.linalg.norm(inside_px[:, None] - middles(tiles)[None], axis=2)
    return np.asarray(inside_px[far_px.min(axis=1, initial=np.inf) > FOUND * tile_px])


def selected(tiles: Sequence[Detection], chosen: Bools) -> list[Detection]:
    return [tile for tile, taken in zip(tiles, chosen, strict=True) if taken]


def tiles_moved(tiles: Sequence[Detection], shift: Doubles) -> list[Detection]:
    """The tiles as they lie in another picture; ``shift`` (3, 3) is affine."""
    linear, by = shift[:2, :2].T, shift[:2, 2]
    return [
        replace(tile, corners_px=np.asarray(tile.corners_px @ linear + by, np.float32))
        for tile in tiles
    ]


def region_around(tile: Detection) -> Region:
    """The pixels that show a tile."""
    (x0, y0), (x1, y1) = tile.corners_px.min(axis=0).tolist(), tile.corners_px.max(axis=0).tolist()
    return int(x0), int(y0), int(x1) + 2, int(y1) + 2


def region_moved(region: Region, shift: Doubles, picture_px: tuple[int, int]) -> Region:
    """The smallest region that holds this one in another picture, cut at the picture's edges."""
    x0, y0, x1, y1 = region
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float64)
    moved = corners @ shift[:2, :2].T + shift[:2, 2]
    low = np.clip(np.floor(moved.min(axis=0)), 0, picture_px).astype(int)
    high = np.clip(np.ceil(moved.max(axis=0)), 0, picture_px).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def middles(tiles: Sequence[Detection]) -> Doubles:
    """(n, 2)"""
    return np.asarray(_corners(tiles).mean(axis=1), np.float64)


def _corners(tiles: Sequence[Detection]) -> Floats:
    """(n, 4, 2)"""
    return np.array([tile.corners_px for tile in tiles], np.float32).reshape(-1, 4, 2)
