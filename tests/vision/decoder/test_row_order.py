"""Where discards lie in rows, their places tell which was made first."""

from __future__ import annotations

import pytest

from engine.events import Discard
from engine.tiles import Tile
from tests.support.seen import Seen


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
