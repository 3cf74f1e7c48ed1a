"""The lens is covered for some seconds in the middle of a hand, and play goes on."""

from __future__ import annotations

import pytest
from games.recorded import RecordedDecoder

from engine.events import DrawnHand, Entry, HandStart, Position, Win
from engine.log import in_force
from tests.support.recorded import Recorded, in_rows
from tests.support.settled_hands import played
from tests.support.tables import discards, shares

COVERED_S = 8.0
BEFORE = ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"))


class BesideAThing(Recorded):
    """Four discards, and something near seat 3 that was there from the first look on."""

    def __init__(self, sure: float = 0.3, score: float = 0.55) -> None:
        """``score``: how far it is taken for a tile. It was looked at for long."""
        super().__init__("harbin-hlr")
        self.thing = self.stage.put(3, -60, 60, "9s")
        faces = shares("9s", sure, "5s")
        self.stage.change(self.thing, probabilities=faces, score=score, looks=20)
        self.deal()
        self.plays(*BEFORE)


@pytest.fixture
def table() -> BesideAThing:
    table = BesideAThing()
    assert table.hand == discards(*BEFORE)
    return table


def test_a_thing_that_lay_there_before_is_no_discard_after(table: Recorded) -> None:
    table.stage.time_s += COVERED_S
    table.put(0, "5p", 1)
    table.put(1, "6p", 1)
    table.show(6.0)
    assert table.hand == discards(*BEFORE, (0, "5p"), (1, "6p"))
    table.discard(2, "7p", 1)
    assert table.hand == discards(*BEFORE, (0, "5p"), (1, "6p"), (2, "7p"))
    table.check()


def test_a_thing_that_comes_and_goes_does_not_keep_the_table_from_being_taken_in(
    table: BesideAThing,
) -> None:
    table.stage.time_s += COVERED_S
    table.put(0, "5p", 1)
    table.put(1, "6p", 1)
    for _ in range(10):
        there = table.stage.take_up(table.thing)
        table.show(0.4)
        table.stage.lay_again(there)
        table.show(0.4)
    assert table.hand == discards(*BEFORE, (0, "5p"), (1, "6p"))


@pytest.mark.parametrize(("sure", "score"), [(0.3, 0.55), (0.97, 0.9)])
def test_a_thing_that_is_hidden_while_the_table_is_taken_in_is_the_same_thing_later(
    sure: float, score: float
) -> None:
    """It does not appear for a second time: a hand lay over it."""
    table = BesideAThing(sure, score)
    table.stage.time_s += COVERED_S
    there = table.stage.take_up(table.thing)
    table.put(0, "5p", 1)
    table.put(1, "6p", 1)
    table.show(6.0)
    table.stage.lay_again(there)
    table.show(3.0)
    assert table.hand == discards(*BEFORE, (0, "5p"), (1, "6p"))


def test_what_lay_there_when_the_lens_was_uncovered_came_before_what_was_put_down_since(
    table: Recorded,
) -> None:
    table.stage.time_s += COVERED_S
    table.put(0, "5p", 1)
    table.put(1, "6p", 1)
    table.put(2, "3s", 1)
    table.put(3, "1p", 1)
    table.show(0.6)
    table.put(0, "9m", 2)
    table.show(0.6)
    table.put(1, "8m", 2)
    table.show(6.0)
    since = ((0, "5p"), (1, "6p"), (2, "3s"), (3, "1p"), (0, "9m"), (1, "8m"))
    assert table.hand == discards(*BEFORE, *since)
    table.check()


# --- the hand goes on, though not all that was laid meanwhile is found ---


def told_on(table: Recorded) -> None:
    """The hand that was played before goes on, and no other one is joined."""
    assert table.hand[: len(BEFORE)] == discards(*BEFORE)
    assert sum(isinstance(event, HandStart) for event in table.events) == 1
    table.check()


def test_a_discard_that_was_not_found_when_the_lens_was_uncovered_ends_no_hand() -> None:
    table = in_rows()
    table.plays(*BEFORE)
    table.stage.time_s += COVERED_S
    for seat, face in ((0, "1z"), (2, "3z"), (3, "4z")):
        table.put(seat, face, 1)
    table.show(6.0)
    told_on(table)
    assert table.hand[4:] == discards((0, "1z"), (1, "?"), (2, "3z"), (3, "4z"))
    table.discard(0, "9p", 2)
    assert table.hand[8:] == discards((0, "9p"))


