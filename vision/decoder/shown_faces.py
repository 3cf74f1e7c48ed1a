"""Which tile shows which face, where several tiles show several faces in whatever order."""

from __future__ import annotations

from collections.abc import Sequence

from engine.tiles import Tile
from vision.decoder.likelihood import TILES
from vision.decoder.table_evidence import TableEvidence


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
