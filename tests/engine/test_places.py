"""One rule tells who came where: level seats share a place, or stand in turn where rules say so."""

from __future__ import annotations

from itertools import product

import pytest

from engine.announce import GameResult
from engine.events import Entry, GameEnd, GameStart, HandStart
from engine.evolve import evolve
from engine.game import replay
from engine.places import places_in_turn, places_of
from engine.rules import RULE_SETS
from engine.rules.base import RuleSet
from engine.rules.flow import take
from engine.rules.riichi.next_hand import is_over
from engine.state import Phase, State
from engine.tiles import Tile


@pytest.mark.parametrize(
    ("points", "places"),
    [
        ((10, 20, 30, 40), (4, 3, 2, 1)),
        ((40, 20, 20, 10), (1, 2, 2, 4)),
        ((25, 25, 25, 25), (1, 1, 1, 1)),
        ((30, 30, 20, 20), (1, 1, 3, 3)),
        ((-5, 0, 5, 0), (4, 2, 1, 2)),
    ],
)
def test_equal_points_share_a_place_and_leave_the_next_ones_free(
    points: tuple[int, ...], places: tuple[int, ...]
) -> None:
    assert places_of(points) == places


@pytest.mark.parametrize("first", range(4))
def test_in_turn_nobody_shares_and_the_first_seat_is_before_the_others(first: int) -> None:
    order = [(first + step) % 4 for step in range(4)]
    assert [places_in_turn((7, 7, 7, 7), first)[seat] for seat in order] == [1, 2, 3, 4]
    for points in product((10, 20), repeat=4):
        places = places_in_turn(points, first)
        assert sorted(places) == [1, 2, 3, 4]
        for one, other in product(range(4), repeat=2):
            if points[one] > points[other]:
                assert places[one] < places[other]


def at_points(rules: str, points: tuple[int, ...], **changes: object) -> tuple[RuleSet, State]:
    state = replay([GameStart(rules), HandStart()]).state
    return RULE_SETS[rules], evolve(state, points=points, phase=Phase.BEFORE_HAND, **changes)


def test_tenhou_puts_the_first_dealer_first_among_level_seats() -> None:
    judge, state = at_points("riichi-tenhou", (20000, 30000, 30000, 20000), first_dealer=2)
    assert judge.hands.final(state, GameEnd()).places == (4, 2, 1, 3)
    shared, state = at_points("riichi", (20000, 30000, 30000, 20000), first_dealer=2)
    assert shared.hands.final(state, GameEnd()).places == (3, 1, 1, 3)


def test_after_the_game_all_is_shown_that_its_end_adds() -> None:
    judge, before = at_points("riichi-tenhou", (20600, 33000, 16000, 29400), pot=1000)
    assert (before.points_now, before.pot_now) == (before.points, 1000)
    state, (result,) = take(judge, before, Entry(GameEnd()), 2)
    assert isinstance(result, GameResult)
    assert state.points_now == result.points == (20600, 34000, 16000, 29400)
    assert state.pot_now == 0


@pytest.mark.parametrize(("other", "over"), [(20000, True), (40000, False)])
def test_the_last_dealer_leads_by_the_rule_of_ties(other: int, over: bool) -> None:
    """Seat 1 began, so that seat 0 deals last; level with it, seat 1 is before it."""
    state = at_points("riichi-tenhou", (40000, other, 10000, 10000), first_dealer=1)[1]
    south = Tile("2z")
    last = evolve(state, dealer=0, staying=2, round=south, hand_number=9, winners=(0,))
    assert is_over(last) is over
