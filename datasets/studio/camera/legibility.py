"""How well the tiles of a picture can be seen: measured against the ideal picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.scene import Label

SPREADS = (0.0, 0.02, 0.04, 0.06, 0.08, 0.12)  # blurs to compare with, in tile widths


def blurs(
    ideal_bgr: NDArray[np.uint8],
    picture_bgr: NDArray[np.uint8],
    labels: Sequence[Label],
    tile_px: int,
) -> list[float]:
    """For each tile the blur of the ideal picture that is most like what the camera made of it.

    Brightness and contrast do not count.
    """
    grey, taken = (cv2.cvtColor(each, cv2.COLOR_BGR2GRAY) for each in (ideal_bgr, picture_bgr))
    blurred = [
        cv2.GaussianBlur(grey, (0, 0), spread * tile_px) if spread else grey for spread in SPREADS
    ]
    best = []
    for label in labels:
        left, top = np.maximum(label.corners_px.min(axis=0), 0).astype(int)
        right, bottom = np.ceil(label.corners_px.max(axis=0)).astype(int)
        part = np.s_[top:bottom, left:right]
        errors = [_misfit(each[part], taken[part]) for each in blurred]
        best.append(SPREADS[int(np.argmin(errors))])
    return best


def _misfit(one: NDArray[Any], other: NDArray[Any]) -> float:
    """The share of one picture's variance that the other does not explain; 0 for nothing."""
    if one.size < 9:
        return 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        alike = np.corrcoef(one.ravel(), other.ravel())[0, 1]
    return 1.0 if np.isnan(alike) else 1.0 - float(alike) ** 2


def mean_inside(values: NDArray[np.float32], corners_px: NDArray[np.float32]) -> float:
    """The mean inside an outline."""
    mask = np.zeros(values.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners_px).astype(np.int32), 1)
    return float(cv2.mean(values, mask)[0])
