"""Splitting a hand into sets and a pair: splits, waits, useful tiles, distance to ready.

Every suit is looked at alone: the nine counts of a suit, three bits each, are one integer, and what
is found out about such an integer is remembered. Declared sets are told by the number of tiles: a
hand of ``3n + 1`` or ``3n + 2`` undeclared tiles needs ``n`` more sets and a pair.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from engine.tiles import KINDS, REDS, Tile

Key = tuple[int, int, int, int]
"""Counts of a hand's tiles: one packed integer for each of ``m p s z``."""

_SUITS: Final = "mpsz"
_RANKS: Final = (9, 9, 9, 7)
_HONOURS: Final = 3
_BIT: Final = {
    tile: (_SUITS.index(tile.suit), 1 << 3 * (tile.rank - 1)) for tile in map(Tile, (*KINDS, *REDS))
}
_TILE: Final = tuple(
    tuple(Tile(f"{rank}{suit}") for rank in range(1, ranks + 1))
    for suit, ranks in zip(_SUITS, _RANKS, strict=True)
)
_ORPHANS: Final = tuple(Tile(code) for code in KINDS if code[1] == "z" or code[0] in "19")
_FAR: Final = 99
_FAILED: Final = (_FAR,) * 10


class Form(StrEnum):
    """What a winning hand may look like."""

    SETS = "sets"
    """Sets and a pair."""
    PAIRS = "pairs"
    """Seven pairs; four equal tiles may be two of them."""
    DISTINCT_PAIRS = "distinct_pairs"
    """Seven different pairs."""
    ORPHANS = "orphans"
    """One of each terminal and honour, and one of them twice."""


SETS_ONLY: Final = frozenset({Form.SETS})


class GroupKind(StrEnum):
    CHOW = "chow"
    PUNG = "pung"
    PAIR = "pair"


@dataclass(frozen=True)
class Group:
    """A set or the pair of one split."""

    kind: GroupKind
    tile: Tile
    """The tile, or the lowest of a chow."""

    @property
    def middle(self) -> Tile | None:
        """The middle tile of a chow."""
        if self.kind is not GroupKind.CHOW:
            return None
        return Tile(f"{self.tile.rank + 1}{self.tile.suit}")


Split = tuple[Group, ...]


def key_of(tiles: Iterable[Tile]) -> Key:
    """Pack known tiles, red fives as fives; raises ``KeyError`` for any other tile."""
    packed = [0, 0, 0, 0]
    for tile in tiles:
        suit, bit = _BIT[tile]
        packed[suit] += bit
    return packed[0], packed[1], packed[2], packed[3]


def splits(tiles: Iterable[Tile]) -> tuple[Split, ...]:
    """Every way to split ``3n + 2`` tiles into sets and one pair; empty when there is none."""
    return _splits(key_of(tiles))


def waits(
    tiles: Iterable[Tile], wild: int = 0, forms: Collection[Form] = SETS_ONLY
) -> tuple[Tile, ...]:
    """Kinds that complete ``3n + 1`` tiles, ``wild`` of which are wild and not listed.

    A kind of which all four copies stand in the hand is left out.
    """
    key = key_of(tiles)
    found: set[Tile] = set()
    if Form.SETS in forms:
        found.update(_waits(key) if wild == 0 else _wild_waits(key, wild))
    if len(forms) > 1 or Form.SETS not in forms:
        special = frozenset(forms) - SETS_ONLY
        if _special_distance(key, wild, special) == 0:
            found.update(
                tile
                for tile in _addable(key)
                if _special_distance(_add(key, tile), wild, special) < 0
            )
    return tuple(tile for tile in _ALL if tile in found)


def wins(tiles: Iterable[Tile], wild: int = 0, forms: Collection[Form] = SETS_ONLY) -> bool:
    """Whether ``3n + 2`` tiles, ``wild`` of which are wild and not listed, are a complete hand."""
    return distance(tiles, wild, forms) < 0


