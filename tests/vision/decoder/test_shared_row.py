"""A shared row is used as a tuple is, and shares the hands that are over."""

from __future__ import annotations

import pytest

from vision.decoder.shared_row import SharedRow

ROW = SharedRow(("a", "b")).hand_over().and_then("c").and_then("d")
ITEMS = ("a", "b", "c", "d")


def test_it_reads_as_the_tuple_that_it_stands_for() -> None:
    assert tuple(ROW) == ITEMS
    assert tuple(reversed(ROW)) == ITEMS[::-1]
    assert [ROW[at] for at in range(-4, 4)] == [ITEMS[at] for at in range(-4, 4)]
    for first in range(-5, 6):
        for last in range(-5, 6):
            assert ROW[first:last] == ITEMS[first:last]


@pytest.mark.parametrize("place", [-5, 4])
def test_there_is_nothing_beyond_its_ends(place: int) -> None:
    with pytest.raises(IndexError):
        ROW[place]


@pytest.mark.parametrize("place", range(4))
def test_one_item_is_changed_and_what_follows_a_place_is_left_out(place: int) -> None:
    assert tuple(ROW.with_at(place, "x")) == (*ITEMS[:place], "x", *ITEMS[place + 1 :])
    assert tuple(ROW.until(place)) == ITEMS[:place]
    assert tuple(ROW) == ITEMS


def test_it_is_known_how_much_two_rows_share() -> None:
    assert ROW.shares(ROW.and_then("e")) == 4
    assert ROW.shares(ROW.until(3).and_then("x")) == 3
    assert ROW.shares(ROW.with_at(1, "x")) == 1
