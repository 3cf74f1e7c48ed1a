"""The faces of one set of tiles, as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class FaceSet:
    """A name and a picture for each face; kinds may be missing if it came from a folder."""

    name: str
    images: Mapping[str, NDArray[np.uint8]]
    """Code of the tile to its picture (height, width, 4), RGBA, clear where the body shows."""
    body: tuple[float, float, float] | None = None
    """Linear colour of the tiles that the ink is made for; None: any pale one."""
