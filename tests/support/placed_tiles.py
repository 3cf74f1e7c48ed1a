"""Tiles that lie at a place of a picture, and looks that see them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.tiles import Tile
from vision.arrays import Floats
from vision.camera.frames import Frame
from vision.decoder.decoding import Decoding
from vision.draw import DrawableTile
from vision.notice import Notice
from vision.tiles.classes import Side


@dataclass(frozen=True, eq=False)
class PlainLookResult:
    """A ``LookResult`` as a plain value."""

    frame: Frame
    detections: tuple[DrawableTile, ...] = ()
    decoding: Decoding | None = None
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, eq=False)
class Lying:
    side: Side
    corners_px: Floats
    tile: Tile


def at(x: float, tile: str, side: Side = Side.FACE) -> Lying:
    corners = np.array([[x, 300], [x + 26, 300], [x + 26, 335], [x, 335]], np.float32)
    return Lying(side, corners, Tile(tile))


def look(time_s: float, *tiles: Lying) -> PlainLookResult:
    picture = np.full((90, 160, 3), (40, 90, 40), np.uint8)
    return PlainLookResult(Frame(picture, time_s, round(time_s * 10)), tiles)
