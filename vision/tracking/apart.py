"""The tile just drawn, where it stands apart at the right end of its player's hand."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from vision.table.placed_tile import PlacedTile
from vision.table.view import to_seat

GAP: Final = (1.15, 1.75)
"""From the middle of the tile apart to that of its neighbour, in widths; with more of them one
that was not found may stand between."""
STOOD_S: Final = 0.3
"""It stands there for so long before the discard is seen ..."""
STILL_THERE_S: Final = 0.1
"""... and is looked at again so long after that, or later, ..."""
UNTIL_S: Final = 2.5
"""... while nobody can have drawn again."""
KEPT: Final = 8
"""So many tiles that stood apart are remembered of each player, ..."""
LOOKS_KEPT: Final = 32
"""... and of each so many looks, the last ones."""


@dataclass(eq=False)
class _Stood:
    """One tile apart."""

    tile: int
    first_s: float
    looks: int
    looked_s: deque[float]
    """When it was looked at."""


class StandsApart:
    """Remembers the tiles that stood apart before each player."""

    def __init__(self) -> None:
        self._stood: tuple[deque[_Stood], ...] = tuple(deque(maxlen=KEPT) for _ in range(4))

    def update(self, rows: Sequence[Sequence[PlacedTile]], tile_mm: float, time_s: float) -> None:
        """Take the standing tiles of each seat, from its player's left to right."""
        for seat, row in enumerate(rows):
            if not row:
                continue
            last, stood = row[-1], self._stood[seat]
            known = next((one for one in stood if one.tile == last.id), None)
            if known is None and _apart(row, seat, tile_mm):
                known = _Stood(last.id, last.first_s, last.looks, deque([time_s], LOOKS_KEPT))
                stood.append(known)
            elif known is not None and last.looks > known.looks:
                known.looks = last.looks
                known.looked_s.append(time_s)

    def stayed(self, seat: int, since_s: float, time_s: float) -> bool:
        """Whether a tile that came after one moment still stood there after a discard."""
        return any(
            stood.first_s > since_s
            and stood.looked_s[0] <= time_s - STOOD_S
            and any(STILL_THERE_S <= looked - time_s <= UNTIL_S for looked in stood.looked_s)
            for stood in self._stood[seat]
        )


def _apart(row: Sequence[PlacedTile], seat: int, tile_mm: float) -> bool:
    """Whether the last tile of a whole hand with a drawn one stands apart, and no other does."""
    if len(row) % 3 != 2:
        return False
    along = [float(to_seat(tile.xy_mm, seat)[0]) for tile in row]
    *gaps, last = [(right - left) / tile_mm for left, right in pairwise(along)]
    return GAP[0] < last < GAP[1] and all(gap < GAP[0] for gap in gaps)
