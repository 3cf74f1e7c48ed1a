"""Which of several things is which of several others, where each may be one of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import lap
import numpy as np

from vision.arrays import Doubles


def pairs(costs: Sequence[Sequence[float]] | Doubles, limit: float = math.inf) -> dict[int, int]:
    """The pairs of rows and columns that cost least together; each of them less than ``limit``."""
    matrix = np.array(costs, np.float64)
    if not matrix.size:
        return {}
    _, columns, _ = lap.lapjv(matrix, extend_cost=True, cost_limit=limit)
    return {row: int(column) for row, column in enumerate(columns) if column >= 0}
