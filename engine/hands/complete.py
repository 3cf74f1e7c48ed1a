"""Complete hands without wild tiles: what a hand waits for, and every way to split it."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from engine.hands.forms import Group, GroupKind, Split
from engine.hands.hand_key import (
    FIELD,
    FIELD_BITS,
    HONOURS,
    MOST_SETS,
    RANKS,
    TILES,
    UNITS,
    HandKey,
    counts,
    fields,
    has_flowers,
)
from engine.tiles import Tile

USUAL_SETS: Final = 4
"""Sets of a hand in most games."""

# A suit that can stand in a ready hand has one number: two bits for what it is, and two lists of
# ranks, a bit a rank.
SETS: Final = 1
"""The suit consists of sets alone."""
PAIRED: Final = 2
"""The suit consists of sets and one pair."""
SETS_BY: Final = 2
"""Lowest bit of the ranks of which one more tile makes the suit sets alone."""
PAIRED_BY: Final = 11
"""Lowest bit of the ranks of which one more tile makes the suit sets and one pair."""
_NINE: Final = (1 << 9) - 1
_ONES: Final = 0x111111111
"""One in each of nine four-bit counts; adding it three times shows a fifth copy."""


@cache
def suit_table(suit: int, sets: int) -> dict[int, int]:
    """Every suit that can be part of a complete or ready hand of so many sets, by its field of the
    key."""
    ranks = range(RANKS[suit])
    ones = [(UNITS[rank], 1 << 4 * rank) for rank in ranks]
    groups = [(3 * unit, 3 * one) for unit, one in ones]
    if suit != HONOURS:
        groups += [
            (sum(unit for unit, _ in three), sum(one for _, one in three))
            for three in (ones[rank : rank + 3] for rank in ranks[:-2])
        ]
    found = newest = {0: 0}
    for _ in range(sets):
        newest = _with_one_more(newest, groups)
        found = found | newest
    table: dict[int, int] = dict.fromkeys(found, SETS)
    paired = _with_one_more(found, [(2 * unit, 2 * one) for unit, one in ones])
    for field in paired:
        table[field] = table.get(field, 0) | PAIRED
    for whole, first in ((found, SETS_BY), (paired, PAIRED_BY)):
        for field, held in whole.items():
            for rank, (unit, one) in enumerate(ones):
                if held & 0xF * one:
                    less = field - unit
                    table[less] = table.get(less, 0) | 1 << first + rank
    return table


def _with_one_more(parts: dict[int, int], groups: list[tuple[int, int]]) -> dict[int, int]:
    """Add each of the groups to every field and its four-bit counts; leave fifth copies out."""
    return {
        field + unit: more
        for field, held in parts.items()
        for unit, one in groups
        if not (more := held + one) + 3 * _ONES & 8 * _ONES
    }


@cache
def _tiles_of(suit: int) -> tuple[tuple[Tile, ...], ...]:
    """The tiles of one suit for every bit list of ranks."""
    ranks = range(RANKS[suit])
    return tuple(
        tuple(TILES[suit][rank] for rank in ranks if bits >> rank & 1) for bits in range(_NINE + 1)
    )


@cache
def _tables(sets: int) -> tuple[dict[int, int], dict[int, int]]:
    """The tables of a suit and of the honours. Those of the largest hands are big, and most games
    never need them."""
    return suit_table(0, sets), suit_table(HONOURS, sets)


def _tables_for(sets: int) -> tuple[dict[int, int], dict[int, int]]:
    return _tables(MOST_SETS if sets > USUAL_SETS else USUAL_SETS)


def waits_of(key: HandKey, sets: int) -> tuple[Tile, ...]:
    """Kinds that complete ``3n + 1`` tiles to so many sets and a pair.

    A complete suit has ``3n`` tiles, or ``3n + 2`` with the pair. So either one suit waits and gets
    the pair, or one of two suits waits and the other holds the pair.
    """
    if has_flowers(key):
        return ()
    suits, honours = _tables_for(sets)
    odd = []
    for suit in range(HONOURS + 1):
        field = key >> FIELD_BITS * suit & FIELD
        if field:
            what = (suits if suit != HONOURS else honours).get(field)
            if what is None:
                return ()
            if not what & SETS:
                odd.append((suit, what))
    if len(odd) == 1:
        suit, what = odd[0]
        return _tiles_of(suit)[what >> PAIRED_BY & _NINE]
    if len(odd) != 2:
        return ()
    (first, what), (second, other) = odd
    kinds: tuple[Tile, ...] = ()
    if other & PAIRED:
        kinds = _tiles_of(first)[what >> SETS_BY & _NINE]
    if what & PAIRED:
        kinds += _tiles_of(second)[other >> SETS_BY & _NINE]
    return kinds


def is_complete(key: HandKey, sets: int) -> bool:
    """Whether ``3n + 2`` tiles are so many sets and one pair."""
    if has_flowers(key):
        return False
    suits, honours = _tables_for(sets)
    pairs = 0
    for suit in range(HONOURS + 1):
        field = key >> FIELD_BITS * suit & FIELD
        if field:
            what = (suits if suit != HONOURS else honours).get(field, 0)
            if what & PAIRED:
                pairs += 1
            elif not what & SETS:
                return False
    return pairs == 1


def is_whole(field: int, suit: int, pair: bool, sets: int) -> bool:
    """Whether the suit is sets alone or, with ``pair``, sets and one pair; at most ``sets``."""
    return bool(_tables_for(sets)[suit == HONOURS].get(field, 0) & (PAIRED if pair else SETS))


def splits_of(key: HandKey, sets: int) -> tuple[Split, ...]:
    """Every way to split ``3n + 2`` tiles into so many sets and one pair; empty when there is
    none."""
    every: list[Split] = []
    for paired in range(4) if not has_flowers(key) else ():
        parts: list[Split] = [()]
        for suit, field in enumerate(fields(key)):
            ways = _suit_splits(field, suit, suit == paired, sets)
            parts = [part + way for part in parts for way in ways]
            if not parts:
                break
        every += parts
    return tuple(sorted(every, key=lambda split: [(group.tile, group.kind) for group in split]))


@lru_cache(maxsize=1 << 14)
def _suit_splits(field: int, suit: int, pair: bool, sets: int) -> frozenset[Split]:
    if field == 0:
        return frozenset() if pair else frozenset({()})
    if not is_whole(field, suit, pair, sets):
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
        for rest in _suit_splits(field - taken, suit, pair_left, sets)
    )
