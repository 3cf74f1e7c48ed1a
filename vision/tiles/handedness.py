"""Tell by the faces whether a picture is mirrored, as selfie cameras mirror what they film."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import numpy as np

from vision.arrays import Bytes, Floats
from vision.camera.pictures import Picture
from vision.tiles.classes import FACES, DetectedTile, Side
from vision.tiles.rectify import rectify

SPEAKING: Final = frozenset(
    [f"{rank}m" for rank in range(1, 10)] + ["3p", "7p", "1z", "2z", "3z", "4z", "6z"]
)
"""Faces that look different when mirrored, in every design; birds may look either way."""
SURE: Final = 0.8
"""Least probability of the likelier face, as it is or mirrored, for a tile to count."""
MOST: Final = 2.0
"""Most that one face counts, so that no odd drawing decides alone."""
CLEAR: Final = 3.0
"""Least sum that decides. None of 304 unmirrored pictures is below -1.1 (models/README.md)."""
LIKELY: Final = 1.5
"""Sum above which one picture is hardly mirrored: the 304, turned round, are at most at 1.1."""
LOOKED_AT: Final = 32
"""Tiles used of one look; their faces repeat."""


class FaceClassifier(Protocol):
    """A recogniser, as far as handedness needs it."""

    def logits(self, crops_bgr: Bytes) -> Floats:
        """(n, 38) logits of each face for crops (n, 64, 48, 3)."""
        ...


def handedness_of(
    net: FaceClassifier, image_bgr: Picture, tiles: Sequence[DetectedTile]
) -> Mapping[str, float]:
    """For each face, how much more it looks like itself than like its mirror image.

    Negative values speak for a mirrored picture. The recogniser was trained without mirrored tiles,
    so it gives them lower logits. The value is the difference of log-sum-exp, averaged over the
    tiles with that face.
    """
    corners = [tile.corners_px for tile in tiles if tile.side is Side.FACE][:LOOKED_AT]
    if not corners:
        return {}
    crops = np.stack([rectify(image_bgr, corner) for corner in corners])
    both = np.stack([net.logits(crops), net.logits(np.ascontiguousarray(crops[:, :, ::-1]))])
    strength = np.logaddexp.reduce(both, axis=2)
    likelier = strength.argmax(axis=0)
    logits = np.take_along_axis(both, likelier[None, :, None], axis=0)[0]
    sure = logits.max(axis=1) - np.logaddexp.reduce(logits, axis=1) >= np.log(SURE)
    found: dict[str, list[float]] = {}
    for row in np.flatnonzero(sure):
        face = FACES[int(logits[row].argmax())]
        if face in SPEAKING:
            found.setdefault(face, []).append(float(strength[0, row] - strength[1, row]))
    return {face: float(np.mean(values)) for face, values in found.items()}


class Handedness:
    """Sums up what the faces of one table say over many looks."""

    def __init__(self) -> None:
        self._evidence: dict[str, float] = {}

    def add(self, evidence: Mapping[str, float]) -> None:
        """Add one look; the newest value of a face counts half."""
        for face, value in evidence.items():
            self._evidence[face] = (self._evidence.get(face, value) + value) / 2

    @property
    def mirrored(self) -> bool | None:
        """None until the faces decide."""
        total = self._total
        return None if abs(total) < CLEAR else total < 0

    @property
    def likely_plain(self) -> bool:
        """Whether it is hardly mirrored, if only one picture was added."""
        return self._total > LIKELY

    @property
    def _total(self) -> float:
        return sum(min(MOST, max(-MOST, value)) for value in self._evidence.values())
