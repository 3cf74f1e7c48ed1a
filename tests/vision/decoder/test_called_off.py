"""A hand that the rules end by themselves is told with the act that ends it."""

from __future__ import annotations

import pytest

from engine.events import (
    Correct,
    Discard,
    DrawnHand,
    Event,
    HandEnd,
    HandStart,
    Kong,
    Reveal,
    Win,
)
from engine.tiles import Tile, parse
from tests.support.recorded import Recorded
from tests.support.tables import discards, won

FOUR_WINDS = DrawnHand("four_winds")


def told(table: Recorded) -> list[Event]:
    """Every event that was ever told, also what was withdrawn."""
    events: list[Event] = []
    for line in table.lines:
        event = line.event
        events += [one.event for one in event.events] if isinstance(event, Correct) else [event]
    return events


def dealt(rules: str, dealer: int = 0) -> Recorded:
    table = Recorded(rules)
    table.deal(dealer)
    return table


@pytest.mark.parametrize("dealer", [0, 2])
@pytest.mark.parametrize("wind", ["1z", "4z"])
def test_four_equal_winds_end_the_hand_with_the_fourth(dealer: int, wind: str) -> None:
    table = dealt("riichi", dealer)
    thrown = [((dealer + turn) % 4, wind) for turn in range(4)]
    for seat, face in thrown:
        table.discard(seat, face, sure=0.995)
    table.show(2.0)
    assert table.hand == [*discards(*thrown), FOUR_WINDS]
    assert table.decoder.questions() == []
    table.clear()
    assert table.hand == [*discards(*thrown), FOUR_WINDS, HandEnd()]
    assert table.decoder.questions() == []
    table.deal(dealer)
    assert isinstance(table.events[-1], HandStart)
    table.check()


@pytest.mark.parametrize("rules", ["hangzhou", "wsom", "harbin-hlr"])
def test_where_no_rule_says_so_nothing_ends(rules: str) -> None:
    wind = "1z" if rules != "harbin-hlr" else "7z"
    table = dealt(rules)
    table.plays(*((seat, wind) for seat in range(4)))
    table.show(4.0)
    assert table.hand == discards(*((seat, wind) for seat in range(4)))


def test_winds_that_are_not_equal_end_nothing() -> None:
    table = dealt("riichi")
    thrown = ((0, "2z"), (1, "2z"), (2, "3z"), (3, "2z"))
    table.plays(*thrown)
    table.show(4.0)
    assert table.hand == discards(*thrown)


def test_whoever_plays_on_after_it_is_told_as_playing_on() -> None:
    table = dealt("riichi")
    thrown = [(seat, "2z") for seat in range(4)]
    more = [(0, "1m"), (1, "9p")]
    table.plays(*thrown)
    table.plays(*more, place=1)
    assert table.hand == discards(*thrown, *more)
    table.check()


def test_the_fourth_wind_may_be_won_on() -> None:
    table = dealt("riichi")
    table.plays(*((seat, "2z") for seat in range(3)))
    last = table.discard(3, "2z")
    table.stage.take(last)
    table.stage.stand(1, 0)
    table.stage.lay(1, "123m 456p 789s 444m 2z 2z", -190, apart_mm=20.0)
    table.show(5.0)
    assert won(table.hand[-1]) == (1, 3, "2z")
    assert not any(isinstance(event, DrawnHand) for event in told(table))
    assert [event.seat for event in told(table) if isinstance(event, Win)] == [1]


def test_four_players_who_are_ready_end_the_hand() -> None:
    table = dealt("riichi")
    table.plays((0, "1m"), (1, "9p"), (2, "3s"), (3, "7m"))
    faces = ("2p", "8s", "6z", "4s")
    for seat, face in enumerate(faces):
        table.stage.busy = frozenset({seat})
        table.show(0.4)
        tile = table.put(seat, face, 1)
        table.stage.change(tile, turn_deg=(90.0 - 90 * seat) % 360)
        table.show(0.4)
        table.stage.busy = frozenset()
        table.show(3.0)
    table.show(2.0)
    ready = [Discard(seat, Tile(face), ready=True) for seat, face in enumerate(faces)]
    assert table.hand[4:] == [*ready, DrawnHand("four_ready")]
    assert table.decoder.questions() == []
    table.check()


NINE = "19m 19p 19s 123456z 58s"


@pytest.mark.parametrize("before", [0, 1, 3])
def test_nine_terminals_are_told_when_the_hand_is_laid_open(before: int) -> None:
    table = dealt("riichi")
    thrown = list(zip(range(before), ("5m", "6p", "7s"), strict=False))
    table.plays(*thrown)
    table.stage.stand(before, 0)
    table.stage.lay(before, NINE, -200)
    table.show(4.0)
    called = [DrawnHand("nine_terminals"), Reveal(before, parse(NINE))]
    assert table.hand == [*discards(*thrown), *called]
    table.clear()
    assert table.hand == [*discards(*thrown), *called, HandEnd()]
    assert table.decoder.questions() == []
    table.check()


def test_four_kongs_of_several_players_end_the_hand_with_the_next_discard() -> None:
    table = dealt("riichi")
    given = ((0, "5m", 1), (1, "6p", 2), (2, "7s", 3), (3, "8m", 0))
    for giver, face, taker in given:
        tile = table.discard(giver, face)
        table.claim(tile, taker, f"{face[0] * 4}{face[1]}", turned=0, lasts_s=3.0)
    assert sum(isinstance(event, Kong) for event in table.hand) == 4
    assert not any(isinstance(event, DrawnHand) for event in told(table))
    table.stage.busy = frozenset({0})
    table.show(0.4)
    table.put(0, "9s", 1)
    table.show(0.4)
    table.stage.busy = frozenset()
    table.show(6.0)
    assert table.hand[-2:] == [Discard(0, Tile("9s")), DrawnHand("four_kongs")]
    table.check()
