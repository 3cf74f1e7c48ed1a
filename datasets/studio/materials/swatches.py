"""Pictures of cloth, wood and stone from a folder: single ones or sheets of swatches."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

SHEET_PX = 256
LEAST_PX = 100
PAPER = 243  # the paper between the swatches of a sheet is lighter than this in all channels
LIKELY = ("wood", "fabric", "carpet", "leather", "plank", "marble", "paint", "plastic", "cork")
"""Materials of tables; others are drawn more rarely."""


class Swatches:
    """Draws swatches from a folder's pictures, which are read when first needed."""

    def __init__(self, folder: Path) -> None:
        self._paths = sorted(
            path
            for path in folder.iterdir()
            if path.suffix.lower() in {".webp", ".png", ".jpg", ".jpeg"}
        )
        self._likely = [p for p in self._paths if any(word in p.stem.lower() for word in LIKELY)]
        self._read: dict[Path, list[NDArray[np.uint8]]] = {}
        if not self._paths:
            raise FileNotFoundError(f"no pictures in {folder}")

    def draw(self, rng: np.random.Generator) -> NDArray[np.uint8]:
        """Return a seamless swatch, (256, 256, 3) RGB."""
        paths = self._likely if self._likely and rng.random() < 0.75 else self._paths
        path = paths[int(rng.integers(len(paths)))]
        if path not in self._read:
            image = cv2.imread(str(path))
            if image is None:
                raise FileNotFoundError(f"cannot read the picture {path}")
            self._read[path] = [
                _seamless(part) for part in swatches_of(np.asarray(image, np.uint8))
            ]
        parts = self._read[path]
        return parts[int(rng.integers(len(parts)))]


def swatches_of(image: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """Return the swatches of a sheet on white paper, or the picture itself."""
    inked = (image.min(axis=2) < PAPER).astype(np.uint8)
    if inked.mean() > 0.9:
        return [image]
    _, _, boxes, _ = cv2.connectedComponentsWithStats(inked, connectivity=4)
    parts = []
    for x, y, width, height, area in boxes[1:].tolist():
        if width >= LEAST_PX and height >= LEAST_PX and area > 0.9 * width * height:
            parts.append(image[y + 4 : y + height - 4, x + 4 : x + width - 4])
    return parts or [image]


def _seamless(part: NDArray[np.uint8]) -> NDArray[np.uint8]:
    side, half = min(part.shape[:2]), SHEET_PX // 2
    small = cv2.resize(part[:side, :side, ::-1], (half, half), interpolation=cv2.INTER_AREA)
    row = np.concatenate([small, small[:, ::-1]], axis=1)
    return np.ascontiguousarray(np.concatenate([row, row[::-1]], axis=0), np.uint8)
