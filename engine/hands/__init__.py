"""Splits of a hand into sets and a pair, waits, useful tiles, distance to ready.

Each suit is looked up alone: its counts are one number, and tables tell what it is complete to,
waits for, or lacks. The number of undeclared tiles tells the declared sets: a hand of ``3n + 1`` or
``3n + 2`` undeclared tiles needs ``n`` more sets and a pair.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

from engine.hands.complete import is_complete, splits_of, waits_of
from engine.hands.forms import SETS_ONLY, Group, GroupKind, HandForm, Split
from engine.hands.hand_key import ALL, MOST_SETS, HandKey, key_of
from engine.hands.missing_tiles import nearer, needed_alone, set_distance, wild_waits
from engine.hands.special import special_distance, special_nearer
from engine.tiles import Tile

__all__ = [
    "SETS_ONLY",
    "Group",
    "GroupKind",
    "HandForm",
    "HandKey",
    "Split",
    "distance",
    "key_of",
    "sets_alone",
    "splits",
    "useful",
    "waits",
    "wins",
]


def splits(tiles: Iterable[Tile]) -> tuple[Split, ...]:
    """Every way to split ``3n + 2`` tiles into sets and one pair; empty when there is none."""
    key, count = _packed(tiles, 0)
    return splits_of(key, count // 3)


def waits(
    tiles: Iterable[Tile], wild: int = 0, forms: Collection[HandForm] = SETS_ONLY
) -> tuple[Tile, ...]:
    """Kinds that complete ``3n + 1`` tiles; ``wild`` more tiles are wild and not listed.

    Kinds of which the hand holds all four copies are left out.
    """
    key, count = _packed(tiles, wild)
    if forms is SETS_ONLY:
        return wild_waits(key, count, wild) if wild else waits_of(key, count // 3)
    sets, special = _parted(frozenset(forms))
    kinds: tuple[Tile, ...] = ()
    if sets:
        kinds = wild_waits(key, count, wild) if wild else waits_of(key, count // 3)
    if special_distance(key, count, wild, special) != 0:
        return kinds
    both = {*kinds, *special_nearer(key, count, wild, special, 0)}
    return tuple(tile for tile in ALL if tile in both)


def wins(tiles: Iterable[Tile], wild: int = 0, forms: Collection[HandForm] = SETS_ONLY) -> bool:
    """Whether ``3n + 2`` tiles, ``wild`` of which are wild and not listed, are a complete hand."""
    key, count = _packed(tiles, wild)
    if wild or count not in _WHOLE:
        return _distance(key, count, wild, forms) < 0
    sets, special = (True, ()) if forms is SETS_ONLY else _parted(frozenset(forms))
    return (sets and is_complete(key, count // 3)) or (
        special != () and special_distance(key, count, wild, special) < 0
    )


_WHOLE: Final = tuple(3 * sets + 2 for sets in range(MOST_SETS + 1))
"""Tiles of a complete hand without its declared sets."""


def sets_alone(tiles: Iterable[Tile], wild: int = 0) -> bool:
    """Whether ``3n`` tiles, ``wild`` of which are wild and not listed, are sets without a pair."""
    key, count = _packed(tiles, wild)
    return count % 3 == 0 and needed_alone(key, wild, count // 3) <= wild


def distance(tiles: Iterable[Tile], wild: int = 0, forms: Collection[HandForm] = SETS_ONLY) -> int:
    """Exchanges needed to be ready: 0 is ready, -1 a complete hand."""
    return _distance(*_packed(tiles, wild), wild, forms)


def useful(
    tiles: Iterable[Tile], wild: int = 0, forms: Collection[HandForm] = SETS_ONLY
) -> tuple[Tile, ...]:
    """Kinds that bring ``3n + 1`` tiles nearer; for a ready hand its waits."""
    key, count = _packed(tiles, wild)
    if forms is SETS_ONLY:
        return nearer(key, count, wild)
    sets, special = _parted(frozenset(forms))
    now = _distance(key, count, wild, forms)
    kinds: set[Tile] = set()
    if sets and set_distance(key, count, wild) == now:
        kinds.update(nearer(key, count, wild))
    if special_distance(key, count, wild, special) == now:
        kinds.update(special_nearer(key, count, wild, special, now))
    return tuple(tile for tile in ALL if tile in kinds)


@lru_cache
def _parted(forms: frozenset[HandForm]) -> tuple[bool, tuple[HandForm, ...]]:
    """Whether sets and a pair are among the forms, and the other forms."""
    return HandForm.SETS in forms, tuple(form for form in forms if form is not HandForm.SETS)


def _packed(tiles: Iterable[Tile], wild: int) -> tuple[HandKey, int]:
    """The key, and the number of tiles with the wild ones."""
    held = tuple(tiles)
    return key_of(held), len(held) + wild


def _distance(key: HandKey, count: int, wild: int, forms: Collection[HandForm]) -> int:
    if forms is SETS_ONLY:
        return set_distance(key, count, wild)
    sets, others = _parted(frozenset(forms))
    special = special_distance(key, count, wild, others)
    return min(special, set_distance(key, count, wild)) if sets else special
