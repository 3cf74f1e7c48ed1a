"""Discards that nobody saw, or that are seen late; and what lies open that is no such row."""

from __future__ import annotations

import pytest

from engine.events import Discard, HandStart
from engine.tiles import Tile
from tests.support.seen import Seen
from tests.support.tables import chow, discards, shares


@pytest.mark.parametrize(("rules", "dealer"), [("harbin-hlr", 0), ("riichi", 3)])
def test_the_row_that_falls_tells_the_dealer_who_discarded(rules: str, dealer: int) -> None:
    table = Seen(rules)
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
    start = table.told[1].event
    assert isinstance(start, HandStart)
    assert start.dealer == dealer
    assert table.events == discards((dealer, "?"), (following, "9s"))
    assert table.told[2].t == pytest.approx(fell_s, abs=0.3)


@pytest.mark.parametrize("late_first", [True, False])
def test_a_discard_that_is_seen_late_is_told_by_its_place_in_the_row(late_first: bool) -> None:
    """Seat 2's first discard is found only once its second one lies there."""
    seen = Seen("wsom")
    seen.deal()

    def throw(seat: int, face: str, column: int) -> None:
        seen.stage.busy = frozenset({seat})
        seen.show(0.4)
        seen.stage.put(seat, (column - 2.5) * 31, 110, face)
        seen.show(0.4)
        seen.stage.busy = frozenset()
        seen.show(0.8)

    others = ((0, "1m", 0), (1, "9p", 0), (3, "3s", 0), (0, "2m", 1), (1, "8p", 1))
    for thrown in others:
        throw(*thrown)
    first, second = (2, "5s", 1), (2, "7z", 0)
    for thrown in (second, first) if late_first else (first, second):
        throw(*thrown)
    seat_2 = [event for event in seen.events if isinstance(event, Discard) and event.seat == 2]
    assert seat_2 == discards((2, "7z"), (2, "5s"))


def test_a_row_that_falls_speaks_for_the_tile_that_was_seen_and_for_no_other() -> None:
    """Its set is misread, and what follows breaks a rule: it swaps the claimed tile for another."""
    table = Seen("riichi-2016")
    table.deal(1)
    table.stage.busy = frozenset({1})
    table.show(0.4)
    tile = table.stage.put(1, -90, 90, "2m", sure=0.999)
    table.stage.change(tile, looks=2)
    table.show(0.4)
    table.stage.stand(1, 13)
    table.show(0.4)
    table.stage.busy = frozenset()
    table.show(0.8)
    table.stage.take(tile)
    table.stage.stand(2, 11)
    claimed = table.stage.set_down(2, "234m", turned=0)
    table.stage.change(claimed[0], probabilities=shares("3m", 0.999, "2m"))
    table.stage.change(claimed[1], probabilities=shares("3m", 0.97, "2m"))
    table.show(1.6)
    table.discard(2, "5m", 1)
    table.show(1.2)
    claim = chow(2, 1, "2m", "34m")
    assert table.events == [Discard(1, Tile("2m")), claim, Discard(2, Tile("5m"))]
