"""The yaku of riichi by name, the dora of an indicator, and what han are worth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.tiles import Tile

YAKUMAN_HAN: Final = 13
"""What a yakuman is listed with; its worth is ``YAKUMAN_BASE``, not what 13 han would be."""

DORA: Final[tuple[str, ...]] = ("riichi_dora", "ura_dora", "red_five")
"""Han that are no yaku: a hand needs one besides."""

MANGAN_BASE: Final = 2000
YAKUMAN_BASE: Final = 8000
_SANBAIMAN_BASE: Final = 6000
_LIMITS: Final = ((11, _SANBAIMAN_BASE), (8, 4000), (6, 3000), (5, MANGAN_BASE))
"""From so many han on, the base is fixed (EMA 2016, 4.3)."""

_CYCLES: Final = (
    *("123456789" + suit for suit in "mps"),
    "1234z",
    "567z",
)
_NEXT: Final = {
    Tile(ranks[place] + cycle[-1]): Tile(ranks[(place + 1) % len(ranks)] + cycle[-1])
    for cycle in _CYCLES
    for ranks in (cycle[:-1],)
    for place in range(len(ranks))
}


def base_points(han: int, fu: int, thirteen_is_yakuman: bool) -> int:
    """A quarter of what a discarder pays a player who is not dealer, before it is rounded up."""
    if han >= YAKUMAN_HAN and thirteen_is_yakuman:
        return YAKUMAN_BASE
    for least, base in _LIMITS:
        if han >= least:
            return base
    return min(fu << (2 + han), MANGAN_BASE)


def dora_of(indicator: Tile) -> Tile:
    """The kind that an indicator makes dora: the next of its suit, wind or dragon (004, 2.7).

    Dragons go white, green, red, as 004 has them (red points to white, white to green).
    """
    return _NEXT[indicator.kind]


def dora_among(tiles: Sequence[Tile], indicators: Iterable[Tile]) -> int:
    """Dora that known tiles hold, two indicators of one kind counting twice."""
    dora = [dora_of(indicator) for indicator in indicators if indicator.known]
    if not dora:
        return 0
    kinds = [tile.kind for tile in tiles]
    return sum(map(kinds.count, dora))
