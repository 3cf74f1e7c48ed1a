"""What pays, who dealt and what is a foul is told once all that lies there is accounted for."""

from __future__ import annotations

import pytest

from engine.events import Correct, Discard, Event, Foul, HandStart, Win
from engine.tiles import Tile
from tests.support.recorded import Recorded
from tests.support.tables import won

RULES = ("harbin-hlr", "hangzhou", "riichi")
THROWN = ((0, "1m"), (1, "9p"), (2, "3s"), (3, "7m"))


def told(table: Recorded) -> list[Event]:
    """Every event that was ever told, also what was withdrawn."""
    events: list[Event] = []
    for line in table.lines:
        event = line.event
        events += [one.event for one in event.events] if isinstance(event, Correct) else [event]
    return events


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("dealer", [1, 3])
def test_who_dealt_is_told_once_where_only_the_first_discard_tells_it(
    rules: str, dealer: int
) -> None:
    table = Recorded(rules)
    for seat in range(4):
        table.stage.stand(seat, 13)
    table.show(6.0)
    assert not any(isinstance(event, HandStart) for event in told(table))
    for turn, (_, face) in enumerate(THROWN):
        table.discard((dealer + turn) % 4, face)
    assert [event for event in told(table) if isinstance(event, HandStart)] == [
        HandStart(dealer=dealer)
    ]
    assert not any(isinstance(event, Foul) for event in told(table))
    table.check()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("counted", [1, 2, 3])
def test_nobody_is_told_to_discard_out_of_turn_where_another_seat_dealt(
    rules: str, counted: int
) -> None:
    """Fourteen tiles were counted before a seat that did not deal."""
    table = Recorded(rules)
    for seat in range(4):
        table.stage.stand(seat, 14 if seat == counted else 13)
    table.show(6.0)
    table.plays(*THROWN)
    assert not any(isinstance(event, Foul) for event in told(table))
    thrown = [event.seat for event in table.hand if isinstance(event, Discard)]
    assert thrown == [0, 1, 2, 3]
    table.check()


def test_two_discards_under_an_arm_make_no_foul_of_the_next_one() -> None:
    table = Recorded("harbin-hlr")
    table.deal()
    table.plays(*THROWN)
    before = table.hand
    table.put(2, "2p", 1)
    table.show(1.6)
    table.put(0, "8s", 1)
    table.show(0.8)
    table.put(1, "6s", 1)
    table.show(3.0)
    table.plays((3, "5s"), place=1)
    assert not any(isinstance(event, Foul) for event in told(table))
    thrown = [event.seat for event in table.hand[len(before) :] if isinstance(event, Discard)]
    assert sorted(thrown) == [0, 1, 2, 3]
    table.check()


def test_a_win_with_a_tile_that_nobody_saw_is_told_when_it_may_have_been_found() -> None:
    table = Recorded("riichi")
    table.deal()
    table.plays(*THROWN)
    table.stage.stand(1, 0)
    table.stage.lay(1, "234m 456p 678s 222s 88p", -190, apart_mm=20.0)
    table.show(3.0)
    assert not any(isinstance(event, Win) for event in told(table))
    table.show(3.0)
    assert [event.seat for event in told(table) if isinstance(event, Win)] == [1]
    table.check()


@pytest.mark.parametrize("late_s", [0.8, 2.0])
def test_a_win_is_told_once_by_whoever_gave_it(late_s: float) -> None:
    """The hand lies open before the discard is seen, under the arm of who made it."""
    table = Recorded("riichi")
    table.deal()
    table.plays(*THROWN)
    table.plays((0, "2z"), (1, "3z"), place=1)
    table.stage.stand(1, 0)
    table.stage.lay(1, "234m 456p 678s 222s 8p", -190, apart_mm=0.0)
    table.stage.busy = frozenset({2})
    table.show(late_s)
    table.stage.busy = frozenset()
    table.put(2, "8p", 1)
    table.stage.stand(2, 13)
    table.show(6.0)
    assert won(table.hand[-1]) == (1, 2, "8p")
    assert table.hand[-2] == Discard(2, Tile("8p"))
    paid = [event for event in told(table) if isinstance(event, Win)]
    assert [won(event) for event in paid] == [(1, 2, "8p")]
    table.check()
