"""A discard that nobody saw, or read, and whatever was done with it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.events import Chow, Claim, Discard, Kong, Pung, Win
from engine.tiles import Tile
from tests.support.seen import Seen
from tests.support.tables import set_at_corner

EAST_DISCARD = Discard(0, Tile("9s"))


def own(*faces: str) -> tuple[Tile, ...]:
    return tuple(map(Tile, faces))


CLAIMS = [
    (["5p", "5p", "5p"], 1, Pung(3, 1, Tile("5p"), (Tile("5p"), Tile("5p")))),
    (["5p", "5p", "5p", "5p"], 1, Kong(3, "open", Tile("5p"), 1, own("5p", "5p", "5p"))),
    (["5p", "4p", "6p"], 0, Chow(2, 1, Tile("5p"), (Tile("4p"), Tile("6p")))),
]


@pytest.mark.parametrize(("faces", "turned", "claim"), CLAIMS, ids=["pung", "kong", "chow"])
def test_the_set_tells_what_was_discarded_unseen(
    faces: Sequence[str], turned: int, claim: Claim
) -> None:
    table = Seen()
    table.deal()
    table.discard(0, "9s")
    lay(table, claim.seat, faces, turned)
    assert table.events == [EAST_DISCARD, Discard(1, Tile("5p")), claim]


@pytest.mark.parametrize(("faces", "turned", "claim"), CLAIMS, ids=["pung", "kong", "chow"])
def test_the_set_tells_what_was_misread(faces: Sequence[str], turned: int, claim: Claim) -> None:
    table = Seen()
    table.deal()
    table.discard(0, "9s")
    table.stage.take(table.discard(1, "3s"))
    lay(table, claim.seat, faces, turned)
    assert table.events == [EAST_DISCARD, Discard(1, Tile("5p")), claim]


@pytest.mark.parametrize("lasts_s", [0.2, 0.4])
def test_a_discard_is_claimed_at_once(lasts_s: float) -> None:
    """It lies there for one or two looks."""
    table = Seen()
    table.deal()
    table.discard(0, "9s")
    tile = table.stage.put(1, 0, 90, "5p")
    table.show(lasts_s)
    table.stage.take(tile)
    lay(table, 3, ["5p", "5p", "5p"], 1)
    assert table.events == [EAST_DISCARD, Discard(1, Tile("5p")), CLAIMS[0][2]]


def test_two_discards_in_a_row_are_not_seen_before_one_is_claimed() -> None:
    table = Seen()
    table.deal()
    table.discard(0, "9s")
    lay(table, 3, ["4p", "3p", "5p"], 0)
    claim = Chow(3, 2, Tile("4p"), (Tile("3p"), Tile("5p")))
    assert table.events == [EAST_DISCARD, Discard(1, Tile("?")), Discard(2, Tile("4p")), claim]


def lay(table: Seen, seat: int, faces: Sequence[str], turned: int) -> None:
    table.stage.stand(seat, 14 - len(faces) if len(faces) == 3 else 10)
    set_at_corner(table.stage, seat, faces, turned)
    table.show(2.5)


HAND = ("2m", "3m", "1s", "2s", "3s", "7p", "7p", "7p", "9m", "9m", "4m")


@pytest.mark.parametrize("seen", [True, False], ids=["seen", "unseen"])
@pytest.mark.parametrize("between_s", [0.0, 1.0, 2.0])
def test_the_tile_drawn_after_an_open_kong_wins(between_s: float, seen: bool) -> None:
    """The set and the hand may come to lie there within one change."""
    table = Seen("wsom")
    table.deal()
    table.discard(0, "9s")
    if seen:
        table.stage.take(table.discard(1, "5p"))
    table.stage.stand(3, 10)
    set_at_corner(table.stage, 3, ["5p", "5p", "5p", "5p"], turned=1)
    table.show(between_s)
    table.stage.stand(3, 0)
    for place, face in enumerate(HAND):
        table.stage.put(3, -190 + 30 * place + (20 if place == 10 else 0), 345, face)
    table.show(4.0)
    assert table.events[:3] == [EAST_DISCARD, Discard(1, Tile("5p")), CLAIMS[1][2]]
    won = table.events[3]
    assert isinstance(won, Win)
    assert (won.seat, won.from_seat, won.tile) == (3, 3, "4m")


def test_a_winning_tile_was_misread_when_it_was_discarded() -> None:
    table = Seen()
    table.deal()
    table.discard(0, "9s")
    last = table.discard(1, "7z", sure=0.7, other="4m")
    table.stage.take(last)
    table.stage.stand(3, 0)
    for place, face in enumerate(("1p", "1p", "1p", *HAND)):
        table.stage.put(3, -230 + 30 * place + (20 if place == 13 else 0), 345, face)
    table.show(2.0)
    assert table.events[:2] == [EAST_DISCARD, Discard(1, Tile("4m"))]
    won = table.events[-1]
    assert isinstance(won, Win)
    assert (won.seat, won.from_seat, won.tile) == (3, 1, "4m")


def thrown(seen: Seen, seat: int, face: str, column: int) -> int:
    """A discard in a seat's first row."""
    seen.stage.busy = frozenset({seat})
    seen.show(0.4)
    tile = seen.stage.put(seat, (column - 2.5) * 31, 110, face)
    seen.show(0.4)
    seen.stage.busy = frozenset()
    seen.show(0.8)
    return tile


@pytest.mark.parametrize("late_first", [True, False])
def test_a_discard_that_is_seen_late_is_told_by_its_place_in_the_row(late_first: bool) -> None:
    """Seat 2's first discard is found only once its second one lies there."""
    seen = Seen("wsom")
    seen.deal()
    for seat, face in ((0, "1m"), (1, "9p")):
        thrown(seen, seat, face, 0)
    for seat, face in ((3, "3s"), (0, "2m"), (1, "8p")):
        thrown(seen, seat, face, 0 if seat == 3 else 1)
    first, second = ("5s", 1), ("7z", 0)
    for face, column in (second, first) if late_first else (first, second):
        thrown(seen, 2, face, column)
    seat_2 = [event for event in seen.events if isinstance(event, Discard) and event.seat == 2]
    assert seat_2 == [Discard(2, Tile("7z")), Discard(2, Tile("5s"))]
