"""Pictures with their errors outlined."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from evaluation.labels import LabelledPicture
from evaluation.tally import named
from numpy.typing import NDArray

from vision.detect import Detection

GREEN, YELLOW, RED, BLUE, PINK = (
    (0, 200, 0), (0, 220, 255), (0, 0, 255), (255, 0, 0), (255, 0, 255),
)  # fmt: skip


def outlined(
    image_bgr: NDArray[np.uint8],
    picture: LabelledPicture,
    detections: Sequence[Detection],
    pairs: dict[int, int],
    extras: Sequence[tuple[int, bool]],
) -> NDArray[np.uint8] | None:
    """Outline the tiles of a picture; return None if it has no error.

    Found tiles are green, misnamed ones yellow with both names, missed ones red, extra ones blue.
    """
    out, errors = image_bgr.copy(), any(inside for _, inside in extras)
    for i, tile in enumerate(picture.tiles):
        if not tile.wanted:
            continue
        if i not in pairs:
            errors = True
            _outline(out, tile.corners, RED, 2)
            continue
        detection = detections[pairs[i]]
        name = named(detection) if tile.face else None
        _outline(out, detection.corners_px, GREEN if name == tile.face else YELLOW, 1)
        if name != tile.face:
            errors = True
            x, y = (int(v) for v in detection.corners_px.mean(axis=0))
            text = f"{name} not {tile.face}"
            cv2.putText(out, text, (x - 20, y), cv2.FONT_HERSHEY_SIMPLEX, 0.4, PINK, 1)
    for j, _ in extras:
        _outline(out, detections[j].corners_px, BLUE, 1)
    return out if errors else None


def _outline(
    image: NDArray[np.uint8], corners: NDArray[np.float32], bgr: tuple[int, int, int], thick: int
) -> None:
    cv2.polylines(image, [corners.astype(np.int32)], True, bgr, thick)
