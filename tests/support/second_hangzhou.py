"""Hangzhou hands judged a second way: every tile is tried for every fortune (002, Winning hand)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final

from engine.rules.wall import ALL_KINDS
from engine.tiles import Tile

WHITE: Final = Tile("5z")


@lru_cache(maxsize=1 << 16)
def of_sets(tiles: tuple[Tile, ...]) -> bool:
    """Whether sorted tiles are sets alone, by taking the first tile away in every way."""
    if not tiles:
        return True
    tile, left = tiles[0], Counter(tiles)
    ways: list[tuple[Tile, ...]] = [(tile, tile, tile)]
    if tile.suit != "z" and tile.rank <= 7:
        ways.append((tile, *(Tile(f"{tile.rank + step}{tile.suit}") for step in (1, 2))))
    return any(
        Counter(way) <= left and of_sets(tuple(sorted((left - Counter(way)).elements())))
        for way in ways
    )


def of_sets_and_eye(tiles: tuple[Tile, ...]) -> bool:
    left = Counter(tiles)
    pairs = [tile for tile, count in left.items() if count >= 2]
    return any(of_sets(tuple(sorted((left - Counter({tile: 2})).elements()))) for tile in pairs)


def of_pairs(tiles: tuple[Tile, ...]) -> bool:
    return all(count % 2 == 0 for count in Counter(tiles).values())


def filled(tiles: Sequence[Tile], fortune: Tile) -> Iterator[tuple[Tile, ...]]:
    """The hand with every tile tried for every fortune in it, white dragons in its place."""
    place = fortune if fortune != WHITE else None
    plain = [place if place and tile == WHITE else tile for tile in tiles if tile != fortune]
    # A tile that stands alone in every way of reading the hand serves as any other such tile.
    near = [
        kind
        for kind in ALL_KINDS
        if any(kind.suit == tile.suit and abs(kind.rank - tile.rank) <= 2 for tile in plain)
    ]
    far = [kind for kind in ALL_KINDS if kind not in near]
    for stands_for in combinations_with_replacement((*near, *far[:2]), len(tiles) - len(plain)):
        yield tuple(sorted((*plain, *stands_for)))


def wins(tiles: Sequence[Tile], fortune: Tile) -> bool:
    """Whether a hand is complete."""
    return any(
        of_sets_and_eye(way) or (len(way) == 14 and of_pairs(way)) for way in filled(tiles, fortune)
    )


def waits_for_any_tile(resting: Sequence[Tile], fortune: Tile) -> bool:
    """002, Wild eye: without one fortune the hand is complete sets, or six pairs."""
    if fortune not in resting:
        return False
    rest = list(resting)
    rest.remove(fortune)
    return any(of_sets(way) or (len(way) == 12 and of_pairs(way)) for way in filled(rest, fortune))


def of_finished_hand(tiles: Sequence[Tile], fortune: Tile) -> int:
    """002, Seven pairs and Deluxe, of the finished hand; 1 for any other complete hand."""
    if len(tiles) != 14 or not any(map(of_pairs, filled(tiles, fortune))):
        return 1
    held = Counter(
        fortune if tile == WHITE != fortune else tile for tile in tiles if tile != fortune
    )
    natural = 2 if held.total() == 14 else 1
    fours = sum(count == 4 for count in held.values())
    return 2 * natural * (1 << fours)
