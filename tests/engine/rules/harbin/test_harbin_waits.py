"""What a Harbin hand waits for, found a second time by trying every tile and every arrangement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from engine.announce import Wait
from engine.events import Chow, Claim, Entry, Event, GameStart, HandStart, Kong, Position, Pung
from engine.game import replay
from engine.rules import RULE_SETS
from engine.tiles import Tile, parse
from tests.support.one_by_one import one_by_one

HARBIN = RULE_SETS["harbin-hlr"]
Group = tuple[Tile, ...]


def arrangements(tiles: list[Tile], pair: bool = True) -> Iterator[list[Group]]:
    """Every way to lay all the tiles out in sets (and a pair), taking the lowest tile first."""
    if not tiles:
        if not pair:
            yield []
        return
    first = tiles[0]
    groups: list[Group] = [(first,) * 3]
    if first[1] != "z" and int(first[0]) <= 7:
        groups.append(tuple(Tile(f"{int(first[0]) + step}{first[1]}") for step in range(3)))
    if pair:
        groups.append((first, first))
    for group in groups:
        left = list(tiles)
        if any(left.count(tile) < group.count(tile) for tile in group):
            continue
        for tile in group:
            left.remove(tile)
        yield from ([group, *more] for more in arrangements(left, pair and len(group) != 2))


def wins_by_text(
    hand: tuple[Tile, ...], melds: list[Group], opened: bool, tile: Tile, rules: str = HARBIN.id
) -> bool:
    """000, 5, clause by clause, of one tile added to a waiting hand.

    001 looks for the terminal in the finished hand.
    """
    held = [*hand, *(each for meld in melds for each in meld)]
    if held.count(tile) >= 4 or not opened or len(melds) > 3:
        return False
    judged = held if rules == HARBIN.id else [*held, tile]
    if not any(
        each[0] in "19" or each == "7z" for each in judged if each[1] != "z" or each == "7z"
    ):
        return False
    if len({each[1] for each in [*held, tile]} - {"z"}) < 2:
        return False
    for way in arrangements(sorted([*hand, tile])):
        groups = [*way, *melds]
        pung = any(len(group) >= 3 and len(set(group)) == 1 for group in groups)
        chow = any(len(set(group)) == 3 for group in groups)
        if pung and chow:
            return True
    return False


def random_hand(random: Random) -> tuple[tuple[Tile, ...], list[Group], list[Claim]]:
    """A hand one tile away from sets and a pair, most of the time, with some sets declared."""
    wall = [tile for tile in HARBIN.wall for _ in range(4)]
    suits = random.sample("mps", random.choice((1, 2, 2, 3)))
    while True:
        groups: list[Group] = []
        for _ in range(4):
            if random.random() < 0.45:
                groups.append((random.choice(wall),) * 3)
            else:
                low, suit = random.randint(1, 7), random.choice(suits)
                groups.append(tuple(Tile(f"{low + step}{suit}") for step in range(3)))
        pair = random.choice(wall)
        tiles = [pair, pair, *(tile for group in groups for tile in group)]
        if max(map(tiles.count, tiles)) <= 4:
            break
    copies = Counter(tiles)
    melds: list[Group] = []
    claims: list[Claim] = []
    for group in groups[: random.choice((0, 1, 1, 2, 3))]:
        first, second, third = group
        if first != second:
            claims.append(Chow(0, 3, first, (second, third)))
        elif copies[first] == 3 and random.random() < 0.4:
            group = (first,) * 4
            claims.append(Kong(0, "closed", first) if random.random() < 0.6 else _open_kong(first))
        else:
            claims.append(Pung(0, 2, first, (first, first)))
        melds.append(group)
        for tile in group[:3]:
            tiles.remove(tile)
    tiles.remove(random.choice(tiles))
    return tuple(sorted(tiles)), melds, claims


def _open_kong(tile: Tile) -> Kong:
    return Kong(0, "open", tile, 1, (tile, tile, tile))


HANDS = range(300)
"""Seeds of hands."""


@cache
def winning_by_text(seed: int, rules: str) -> frozenset[Tile]:
    """The tiles with which the hand of this seed wins."""
    hand, melds, claims = random_hand(Random(seed))
    opened = any(not (isinstance(each, Kong) and each.kind == "closed") for each in claims)
    return frozenset(tile for tile in HARBIN.wall if wins_by_text(hand, melds, opened, tile, rules))


@pytest.mark.parametrize("rules", ["harbin-hlr", "harbin-treasure"])
def test_waits_are_those_that_the_text_allows(rules: str) -> None:
    def check(seed: int) -> None:
        hand, melds, claims = random_hand(Random(seed))
        position = Position(
            hands=(hand, *[parse("?" * 13)] * 3), sets=(tuple(claims), (), (), ()), turn=1
        )
        start: list[Event] = [GameStart(rules), HandStart(), position]
        game = replay(map(Entry, start))
        assert sorted(game.state.players[0].hand) == list(hand)
        waits = RULE_SETS[rules].waits(game.state, 0)
        assert waits is not None
        good = {wait.tile for wait in waits if wait.refused is None}
        assert good == winning_by_text(seed, rules)
        assert all(wait.left == left(hand, melds, wait) for wait in waits)

    one_by_one(HANDS, check)


def left(hand: tuple[Tile, ...], melds: list[Group], wait: Wait) -> int:
    return 4 - [*hand, *(tile for meld in melds for tile in meld)].count(wait.tile)


def test_the_hands_above_are_of_both_kinds() -> None:
    good = sum(bool(winning_by_text(seed, HARBIN.id)) for seed in HANDS)
    assert 60 < good < 240
