"""What lens and sensor make of an ideal picture: blur, noise, colour, sharpening, compression."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def expose(image_bgr: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A picture as a random camera would have taken it; the same generator state, the same picture."""
    picture = image_bgr.astype(np.float32)
    if rng.random() < 0.5:
        picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.3)))
    if rng.random() < 0.12:
        picture = cv2.filter2D(picture, -1, _motion(rng))
    cast = rng.normal(0, 0.05) * np.array([1.0, 0.0, -1.0]) + rng.normal(0, 0.02, 3)
    picture *= (np.exp(cast) * np.exp(rng.normal(0, 0.1))).astype(np.float32)
    if rng.random() < 0.4:
        soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.8, 1.8)))
        picture += (picture - soft) * float(rng.uniform(0.3, 1.5))
    noise = rng.normal(0, rng.uniform(0.5, 6), picture.shape[:2]).astype(np.float32)
    picture += noise[..., None]
    out = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 90))]
        coded = cv2.imencode(".jpg", out, quality)[1]
        out = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return out


def _motion(rng: np.random.Generator) -> NDArray[np.float32]:
    """A kernel that smears along a line."""
    length = int(rng.integers(3, 10))
    kernel = np.zeros((11, 11), np.float32)
    angle = rng.uniform(0, np.pi)
    for step in np.linspace(-length / 2, length / 2, 2 * length):
        x, y = 5 + step * np.cos(angle), 5 + step * np.sin(angle)
        kernel[round(y), round(x)] = 1
    return np.asarray(kernel / kernel.sum(), np.float32)
