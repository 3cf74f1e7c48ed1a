"""How many tiles a hand lacks and which bring it nearer: the sum of what its suits lack.

Tables tell what a suit lacks, one for hands with wild tiles and one for those without. The sets and
the pair are distributed over the four suits in the cheapest way.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import compress
from operator import add
from typing import Final

from engine.hands.hand_key import (
    BASE,
    HONOURS,
    MOST_SETS,
    TILES,
    UNIT,
    UNITS,
    HandKey,
    addable,
    fields,
)
from engine.hands.suit_tables import LANE_BITS, LackVector, SuitTable, table
from engine.tiles import COPIES, Tile

PAIR: Final = MOST_SETS + 1
"""Index of the first entry that includes a pair; entries before it have sets only."""

NEVER: Final = 15
"""The tables' value for an impossible suit: more tiles than a full hand ever lacks."""

_RANKED: Final = tuple(tuple(zip(UNITS, tiles, strict=False)) for tiles in TILES)

_LANES: Final = tuple(1 << LANE_BITS * place for place in range(2 * PAIR))

SuitVectors = tuple[LackVector, LackVector, LackVector, LackVector]


@cache
def _tables(wild: bool) -> tuple[SuitTable, SuitTable]:
    """The tables of a suit and of the honours; wild tiles can be a fifth copy."""
    return (
        (table("wild_suit"), table("wild_honours")) if wild else (table("suit"), table("honours"))
    )


def vectors_of(key: HandKey, wild: bool) -> SuitVectors:
    """Missing tiles of each suit."""
    suit, honours = _tables(wild)
    one, two, three, four = fields(key)
    return suit[one], suit[two], suit[three], honours[four]


@lru_cache(maxsize=1 << 16)
def joined(first: LackVector, second: LackVector) -> LackVector:
    """Missing tiles of two suits together."""
    return (
        *(min(map(add, first[: sets + 1], second[sets::-1])) for sets in range(PAIR)),
        *(
            min(
                min(map(add, first[: sets + 1], second[PAIR + sets : PAIR - 1 : -1])),
                min(map(add, first[PAIR : PAIR + sets + 1], second[sets::-1])),
            )
            for sets in range(PAIR)
        ),
    )


@lru_cache(maxsize=1 << 16)
def left_over(vector: LackVector, sets: int) -> LackVector:
    """Missing tiles in these suits if the other suits supply so many sets, or sets and a pair."""
    never = (NEVER,) * (MOST_SETS - sets)
    return (*vector[PAIR + sets : PAIR - 1 : -1], *never, *vector[sets::-1], *never)


def sets_of(tiles: int) -> int:
    """How many sets this number of undeclared tiles makes."""
    return min(tiles // 3, MOST_SETS)


def needed(vectors: SuitVectors, sets: int) -> int:
    """Least number of missing tiles for so many sets and a pair."""
    one, two, three, four = vectors
    least: int = min(map(add, joined(one, two), left_over(joined(three, four), sets)))
    return least


def needed_alone(key: HandKey, wild: int, sets: int) -> int:
    """Least number of missing tiles for so many sets without a pair."""
    one, two, three, four = vectors_of(key, wild > 0)
    first, second = joined(one, two), joined(three, four)
    least: int = min(map(add, first[: sets + 1], second[sets::-1]))
    return least


def set_distance(key: HandKey, tiles: int, wild: int) -> int:
    """Exchanges until sets and a pair are ready: 0 is ready, -1 complete.

    ``tiles``: number of tiles with the wild ones.
    """
    return max(missing(key, wild, sets_of(tiles)) - wild, 0) - 1


def missing(key: HandKey, wild: int, sets: int) -> int:
    """Least number of missing tiles; wild tiles count as missing ones that have come.

    The table for wild tiles lets every kind come to a fifth copy, though only a wild tile can be
    one. Where that changes the number, some tile must exist that really brings the hand nearer.
    """
    vectors = vectors_of(key, wild > 0)
    best = needed(vectors, sets)
    if not wild or best <= wild:
        return best
    plain = vectors_of(key, False)
    if plain == vectors or best == needed(plain, sets):
        return best
    if any(missing(key + UNIT[tile], wild, sets) < best for tile in addable(key)):
        return best
    return best + 1


def nearer(key: HandKey, tiles: int, wild: int) -> tuple[Tile, ...]:
    """Kinds that bring sets and a pair nearer; for a ready hand its waits.

    Kinds of which the hand holds all four copies are left out.
    """
    sets = sets_of(tiles)
    least = missing(key, wild, sets)
    vectors = vectors_of(key, wild > 0)
    if needed(vectors, sets) != least:
        kinds = tuple(addable(key))
        return tuple(tile for tile in kinds if missing(key + UNIT[tile], wild, sets) < least)
    return _nearer(key, vectors, sets, least, _tables(wild > 0))


def wild_waits(key: HandKey, tiles: int, wild: int) -> tuple[Tile, ...]:
    """Kinds that complete a hand with wild tiles."""
    sets = sets_of(tiles)
    vectors = vectors_of(key, True)
    least = wild + 1
    if needed(vectors, sets) != least:
        return ()
    return _nearer(key, vectors, sets, least, _tables(True))


def _nearer(
    key: HandKey, vectors: SuitVectors, sets: int, least: int, tables: tuple[SuitTable, SuitTable]
) -> tuple[Tile, ...]:
    """Kinds of which one more tile makes one missing tile less."""
    kinds: list[Tile] = []
    one, two, three, four = vectors
    first, second = joined(one, two), joined(three, four)
    rests = (joined(two, second), joined(one, second), joined(first, four), joined(first, three))
    for suit, field in enumerate(fields(key)):
        # Indices of the vector that the cheapest distributions use.
        sums = map(add, vectors[suit], left_over(rests[suit], sets))
        used = sum(compress(_LANES, map(least.__eq__, sums)))
        lacks = tables[suit == HONOURS]
        packed, numbers = lacks.packed, lacks.numbers
        own = packed[numbers[field]]
        for unit, tile in _RANKED[suit]:
            # One more tile lowers each number by one or leaves it, so the subtraction borrows
            # nothing.
            less = own - packed[numbers[field + unit]]
            if less & used and field // unit % BASE < COPIES:
                kinds.append(tile)
    return tuple(kinds)
