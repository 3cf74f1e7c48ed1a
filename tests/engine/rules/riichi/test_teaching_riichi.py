"""How far open riichi hands are from ready, against a search that asks for a yaku of every wait."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine import declare
from engine.events import Chow, Claim, Entry, Event, GameStart, HandStart, Position, Pung
from engine.game import replay
from engine.play import ordered, with_player
from engine.rules import RULE_SETS
from engine.state import State
from engine.tiles import KINDS, UNKNOWN, Tile

RULES = RULE_SETS["riichi-2016"]
ALL = tuple(map(Tile, KINDS))
COPIES = 4


def random_hand(random: Random) -> tuple[tuple[Tile, ...], tuple[Claim, ...]]:
    """Three open sets, and four tiles beside them that are often near each other."""
    while True:
        declared: list[Claim] = []
        while len(declared) < 3:
            tile = random.choice(ALL)
            if random.random() < 0.35:
                declared.append(Pung(0, 2, tile, (tile, tile)))
            elif tile.suit != "z" and tile.rank <= 7:
                second, third = (Tile(f"{tile.rank + step}{tile.suit}") for step in (1, 2))
                declared.append(Chow(0, 3, tile, (second, third)))
        near = random.choice((ALL, [one for one in ALL if one.suit in "mz"], ALL[3:14]))
        tiles = tuple(sorted(random.choice(near) for _ in range(4)))
        held = Counter(tiles)
        for claim in declared:
            held.update(declare.meld_of(claim).tiles)
        if max(held.values()) <= COPIES:
            return tiles, tuple(declared)


def is_ready(state: State, hand: list[Tile]) -> bool:
    waits = RULES.waits(with_player(state, 0, hand=ordered(hand)), 0) or ()
    return any(wait.refused is None or wait.by_draw_only is not None for wait in waits)


def searched(state: State) -> int:
    """0 for ready, 1 for one exchange away, 2 for more."""
    player = state.players[0]
    hand = list(player.hand)
    if is_ready(state, hand):
        return 0
    own = Counter((*hand, *(tile for meld in player.melds for tile in meld.tiles)))
    for tile in ALL:
        if own[tile] < COPIES:
            held = [*hand, tile]
            rests = (held[:place] + held[place + 1 :] for place in range(len(held)))
            if any(is_ready(state, rest) for rest in rests):
                return 1
    return 2


@pytest.mark.parametrize("seed", range(60))
def test_an_open_hand_is_as_far_as_a_search_finds(seed: int) -> None:
    tiles, declared = random_hand(Random(seed))
    others = [(UNKNOWN,) * 13] * 3
    position = Position((tiles, *others), (declared, (), (), ()), turn=1, wall_left=60)
    start: list[Event] = [GameStart(RULES.id), HandStart(), position]
    game = replay(map(Entry, start))
    now = game.hint(0).now
    assert now is not None
    assert now.distance is not None
    assert min(now.distance, 2) == searched(game.state)
