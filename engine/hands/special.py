"""Hands that are no sets and a pair: seven pairs and thirteen orphans."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from engine.hands.forms import Form
from engine.hands.keys import HONOURS, RANKS, Key, counts, fields

FAR: Final = 99
LEAST_TILES: Final = 13
PAIRS_NEEDED: Final = 7
ORPHANS_NEEDED: Final = 13


@lru_cache(maxsize=1 << 16)
def _census(field: int, suit: int) -> tuple[int, int, int, int, int, int]:
    """Pairs, tiles beside them, kinds held twice, kinds, orphans, orphans held twice of a suit."""
    held = counts(field)[: RANKS[suit]]
    outer = held if suit == HONOURS else (held[0], held[-1])
    return (
        sum(count >> 1 for count in held),
        sum(count & 1 for count in held),
        sum(count >= 2 for count in held),
        sum(count >= 1 for count in held),
        sum(count >= 1 for count in outer),
        sum(count >= 2 for count in outer),
    )


def special_distance(key: Key, tiles: int, wild: int, forms: Collection[Form]) -> int:
    """Exchanges until such a hand is ready: -1 for a complete one, ``FAR`` for too few tiles.

    ``tiles``: how many there are, the wild ones too.
    """
    best = FAR
    if tiles < LEAST_TILES:
        return best
    suits = [_census(field, suit) for suit, field in enumerate(fields(key))]
    pairs, singles, twice, kinds, orphans, doubled = map(sum, zip(*suits, strict=True))
    if Form.PAIRS in forms:
        best = PAIRS_NEEDED - 1 - pairs + max(0, PAIRS_NEEDED - pairs - singles) - wild
    if Form.DISTINCT_PAIRS in forms:
        best = min(best, PAIRS_NEEDED - 1 - twice + max(0, PAIRS_NEEDED - kinds) - wild)
    if Form.ORPHANS in forms:
        best = min(best, ORPHANS_NEEDED - orphans - (doubled > 0) - wild)
    return max(best, -1)
