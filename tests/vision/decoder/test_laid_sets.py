"""How a claimed set lies is reported beside who threw the tile, and never decides that."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine.events import Pung, Seat
from engine.first_deal import LaidSet
from tests.support.seen import Seen
from tests.support.tables import pung

LEFT, ACROSS, RIGHT = 1, 0, 3
"""Who throws to seat 2."""


def laid(table: Seen) -> Sequence[LaidSet]:
    counted = table.decoder.counted()
    assert counted is not None
    return counted.laid


def claimed(turned: int, giver: Seat, rules: str = "riichi") -> tuple[Seen, list[int]]:
    """A pung of seat 2 of a tile that lay in the river for a while, one tile of it sideways."""
    table = Seen(rules)
    table.deal()
    for seat in range(giver):
        table.discard(seat, "9m", seat)
    tile = table.discard(giver, "7s", 3)
    tiles = table.claim(tile, 2, "777s", turned)
    for one in tiles:
        table.stage.change(one, looks=5)
    table.show(0.4)
    return table, tiles


@pytest.mark.parametrize("giver", [ACROSS, LEFT, RIGHT])
@pytest.mark.parametrize("turned", [0, 1, 2, None])
def test_the_sideways_tile_is_reported_and_whoever_threw_it_stays(
    giver: Seat, turned: int | None
) -> None:
    table, _ = claimed(-1 if turned is None else turned, giver)
    found = [event for event in table.events if isinstance(event, Pung)]
    assert found == [pung(2, giver, "7s")]
    assert laid(table) == (LaidSet(2, 0, turned),)


def test_a_doubtful_view_says_nothing() -> None:
    table, tiles = claimed(0, ACROSS)
    assert laid(table) == (LaidSet(2, 0, 0),)
    table.stage.change(tiles[0], turn_deg=45.0)
    table.show(0.4)
    assert laid(table) == ()  # neither sideways nor upright
    table.stage.change(tiles[0], turn_deg=90.0 - 90.0 * 2)
    table.show(0.4)
    assert laid(table) == (LaidSet(2, 0, 0),)
    table.stage.busy = frozenset({2})
    table.show(0.4)
    assert laid(table) == ()  # a hand is at it
    table.stage.busy = frozenset()
    table.stage.change(tiles[1], looks=1)
    table.show(0.4)
    assert laid(table) == ()  # seen once
    table.stage.change(tiles[1], looks=5)
    table.stage.change(tiles[2], turn_deg=90.0)
    table.show(0.4)
    assert laid(table) == ()  # two lie sideways
    hidden = table.stage.take_up(tiles[2])
    table.show(0.4)
    assert laid(table) == ()  # one is covered
    table.stage.lay_again(hidden)


def test_what_lies_before_the_game_or_after_it_is_no_set() -> None:
    table = Seen("riichi")
    assert table.decoder.counted() is None
    table.deal()
    assert laid(table) == ()
