"""Zung Jung values worked out a second way, from the words of the chapter, to compare with.

Tiles are plain strings and a set is a sorted tuple of them; nothing is taken from the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

OUTER = {rank + suit for rank in "19" for suit in "mps"} | {f"{rank}z" for rank in range(1, 8)}
Set = tuple[str, ...]


@dataclass(frozen=True)
class Hand:
    concealed: tuple[str, ...]
    """Undeclared tiles, the winning one among them."""
    declared: tuple[tuple[Set, bool], ...]
    """Declared sets, and whether they are concealed kongs."""
    winning: str
    claimed: bool
    wind: str


def value(hand: Hand) -> int:
    """The greatest value of any arrangement; 0 when the hand is not complete."""
    return max((_capped(points) for points in _all_points(hand)), default=0)


def _capped(points: Sequence[int]) -> int:
    great = [point for point in points if point >= 320]
    return max(great) if great else min(sum(points), 320) or 1


def _all_points(hand: Hand) -> Iterator[list[int]]:
    tiles = [*hand.concealed, *(tile for tiles, _ in hand.declared for tile in tiles)]
    for sets, pair in _splits(list(hand.concealed)):
        for exposed in _exposures(sets, pair, hand) if hand.claimed else [None]:
            yield [*_of_tiles(tiles), *_of_sets(sets, pair, exposed, hand)]
    if not hand.declared and all(count % 2 == 0 for count in Counter(tiles).values()):
        yield [30, *_of_tiles(tiles)]
    if not hand.declared and set(tiles) == OUTER and len(tiles) == 14:
        yield [160]


def _splits(tiles: list[str]) -> Iterator[tuple[list[Set], str]]:
    for pair, count in Counter(tiles).items():
        if count >= 2:
            rest = sorted(tiles)
            rest.remove(pair)
            rest.remove(pair)
            for sets in _sets(rest):
                yield sets, pair


def _sets(rest: list[str]) -> Iterator[list[Set]]:
    if not rest:
        yield []
        return
    first = rest[0]
    ways: list[Set] = [(first,) * 3]
    if first[1] != "z" and int(first[0]) <= 7:
        low = int(first[0])
        ways.append(tuple(f"{rank}{first[1]}" for rank in range(low, low + 3)))
    for way in ways:
        if not Counter(way) - Counter(rest):
            left = list((Counter(rest) - Counter(way)).elements())
            for sets in _sets(sorted(left)):
                yield [way, *sets]


def _exposures(sets: list[Set], pair: str, hand: Hand) -> Iterator[int | None]:
    """Places of sets that the claimed tile may finish; None for the pair."""
    if pair == hand.winning:
        yield None
    for place, tiles in enumerate(sets):
        if hand.winning in tiles:
            yield place


def _of_tiles(tiles: Sequence[str]) -> Iterator[int]:
    suits = {tile[1] for tile in tiles}
    if not set(tiles) & OUTER:
        yield 5
    if len(suits - {"z"}) == 1:
        yield 40 if "z" in suits else 80
    if suits == {"z"}:
        yield 320
    if set(tiles) <= OUTER:
        yield 100 if "z" in suits else 400


def _of_sets(inner: list[Set], pair: str, exposed: int | None, hand: Hand) -> Iterator[int]:
    every = [*inner, *(tiles for tiles, _ in hand.declared)]
    runs = [tiles for tiles in every if tiles[0] != tiles[1]]
    triplets = {tiles[0] for tiles in every if tiles[0] == tiles[1]}
    if all(set(tiles) & OUTER for tiles in [*every, (pair,)]):
        tiles = [tile for tiles in [*every, (pair,)] for tile in tiles]
        if not set(tiles) <= OUTER:
            yield 40 if any(tile[1] == "z" for tile in tiles) else 50
    yield {4: 5}.get(len(runs), 0)
    yield {4: 30}.get(len(triplets), 0)
    yield 0 if any(not closed for _, closed in hand.declared) else 5
    drawn = sum(
        tiles[0] == tiles[1] and place != exposed for place, tiles in enumerate(inner)
    ) + sum(closed for _, closed in hand.declared)
    yield (0, 0, 5, 30, 125)[drawn]
    yield (0, 5, 20, 120, 480)[sum(len(tiles) == 4 for tiles in every)]
    yield 10 * len(triplets & {"5z", "6z", "7z", hand.wind})
    yield _honors(triplets, pair, {"5z", "6z", "7z"}, (0, 0, 40, 0), 130)
    yield _winds(triplets, pair)
    yield _equal(Counter(runs))
    yield 35 if _in_three_suits({tiles[0] for tiles in runs}) else 0
    if _in_three_suits(triplets):
        yield 120
    elif _in_three_suits(triplets | {pair}):
        yield 30
    lows = {tiles[0] for tiles in runs}
    yield 40 if any({"1" + s, "4" + s, "7" + s} <= lows for s in "mps") else 0
    yield _in_a_row(triplets)


def _honors(triplets: set[str], pair: str, kind: set[str], small: tuple[int, ...], big: int) -> int:
    count = len(triplets & kind)
    return big if count == len(kind) else small[count] if pair in kind else 0


def _winds(triplets: set[str], pair: str) -> int:
    winds = {"1z", "2z", "3z", "4z"}
    count = len(triplets & winds)
    return {4: 400, 3: 320 if pair in winds else 120, 2: 30 if pair in winds else 0}.get(count, 0)


def _equal(runs: Counter[Set]) -> int:
    counts = sorted(runs.values(), reverse=True)
    if counts[:2] == [2, 2]:
        return 60
    return {4: 480, 3: 120, 2: 10}.get(counts[0] if counts else 0, 0)


def _in_three_suits(tiles: set[str]) -> bool:
    return any({f"{rank}m", f"{rank}p", f"{rank}s"} <= tiles for rank in range(1, 10))


def _in_a_row(triplets: set[str]) -> int:
    best = 0
    for suit in "mps":
        for low in range(1, 8):
            length = 0
            while f"{low + length}{suit}" in triplets:
                length += 1
            best = max(best, length)
    return {3: 100, 4: 200}.get(best, 0)