def sets_alone(tiles: Iterable[Tile], wild: int = 0) -> bool:
    """Whether ``3n`` tiles, ``wild`` of which are wild and not listed, are sets without a pair."""
    key = key_of(tiles)
    count = _count(key) + wild
    return count % 3 == 0 and _needs(key, _limit(wild), count // 3, False) <= wild


def distance(tiles: Iterable[Tile], wild: int = 0, forms: Collection[Form] = SETS_ONLY) -> int:
    """Exchanges needed to be ready: 0 is ready, -1 a complete hand."""
    key = key_of(tiles)
    best = _special_distance(key, wild, forms)
    if Form.SETS in forms:
        best = min(best, _distance(key, wild))
    return best


def useful(
    tiles: Iterable[Tile], wild: int = 0, forms: Collection[Form] = SETS_ONLY
) -> tuple[Tile, ...]:
    """Kinds that bring ``3n + 1`` tiles nearer; for a ready hand its waits."""
    held = tuple(tiles)
    now = distance(held, wild, forms)
    key = key_of(held)
    return tuple(
        tile
        for tile in _ALL
        if _copies(key, tile) < 4 and distance((*held, tile), wild, forms) < now
    )


_ALL: Final = tuple(map(Tile, KINDS))


def _copies(key: Key, tile: Tile) -> int:
    suit, bit = _BIT[tile]
    return key[suit] // bit & 7


def _add(key: Key, tile: Tile) -> Key:
    suit, bit = _BIT[tile]
    packed = list(key)
    packed[suit] += bit
    return packed[0], packed[1], packed[2], packed[3]


def _addable(key: Key) -> tuple[Tile, ...]:
    return tuple(tile for tile in _ALL if _copies(key, tile) < 4)


@lru_cache(maxsize=1 << 17)
def _suit_count(packed: int) -> int:
    total = 0
    while packed:
        total += packed & 7
        packed >>= 3
    return total


def _count(key: Key) -> int:
    return sum(map(_suit_count, key))


# --- complete suits -------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 18)
def _complete(packed: int, runs: bool, pair: bool) -> bool:
    """Whether the suit is sets alone, or with ``pair`` sets and one pair."""
    if packed == 0:
        return not pair
    shift = 0
    while not packed >> shift & 7:
        shift += 3
    rest = packed >> shift
    count = rest & 7
    return (
        (count >= 3 and _complete(rest - 3, runs, pair))
        or (pair and count >= 2 and _complete(rest - 2, runs, False))
        or (
            runs
            and bool(rest & 0o70)
            and bool(rest & 0o700)
            and _complete(rest - 0o111, runs, pair)
        )
    )


@lru_cache(maxsize=1 << 16)
def _suit_waits(packed: int, suit: int, pair: bool) -> tuple[Tile, ...]:
    """Tiles of this suit that complete it to sets alone, or with ``pair`` to sets and one pair."""
    runs = suit != _HONOURS
    found = []
    for rank in range(_RANKS[suit]):
        count = packed >> 3 * rank & 7
        near = (
            packed >> 3 * max(rank - 2, 0) & (0o77777 if rank >= 2 else 0o7777) if runs else count
        )
        if count < 4 and near and _complete(packed + (1 << 3 * rank), runs, pair):
            found.append(_TILE[suit][rank])
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def _waits(key: Key) -> tuple[Tile, ...]:
    """Waits of a hand without wild tiles.

    Suits that are whole count ``3n`` tiles, or ``3n + 2`` with the pair: so either one suit has
    one tile too many and holds the pair in the end, or two suits lack one tile, and one of them
    holds the pair.
    """
    over = [(suit, _suit_count(packed) % 3) for suit, packed in enumerate(key) if packed]
    odd = [suit for suit, rest in over if rest]
    for suit, rest in over:
        if not rest and not _complete(key[suit], suit != _HONOURS, False):
            return ()
    if len(odd) == 1:
        return _suit_waits(key[odd[0]], odd[0], True)
    if len(odd) != 2:
        return ()
    found: tuple[Tile, ...] = ()
    for waiting, paired in (odd, odd[::-1]):
        if _complete(key[paired], paired != _HONOURS, True):
            found += _suit_waits(key[waiting], waiting, False)
    return found


@lru_cache(maxsize=1 << 14)
def _suit_splits(packed: int, suit: int, pair: bool) -> frozenset[Split]:
    if packed == 0:
        return frozenset() if pair else frozenset({()})
    runs = suit != _HONOURS
    if not _complete(packed, runs, pair):
        return frozenset()
    rank = 0
    while not packed >> 3 * rank & 7:
        rank += 1
    unit = 1 << 3 * rank
    count = packed >> 3 * rank & 7
    tile = _TILE[suit][rank]
    tries = [(GroupKind.PUNG, 3 * unit, pair)] if count >= 3 else []
    if pair and count >= 2:
        tries.append((GroupKind.PAIR, 2 * unit, False))
    if runs and packed & 0o70 * unit and packed & 0o700 * unit:
        tries.append((GroupKind.CHOW, 0o111 * unit, pair))
    return frozenset(
        tuple(sorted((Group(kind, tile), *rest), key=lambda group: (group.tile, group.kind)))
        for kind, taken, pair_left in tries
        for rest in _suit_splits(packed - taken, suit, pair_left)
    )


@lru_cache(maxsize=1 << 14)
def _splits(key: Key) -> tuple[Split, ...]:
    found: list[Split] = []
    for paired in range(4):
        parts: list[Split] = [()]
        for suit in range(4):
            ways = _suit_splits(key[suit], suit, suit == paired)
            parts = [part + way for part in parts for way in ways]
            if not parts:
                break
        found += parts
    return tuple(sorted(found, key=lambda split: [(group.tile, group.kind) for group in split]))


# --- how much is missing --------------------------------------------------------------------------


def _limit(wild: int) -> int:
    # A wild tile may stand for a fifth copy and more; without one no fifth copy can ever come.
    return 4 + min(wild, 4)


@lru_cache(maxsize=1 << 18)
def _missing(
    packed: int, ranks: int, runs: bool, last: int, older: int, limit: int
) -> tuple[int, ...]:
    """Least number of missing tiles: for 0 to 4 sets, and then for 0 to 4 sets with a pair.

    ``last`` and ``older`` count the chows begun one and two ranks below the lowest rank here. Three
    equal chows are three pungs of the same tiles, so at most two begin at a rank.
    """
    if ranks == 0:
        return _FAILED if last or older else (0, *_FAILED[1:])
    best = list(_FAILED)
    count = packed & 7
    due = last + older
    for begun in range(3 if runs and ranks >= 3 else 1):
        if due + begun > limit:
            break
        rest = _missing(packed >> 3, ranks - 1, runs, begun, last, limit)
        for pungs in range(1 + (limit - due - begun) // 3):
            aim = due + begun + 3 * pungs
            cost = aim - count if aim > count else 0
            pair_cost = (aim + 2 - count if aim + 2 > count else 0) if aim + 2 <= limit else _FAR
            step = begun + pungs
            for place in range(step, 5):
                alone = rest[place - step]
                if alone + cost < best[place]:
                    best[place] = alone + cost
                paired = min(alone + pair_cost, rest[place - step + 5] + cost)
                if paired < best[place + 5]:
                    best[place + 5] = paired
    return tuple(best)


@lru_cache(maxsize=1 << 17)
def _joined(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    best = list(_FAILED)
    for sets in range(5):
        for here in range(sets + 1):
            alone, other = first[here], second[sets - here]
            if alone + other < best[sets]:
                best[sets] = alone + other
            paired = min(first[here + 5] + other, alone + second[sets - here + 5])
            if paired < best[sets + 5]:
                best[sets + 5] = paired
    return tuple(best)


def _suit_needs(packed: int, suit: int, limit: int) -> tuple[int, ...]:
    return _missing(packed, _RANKS[suit], suit != _HONOURS, 0, 0, limit)


def _needs(key: Key, limit: int, sets: int, pair: bool) -> int:
    """Least number of missing tiles for so many sets, with a pair or without."""
    first = _joined(_suit_needs(key[0], 0, limit), _suit_needs(key[1], 1, limit))
    second = _joined(_suit_needs(key[2], 2, limit), _suit_needs(key[3], 3, limit))
    if not pair:
        return min(first[here] + second[sets - here] for here in range(sets + 1))
    return min(
        min(first[here + 5] + second[sets - here], first[here] + second[sets - here + 5])
        for here in range(sets + 1)
    )


def _distance(key: Key, wild: int) -> int:
    sets = min((_count(key) + wild) // 3, 4)
    return max(_needs(key, _limit(wild), sets, True) - wild, 0) - 1


def _wild_waits(key: Key, wild: int) -> tuple[Tile, ...]:
    if _distance(key, wild) > 0:
        return ()
    return tuple(tile for tile in _addable(key) if _distance(_add(key, tile), wild) < 0)


def _special_distance(key: Key, wild: int, forms: Collection[Form]) -> int:
    if _count(key) + wild < 13:
        return _FAR
    best = _FAR
    counts = [_copies(key, tile) for tile in _ALL]
    if Form.PAIRS in forms:
        best = min(best, 6 - sum(count // 2 for count in counts) - wild)
    if Form.DISTINCT_PAIRS in forms:
        pairs = sum(count >= 2 for count in counts)
        kinds = sum(count >= 1 for count in counts)
        best = min(best, 6 - pairs + max(0, 7 - kinds) - wild)
    if Form.ORPHANS in forms:
        orphans = [_copies(key, tile) for tile in _ORPHANS]
        kinds = sum(count >= 1 for count in orphans)
        best = min(best, 13 - kinds - any(count >= 2 for count in orphans) - wild)
    return max(best, -1)
