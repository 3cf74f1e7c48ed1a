"""What every detected tile has, whoever detected it."""

from __future__ import annotations

from typing import Protocol

from vision.arrays import Floats
from vision.tiles.classes import Side


class DetectedTile(Protocol):
    """A tile in one picture."""

    @property
    def side(self) -> Side: ...
    @property
    def corners_px(self) -> Floats: ...
    @property
    def score(self) -> float: ...
    @property
    def probabilities(self) -> Floats: ...
