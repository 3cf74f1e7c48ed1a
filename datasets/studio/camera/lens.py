"""Faults of a lens and a shutter: defocus, shake, rolling shutter, colour fringes, vignette."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.float32]


def through_lens(picture: Picture, rng: np.random.Generator, strength: float = 1.0) -> Picture:
    """Return the picture as it reaches the sensor; each fault affects only some pictures.

    ``strength`` scales the worst blurs, from 0 to 1.
    """
    height, width = picture.shape[:2]
    luck = rng.random(6)
    if luck[0] < 0.25:
        picture = _dimmed_edges(picture, rng)
    if luck[1] < 0.15:
        picture = _fringed(picture, rng)
    if luck[2] < 0.15:  # a sensor with fewer pixels than its pictures
        share = 1 - strength * float(rng.uniform(0.15, 0.6))
        small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        picture = np.asarray(
            cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32
        )
    elif luck[2] < 0.75:
        sigma = float(rng.uniform(0.35, 1.2))
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)
    elif luck[2] < 0.83:
        picture = _out_of_focus(picture, rng, strength)
    if luck[3] < 0.1:
        picture = np.asarray(cv2.filter2D(picture, -1, _motion(rng, strength)), np.float32)
    if luck[4] < 0.06:
        picture = _rolled(picture, rng)
    if luck[5] < 0.2:
        picture = _bloomed(picture, rng)
    return picture


def _dimmed_edges(picture: Picture, rng: np.random.Generator) -> Picture:
    height, width = picture.shape[:2]
    y, x = np.mgrid[-1:1:9j, -1:1:9j]
    fall = 1 - rng.uniform(0.05, 0.4) * (x**2 + y**2) / 2
    return np.asarray(picture * cv2.resize(fall.astype(np.float32), (width, height))[..., None])


def _fringed(picture: Picture, rng: np.random.Generator) -> Picture:
    """Draw blue and red at a slightly different size from green."""
    height, width = picture.shape[:2]
    out = picture.copy()
    for channel, sign in ((0, 1.0), (2, -1.0)):
        scale = 1 + sign * rng.uniform(0.0005, 0.0022)
        move = np.array([[scale, 0, (1 - scale) * width / 2], [0, scale, (1 - scale) * height / 2]])
        out[..., channel] = cv2.warpAffine(
            picture[..., channel], move, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
    return np.asarray(out, np.float32)


def _out_of_focus(picture: Picture, rng: np.random.Generator, strength: float) -> Picture:
    radius = strength * float(rng.uniform(1.2, 3.4))
    side = 2 * int(np.ceil(radius)) + 1
    y, x = np.mgrid[:side, :side] - side // 2
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(cv2.filter2D(picture, -1, (disc / disc.sum()).astype(np.float32)))


def _rolled(picture: Picture, rng: np.random.Generator) -> Picture:
    """Shift and smear each row by its time: a rolling shutter on a shaking camera."""
    height, width = picture.shape[:2]
    rows = np.arange(height, dtype=np.float32) / height
    waves, strength = float(rng.uniform(0.5, 4)), float(rng.uniform(0.4, 1.6))
    shift = strength * np.sin(2 * np.pi * (waves * rows + rng.random())).astype(np.float32)
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    moved = cv2.remap(
        picture, x + shift[:, None], y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    late = cv2.remap(
        picture, x - 1.5 * shift[:, None], y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray((moved + late) / 2, np.float32)


def _bloomed(picture: Picture, rng: np.random.Generator) -> Picture:
    """Let bright places glow into their surroundings, as on a greasy lens."""
    small = cv2.resize(picture, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
    glow = cv2.GaussianBlur(np.maximum(small - 150, 0), (0, 0), float(rng.uniform(1.5, 6)))
    wide = cv2.resize(glow, picture.shape[1::-1])
    return np.asarray(picture + wide * np.float32(rng.uniform(0.1, 0.45)), np.float32)


def _motion(rng: np.random.Generator, strength: float) -> NDArray[np.float32]:
    """Return a kernel that smears along a line."""
    length = max(2, round(strength * int(rng.integers(3, 11))))
    kernel = np.zeros((13, 13), np.float32)
    angle = rng.uniform(0, np.pi)
    for step in np.linspace(-length / 2, length / 2, 2 * length):
        x, y = 6 + step * np.cos(angle), 6 + step * np.sin(angle)
        kernel[round(y), round(x)] = 1
    return np.asarray(kernel / kernel.sum(), np.float32)
