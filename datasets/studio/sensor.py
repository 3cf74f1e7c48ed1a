"""What lens and sensor make of an ideal picture: blur, colour, noise, sharpening, compression."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]


def expose(image_bgr: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A picture as a random camera takes it; the same generator state, the same picture."""
    picture = _develop(image_bgr, rng).astype(np.float32)
    picture = _blur(picture, rng)
    if rng.random() < 0.4:  # sharpening leaves halos about edges
        soft = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.8, 1.8)))
        picture += (picture - soft) * float(rng.uniform(0.3, 1.5))
    picture += _noise(picture.shape[:2], rng)
    out = np.clip(picture, 0, 255).astype(np.uint8)
    return _compress(out, rng)


def _develop(image_bgr: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """White balance, exposure, contrast and saturation."""
    cast = rng.normal(0, 0.05) * np.array([1.0, 0.0, -1.0]) + rng.normal(0, 0.02, 3)
    gains = np.exp(cast) * np.exp(rng.normal(0, 0.1))
    levels = np.clip(np.arange(256)[:, None] / 255.0 * gains, 0, 1.2)
    bend = rng.normal(0.15, 0.25)  # an S-curve, or its opposite as in mist
    curve = levels + bend * (levels - 0.5) * levels * (1 - levels) * 2
    curve = np.clip(curve, 0, None) ** np.exp(rng.normal(0, 0.1))
    black = rng.uniform(0, 0.08) if rng.random() < 0.25 else 0.0
    table = np.clip((black + (1 - black) * np.clip(curve, 0, 1)) * 255, 0, 255).astype(np.uint8)
    out = cv2.LUT(image_bgr, table[None])
    if rng.random() < 0.5:
        colour = 0.0 if rng.random() < 0.06 else float(np.exp(rng.normal(0, 0.25)))
        # Mixing with the grey picture: the weights are those of luma.
        luma = np.array([0.114, 0.587, 0.299])
        mix = colour * np.eye(3) + (1 - colour) * np.tile(luma, (3, 1))
        out = cv2.transform(out, mix)
    return np.asarray(out, np.uint8)


def _blur(picture: Picture, rng: np.random.Generator) -> Picture:
    """A lens out of focus, a hand that shakes, a sensor with fewer pixels than its pictures."""
    height, width = picture.shape[:2]
    if rng.random() < 0.15:
        share = float(rng.uniform(0.45, 0.85))
        small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        picture = np.asarray(
            cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32
        )
    elif rng.random() < 0.7:
        sigma = float(rng.uniform(0.35, 1.2))
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)
    if rng.random() < 0.1:
        picture = np.asarray(cv2.filter2D(picture, -1, _motion(rng)), np.float32)
    return picture


def _noise(size: tuple[int, int], rng: np.random.Generator) -> Picture:
    """(H, W, 3): fine grain of lightness, coarser grain of colour."""
    height, width = size
    strength = float(np.exp(rng.normal(0.5, 0.7)))
    grain = rng.standard_normal(size, np.float32) * np.float32(strength)
    if rng.random() < 0.5:
        return np.repeat(grain[..., None], 3, axis=2)
    half = rng.standard_normal((height // 2, width // 2, 3), np.float32) * np.float32(strength)
    return np.asarray(cv2.resize(half, (width, height)) + grain[..., None], np.float32)


def _compress(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Blocks and lost detail; a deblocked second loss looks much like a video's."""
    if rng.random() < 0.5:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(30, 92))]
        picture = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", picture, quality)[1], cv2.IMREAD_COLOR), np.uint8
        )
        if rng.random() < 0.3:
            picture = np.asarray(cv2.bilateralFilter(picture, 5, 12, 2), np.uint8)
    return picture


def _motion(rng: np.random.Generator) -> NDArray[np.float32]:
    """A kernel that smears along a line."""
    length = int(rng.integers(3, 10))
    kernel = np.zeros((11, 11), np.float32)
    angle = rng.uniform(0, np.pi)
    for step in np.linspace(-length / 2, length / 2, 2 * length):
        x, y = 5 + step * np.cos(angle), 5 + step * np.sin(angle)
        kernel[round(y), round(x)] = 1
    return np.asarray(kernel / kernel.sum(), np.float32)
