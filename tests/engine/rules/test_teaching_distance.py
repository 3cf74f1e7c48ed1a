"""How far Harbin hands are from ready, against a search over every exchange and claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from engine import declare
from engine.events import Chow, Claim, Entry, Event, GameStart, HandStart, Kong, Position, Pung
from engine.game import replay
from engine.rules.harbin.hlr import HARBIN_HLR, LIMITS
from engine.state import Meld
from engine.tiles import UNKNOWN, Tile

Hand = tuple[tuple[Tile, ...], tuple[Meld, ...]]
COPIES = 4
DEEPEST = 2


def is_ready(hand: Hand) -> bool:
    return any(refused is None for _, refused in LIMITS.waits(*hand))


def follow(hand: Hand) -> Iterator[Hand]:
    """Every hand that drawing or claiming one tile and discarding one can lead to."""
    tiles, melds = hand
    own = Counter((*tiles, *(tile for meld in melds for tile in meld.tiles)))
    for tile in HARBIN_HLR.wall:
        if own[tile] >= COPIES:
            continue
        yield from ((rest, melds) for rest in discards((*tiles, tile)))
        if len(melds) < 3:
            for claim in claims(tile, tiles):
                left = list(tiles)
                for each in claim.own:
                    left.remove(each)
                made = (*melds, declare.meld_of(claim))
                yield from ((rest, made) for rest in discards(tuple(left)))


def discards(tiles: tuple[Tile, ...]) -> Iterator[tuple[Tile, ...]]:
    for tile in set(tiles):
        place = tiles.index(tile)
        yield tuple(sorted(tiles[:place] + tiles[place + 1 :]))


def claims(tile: Tile, tiles: tuple[Tile, ...]) -> Iterator[Chow | Pung]:
    if tiles.count(tile) >= 2:
        yield Pung(0, 3, tile, (tile, tile))
    for low in range(tile.rank - 2, tile.rank + 1) if tile.suit != "z" else ():
        ranks = [rank for rank in range(low, low + 3) if rank != tile.rank]
        if low >= 1 and low <= 7:
            own = (Tile(f"{ranks[0]}{tile.suit}"), Tile(f"{ranks[1]}{tile.suit}"))
            if all(each in tiles for each in own):
                yield Chow(0, 3, tile, own)


def searched(hand: Hand) -> int:
    """Exchanges until ready, ``DEEPEST + 1`` for more than that."""
    seen = level = {hand}
    for distance in range(DEEPEST + 1):
        if any(map(is_ready, level)):
            return distance
        if distance < DEEPEST:
            level = {after for before in level for after in follow(before)} - seen
            seen = seen | level
    return DEEPEST + 1


def random_hand(random: Random, sets: int) -> tuple[tuple[Tile, ...], tuple[Claim, ...]]:
    """Some declared sets, and tiles beside them that are often near each other."""
    while True:
        declared: list[Claim] = []
        for _ in range(sets):
            kind, tile = random.choice(("pung", "chow", "closed")), random.choice(WALL)
            if kind == "closed":
                declared.append(Kong(0, "closed", tile))
            elif kind == "pung":
                declared.append(Pung(0, 2, tile, (tile, tile)))
            elif tile.suit != "z" and tile.rank <= 7:
                second, third = (Tile(f"{tile.rank + step}{tile.suit}") for step in (1, 2))
                declared.append(Chow(0, 3, tile, (second, third)))
        near = random.choice((WALL, [one for one in WALL if one.suit in ("m", "z")], WALL[3:14]))
        tiles = [random.choice(near) for _ in range(13 - 3 * sets)]
        held = Counter(tiles)
        for claim in declared:
            held.update(declare.meld_of(claim).tiles)
        if len(declared) == sets and max(held.values()) <= COPIES:
            return tuple(sorted(tiles)), tuple(declared)


WALL = list(HARBIN_HLR.wall)


def told(tiles: tuple[Tile, ...], declared: tuple[Claim, ...]) -> tuple[int, Hand]:
    """The distance that a hint tells, and the hand that it tells it of."""
    others = [(UNKNOWN,) * 13] * 3
    position = Position((tiles, *others), (declared, (), (), ()), turn=1)
    start: list[Event] = [GameStart("harbin-hlr"), HandStart(), position]
    game = replay(map(Entry, start))
    now = game.hint(0).now
    assert now is not None
    player = game.state.players[0]
    distance = DEEPEST + 1 if now.distance is None else now.distance
    return distance, (player.hand, player.melds)


@pytest.mark.parametrize("seed", range(60))
def test_a_hand_with_three_sets_is_as_far_as_a_search_finds(seed: int) -> None:
    distance, hand = told(*random_hand(Random(seed), 3))
    assert min(distance, DEEPEST + 1) == searched(hand)


@pytest.mark.parametrize("seed", range(6))
def test_a_hand_with_two_sets_is_as_far_as_a_search_finds(seed: int) -> None:
    distance, hand = told(*random_hand(Random(seed), 2))
    assert min(distance, DEEPEST + 1) == searched(hand)
