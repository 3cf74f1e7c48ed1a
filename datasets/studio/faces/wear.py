"""What use does to painted tiles: thin and uneven paint, eroded edges, an engraved rim."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

_GLOSSY = (0.6, 0.28, 0.12)
"""Shares of sets with flat, glossy and hollow-looking strokes."""


@dataclass(frozen=True)
class Wear:
    """How a whole set has aged; shares from 0 to 1."""

    fade: float
    """How much paint has lost its colour to the white of the tile."""
    uneven: float
    """How much the strength of the paint differs from place to place."""
    erosion: float
    """Share of the paint that flaked off in specks."""
    engraving: float
    """How dark the upper edge of each cut is."""
    gloss: float
    """How much lighter the middle of a broad stroke is: the lamp in the groove."""
    soft: float
    """Blur of the edges in pixels."""

    @classmethod
    def random(cls, rng: np.random.Generator) -> Wear:
        """Most sets are fresh, a few are well worn."""
        old = rng.random() ** 2
        return cls(
            fade=float(0.25 * old * rng.random()),
            uneven=float(0.4 * old * rng.random()),
            erosion=float(0.09 * old * rng.random()) if rng.random() < 0.4 else 0.0,
            engraving=float(rng.uniform(0, 0.5)) if rng.random() < 0.6 else 0.0,
            gloss=float(
                rng.choice((0.0, rng.uniform(0.1, 0.45), rng.uniform(0.5, 0.95)), p=_GLOSSY)
            ),
            soft=float(rng.uniform(0, 0.9)),
        )

    def age(self, picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
        """The face (height, width, 4) RGBA after years of play."""
        height, width = picture.shape[:2]
        colour: NDArray[Any] = picture[:, :, :3].astype(np.float32)
        alpha: NDArray[Any] = picture[:, :, 3].astype(np.float32) / 255
        if self.uneven > 0 or self.erosion > 0:
            cloud = cv2.resize(
                rng.random((9, 7), np.float32), (width, height), interpolation=cv2.INTER_CUBIC
            )
            alpha *= 1 - self.uneven * np.clip(cloud, 0, 1)
        if self.erosion > 0:
            specks = cv2.GaussianBlur(rng.random((height, width), np.float32), (0, 0), width / 80)
            bare = float(np.quantile(specks, self.erosion))
            alpha *= np.clip((specks - bare) * 40 + 0.5, 0, 1)
        if self.engraving > 0:
            inner = cv2.erode(alpha, np.ones((3, 3), np.uint8))
            below = np.roll(inner, 2, axis=0)
            rim = np.clip(alpha - below, 0, 1) * self.engraving
            colour *= (1 - rim)[:, :, None]
        if self.gloss > 0:
            edge = max(1.0, width / 60)
            deep = np.clip(cv2.GaussianBlur(alpha, (0, 0), edge) - 0.75, 0, 0.25) * 4
            colour += (255 - colour) * (deep * self.gloss)[:, :, None]
        colour += (235 - colour) * self.fade
        if self.soft > 0.3:
            weight = cv2.GaussianBlur(alpha, (0, 0), self.soft)
            spread = cv2.GaussianBlur(colour * alpha[:, :, None], (0, 0), self.soft)
            colour = spread / np.maximum(weight, 1e-3)[:, :, None]
            alpha = weight
        worn = np.dstack([colour, alpha * 255])
        return np.asarray(np.clip(worn, 0, 255).round(), np.uint8)
