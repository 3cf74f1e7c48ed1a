"""Every rule set is played through to its own end, and a camera's record says the same."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engine import events as ev
from engine.announce import Problem
from engine.game import replay
from engine.rules import GAMES, RULE_SETS
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


def test_riichi_turns_one_indicator_more_for_every_kong_and_looks_under_each_when_ready_wins() -> (
    None
):
    events = played("riichi", 26)
    kinds = [event.kind for event in events if isinstance(event, ev.Indicator)]
    kongs = sum(isinstance(event, ev.Kong) for event in events)
    assert kinds == ["dora", *["kan_dora"] * kongs, *["ura_dora"] * (kongs + 1)]


def test_tenpai_hands_are_shown_after_an_exhaustive_draw_of_riichi_and_no_others() -> None:
    events = played("riichi", 1)
    assert ev.DrawnHand("exhausted") in events
    shown = {event.seat for event in events if isinstance(event, ev.Reveal)}
    state = replay(planned("riichi", 1).entries[:-2]).state
    tenpai = {seat for seat in range(4) if RULE_SETS["riichi"].waits(state, seat)}
    assert shown == tenpai


def test_several_may_win_on_one_discard_where_the_rules_pay_all() -> None:
    wins = [event for event in played("riichi-tenhou", 150) if isinstance(event, ev.Win)]
    assert len({win.seat for win in wins}) == 2
    assert len({(win.from_seat, win.tile) for win in wins}) == 1


def test_harbins_treasure_is_rolled_for_and_wins_at_once_when_the_hand_waits_for_it() -> None:
    events = played("harbin-treasure", 132)
    win = next(at for at, event in enumerate(events) if isinstance(event, ev.Win))
    kinds = [type(event) for event in events[win - 2 : win]]
    assert kinds == [ev.Dice, ev.Indicator]


def test_dice_that_point_beyond_the_wall_are_rolled_again() -> None:
    rolls = [event for event in played("harbin-treasure", 440) if isinstance(event, ev.Dice)]
    assert rolls


def test_a_deposit_lies_before_the_river_of_who_claimed_riichi_until_the_hand_is_over() -> None:
    game = planned("riichi", 26, hands=2)
    ready = next(
        mark
        for mark in game.director.marks
        if isinstance(mark.event, ev.Discard) and mark.event.ready
    )
    lying = game.director.things_at(ready.t_s + 3.0)
    assert sum(thing.kind == "stick" for thing in lying) == 1
    assert not any(thing.kind == "stick" for thing in game.director.things_at(ready.t_s - 3.0))
    later = [mark for mark in game.director.marks if isinstance(mark.event, ev.HandStart)][1]
    assert not any(thing.kind == "stick" for thing in game.director.things_at(later.t_s))
