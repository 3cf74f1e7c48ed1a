"""A stick before a river says that its player has claimed ready, however the discard lies."""

from __future__ import annotations

import pytest

from engine.events import Discard
from engine.tiles import Tile
from tests.support.recorded import Recorded, in_rows
from tests.support.tables import discards, plain


def played(table: Recorded, claims: int, sticks: frozenset[int]) -> None:
    """A round of discards; sticks lie there after the discard of the seat that claims ready."""
    for seat, face in enumerate(("1z", "2z", "3z", "4z")):
        table.discard(seat, face, sure=0.995)
        if seat == claims:
            table.stage.sticks = sticks
            table.show(1.0)
    table.discard(0, "6z", place=1, sure=0.995)


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_an_upright_discard_with_a_stick_was_a_claim_of_ready(seat: int) -> None:
    table = in_rows()
    played(table, seat, frozenset({seat}))
    faces = ("1z", "2z", "3z", "4z")
    thrown = [Discard(at, Tile(face), ready=at == seat) for at, face in enumerate(faces)]
    assert list(map(plain, table.hand)) == [*thrown, Discard(0, Tile("6z"))]
    table.check()


def test_a_stick_that_lies_on_says_no_more() -> None:
    table = in_rows()
    played(table, 1, frozenset({1}))
    table.discard(1, "5z", place=1, sure=0.995)
    told = [plain(event) for event in table.hand]
    assert told[1] == Discard(1, Tile("2z"), ready=True)
    assert told[-1] == Discard(1, Tile("5z"))


def test_a_stick_before_any_discard_of_its_player_means_nothing() -> None:
    table = in_rows()
    table.stage.sticks = frozenset({2})
    table.discard(0, "1z", sure=0.995)
    assert [plain(event) for event in table.hand] == discards((0, "1z"))


def test_who_says_that_ready_was_not_claimed_is_believed() -> None:
    table = in_rows()
    table.discard(0, "1z", sure=0.995)
    table.correct(table.number(table.hand[-1]), Discard(0, Tile("9m")))
    table.stage.sticks = frozenset({0})
    table.discard(1, "2z", sure=0.995)
    assert [plain(event) for event in table.hand] == discards((0, "9m"), (1, "2z"))


def test_the_stick_of_the_last_hand_claims_nothing_in_the_next() -> None:
    table = in_rows()
    played(table, 1, frozenset({1}))
    table.clear()
    table.stage.sticks = frozenset()
    table.deal(0)
    before = len(table.events)
    table.discard(0, "1z", sure=0.995)
    table.discard(1, "2z", sure=0.995)
    table.stage.sticks = frozenset({1})
    table.show(2.0)
    ready = [event for event in table.events[before:] if isinstance(event, Discard) and event.ready]
    assert list(map(plain, ready)) == [Discard(1, Tile("2z"), ready=True)]


def test_a_stick_that_comes_before_the_discard_leaves_the_last_one_alone() -> None:
    table = in_rows()
    played(table, 0, frozenset())
    for seat, face in ((1, "5z"), (2, "6z"), (3, "7z")):
        table.discard(seat, face, place=1, sure=0.995)
    table.stage.sticks = frozenset({0})
    table.show(2.0)
    assert not any(isinstance(event, Discard) and event.ready for event in table.hand)
