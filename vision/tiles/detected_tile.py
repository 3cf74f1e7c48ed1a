"""What every detected tile has, whoever detected it."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.tiles.classes import Side


class DetectedTile(Protocol):
    """A tile in one picture."""

    @property
    def side(self) -> Side: ...
    @property
    def corners_px(self) -> NDArray[np.float32]: ...
    @property
    def score(self) -> float: ...
    @property
    def probabilities(self) -> NDArray[np.float32]: ...
