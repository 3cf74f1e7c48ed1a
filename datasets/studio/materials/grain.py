"""Noise that shaders wear surfaces with: fine grain, soft clouds, blots, streaks."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from studio.materials.patterns import noise

_KINDS: Final = ((1.0, 0.15), (1.0, 1.6), (1.0, 1.1), (14.0, 0.9))
"""Stretch and fall of each channel."""


@cache
def grain_sheet() -> NDArray[np.uint8]:
    """(256, 256, 4); repeats without a seam; the same on every machine."""
    rng = np.random.default_rng(5)
    layers = [0.5 + 0.18 * noise(rng, stretch, fall) for stretch, fall in _KINDS]
    sheet = np.clip(np.stack(layers, axis=-1), 0, 1) * 255
    return np.ascontiguousarray(sheet.round(), np.uint8)
