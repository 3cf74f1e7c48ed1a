"""Tell a dissolve: one picture fades into another, and tiles of both are seen."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.arrays import Bytes
from vision.shots.small import lit_as

CHANGED_GREY: Final = 10.0
"""Least change of a pixel over three frames that counts."""
EVEN: Final = 0.4
"""Two steps of a pixel are even if they differ by less than this share of the larger one."""
SHARE: Final = 0.6
"""Least share of even pixels: 1.0 in dissolves, at most 0.3 where hands move."""
LEAST_PX: Final = 40
"""Least number of changed pixels in a small picture."""


def dissolves(first: Bytes, second: Bytes, third: Bytes) -> bool:
    """Whether what changes over three small pictures changes evenly, as no moving thing does."""
    before, after = lit_as(first, second), lit_as(third, second)
    one, other = second - before, after - second
    changed = np.abs(after - before) > CHANGED_GREY
    even = np.abs(one - other) < EVEN * np.maximum(np.abs(one), np.abs(other))
    count = int(changed.sum())
    return count >= LEAST_PX and float((changed & even & (one * other > 0)).sum()) >= SHARE * count
