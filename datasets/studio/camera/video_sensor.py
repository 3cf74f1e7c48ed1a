"""The sensor of a whole film: constant blur and colour, fresh noise in each frame."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

GRAIN_PX = 160  # how much wider and higher the noise picture is than a frame


class VideoSensor:
    """Develops ideal pictures; its properties are drawn once from the generator."""

    def __init__(self, width_px: int, height_px: int, rng: np.random.Generator) -> None:
        self._blur = float(rng.uniform(0.3, 0.9))
        self._sharpen = float(rng.choice([0.0, rng.uniform(0.2, 0.9)]))
        gains = np.exp(rng.normal(0, 0.06, 3)) * np.exp(rng.normal(0, 0.1))
        levels = np.arange(256)[:, None] * gains
        self._curve = np.clip(levels, 0, 255).astype(np.uint8)[None]
        strength = float(rng.uniform(0.4, 3.5))
        size = (height_px + GRAIN_PX, width_px + GRAIN_PX)
        grain = rng.normal(0, strength, size)
        self._lighter = np.clip(np.rint(grain), 0, 255).astype(np.uint8)
        self._darker = np.clip(np.rint(-grain), 0, 255).astype(np.uint8)
        self._rng = rng
        self.open_s = float(rng.uniform(1 / 200, 1 / 40))
        """Exposure time of a frame, in seconds."""

    def develop(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Apply lens blur, sharpening, white balance and exposure: constant for a still table."""
        out = cv2.GaussianBlur(image_bgr, (0, 0), self._blur)
        if self._sharpen:
            soft = cv2.GaussianBlur(out, (0, 0), 1.2)
            out = cv2.addWeighted(out, 1 + self._sharpen, soft, -self._sharpen, 0)
        return np.asarray(cv2.LUT(out, self._curve), np.uint8)

    def grain(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Add the noise of one frame."""
        height, width = image_bgr.shape[:2]
        x, y = (int(at) for at in self._rng.integers(0, GRAIN_PX, 2))
        part = np.s_[y : y + height, x : x + width]
        lighter, darker = (
            cv2.cvtColor(noise[part], cv2.COLOR_GRAY2BGR) for noise in (self._lighter, self._darker)
        )
        return np.asarray(cv2.subtract(cv2.add(image_bgr, lighter), darker), np.uint8)
