"""What a hand can be played for agrees with itself, with the hint, and with what the rules pay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest

from engine.announce import HintDiscard, Outlook
from engine.answers import playing_for
from engine.events import Deal, Discard, Draw, Event, GameStart, HandStart, Indicator, Kong
from engine.game import replay
from engine.play import IN_PLAY
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.rules.plans import Plan
from engine.state import State
from engine.tiles import Tile, parse
from engine.visibility import concealed
from tests.support.cases import position
from tests.support.properties import every_rule_set
from tests.support.random_games import played

EVERY_SO_MANY = 19
LUCK = frozenset(
    {
        "heavenly_hand", "earthly_hand", "last_tile", "after_kong", "after_two_kongs",
        "kong_robbed", "blessing_of_heaven", "blessing_of_earth", "final_draw", "final_discard",
        "win_on_kong", "robbing_a_kong", "sichuan_heaven", "sichuan_earth", "sichuan_kong_flower",
        "sichuan_kong_cannon", "sichuan_kong_robbed", "tenhou", "chiihou", "renhou", "ippatsu",
        "rinshan", "haitei", "houtei", "chankan", "kong_bloom", "float",
    }
)  # fmt: skip
"""Patterns that only the moment of a win brings."""


Asked = tuple[RuleSet, State, int, tuple[Plan, ...]]


@cache
def asked(rules: str) -> tuple[Asked, ...]:
    """Hands of whole games with their plans, as their seats know them."""
    return tuple(_asked(rules))


def _asked(rules: str) -> Iterator[Asked]:
    for seed in range(2):
        for step in played(rules, seed).played[seed::EVERY_SO_MANY]:
            if step.rules is None or step.state.phase not in IN_PLAY:
                continue
            for seat in range(4):
                known = concealed(step.state, step.rules, seat)
                told = playing_for(step.rules, step.state, seat)
                if told:
                    yield step.rules, known, seat, told


def finished(plan: Plan) -> Counter[Tile]:
    return Counter((*plan.tiles, *(plan.opened.tiles if plan.opened is not None else ())))


def after_best(
    rules: RuleSet, state: State, seat: int
) -> tuple[Counter[Tile], Outlook | HintDiscard]:
    """The hand that waits once the best discard is made, and what the hint says of it."""
    hint, hand = rules.hint(state, seat), Counter(state.players[seat].hand)
    best = hint.discards[0] if hint.discards else hint.now
    assert best is not None, "no plan for a hand without a hint"
    if isinstance(best, HintDiscard):
        hand -= Counter([best.tile])
    return hand, best


@every_rule_set
def test_a_plan_holds_what_the_hand_holds_after_the_best_discard_and_lacks_the_rest(
    rules: str,
) -> None:
    count = 0
    for judge, state, seat, told in asked(rules):
        hand, best = after_best(judge, state, seat)
        for plan in told:
            tiles, needs = finished(plan), Counter(wait.tile for wait in plan.needs)
            assert needs <= tiles, plan
            assert tiles - needs <= hand, plan
            assert len(plan.needs) == plan.distance + 1
            assert tiles.total() == hand.total() + 1
            assert plan.tile in plan.tiles
            assert all(wait.left > 0 for wait in plan.needs), plan
            assert best.distance is not None
            assert plan.distance >= best.distance, plan
            if plan.distance == 0:
                assert plan.needs[0].tile.kind in {wait.tile for wait in best.waits}, plan
            count += 1
    assert count > 20


@every_rule_set
def test_a_hand_that_is_ready_has_a_plan_that_is_ready(rules: str) -> None:
    """Farther hands may have a plan that is farther than the hint: it counts what lies open."""
    for judge, state, seat, told in asked(rules):
        _, best = after_best(judge, state, seat)
        if best.distance == 0 and best.left:
            assert told[0].distance == 0, told


@every_rule_set
def test_no_plan_counts_the_luck_of_a_moment(rules: str) -> None:
    for _, _, _, told in asked(rules):
        for plan in told:
            assert not LUCK & set(plan.patterns), plan


HANDS = (
    "123m 456p 789s 11s 23p 7z",
    "234m 55m 678p 34s 345p 7z",
    "11m 22p 33s 44m 55p 66s 77p",
    "555z 55m 678p 34s 777z 1z",
    "123m 55m 678m 34s 789s 1s",
)


@every_rule_set
@pytest.mark.parametrize("hand", HANDS)
def test_the_first_turn_promises_what_the_middle_of_the_hand_pays(rules: str, hand: str) -> None:
    """The dealer's first discard, a later turn, and the seat that has not yet drawn are alike."""
    if {"1z", "5z"} & set(parse(hand)) and rules.startswith(("harbin", "sichuan")):
        hand = hand.replace("1z", "1s").replace("555z", "555m").replace("777z", "777m")
    if rules == "sichuan":
        hand = hand.replace("7z", "9m").replace("777z", "999m")
    start: list[Event] = [GameStart(rules), HandStart()]
    tiles = parse(hand)
    fortune: list[Event] = [Indicator(Tile("9p"), "fortune")] if rules == "hangzhou" else []
    first = replay([*start, Deal(0, tiles), *fortune]).state
    table = position({"0": hand}, {}, turn=0, wall=60, fortune="9p" if fortune else None)
    later = replay([*start, table]).state
    plans = [
        {(plan.tiles, plan.by_draw, plan.by_discard, plan.patterns) for plan in told}
        for told in (playing_for(RULE_SETS[rules], state, 0) for state in (first, later))
    ]
    assert plans[0] == plans[1]


def test_a_replacement_tile_and_a_fresh_riichi_promise_nothing() -> None:
    start: list[Event] = [GameStart("riichi"), HandStart()]
    table = position({"0": "1111m 55m 67p 345p 345s"}, {}, turn=0, wall=60)
    game = replay([*start, table, Kong(0, "closed", Tile("1m"), None, parse("1111m"))])
    game.submit(Draw(0, Tile("2z")))
    kong = playing_for(RULE_SETS["riichi"], game.state, 0)
    game.submit(Discard(0, Tile("2z"), ready=True))
    riichi = playing_for(RULE_SETS["riichi"], game.state, 0)
    assert kong
    assert riichi
    for plan in (*kong, *riichi):
        assert not LUCK & set(plan.patterns), plan


def test_a_hand_in_riichi_has_no_plan_but_its_waits() -> None:
    start: list[Event] = [GameStart("riichi"), HandStart()]
    table = position({"0": "123m 55m 678p 34s 789s 2z"}, {}, turn=0, wall=60)
    game = replay([*start, table, Discard(0, Tile("2z"), ready=True)])
    told = playing_for(RULE_SETS["riichi"], game.state, 0)
    assert [plan.distance for plan in told] == [0] * len(told)
    assert {plan.tile for plan in told} == set(parse("25s"))
