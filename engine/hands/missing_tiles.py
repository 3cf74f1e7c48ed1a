"""How many tiles a hand lacks, and which ones bring it nearer: sums of what its suits lack.

What a suit lacks stands in a table, one for hands with wild tiles and one for those without. The
four suits are joined by dealing the sets and the pair out to them in the cheapest way.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import compress
from operator import add
from typing import Final

from engine.hands.hand_key import BASE, HONOURS, TILES, UNIT, UNITS, HandKey, addable, fields
from engine.hands.suit_tables import LANE_BITS, LackVector, SuitTable, table
from engine.tiles import COPIES, Tile

MOST_SETS: Final = 4
PAIR: Final = MOST_SETS + 1
"""Where the numbers with a pair begin in a vector."""

NEVER: Final = 15
"""As in the tables: more tiles than ever lack."""

_RANKED: Final = tuple(tuple(zip(UNITS, tiles, strict=False)) for tiles in TILES)

_LANES: Final = tuple(1 << LANE_BITS * place for place in range(2 * PAIR))

SuitVectors = tuple[LackVector, LackVector, LackVector, LackVector]


@cache
def _tables(wild: bool) -> tuple[SuitTable, SuitTable]:
    """Those of a suit and of the honours; with wild tiles a fifth copy can come about."""
    return (
        (table("wild_suit"), table("wild_honours")) if wild else (table("suit"), table("honours"))
    )


def vectors_of(key: HandKey, wild: bool) -> SuitVectors:
    """What each suit lacks."""
    suit, honours = _tables(wild)
    one, two, three, four = fields(key)
    return suit[one], suit[two], suit[three], honours[four]


@lru_cache(maxsize=1 << 16)
def joined(first: LackVector, second: LackVector) -> LackVector:
    """What two suits lack together."""
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
    """What these suits lack where others have so many of the sets, or of the sets and the pair."""
    never = (NEVER,) * (MOST_SETS - sets)
    return (*vector[PAIR + sets : PAIR - 1 : -1], *never, *vector[sets::-1], *never)


def sets_of(tiles: int) -> int:
    """How many sets so many undeclared tiles come to."""
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

    ``tiles``: how many there are, the wild ones too.
    """
    return max(missing(key, wild, sets_of(tiles)) - wild, 0) - 1


def missing(key: HandKey, wild: int, sets: int) -> int:
    """Least number of missing tiles, wild ones taken for missing ones that have come.

    The table of wild tiles lets every kind come to a fifth copy, though only wild tiles can be one:
    where that makes a difference, a tile must be there that really brings the hand nearer.
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

    A kind of which all four copies stand in the hand is left out.
    """
    sets = sets_of(tiles)
    least = missing(key, wild, sets)
    vectors = vectors_of(key, wild > 0)
    if needed(vectors, sets) != least:
        kinds = tuple(addable(key))
        return tuple(tile for tile in kinds if missing(key + UNIT[tile], wild, sets) < least)
    return _nearer(key, vectors, sets, least, _tables(wild > 0))


def wild_waits(key: HandKey, tiles: int, wild: int) -> tuple[Tile, ...]:
    """Kinds that complete a hand of which some tiles are wild."""
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
    found: list[Tile] = []
    one, two, three, four = vectors
    first, second = joined(one, two), joined(three, four)
    rests = (joined(two, second), joined(one, second), joined(first, four), joined(first, three))
    for suit, field in enumerate(fields(key)):
        # Places of the vector that the cheapest ways use.
        sums = map(add, vectors[suit], left_over(rests[suit], sets))
        used = sum(compress(_LANES, map(least.__eq__, sums)))
        lacks = tables[suit == HONOURS]
        packed, numbers = lacks.packed, lacks.numbers
        own = packed[numbers[field]]
        for unit, tile in _RANKED[suit]:
            # One tile more makes each number less by one or leaves it, so nothing is borrowed.
            less = own - packed[numbers[field + unit]]
            if less & used and field // unit % BASE < COPIES:
                found.append(tile)
    return tuple(found)
