"""A hand packed into one integer: a base-5 number for each suit, a digit for each rank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from engine.tiles import COPIES, FLOWERS, KINDS, REDS, Tile

HandKey = int
"""Counts of a hand's tiles; the fields of ``m p s z`` follow from the lowest bit on, then the
flowers, which fit nothing."""

ALL: Final = tuple(map(Tile, KINDS))
SUITS: Final = "mpsz"
RANKS: Final = (9, 9, 9, 7)
HONOURS: Final = 3
FIELD_BITS: Final = 21
FIELD: Final = (1 << FIELD_BITS) - 1
BASE: Final = 5
MOST_SETS: Final = 5
"""Sets of the largest hand: seventeen tiles are five and a pair."""
UNITS: Final = tuple(BASE**place for place in range(9))
"""What one tile of each rank, lowest first, adds to the field of its suit."""
ROOM: Final = FIELD + 1 + UNITS[-1]
"""Size of look-up tables: every field, plus one more tile."""
TILES: Final = tuple(
    tuple(Tile(f"{rank}{suit}") for rank in range(1, ranks + 1))
    for suit, ranks in zip(SUITS, RANKS, strict=True)
)
UNIT: Final = {
    tile: UNITS[tile.rank - 1] << FIELD_BITS * SUITS.index(tile.suit)
    for tile in map(Tile, (*KINDS, *REDS))
} | dict.fromkeys(map(Tile, FLOWERS), 1 << FIELD_BITS * len(SUITS))
"""What a tile adds to a key; a red five is a five."""

_unit_of = UNIT.__getitem__


def key_of(tiles: Iterable[Tile]) -> HandKey:
    """Pack known tiles, red fives as fives; raise ``KeyError`` for an unknown tile.

    A fifth copy overflows into the next rank, so hands with five copies are judged wrongly.
    """
    return sum(map(_unit_of, tiles))


def has_flowers(key: HandKey) -> bool:
    """Whether tiles that fit nothing are among those of the hand."""
    return key >> FIELD_BITS * len(SUITS) > 0


def fields(key: HandKey) -> tuple[int, int, int, int]:
    """The counts of each suit."""
    return (
        key & FIELD,
        key >> FIELD_BITS & FIELD,
        key >> 2 * FIELD_BITS & FIELD,
        key >> 3 * FIELD_BITS & FIELD,
    )


@lru_cache(maxsize=1 << 16)
def counts(field: int) -> tuple[int, ...]:
    """Copies of each rank, lowest first."""
    return tuple(field // unit % BASE for unit in UNITS)


def addable(key: HandKey) -> Iterator[Tile]:
    """Kinds of which the hand holds fewer than four copies."""
    for suit, field in enumerate(fields(key)):
        for tile, count in zip(TILES[suit], counts(field), strict=False):
            if count < COPIES:
                yield tile
