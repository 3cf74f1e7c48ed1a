"""Compare the tiles of two looks at one region."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.arrays import Bools, Floats
from vision.camera.pictures import Region
from vision.detect import Detection
from vision.tiles.classes import Side


def within(tiles: Sequence[Detection], regions: Sequence[Region]) -> Bools:
    """(n,): whether each tile's centre lies in one of the regions."""
    middles = _corners(tiles).mean(axis=1)
    inside = np.zeros(len(tiles), bool)
    for region in regions:
        low, high = np.array(region[:2]), np.array(region[2:])
        inside |= ((middles >= low) & (middles < high)).all(axis=1)
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
    places = _corners(before).mean(axis=1)
    for tile in now:
        far = np.linalg.norm(places - tile.corners_px.mean(axis=0), axis=1)
        same = before[int(far.argmin())]
        if far.min() > near_px or tile.side is not same.side or tile.tile != same.tile:
            return False
        if tile.side is Side.FACE and not tile.tile.known:
            return False
    return True


def selected(tiles: Sequence[Detection], chosen: Bools) -> list[Detection]:
    return [tile for tile, taken in zip(tiles, chosen, strict=True) if taken]


def _corners(tiles: Sequence[Detection]) -> Floats:
    """(n, 4, 2)"""
    return np.array([tile.corners_px for tile in tiles], np.float32).reshape(-1, 4, 2)
