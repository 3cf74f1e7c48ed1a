"""Tiles are counted from the state before; the count must be that of the whole table."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given

from engine.evolve import evolve
from engine.game import Game, replay
from engine.state import State, Tally
from engine.tile_counts import copies_named, tallied
from engine.tiles import Tile
from engine.visibility import concealed
from tests.support.golden import golden
from tests.support.properties import every_rule_set, seeds, some
from tests.support.random_games import hidden, played, shown


def anew(state: State) -> Counter[Tile]:
    """Every tile of the state counted without the tally of another one."""
    return copies_named(evolve(state, tally=Tally()))


def check(game: Game) -> None:
    for event in game.played:
        state = event.state
        assert copies_named(state) == anew(state)
        if event.rules is not None:
            # Nobody may learn a hidden tile from what was counted.
            assert concealed(state, event.rules).tally == Tally()


@every_rule_set
@some
@given(seeds)
def test_the_tally_counts_every_tile_of_any_game(rules: str, seed: int) -> None:
    game = played(rules, seed)
    for entries in (game.entries, hidden(game.entries, (1, 2, 3), draws=True), shown(game)):
        check(replay(entries))


@every_rule_set
def test_the_tally_counts_every_tile_of_the_whole_games(rules: str) -> None:
    check(replay(golden(rules)))


@every_rule_set
def test_the_tally_of_any_earlier_state_will_do(rules: str) -> None:
    states = [event.state for event in replay(golden(rules)).played]
    random = Random(rules)
    for state in random.sample(states, 40):
        before = random.choice(states)
        stale = evolve(state, tally=tallied(before))
        assert copies_named(stale) == anew(state)
