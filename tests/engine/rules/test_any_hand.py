"""What a hand waits for depends on its tiles, whether or not the record knows whose they are."""

from __future__ import annotations

from hypothesis import given

from engine.rules.waits import waits_of
from engine.state import State
from engine.visibility import concealed
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
