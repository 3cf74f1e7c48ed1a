"""Faces of real tiles from a folder of photographed single faces with a ``faces.json``."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.held_out import HELD_OUT_SHARE, is_held_out

PhotoPart = Literal["all", "train", "held-out"]
"""Which photographs: those that may be trained on, or those that are kept out of all training."""

EDGE: Final = 0.055
"""Share of a picture at each side that may hold the edge of the tile."""
MISLABELLED: Final = {("a350.jpg", "8p"): "9p", ("a133.jpg", "8m"): "8p"}
"""What pictures of Camerash/mahjong-dataset show, by file and wrong label."""


def labelled_faces(folder: Path) -> list[dict[str, str]]:
    """Return the rows of a folder's ``faces.json``, known wrong labels mended."""
    rows = json.loads((folder / "faces.json").read_text())
    return [{**r, "tile": MISLABELLED.get((r["file"], r["tile"]), r["tile"])} for r in rows]


class FacePhotos:
    """All photographed faces of a folder, by set of tiles."""

    def __init__(
        self, folder: Path, size_px: tuple[int, int] = (120, 160), part: PhotoPart = "all"
    ) -> None:
        """Raises ``ValueError``, ``KeyError`` or ``TypeError`` for a bad ``faces.json``."""
        self._size_px = size_px
        self._sets: dict[str, dict[str, list[Path]]] = defaultdict(lambda: defaultdict(list))
        for row in labelled_faces(folder):
            held_out = is_held_out(row["file"], HELD_OUT_SHARE)
            if part == ("train" if held_out else "held-out"):
                continue
            self._sets[row.get("group", "")][row["tile"]].append(folder / row["file"])
        self._cache: dict[Path, NDArray[np.uint8]] = {}

    @property
    def groups(self) -> tuple[str, ...]:
        return tuple(sorted(self._sets))

    def draw(self, rng: np.random.Generator) -> dict[str, NDArray[np.uint8]]:
        """One picture a tile, RGBA, from one set as far as it goes."""
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
                raise FileNotFoundError(f"cannot read the tile face {path}")
            self._cache[path] = melted(np.asarray(image[:, :, ::-1], np.uint8), self._size_px)
        return self._cache[path]


def melted(image: NDArray[np.uint8], size_px: tuple[int, int]) -> NDArray[np.uint8]:
    """A photographed face (height, width, 3) RGB whose own edge melts into the tile's body."""
    width, height = size_px
    small = cv2.resize(image, size_px, interpolation=cv2.INTER_AREA)
    edge = round(width * EDGE)
    clear = np.zeros((height, width), np.float32)
    clear[edge:-edge, edge:-edge] = 255
    alpha = cv2.GaussianBlur(clear, (0, 0), max(0.5, width / 40))
    return np.dstack([small, alpha.astype(np.uint8)]).astype(np.uint8)
