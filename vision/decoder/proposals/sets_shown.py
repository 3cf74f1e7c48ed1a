"""Sets that lie there already: which claim each shows, and whose discard was claimed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.events import Chow, Claim, Kong, Pung
from engine.state import State
from engine.tiles import UNKNOWN
from vision.decoder.likelihood import LIMITS, price
from vision.decoder.proposals.sets import (
    KONG,
    claims_shown,
    fed_by,
    kinds_shown,
)
from vision.decoder.table_evidence import TableEvidence


def set_shown(
    seat: int, tiles: Sequence[int], state: State, table: TableEvidence
) -> list[tuple[Claim, dict[str, float]]]:
    """The claims that a set may show, likeliest first, with their charges; one at least."""
    faces = [tile for tile in tiles if table.is_face(tile)]
    if len(faces) < len(tiles):
        kinds = kinds_shown(faces, table) if faces else [(UNKNOWN, 0.0)]
        return [(Kong(seat, "closed", kind), {"set_face": cost}) for kind, cost in kinds]
    row, on_top = (tiles[:3], tiles[3]) if _is_added(tiles, table) else (tiles, None)
    fed = fed_by(table, seat, row)
    if fed is None and not table.layout.opposite_turned:
        fed = (seat + 2) % 4
    feeders = [fed] if fed is not None else [(seat + step) % 4 for step in (3, 2, 1)]
    found: list[tuple[Claim, dict[str, float]]] = []
    for feeder in feeders:
        for claim, charges in claims_shown(state, seat, feeder, UNKNOWN, row, table):
            across = isinstance(claim, Chow) and feeder != (seat + 3) % 4
            total = charges | {
                "feeder_unknown": float(fed is None), "from_elsewhere": float(across)
            }  # fmt: skip
            if on_top is not None and isinstance(claim, Pung):
                kind = claim.tile.kind
                found.append((Kong(seat, "added", kind, feeder, own=(kind,)), total))
            elif on_top is None:
                found.append((claim, total))
    unread = Pung(seat, feeders[0], UNKNOWN, (UNKNOWN, UNKNOWN))
    return sorted(found, key=lambda way: price(way[1])) or [
        (unread, {"set_face": LIMITS["no_set"]})
    ]


def _is_added(tiles: Sequence[int], table: TableEvidence) -> bool:
    """Whether the last of four tiles lies on the far side of the others, out of their row."""
    if len(tiles) != KONG:
        return False
    row = [table.tiles[tile].xy_mm for tile in tiles[:3]]
    along, off = row[2] - row[0], table.tiles[tiles[3]].xy_mm - row[0]
    length = float(np.hypot(*along))
    across = abs(float(along[0] * off[1] - along[1] * off[0])) / max(length, 1e-6)
    return across > 0.6 * table.tile_mm
