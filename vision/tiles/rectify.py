"""Cut single tiles out of a picture and straighten them."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes, Floats

CROP_PX: Final = (48, 64)
"""Width and height of the recogniser's input."""
MARGIN: Final = 0.06
"""Surroundings shown on each side of the crop, in sides of the tile."""


def rectify(
    image_bgr: Bytes,
    corners_px: Floats,
    size: tuple[int, int] = CROP_PX,
    margin: float = MARGIN,
    sampling: int = cv2.INTER_LINEAR,
) -> Bytes:
    """(h, w, 3): the tile between four corners (4, 2), with its first corner at the top left."""
    width = size[0]
    target = in_crop(size, margin)
    source = corners_px.astype(np.float32)
    shrink = float(np.linalg.norm(source[1] - source[0]) / (target[1, 0] - target[0, 0]))
    if shrink > 1.5:  # shrink a large tile first, or sampling would leave gaps
        low = np.maximum(np.floor(source.min(axis=0) - 0.2 * width * shrink), 0).astype(int)
        high = np.ceil(source.max(axis=0) + 0.2 * width * shrink).astype(int)
        part = image_bgr[low[1] : high[1], low[0] : high[0]]
        if part.size:
            wanted = (max(1, round(part.shape[1] / shrink)), max(1, round(part.shape[0] / shrink)))
            scale = np.array([wanted[0] / part.shape[1], wanted[1] / part.shape[0]], np.float32)
            small = cv2.resize(part, wanted, interpolation=cv2.INTER_AREA)
            source = (source - low.astype(np.float32)) * scale
            image_bgr = np.asarray(small, np.uint8)
    matrix = cv2.getPerspectiveTransform(source, target)
    out = cv2.warpPerspective(
        image_bgr, matrix, size, flags=sampling, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(out, np.uint8)


def in_crop(size: tuple[int, int] = CROP_PX, margin: float = MARGIN) -> Floats:
    """(4, 2): the corners of a tile in its crop, clockwise from the top left."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    return np.asarray((unit + margin) / (1 + 2 * margin) * size, np.float32)
