"""Detections with boxes as the labels of their own photo are drawn.

The detector outlines the upper side of a tile. Upright labels follow no one rule: some are drawn
around the print, some around the tile, and others are moved to one side. So each side of a box is
moved as it is in the median of the photo's other tiles.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from evaluation.match import ReadPicture
from numpy.typing import NDArray

from vision.detect import Detection

LEAST_OTHERS = 3
"""Fewer other tiles tell nothing about how a photo is labelled."""


def as_labelled(read: ReadPicture) -> list[Detection]:
    """Return the detections of a photo; a label never moves the box that is compared with it."""
    upright = [(i, j) for i, j in read.pairs.items() if read.picture.tiles[i].upright]
    if not upright:
        return read.detections
    boxes = np.array([_box(detection.corners_px) for detection in read.detections])
    labels = np.array([_box(read.picture.tiles[i].corners) for i, _ in upright])
    own = np.array([j for _, j in upright])
    sizes = np.tile(boxes[:, 2:] - boxes[:, :2], 2)
    moves = (labels - boxes[own]) / sizes[own]
    tiles = []
    for j, detection in enumerate(read.detections):
        others = moves[own != j]
        if len(others) >= LEAST_OTHERS:
            x0, y0, x1, y1 = boxes[j] + np.median(others, axis=0) * sizes[j]
            corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
            detection = replace(detection, corners_px=corners)
        tiles.append(detection)
    return tiles


def _box(corners: NDArray[np.float32]) -> NDArray[np.float64]:
    """(4,): the upright box (x0, y0, x1, y1) of an outline (4, 2)."""
    return np.concatenate([corners.min(axis=0), corners.max(axis=0)]).astype(np.float64)
