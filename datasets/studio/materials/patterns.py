"""Patterns made of noise: felt, wood, weave, prints, and the grain of worn surfaces."""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.materials.swatches import SHEET_PX

_KINDS: Final = ((1.0, 0.15), (1.0, 1.6), (1.0, 1.1), (14.0, 0.9))
"""Stretch and fall of each channel: fine grain, soft clouds, blots, streaks."""


def felt(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw a seamless sheet (256, 256, 3) near white that multiplies a colour."""
    stretch = float(rng.choice([1.0, 1.0, 1.0, 4.0]))
    cloud = noise(rng, stretch, float(rng.uniform(0.2, 1.5)))
    strength = rng.uniform(0.02, 0.16)
    grain = np.clip(0.92 + strength * cloud, 0.3, 1.0)[..., None]
    return _sheet(grain * (1 + rng.normal(0, 0.02, 3) * (cloud[..., None] > 0.5)))


def wood(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw seamless streaks and rings near white."""
    streaks = noise(rng, float(rng.uniform(8, 25)), 1.0)
    rings = np.sin(noise(rng, 6.0, 1.8) * rng.uniform(2, 7))
    tone = 0.8 + rng.uniform(0.03, 0.12) * streaks + rng.uniform(0.0, 0.1) * rings
    depth = np.clip(tone, 0.2, 1.0)[..., None]
    return _sheet(depth ** np.array([0.9, 1.0, 1.15]))


def weave(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw the regular pattern of cloth, tiles or a printed mat."""
    count = int(rng.choice([4, 8, 16, 32, 64]))
    line = np.arange(SHEET_PX) / SHEET_PX * 2 * np.pi * count
    waves = np.sin(line)[:, None] * np.sin(line)[None]
    shape = waves if rng.random() < 0.6 else np.sign(waves)
    tone = np.clip(0.85 + rng.uniform(0.03, 0.15) * shape, 0.2, 1.0)
    return _sheet((tone * np.clip(0.95 + 0.04 * noise(rng), 0, 1))[..., None])


def printed(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw a mat with lines, frames and badges; some frames are as large as tiles."""
    mat = felt(rng)
    ink = [int(c) for c in rng.integers(120, 256, 3)]
    low = [int(c) for c in rng.integers(20, 140, 3)]
    for _ in range(int(rng.integers(1, 9))):
        x, y = (int(at) for at in rng.integers(0, SHEET_PX, 2))
        wide, high = (int(size) for size in rng.integers(6, 120, 2))
        colour, line = (ink if rng.random() < 0.6 else low), int(rng.choice([1, 1, 2, 3, -1]))
        if rng.random() < 0.35:
            cv2.circle(mat, (x, y), wide // 2, colour, line, cv2.LINE_AA)
        else:
            cv2.rectangle(mat, (x, y), (x + wide, y + high), colour, line, cv2.LINE_AA)
    return np.asarray(mat, np.uint8)


def noise(rng: np.random.Generator, stretch: float = 1.0, fall: float = 1.0) -> NDArray[np.float64]:
    """Return seamless noise (256, 256), mean 0, spread 1; ``fall`` 0 is grain, 2 soft clouds."""
    size = SHEET_PX
    spectrum = np.fft.rfft2(rng.normal(0, 1, (size, size)))
    fy, fx = np.fft.fftfreq(size)[:, None] * size, np.fft.rfftfreq(size)[None] * size
    found = np.fft.irfft2(spectrum / (np.hypot(fx * stretch, fy) + 1) ** fall, (size, size))
    found -= found.mean()
    return np.asarray(found / found.std())


def _sheet(tone: NDArray[np.float64]) -> NDArray[np.uint8]:
    full = np.broadcast_to(np.clip(tone, 0, 1) * 255, (SHEET_PX, SHEET_PX, 3))
    return np.ascontiguousarray(full, np.uint8)


@cache
def grain_sheet() -> NDArray[np.uint8]:
    """Return the noise (256, 256, 4) that wears surfaces; the same on every machine."""
    rng = np.random.default_rng(5)
    layers = [0.5 + 0.18 * noise(rng, stretch, fall) for stretch, fall in _KINDS]
    sheet = np.clip(np.stack(layers, axis=-1), 0, 1) * 255
    return np.ascontiguousarray(sheet.round(), np.uint8)
