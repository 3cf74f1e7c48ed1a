"""Discards that nobody saw, where the standing row of whoever made them tells of them."""

from __future__ import annotations

import pytest

from engine.events import Discard, HandStart
from engine.tiles import Tile
from tests.support.seen import Seen
from vision.tracking.falls import Falls


@pytest.mark.parametrize("river", ["harbin-hlr", "riichi"])
@pytest.mark.parametrize("dealer", [0, 3])
def test_the_row_that_falls_tells_the_dealer_whose_discard_was_not_found(
    river: str, dealer: int
) -> None:
    table = Seen(river)
    table.deal(dealer)
    table.stage.busy = frozenset({dealer})
    table.show(0.4)
    table.stage.stand(dealer, 13)
    fell_s = table.stage.time_s
    table.show(0.4)
    table.stage.busy = frozenset()
    table.show(1.2)
    following = (dealer + 1) % 4
    table.discard(following, "9s")
    start = table.best.events[1].event
    assert isinstance(start, HandStart)
    assert start.dealer == dealer
    assert table.events == [Discard(dealer, Tile("?")), Discard(following, Tile("9s"))]
    assert table.best.events[2].time_s == pytest.approx(fell_s, abs=0.3)


@pytest.mark.parametrize(
    ("counts", "fell"),
    [
        ([(14, 1.0), (13, 1.0)], True),
        ([(14, 1.0), (9, 0.6), (13, 1.0)], True),  # a sleeve hid some
        ([(14, 0.2), (13, 1.0)], False),  # counted once
        ([(14, 1.0), (13, 0.2)], False),
        ([(14, 1.0), (9, 6.0), (13, 1.0)], False),
        ([(14, 1.0), (12, 1.0)], False),
        ([(13, 1.0), (12, 1.0)], False),
    ],
)
def test_a_row_falls_when_both_numbers_of_tiles_have_stood(
    counts: list[tuple[int, float]], fell: bool
) -> None:
    falls, time_s = Falls(), 0.0
    for count, lasts_s in counts:
        for _ in range(round(lasts_s / 0.2)):
            falls.update((0, count, 0, 0), time_s)
            time_s += 0.2
    assert (falls.fell(1, 14, 0.0, time_s) is not None) == fell
    assert falls.fell(1, 14, time_s, 99.0) is None
    assert falls.fell(2, 14, 0.0, time_s) is None
