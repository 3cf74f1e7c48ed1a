"""Correct pictures that were stretched, such as a row of tiles saved as a square.

Cameras never make them, but published collections contain them. The finder does not know tiles many
times as wide as high, so the picture is squeezed until tiles fill it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes
from vision.tiles.boxes import Boxes, corners_of

SQUEEZE: Final = 8.0
"""First squeeze of one side; the shape of the boxes then corrects it."""
FILLED: Final = 0.22
"""Share of the picture that tiles cover where somebody cropped it around them."""
LEAST_TILES: Final = 5
SHAPE: Final = 0.75
"""Width of a tile divided by its height."""
SQUARE: Final = 1.2
"""Within this factor of a square, the shape does not tell which side is shorter."""
LEAST_SIDE_PX: Final = 24
ENOUGH: Final = 1.25
"""A squeeze within this factor of the right one is kept."""

SHAPES: Final = ((1.0, 3 / 4), (3 / 4, 1.0), (1.0, 9 / 16), (9 / 16, 1.0))
"""Factors for width and height that undo the stretching of a camera's picture to a square.

Of 150 faces of rendered pictures that were cut to 16:9 and stretched 138 are named in place of 119
(137 in their own shape), of 146 of such at 4:3 130 in place of 127 (129). A square picture in which
much is doubtful takes a quarter to a half longer.
"""

Find = Callable[[Bytes], Boxes]


def squeezed(image_bgr: Bytes, find: Find, found: Boxes) -> tuple[float, float]:
    """Return the factors for width and height that give the tiles their true shape.

    ``found``: what ``find`` returns for the picture as it is. Returns (1, 1) where the picture is
    not square, where tiles fill it already, or where no squeeze helps.
    """
    best, best_worth = (1.0, 1.0), FILLED
    if image_bgr.shape[0] != image_bgr.shape[1] or _covered(found, image_bgr) >= FILLED:
        return best
    for scales in ((1 / SQUEEZE, 1.0), (1.0, 1 / SQUEEZE)):
        mended, worth = _measured(image_bgr, find, scales)
        if worth > best_worth:
            best, best_worth = mended, worth
    return best


def scaled(image_bgr: Bytes, scales: tuple[float, float]) -> Bytes:
    """The picture scaled in width and height, to at least ``LEAST_SIDE_PX``."""
    height, width = image_bgr.shape[:2]
    wide, high = (round(side * by) for side, by in zip((width, height), scales, strict=True))
    size = (max(LEAST_SIDE_PX, wide), max(LEAST_SIDE_PX, high))
    return np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)


def _measured(
    image_bgr: Bytes, find: Find, scales: tuple[float, float]
) -> tuple[tuple[float, float], float]:
    """The scales corrected by the shape of the boxes, and the share that the boxes cover."""
    picture = scaled(image_bgr, scales)
    boxes = find(picture)
    worth = _covered(boxes, picture)
    if worth < FILLED / 2 or len(boxes) < LEAST_TILES:
        return scales, 0.0
    size = np.ptp(corners_of(boxes.xywhr), axis=1)
    shape = float(np.median(size[:, 0] / size[:, 1]))
    # In a strip the short sides of tiles lie along it, unless the boxes clearly differ.
    along = scales[1] < 1
    upright = along if 1 / SQUARE < shape < SQUARE else shape < 1
    off = shape / SHAPE if upright else shape * SHAPE
    if 1 / ENOUGH < off < ENOUGH:
        return scales, worth
    mended = (scales[0] / off, scales[1]) if scales[0] < 1 else (scales[0], scales[1] * off)
    again = scaled(image_bgr, mended)
    return mended, _covered(find(again), again)


def _covered(boxes: Boxes, image_bgr: Bytes) -> float:
    """Share of the picture that boxes cover, weighted by score."""
    areas = boxes.xywhr[:, 2] * boxes.xywhr[:, 3]
    height, width = image_bgr.shape[:2]
    return float((boxes.scores**2 * areas).sum()) / float(height * width)
