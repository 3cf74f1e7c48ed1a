"""What a hand waits for depends on its tiles, whether or not the record knows whose they are."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from engine import declare
from engine.events import Seat, Win
from engine.evolve import evolve
from engine.play import with_player
from engine.rules import GAMES, RULE_SETS
from engine.rules.waits import never_won_on, verdict_on, waits_of, whole_with
from engine.state import Discarded, LastDiscard, Phase, State
from engine.tiles import Tile
from engine.visibility import concealed
from tests.support.engine_digest import any_hand
from tests.support.properties import every_rule_set, seeds, some
from tests.support.random_games import played


@every_rule_set
@some
@given(seeds)
def test_a_hidden_hand_waits_for_the_same_if_its_tiles_are_named(rules: str, seed: int) -> None:
    asked = 0
    for event in played(rules, seed).played:
        state, game = event.state, event.rules
        assert game is not None
        hidden = concealed(state, game)
        for seat, player in enumerate(state.players):
            hand = player.waiting
            if hand is None or not player.dealt or _is_told(hidden, state):
                continue
            asked += 1
            told = waits_of(game, state, seat, hand)
            assert waits_of(game, hidden, seat, hand) == told
    assert asked


def _is_told(hidden: State, state: State) -> bool:
    """Whether nothing of this state is hidden."""
    return hidden.players == state.players


# --- what is certain of a hidden hand holds for every hand that it may be ---

SEEDS = 1, 2, 3
SOME_ARE_SAFE = {"hangzhou", "sichuan", "riichi"}
"""Games in which some discards are surely won on by nobody."""


@pytest.mark.parametrize("rules", [game.id for game in GAMES])
def test_on_what_a_hidden_hand_surely_cannot_win_no_hand_wins(rules: str) -> None:
    game, asked = RULE_SETS[rules], 0
    for seed in SEEDS:
        random = Random(seed)
        for event in played(rules, seed).played:
            state = event.state
            if state.phase is not Phase.TO_DISCARD:
                continue
            for seat in {0, 1, 2, 3} - {state.turn, *state.retired}:
                hand = any_hand(game.wall, len(state.players[seat].melds), random)
                with_hand = with_player(state, seat, hand=hand)
                safe = never_won_on(game, state, seat)
                for kind in whole_with(game, with_hand, seat, hand) or ():
                    if kind in safe:
                        asked += 1
                        win = Win(seat, state.turn, kind)
                        won = declare.win(_thrown(with_hand, state.turn, kind), win)
                        assert verdict_on(game, won, win).fault is not None
    assert bool(asked) is (rules in SOME_ARE_SAFE)


def _thrown(state: State, seat: Seat, tile: Tile) -> State:
    """The state after this discard, whatever its player held."""
    river = (*state.players[seat].river, Discarded(tile))
    last = LastDiscard(seat, tile, len(state.history.entries))
    after = evolve(with_player(state, seat, river=river), phase=Phase.TO_DRAW, last_discard=last)
    return evolve(after, turn=(seat + 1) % 4)
