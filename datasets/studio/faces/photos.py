"""Faces of real tiles from a folder of photographed single faces with a ``faces.json``."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray


class FacePhotos:
    """All photographed faces of a folder, by set of tiles."""

    def __init__(self, folder: Path) -> None:
        self._sets: dict[str, dict[str, list[Path]]] = defaultdict(lambda: defaultdict(list))
        for row in json.loads((folder / "faces.json").read_text()):
            self._sets[row["group"]][row["tile"]].append(folder / row["file"])
        self._cache: dict[Path, NDArray[np.uint8]] = {}

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(sorted(self._sets))

    def draw(self, rng: np.random.Generator) -> dict[str, NDArray[np.uint8]]:
        """One picture a tile, (160, 120, 4) RGBA, from one set as far as it goes."""
        chosen = self.groups[int(rng.integers(len(self.groups)))]
        faces: dict[str, NDArray[np.uint8]] = {}
        for group in (chosen, *rng.permutation(self.groups)):
            for tile, paths in sorted(self._sets[str(group)].items()):
                if tile not in faces:
                    faces[tile] = self._read(paths[int(rng.integers(len(paths)))])
        return faces

    def _read(self, path: Path) -> NDArray[np.uint8]:
        if path not in self._cache:
            image = cv2.imread(str(path))
            if image is None:
                raise FileNotFoundError(f"cannot read the face {path}")
            small = cv2.resize(image, (120, 160), interpolation=cv2.INTER_AREA)
            # The photo's own edge melts into the tile's body.
            clear = np.zeros((160, 120), np.float32)
            clear[7:-7, 6:-6] = 255
            alpha = cv2.GaussianBlur(clear, (0, 0), 3).astype(np.uint8)
            self._cache[path] = np.dstack([small[:, :, ::-1], alpha])
        return self._cache[path]
