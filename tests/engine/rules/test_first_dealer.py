"""Who dealt the first hand of a game: rounds are counted from that seat, also from half way on."""

from __future__ import annotations

import pytest

from engine.announce import GameResult, HandResult, Problem
from engine.events import (
    Discard,
    DrawnHand,
    Entry,
    Event,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Win,
)
from engine.game import Game, replay
from engine.tiles import Tile, parse

EAST, SOUTH, NORTH = Tile("1z"), Tile("2z"), Tile("4z")
WITH_ROUNDS = ("wsom", "riichi", "riichi-2016", "riichi-tenhou")


def told(*events: Event) -> list[object]:
    game = Game()
    return [said for event in events for said in game.submit(Entry(event))]


def hand_after(rules: str, first_dealer: int | None, start: HandStart) -> tuple[int | None, Tile]:
    """Who deals after one hand that nobody won, in which round."""
    begun = GameStart(rules, first_dealer=first_dealer)
    said = told(begun, start, DrawnHand("exhausted"), HandEnd())
    (result,) = (one for one in said if isinstance(one, HandResult))
    return result.dealer, result.round


@pytest.mark.parametrize("rules", WITH_ROUNDS)
@pytest.mark.parametrize(
    ("first_dealer", "start", "after"),
    [
        (None, HandStart(), (1, EAST)),
        (None, HandStart(3, EAST), (0, SOUTH)),  # joined at East 4
        (None, HandStart(2, EAST), (3, EAST)),
        (None, HandStart(3), (0, EAST)),  # without a round, seat 3 dealt first
        (2, HandStart(), (3, EAST)),
        (2, HandStart(1, EAST), (2, SOUTH)),
        (2, HandStart(0, EAST), (1, EAST)),
        (2, HandStart(1, SOUTH), (2, Tile("3z"))),
        (1, HandStart(3), (0, EAST)),
    ],
)
def test_a_round_ends_when_the_deal_comes_back_to_the_first_dealer(
    rules: str, first_dealer: int | None, start: HandStart, after: tuple[int, Tile]
) -> None:
    assert hand_after(rules, first_dealer, start) == after


@pytest.mark.parametrize("rules", ["harbin-hlr", "harbin-treasure", "hangzhou", *WITH_ROUNDS])
def test_the_first_dealer_deals_the_first_hand(rules: str) -> None:
    game = Game()
    for event in (GameStart(rules, first_dealer=2), HandStart()):
        assert not [one for one in game.submit(Entry(event)) if isinstance(one, Problem)]
    assert (game.state.dealer, game.state.turn) == (2, 2)


@pytest.mark.parametrize(
    ("rules", "wind", "code"),
    [
        ("wsom", NORTH, "rounds_over"),
        ("riichi", SOUTH, "game_over"),
        ("riichi-2016", SOUTH, "game_over"),
    ],
)
@pytest.mark.parametrize(("dealer", "is_last"), [(0, True), (3, False)])
def test_the_last_hand_is_that_of_the_seat_before_the_first_dealer(
    rules: str, wind: Tile, code: str, dealer: int, is_last: bool
) -> None:
    events = (
        GameStart(rules, first_dealer=1),
        HandStart(dealer, wind),
        DrawnHand("exhausted"),
        HandEnd(),
        HandStart(),
    )
    over = [one for one in told(*events) if isinstance(one, Problem)]
    assert [one.code for one in over] == ([code] if is_last else [])
    listed = replay([Entry(event) for event in events[:-1]]).legal()
    assert any(isinstance(event, HandStart) for event in listed) != is_last
    assert GameEnd() in listed


@pytest.mark.parametrize(("dealer", "is_last"), [(0, True), (3, False)])
def test_in_hong_kong_the_last_hand_is_one_that_another_than_the_dealer_won(
    dealer: int, is_last: bool
) -> None:
    won = Win(2, dealer, Tile("9p"), hand=parse("111999m11199p22z"))
    begun = (GameStart("hong-kong", first_dealer=1), HandStart(dealer, NORTH))
    played = (*begun, Discard(dealer, won.tile), won, HandEnd())
    listed = replay([Entry(event) for event in played]).legal()
    assert any(isinstance(event, HandStart) for event in listed) != is_last
    assert GameEnd() in listed


def test_of_level_players_who_sits_nearest_to_the_first_dealer_is_placed_first() -> None:
    begun = GameStart("riichi-tenhou", first_dealer=2)
    ended = (HandStart(0, EAST), DrawnHand("exhausted"), HandEnd(), GameEnd())
    (result,) = (one for one in told(begun, *ended) if isinstance(one, GameResult))
    assert result.places == (3, 4, 1, 2)
