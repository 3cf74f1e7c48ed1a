"""Every rule set is played through to its own end, and a camera's record says the same."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine import events as ev
from engine.announce import Problem
from engine.game import replay
from engine.rules import GAMES
from studio.play.players import play_game
from studio.play.settled_tables import planned
from studio.play.truth import seen_entries


def played(rules: str, seed: int) -> list[ev.Event]:
    _, hands, _ = play_game(rules, seed, 1)
    return list(hands[0].events)


@pytest.mark.parametrize("rules", [game.id for game in GAMES])
def test_a_game_and_what_is_seen_of_it_break_no_rule(rules: str) -> None:
    entries = planned(rules, 3, hands=2).entries
    for record in (entries, seen_entries(entries, (), rules)):
        said = replay(record).announcements()
        assert [one for one in said if isinstance(one, Problem)] == []


@pytest.mark.parametrize("rules", [game.id for game in GAMES])
def test_the_replacement_of_a_kong_comes_from_the_tail(rules: str) -> None:
    after_kong = [
        draw.end
        for seed in range(6)
        for kong, draw in _neighbours(played(rules, seed))
        if isinstance(kong, ev.Kong) and isinstance(draw, ev.Draw)
    ]
    assert after_kong
    assert set(after_kong) == {"tail"}


def _neighbours(events: list[ev.Event]) -> list[tuple[ev.Event, ev.Event]]:
    moves = [event for event in events if not isinstance(event, ev.Indicator | ev.Dice)]
    return list(pairwise(moves))
