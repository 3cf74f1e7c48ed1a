"""Pictures out of proportion: a row of tiles that someone cut out and stretched to a square.

A camera never makes them, published collections do. A tile many times as wide as high is nothing
that the finder knows, so such a picture is squeezed until tiles fill it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles.boxes import Boxes, corners_of

SQUEEZE: Final = 8.0
"""By how much one side is squeezed to begin with; what is found then says how far it should be."""
FILLED: Final = 0.22
"""Tiles cover so much of a picture that somebody cut out around them."""
LEAST_TILES: Final = 5
SHAPE: Final = 0.75
"""Width of a tile over its height."""
SQUARE: Final = 1.2
"""A shape within this factor of a square does not say which side is the short one."""
LEAST_SIDE_PX: Final = 24
ENOUGH: Final = 1.25
"""A squeeze that is right within this factor needs no other."""

Find = Callable[[NDArray[np.uint8]], Boxes]


def squeezed(image_bgr: NDArray[np.uint8], find: Find, found: Boxes) -> tuple[float, float]:
    """How a picture's width and height are to be scaled so that its tiles have their true shape.

    ``found`` is what ``find`` says of the picture as it is; (1, 1) where the picture is no square,
    where tiles fill it already, or where no squeezing makes it so.
    """
    best, best_worth = (1.0, 1.0), FILLED
    if image_bgr.shape[0] != image_bgr.shape[1] or _covered(found, image_bgr) >= FILLED:
        return best
    for scales in ((1 / SQUEEZE, 1.0), (1.0, 1 / SQUEEZE)):
        mended, worth = _measured(image_bgr, find, scales)
        if worth > best_worth:
            best, best_worth = mended, worth
    return best


def scaled(image_bgr: NDArray[np.uint8], scales: tuple[float, float]) -> NDArray[np.uint8]:
    """The picture with its width and height scaled, neither to less than ``LEAST_SIDE_PX``."""
    height, width = image_bgr.shape[:2]
    wide, high = (round(side * by) for side, by in zip((width, height), scales, strict=True))
    size = (max(LEAST_SIDE_PX, wide), max(LEAST_SIDE_PX, high))
    return np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)


def _measured(
    image_bgr: NDArray[np.uint8],
    find: Find,
    scales: tuple[float, float],
) -> tuple[tuple[float, float], float]:
    """The scales, put right by the shape of what is found, and the share that it covers."""
    picture = scaled(image_bgr, scales)
    boxes = find(picture)
    worth = _covered(boxes, picture)
    if worth < FILLED / 2 or len(boxes) < LEAST_TILES:
        return scales, 0.0
    size = np.ptp(corners_of(boxes.xywhr), axis=1)
    shape = float(np.median(size[:, 0] / size[:, 1]))
    # In a strip the short sides of tiles lie along it, unless they plainly do not.
    along = scales[1] < 1
    upright = along if 1 / SQUARE < shape < SQUARE else shape < 1
    off = shape / SHAPE if upright else shape * SHAPE
    if 1 / ENOUGH < off < ENOUGH:
        return scales, worth
    mended = (scales[0] / off, scales[1]) if scales[0] < 1 else (scales[0], scales[1] * off)
    again = scaled(image_bgr, mended)
    return mended, _covered(find(again), again)


def _covered(boxes: Boxes, image_bgr: NDArray[np.uint8]) -> float:
    """Share of the picture that boxes cover, each counted as far as it is sure."""
    areas = boxes.xywhr[:, 2] * boxes.xywhr[:, 3]
    height, width = image_bgr.shape[:2]
    return float((boxes.scores**2 * areas).sum()) / float(height * width)
