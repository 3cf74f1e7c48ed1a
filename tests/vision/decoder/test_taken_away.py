"""What a person takes away is not told again by the change that told it."""

from __future__ import annotations

import pytest

from engine.events import Discard, DrawnHand, HandEnd, HandStart, Win
from engine.log import in_force
from engine.tiles import UNKNOWN, Tile
from tests.support.recorded import Recorded, in_rows
from tests.support.tables import discards
from vision.decoder.question import Answer, EventPlace

BEFORE = ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"))


@pytest.fixture
def table() -> Recorded:
    """A hand under way is seen where another one was played before the lens was covered."""
    table = Recorded("hong-kong")
    table.deal()
    table.plays(*BEFORE)
    table.stage.clear()
    table.stage.time_s += 60.0
    for seat in range(4):
        table.stage.stand(seat, 13)
    for seat, face in ((1, "9p"), (2, "8p"), (3, "7p"), (0, "6p"), (1, "5p")):
        table.put(seat, face, 6)
    table.show(14.0)
    assert any(isinstance(event, DrawnHand) for event in table.events)
    return table


def drawn(table: Recorded) -> int:
    return table.number(DrawnHand("exhausted"))


def test_that_a_hand_was_drawn_is_not_told_again(table: Recorded) -> None:
    table.correct(drawn(table))
    for _ in range(4):
        table.show(2.0)
        assert not any(isinstance(event, DrawnHand) for event in table.events)
    table.check()


def test_that_a_hand_was_drawn_is_not_told_again_where_a_question_is_answered_so(
    table: Recorded,
) -> None:
    asked = [
        question
        for question in table.decoder.questions()
        if any(isinstance(event, DrawnHand) for event in question.choices[0].events)
    ]
    assert asked
    nothing = next(at for at, one in enumerate(asked[0].choices) if not one.events)
    table.lines += table.decoder.answer(table.answer_of(asked[0], nothing))
    for _ in range(3):
        table.show(2.0)
        assert not any(isinstance(event, DrawnHand) for event in table.events)
    table.check()


def test_how_it_ended_instead_is_told_by_the_person_and_the_next_hand_goes_on(
    table: Recorded,
) -> None:
    table.correct(drawn(table))
    table.write(Win(0, 3, Tile("4m")))
    table.show(4.0)
    starts = [at for at, event in enumerate(table.events) if isinstance(event, HandStart)]
    assert len(starts) == 2
    assert any(isinstance(event, Win) for event in table.events[: starts[1]])
    table.check()


def test_a_discard_that_nobody_saw_is_not_supplied_again() -> None:
    table = in_rows()
    table.plays((0, "1m"), (2, "3s"))
    assert table.hand == discards((0, "1m"), (1, "?"), (2, "3s"))
    table.correct(table.number(Discard(1, UNKNOWN)))
    table.show(4.0)
    assert Discard(1, UNKNOWN) not in table.hand
    table.discard(3, "2m")
    assert Discard(1, UNKNOWN) not in table.hand
    table.check()


def test_that_another_seat_discarded_leaves_room_for_a_discard_that_nobody_saw() -> None:
    table = in_rows()
    table.plays((0, "1m"), (1, "2m"))
    table.correct(table.number(Discard(1, Tile("2m"))), Discard(2, Tile("2m")))
    table.show(2.0)
    assert table.hand == discards((0, "1m"), (1, "?"), (2, "2m"))
    table.check()


def test_a_hand_that_is_played_on_after_that_may_be_drawn() -> None:
    """The discards were pushed together, and nobody washed the tiles."""
    table = Recorded("hong-kong")
    table.deal()
    table.plays(*BEFORE)
    table.stage.clear()
    table.show(4.0)
    assert table.events[-2:] == [DrawnHand("exhausted"), HandEnd()]
    table.correct(drawn(table))
    for seat in range(4):
        table.stage.stand(seat, 13)
    table.show(4.0)
    table.plays((0, "5p"), (1, "6p"), place=1)
    assert table.hand == discards(*BEFORE, (0, "5p"), (1, "6p"))
    table.stage.clear()
    table.show(4.0)
    assert table.events[-2:] == [DrawnHand("exhausted"), HandEnd()]
    table.check()


