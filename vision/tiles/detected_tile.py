"""A tile in one picture, whoever read it."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.tiles.classes import Side


class DetectedTile(Protocol):
    """A tile in one picture, as the detector gives it."""

    @property
    def side(self) -> Side: ...
    @property
    def corners_px(self) -> NDArray[np.float32]: ...
    @property
    def score(self) -> float: ...
    @property
    def probabilities(self) -> NDArray[np.float32]: ...
