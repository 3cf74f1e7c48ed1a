"""Given faces, photographed or drawn by others, made into many sets: other ink, light and wear."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.faces.wear import Wear


def varied(
    images: Mapping[str, NDArray[np.uint8]], rng: np.random.Generator
) -> dict[str, NDArray[np.uint8]]:
    """The same faces as another set and other years have them; one draw for the whole set."""
    if rng.random() < 0.15:
        return dict(images)
    wear = Wear.random(rng)
    hue = float(rng.normal(0, 5)) if rng.random() < 0.5 else 0.0
    colourful = float(np.exp(rng.normal(0, 0.3)))
    gamma = float(np.exp(rng.normal(0, 0.2)))
    gains = np.exp(rng.normal(0, 0.06, 3))
    levels = (np.arange(256) / 255.0)[:, None] ** gamma * gains
    table = np.clip(levels * 255, 0, 255).astype(np.uint8)[None]
    size = float(np.exp(rng.normal(-0.02, 0.06)))
    return {
        tile: wear.age(_placed(_inked(image, table, hue, colourful), size, rng), rng)
        for tile, image in sorted(images.items())
    }


def _inked(
    image: NDArray[np.uint8], table: NDArray[np.uint8], hue: float, colourful: float
) -> NDArray[np.uint8]:
    ink = cv2.cvtColor(cv2.LUT(np.ascontiguousarray(image[:, :, :3]), table), cv2.COLOR_RGB2HSV)
    turned = (ink[:, :, 0].astype(np.float32) + hue) % 180
    strong = np.clip(ink[:, :, 1].astype(np.float32) * colourful, 0, 255)
    ink = np.dstack([turned, strong, ink[:, :, 2]]).astype(np.uint8)
    return np.dstack([cv2.cvtColor(ink, cv2.COLOR_HSV2RGB), image[:, :, 3]]).astype(np.uint8)


def _placed(image: NDArray[np.uint8], size: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    """A little off its place, as no print is quite like the next."""
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.normal(0, 0.8)), size)
    turn[:, 2] += rng.normal(0, 0.012, 2) * width
    moved = cv2.warpAffine(image, turn, (width, height), flags=cv2.INTER_LINEAR)
    return moved.astype(np.uint8, copy=False)
