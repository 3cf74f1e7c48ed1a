"""Small grey pictures of frames, and how much of one is seen again in another."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.arrays import Bytes, Floats
from vision.camera.decoded import shrunk

Marked = NDArray[np.bool_]
WIDTH_PX: Final = 192
BLOCK_PX: Final = 12
"""Side of the square blocks that are compared."""
TEXTURE_GREY: Final = 4.0
"""Least standard deviation of a block that shows anything."""
LEAST_BLOCKS: Final = 12
"""Fewer blocks that show anything cannot be compared."""
SAME: Final = 0.6
"""Least correlation of two blocks that show the same."""
CHANGED_GREY: Final = 6
CHANGED: Final = 0.12
"""Where fewer pixels have changed, nearly everything is kept."""


def small_of(grey: Bytes) -> Bytes:
    """(h, 192): a picture made small and soft; ``h`` is a whole number of blocks."""
    height, width = grey.shape
    rows = max(1, round(height * WIDTH_PX / width / BLOCK_PX))
    small = shrunk(grey, (WIDTH_PX, rows * BLOCK_PX))
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.uint8)


def share_kept(before: Bytes, now: Bytes) -> float:
    """Share of what a small picture showed that another one shows at the same place, 0..1.

    1 where the first picture shows too little to tell. The light may have changed.
    """
    if count_over(cv2.absdiff(before, now), CHANGED_GREY) < CHANGED * now.size:
        return 1.0
    one, other = _blocks(before), _blocks(now)
    texture = one.std(axis=1)
    use = texture > TEXTURE_GREY
    if int(use.sum()) < LEAST_BLOCKS:
        return 1.0
    scale = np.maximum(texture[use] * other[use].std(axis=1), 1e-3)
    alike = (_centred(one[use]) * _centred(other[use])).mean(axis=1) / scale
    return float((alike > SAME).mean())


def shows_anything(picture: Bytes) -> bool:
    """Whether a small picture is more than darkness, fog or a wall."""
    size = (picture.shape[1] // BLOCK_PX, picture.shape[0] // BLOCK_PX)
    grey = picture.astype(np.float32)
    # Of whole blocks this is their mean, at a fifth of the cost of ``_blocks``.
    mean, squares = (cv2.resize(one, size, interpolation=cv2.INTER_AREA) for one in (grey, grey**2))
    return int((squares - mean**2 > TEXTURE_GREY**2).sum()) >= LEAST_BLOCKS


def not_light(before: Bytes, now: Bytes) -> Floats:
    """(h, w): what a small picture shows that no other light on an earlier one explains.

    Light changes the brightness and the contrast of each block.
    """
    one, other = _blocks(before), _blocks(now)
    first, second = _centred(one), _centred(other)
    contrast = (first * second).sum(axis=1) / np.maximum((first * first).sum(axis=1), 1.0)
    rest = second - np.maximum(contrast, 0.0)[:, None] * first
    rows, columns = before.shape[0] // BLOCK_PX, before.shape[1] // BLOCK_PX
    cut = rest.reshape(rows, columns, BLOCK_PX, BLOCK_PX).swapaxes(1, 2)
    return np.asarray(cut.reshape(before.shape), np.float32)


def count_over(picture: Bytes | MatLike, grey: int) -> int:
    """How many pixels are brighter."""
    return cv2.countNonZero(cv2.threshold(picture, grey, 255, cv2.THRESH_BINARY)[1])


def blocks_with(marked: Marked) -> float:
    """Share of the blocks of a small picture in which any pixel is marked."""
    return float(_blocks(marked).any(axis=1).mean())


def blocks_over(picture: MatLike, grey: int) -> float:
    """Share of the blocks of a small picture in which any pixel is brighter."""
    columns, rows = picture.shape[1] // BLOCK_PX, picture.shape[0] // BLOCK_PX
    bright = cv2.threshold(picture, grey, 255, cv2.THRESH_BINARY)[1]
    # The mean of a block with one bright pixel is 255 / 144, which is rounded to 2.
    any_in = cv2.resize(bright, (columns, rows), interpolation=cv2.INTER_AREA)
    return float(cv2.countNonZero(any_in) / (rows * columns))


def _blocks(small: Bytes | Marked) -> Floats:
    """(n, 144)"""
    rows, columns = small.shape[0] // BLOCK_PX, small.shape[1] // BLOCK_PX
    cut = small.reshape(rows, BLOCK_PX, columns, BLOCK_PX).swapaxes(1, 2)
    return np.asarray(cut.reshape(rows * columns, BLOCK_PX * BLOCK_PX), np.float32)


def _centred(blocks: Floats) -> Floats:
    return np.asarray(blocks - blocks.mean(axis=1, keepdims=True), np.float32)
