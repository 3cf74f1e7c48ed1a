"""Hands other than sets and a pair: seven pairs and thirteen orphans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

from engine.hands.forms import HandForm
from engine.hands.hand_key import (
    HONOURS,
    RANKS,
    ROOM,
    TILES,
    UNIT,
    UNITS,
    HandKey,
    addable,
    counts,
    fields,
)
from engine.tiles import COPIES, Tile

FAR: Final = 99
SIZES: Final = (13, 14)
"""Tiles of a hand that may have such a form; a hand of five sets has more."""
PAIRS_NEEDED: Final = 7
ORPHANS_NEEDED: Final = 13


@lru_cache(maxsize=1 << 16)
def _census(field: int, suit: int) -> tuple[int, int, int, int]:
    """Of one suit: kinds held twice, kinds held, orphans held, orphans held twice."""
    held = counts(field)[: RANKS[suit]]
    outer = held if suit == HONOURS else (held[0], held[-1])
    return (
        sum(count >= 2 for count in held),
        sum(count >= 1 for count in held),
        sum(count >= 1 for count in outer),
        sum(count >= 2 for count in outer),
    )


@cache
def _pairs_and_singles() -> tuple[bytes, bytes]:
    """For every field, the number of pairs and of single tiles beside them."""
    pairs = singles = b"\0"
    one_more = bytes((number + 1) % 256 for number in range(256))
    two_more = one_more.translate(one_more)
    for _ in UNITS:
        more_pairs, more_singles = pairs.translate(one_more), singles.translate(one_more)
        pairs += pairs + 2 * more_pairs + pairs.translate(two_more)
        singles += more_singles + singles + more_singles + singles
    return pairs.ljust(ROOM, b"\0"), singles.ljust(ROOM, b"\0")


def _pairs(key: HandKey) -> tuple[int, int]:
    pairs_of, singles_of = _pairs_and_singles()
    one, two, three, four = fields(key)
    return (
        pairs_of[one] + pairs_of[two] + pairs_of[three] + pairs_of[four],
        singles_of[one] + singles_of[two] + singles_of[three] + singles_of[four],
    )


def special_distance(key: HandKey, tiles: int, wild: int, forms: Sequence[HandForm]) -> int:
    """Exchanges until such a hand is ready; -1 for a complete one, ``FAR`` for other sizes.

    ``tiles``: number of tiles with the wild ones.
    """
    best = FAR
    if tiles not in SIZES:
        return best
    if HandForm.PAIRS in forms:
        pairs, singles = _pairs(key)
        best = PAIRS_NEEDED - 1 - pairs - wild
        if pairs + singles < PAIRS_NEEDED:
            best += PAIRS_NEEDED - pairs - singles
    if HandForm.DISTINCT_PAIRS in forms or HandForm.ORPHANS in forms:
        one, two, three, four = fields(key)
        m, p, s, z = _census(one, 0), _census(two, 1), _census(three, 2), _census(four, 3)
        twice, kinds = m[0] + p[0] + s[0] + z[0], m[1] + p[1] + s[1] + z[1]
        orphans, doubled = m[2] + p[2] + s[2] + z[2], m[3] + p[3] + s[3] + z[3]
        if HandForm.DISTINCT_PAIRS in forms:
            best = min(best, PAIRS_NEEDED - 1 - twice + max(0, PAIRS_NEEDED - kinds) - wild)
        if HandForm.ORPHANS in forms:
            best = min(best, ORPHANS_NEEDED - orphans - (doubled > 0) - wild)
    return max(best, -1)


def special_nearer(
    key: HandKey, tiles: int, wild: int, forms: Sequence[HandForm], now: int
) -> Iterator[Tile]:
    """Kinds that bring these forms nearer than the distance ``now``."""
    others = [form for form in forms if form is not HandForm.PAIRS]
    if HandForm.PAIRS in forms and special_distance(key, tiles, wild, (HandForm.PAIRS,)) == now:
        yield from _pairs_nearer(key)
    if not others or special_distance(key, tiles, wild, others) > now:
        return
    for tile in addable(key):
        if special_distance(key + UNIT[tile], tiles, wild, others) < now:
            yield tile


def _pairs_nearer(key: HandKey) -> Iterator[Tile]:
    """Every kind that makes a pair and, where singles are missing, any other kind."""
    wanting = sum(_pairs(key)) < PAIRS_NEEDED
    for suit, field in enumerate(fields(key)):
        for tile, count in zip(TILES[suit], counts(field), strict=False):
            if count & 1 or (wanting and count < COPIES):
                yield tile
