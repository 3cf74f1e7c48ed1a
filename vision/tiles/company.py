"""Tiles that lie among others: what stands alone is rather a key, a letter or a domino.

On pictures of keys and dice all six readings from a confidence of 0.5 on stand alone. On 192
rendered tables 33 of 1,031 such readings that stand alone show no tile, and 10 of 3,022 in company.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Bools, Floats
from vision.tiles.parts import areas

SURE: Final = 0.9
"""Least confidence of a face that keeps another one company."""
NEAR: Final = 2.5
"""Farthest middle of such a face, in sides of a square as large as the tile: in a row the next but
one."""
LIKE: Final = 1.8
"""Within this factor two outlines have the area of one kind of tile."""
LEAST: Final = 2
"""So many sure faces are company. Between 0.8 and 0.9 there were 5 readings without a tile among
50 beside a single one, and 2 among 100 beside two or more, on rendered tables."""


def in_company(corners_px: Floats, confidences: Floats) -> Bools:
    """(n,) whether sure faces of like size lie near each outline (n, 4, 2).

    ``confidences`` (n,) are those of faces; 0 for what shows none.
    """
    middles = corners_px.mean(axis=1).astype(np.float64)
    sizes = np.maximum(areas(corners_px), 1.0)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    near = apart < NEAR * np.sqrt(sizes)[:, None]
    alike = np.abs(np.log(sizes[:, None] / sizes[None])) < np.log(LIKE)
    others = near & alike & (confidences >= SURE)[None]
    np.fill_diagonal(others, False)
    return np.asarray(others.sum(axis=1) >= LEAST, bool)
