"""Sets that lie there already: which claim each shows, and whose discard was claimed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.events import Chow, Claim, Kong, Pung
from engine.state import State
from engine.tiles import UNKNOWN
from vision.telling.explain_sets import claims_shown, fed_by, kinds_shown, may_be_claimed
from vision.telling.scene import TableEvidence
from vision.tiles.classes import Side
from vision.tracking.happenings import SetLaid

FEEDER_UNKNOWN: Final = 0.5
"""No tile of a set points to anybody."""
FROM_ELSEWHERE: Final = 3.0
"""A chow of somebody else's discard than the left neighbour's."""


def set_shown(
    seat: int, tiles: Sequence[int], state: State, scene: TableEvidence
) -> list[tuple[Claim, float]]:
    """The claims that a set may show, likeliest first, with their costs; one at least."""
    backs = sum(scene.tiles[tile].side is Side.BACK for tile in tiles)
    faces = [tile for tile in tiles if scene.tiles[tile].side is Side.FACE]
    if backs:
        kinds = kinds_shown(faces, scene) if faces else [(UNKNOWN, 0.0)]
        return [(Kong(seat, "closed", kind), cost) for kind, cost in kinds]
    row, added = (tiles[:3], tiles[3]) if _is_added(tiles, scene) else (tiles, None)
    lies = SetLaid(0.0, seat, tuple(row))
    fed = fed_by(lies, scene)
    if fed is None and not scene.layout.opposite_turned:
        fed = (seat + 2) % 4
    feeders = [fed] if fed is not None else [(seat + step) % 4 for step in (3, 2, 1)]
    found: list[tuple[Claim, float]] = []
    for feeder in feeders:
        for face, odd in may_be_claimed(lies, scene):
            for claim, cost in claims_shown(state, seat, feeder, face, row, scene):
                price = cost + odd + (FEEDER_UNKNOWN if fed is None else 0.0)
                if isinstance(claim, Chow) and feeder != (seat + 3) % 4:
                    price += FROM_ELSEWHERE
                if added is not None and isinstance(claim, Pung):
                    kind = claim.tile.kind
                    found.append((Kong(seat, "added", kind, feeder, own=(kind,)), price))
                elif added is None:
                    found.append((claim, price))
    unread = Pung(seat, feeders[0], UNKNOWN, (UNKNOWN, UNKNOWN))
    return sorted(found, key=lambda way: way[1]) or [(unread, 9.0)]


def _is_added(tiles: Sequence[int], scene: TableEvidence) -> bool:
    """Whether the last of four tiles lies on the far side of the others, out of their row."""
    if len(tiles) != 4:
        return False
    row = [scene.tiles[tile].xy_mm for tile in tiles[:3]]
    along = row[2] - row[0]
    off = scene.tiles[tiles[3]].xy_mm - row[0]
    length = float((along @ along) ** 0.5)
    across = abs(float(along[0] * off[1] - along[1] * off[0])) / max(length, 1e-6)
    return across > 0.6 * scene.tile_mm
