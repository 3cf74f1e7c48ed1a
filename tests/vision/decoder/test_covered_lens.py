"""The lens is covered for some seconds in the middle of a hand, and play goes on."""

from __future__ import annotations

import pytest

from engine.events import HandStart
from tests.support.recorded import Recorded, in_rows
from tests.support.tables import discards, shares

COVERED_S = 8.0
BEFORE = ((0, "1m"), (1, "2m"), (2, "3m"), (3, "4m"))


def thing(table: Recorded) -> int:
    """Something near seat 3 that is now and then taken for a tile, and was looked at for long."""
    found = table.stage.put(3, -60, 60, "9s")
    table.stage.change(found, probabilities=shares("9s", 0.3, "5s"), score=0.55, looks=20)
    return found


@pytest.fixture
def table() -> Recorded:
    """Four discards, and a thing that was there from the first look on."""
    table = Recorded("harbin-hlr")
    table.thing = thing(table)  # type: ignore[attr-defined]
    table.deal()
    table.plays(*BEFORE)
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
    table: Recorded,
) -> None:
    table.stage.time_s += COVERED_S
    table.put(0, "5p", 1)
    table.put(1, "6p", 1)
    for _ in range(10):
        there = table.stage.take_up(table.thing)  # type: ignore[attr-defined]
        table.show(0.4)
        table.stage.lay_again(there)
        table.show(0.4)
    assert table.hand == discards(*BEFORE, (0, "5p"), (1, "6p"))


def test_a_thing_that_is_hidden_while_the_table_is_taken_in_is_the_same_thing_later(
    table: Recorded,
) -> None:
    """It does not appear for a second time: a hand lay over it."""
    found = table.thing  # type: ignore[attr-defined]
    table.stage.time_s += COVERED_S
    there = table.stage.take_up(found)
    table.put(0, "5p", 1)
    table.put(1, "6p", 1)
    table.show(6.0)
    table.stage.lay_again(there)
    table.show(3.0)
    changes = [node.change for node in table.decoder.decoder.search.nodes]
    assert sum(change.tiles == (found,) for change in changes) == 1
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