def test_a_set_of_which_a_tile_was_not_found_when_the_lens_was_uncovered_ends_no_hand() -> None:
    table = in_rows()
    table.plays(*BEFORE)
    table.stage.time_s += COVERED_S
    table.stage.stand(1, 10)
    table.stage.set_down(1, "55s", turned=1)
    table.put(1, "6z", 1)
    table.put(2, "7z", 1)
    table.show(6.0)
    told_on(table)
    assert table.hand[-2:] == discards((1, "6z"), (2, "7z"))


def test_something_that_is_no_tile_ends_no_hand() -> None:
    table = in_rows()
    table.plays(*BEFORE)
    table.stage.time_s += COVERED_S
    table.put(0, "1z", 1)
    for place, face in enumerate(("5s", "8s", "9m"), start=1):
        odd = table.put(2, face, place)
        table.stage.change(odd, probabilities=shares(face, 0.3, "5m"), score=0.5)
    table.show(6.0)
    told_on(table)
    table.discard(1, "9p", 1)
    assert table.hand[-1:] == discards((1, "9p"))


# --- the hand ends while the lens is covered ---


@pytest.mark.parametrize("joined", [False, True])
def test_why_a_hand_is_over_that_ended_while_nobody_looked_is_asked(joined: bool) -> None:
    """Whether the next hand has only been dealt, or is under way, when the lens is uncovered."""
    table = in_rows()
    table.plays(*BEFORE)
    table.stage.time_s += 60.0
    table.stage.clear()
    for seat in range(4):
        table.stage.stand(seat, 13)
        for place in range(2 if joined else 0):
            table.put(seat, f"{seat + 5}{'sp'[place]}", place)
    table.show(14.0)
    if not joined:
        table.discard(1, "9s")
    starts = [event for event in table.events if isinstance(event, HandStart)]
    assert len(starts) == 2
    asked = [
        question
        for question in table.decoder.questions()
        if any(isinstance(event, DrawnHand) for event in question.choices[0].events)
    ]
    assert [question.place.what for question in asked] == ["washed"]
    table.check()


@pytest.mark.parametrize("dealer", [0, 1])
def test_who_deals_after_a_hand_that_ended_while_nobody_looked_tells_how_it_ended(
    dealer: int,
) -> None:
    """The dealer of a hand that nobody has won has lost the deal; one who has won deals again."""
    table = in_rows()
    table.plays(*BEFORE)
    table.stage.time_s += 60.0
    table.stage.clear()
    table.deal(dealer)
    first = ((dealer, "9s"), ((dealer + 1) % 4, "8p"), ((dealer + 2) % 4, "7m"))
    table.plays(*first)
    table.show(4.0)
    assert table.hand == discards(*first)
    ended = [event for event in table.events if isinstance(event, DrawnHand | Win)]
    assert [type(event) for event in ended] == [DrawnHand if dealer else Win]
    (question,) = (one for one in table.decoder.questions() if one.place.what == "washed")
    assert ended[0] in question.choices[0].events
    table.check()


def test_a_hand_in_which_somebody_won_while_nobody_looked_goes_on_and_the_win_is_asked() -> None:
    """In this game the others play on."""
    game, seen = played("sichuan", 8)
    times = list(dict.fromkeys(mark.t_s for mark in game.director.marks))
    win = next(mark for mark in game.director.marks if isinstance(mark.event, Win))
    at = times.index(win.t_s)
    gap = range(4 * (at - 1), 4 * (at + 3))
    decoder = RecordedDecoder("sichuan", game.place.view)
    lines: list[Entry] = []
    for number, one in enumerate(seen[: gap.stop + 60]):
        lines += [] if number in gap else decoder.observe(one)
    told = [event.entry.event for event in in_force(lines)]
    assert sum(isinstance(event, HandStart) for event in told) == 1
    assert not any(isinstance(event, Position) for event in told)
    assert isinstance(win.event, Win)
    wins = [(event.seat, event.from_seat) for event in told if isinstance(event, Win)]
    assert wins == [(win.event.seat, win.event.from_seat)]
    asked = [event for one in decoder.questions() for event in one.choices[0].events]
    assert any(isinstance(event, Win) for event in asked)
