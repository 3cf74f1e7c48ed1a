"""Which tile shows which face, where several tiles show several faces in whatever order."""

from __future__ import annotations

import math
from collections.abc import Sequence

import lap
import numpy as np

from engine.tiles import Tile
from vision.decoder.likelihood import TILES
from vision.decoder.table_evidence import TableEvidence


def pairs(costs: Sequence[Sequence[float]], limit: float = math.inf) -> dict[int, int]:
    """The pairs of rows and columns that cost least together; each of them less than ``limit``."""
    if not costs or not costs[0]:
        return {}
    _, columns, _ = lap.lapjv(np.array(costs, np.float64), extend_cost=True, cost_limit=limit)
    return {row: int(column) for row, column in enumerate(columns) if column >= 0}


def costs_of_faces(
    faces: Sequence[Tile],
    tiles: Sequence[int],
    table: TableEvidence,
    back: float = TILES["no_face"],
) -> list[list[float]]:
    """What each tile costs as each of these faces; ``back`` what one does that shows its back."""
    return [
        [back if table.is_back(tile) else table.face_cost(tile, face) for face in faces]
        for tile in tiles
    ]
