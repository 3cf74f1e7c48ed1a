"""The order of discards that leave a hand as near, with as many useful tiles.

A teacher says which of them goes first: what stands alone before what can still become a set, a
terminal or a wind before a middle tile, and never a tile that makes a win worth more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from engine.state import State
from engine.tiles import DRAGONS, REDS, Tile

BESIDE: Final = 2
"""How much more a tile beside another one is worth than a tile that leaves a gap."""

Kept = tuple[bool, bool, bool, int, int, int]
"""By which tiles are compared; the tile with the least goes first."""


def kept_for(
    tile: Tile,
    hand: Sequence[Tile],
    valued: frozenset[Tile],
    bonus: Mapping[Tile, int],
    left: Mapping[Tile, int],
) -> Kept:
    """What speaks for keeping a tile of this hand, the strongest first.

    ``valued``: honours of which a set counts. ``bonus``: kinds that make a win worth more, wild
    ones among them. ``left``: copies of each kind that the seat cannot see.
    """
    kind, held = tile.kind, Counter(other.kind for other in hand)
    joined = sum(
        count * (BESIDE if abs(other.rank - kind.rank) == 1 else 1)
        for other, count in held.items()
        if other.suit == kind.suit in "mps" and 0 < abs(other.rank - kind.rank) <= 2
    )
    return (
        tile in REDS or bonus.get(kind, 0) > 0,
        held[kind] > 1,
        joined > 0,
        _worth(kind, valued),
        joined,
        left.get(kind, 0),
    )


def valued_honours(state: State, seat: int) -> frozenset[Tile]:
    """Dragons, and the winds of the round and of the seat."""
    return frozenset({*DRAGONS, state.round, state.seat_wind(seat)})


def _worth(kind: Tile, valued: frozenset[Tile]) -> int:
    """How much a tile may become by itself: a middle tile stands in most runs."""
    if kind.suit == "z":
        return 2 if kind in valued else 1
    if kind.suit not in "mps" or kind.is_outer:
        return 0
    return 3 if kind.rank in (2, 8) else 4
