"""Photos as a webcam would have taken them: small tiles, soft, dim or burnt out, hard packed."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from evaluation.labels import LabelledPicture
from finder.data import poorly_taken
from numpy.typing import NDArray

WEBCAM_TILE_PX = 24.0


def by_webcam(
    picture: LabelledPicture, image_bgr: NDArray[np.uint8], seed: int
) -> tuple[LabelledPicture, NDArray[np.uint8]]:
    """Return the picture with tiles no wider than ``WEBCAM_TILE_PX``, spoilt; ``seed`` says how.

    It is never enlarged: a camera does not see more than the photo. Photos that were stretched to
    squares stay so, and their tiles are this narrow in the stretched picture.
    """
    share = min(1.0, WEBCAM_TILE_PX / (picture.tile_px or WEBCAM_TILE_PX))
    small = cv2.resize(image_bgr, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    tiles = tuple(
        replace(tile, corners=np.asarray(tile.corners * share, np.float32))
        for tile in picture.tiles
    )
    spoilt = poorly_taken(np.asarray(small, np.uint8), np.random.default_rng(seed))
    return replace(picture, tiles=tiles), spoilt
