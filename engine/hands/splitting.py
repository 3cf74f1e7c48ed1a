"""Splits a complete hand into sets and a pair in every possible way."""

from __future__ import annotations

from functools import lru_cache

from engine.hands.complete import is_whole
from engine.hands.forms import Group, GroupKind, Split
from engine.hands.hand_key import HONOURS, TILES, UNITS, HandKey, counts, fields


def splits_of(key: HandKey) -> tuple[Split, ...]:
    """Every way to split ``3n + 2`` tiles into sets and one pair; empty when there is none."""
    every: list[Split] = []
    for paired in range(4):
        parts: list[Split] = [()]
        for suit, field in enumerate(fields(key)):
            ways = _suit_splits(field, suit, suit == paired)
            parts = [part + way for part in parts for way in ways]
            if not parts:
                break
        every += parts
    return tuple(sorted(every, key=lambda split: [(group.tile, group.kind) for group in split]))


@lru_cache(maxsize=1 << 14)
def _suit_splits(field: int, suit: int, pair: bool) -> frozenset[Split]:
    if field == 0:
        return frozenset() if pair else frozenset({()})
    if not is_whole(field, suit, pair):
        return frozenset()
    held = counts(field)
    rank = next(rank for rank, count in enumerate(held) if count)
    unit, tile = UNITS[rank], TILES[suit][rank]
    tries = [(GroupKind.PUNG, 3 * unit, pair)] if held[rank] >= 3 else []
    if pair and held[rank] >= 2:
        tries.append((GroupKind.PAIR, 2 * unit, False))
    if suit != HONOURS and rank <= 6 and held[rank + 1] and held[rank + 2]:
        tries.append((GroupKind.CHOW, sum(UNITS[rank : rank + 3]), pair))
    return frozenset(
        tuple(sorted((Group(kind, tile), *rest), key=lambda group: (group.tile, group.kind)))
        for kind, taken, pair_left in tries
        for rest in _suit_splits(field - taken, suit, pair_left)
    )