def washed(rules: str = "hong-kong") -> Recorded:
    """A hand of four discards that was washed: it is told as drawn."""
    table = Recorded(rules)
    table.deal()
    table.plays(*BEFORE)
    table.clear()
    assert table.events[-2:] == [DrawnHand("exhausted"), HandEnd()]
    return table


@pytest.mark.parametrize("rules", ["hong-kong", "riichi"])
def test_the_next_hand_writes_nothing_over_a_hand_whose_end_is_denied(rules: str) -> None:
    table = washed(rules)
    number = drawn(table)
    table.correct(number)
    table.show(1.0)
    table.deal()
    table.plays((0, "7p"), (1, "8p"))
    assert table.hand[:4] == discards(*BEFORE)
    table.correct(number, Win(0, 3, Tile("4m")))
    table.show(6.0)
    assert table.hand == discards((0, "7p"), (1, "8p"))
    table.check()


def test_a_removal_holds_after_a_restart() -> None:
    table = washed()
    table.correct(drawn(table))
    table.restart()
    table.deal()
    table.show(4.0)
    assert not any(isinstance(event, DrawnHand) for event in table.events)


def test_an_answer_that_comes_before_its_question_denies_the_end_as_well() -> None:
    asked = next(one for one in washed().decoder.questions() if not one.choices[-1].events)
    table = Recorded("hong-kong")
    table.lines += table.decoder.answer(table.answer_of(asked, len(asked.choices) - 1))
    table.deal()
    table.plays(*BEFORE)
    table.clear()
    table.deal()
    table.show(4.0)
    assert not any(isinstance(event, DrawnHand) for event in table.events)


@pytest.mark.parametrize(("rules", "winner"), [("hong-kong", 0), ("riichi", 1)])
@pytest.mark.parametrize("inserted", [False, True])
def test_a_win_in_the_place_of_the_draw_ends_an_earlier_hand(
    rules: str, winner: int, inserted: bool
) -> None:
    """Another hand was played since, dealt as that win has it, and the next one has begun."""
    table = washed(rules)
    number, thrown = drawn(table), ((1, "7p"), (2, "8p"), (3, "9p"), (0, "1s"))
    table.deal(1)
    table.plays(*thrown)
    table.clear()
    table.deal(2)
    table.plays((2, "7s"), (3, "8s"))
    table.correct(number)
    table.show(1.0)
    assert DrawnHand("exhausted") not in table.events[:6]
    win = Win(winner, 3, Tile("4m"))
    if inserted:
        starts = [one for one in in_force(table.lines) if isinstance(one.entry.event, HandStart)]
        table.correct(starts[1].number, win, starts[1].entry.event)
    else:
        table.correct(number, win)
    table.show(3.0)
    assert table.events[1:7] == [*discards(*BEFORE), win, HandEnd()]
    assert isinstance(table.events[7], HandStart)
    table.check()


def test_an_answer_to_the_last_discard_that_comes_before_it_lets_the_hand_end() -> None:
    read, named = Discard(1, Tile("2m")), Discard(1, Tile("9s"))
    plain, table = Recorded("hong-kong"), Recorded("hong-kong")
    table.lines += table.decoder.answer(Answer(EventPlace("put", 4.8, 110, -32), (named,)))
    for one in (plain, table):
        one.deal()
        one.plays((0, "1m"))
        one.stage.time_s = 4.0
        one.discard(1, "2m", 3)
        one.clear()
        one.lines += one.decoder.close()
    assert any(isinstance(event, DrawnHand) for event in plain.events)
    assert table.events == [named if event == read else event for event in plain.events]
