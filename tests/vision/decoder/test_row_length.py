"""How many tiles stand before a player speaks for and against the sets that lie beside them."""

from __future__ import annotations

import pytest

from engine.events import Discard, Kong
from engine.tiles import UNKNOWN, Tile, parse
from tests.support.recorded import Recorded

RULES = ("harbin-hlr", "riichi", "sichuan")


def drawn(rules: str) -> Recorded:
    """Seat 1 has drawn: 14 tiles stand."""
    table = Recorded(rules)
    table.deal()
    table.plays((0, "3s"))
    table.stage.stand(1, 14)
    table.show(1.0)
    return table


@pytest.mark.parametrize("rules", RULES)
def test_two_tiles_of_a_closed_kong_are_asked_about_and_a_third_one_tells_it(rules: str) -> None:
    """The row has lost four: nothing else takes so many."""
    table = drawn(rules)
    table.stage.stand(1, 10)
    table.stage.set_down(1, "?8m", turned=-1)
    table.show(3.0)
    table.stage.stand(1, 11)
    table.show(2.0)
    kong = Kong(1, "closed", parse("8m")[0], own=parse("8888m"))
    offered = [
        event
        for question in table.decoder.questions()
        for choice in question.choices
        for event in choice.events
    ]
    assert kong in offered
    table.stage.set_down(1, "?88m", turned=-1)
    table.show(3.0)
    assert kong in table.hand


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("stand", [13, 14])
def test_two_tiles_beside_a_row_that_stands_whole_are_none(rules: str, stand: int) -> None:
    table = drawn(rules)
    before = table.hand
    table.stage.stand(1, stand)
    table.stage.set_down(1, "?8m", turned=-1)
    table.show(4.0)
    assert table.hand == before


@pytest.mark.parametrize("stand", [10, 13, 0])
def test_three_backs_are_a_closed_kong_where_the_row_has_lost_its_tiles(stand: int) -> None:
    """Its fourth tile is never found; beside a row that stands whole, backs are read twice.

    A row that nobody sees says nothing.
    """
    table = drawn("hangzhou")
    before = table.hand
    table.stage.stand(1, stand)
    kong = table.stage.set_down(1, "????", turned=-1)
    table.stage.take(kong[-1])
    table.show(3.0)
    kongs = [Kong(1, "closed", UNKNOWN)] if stand == 10 else []
    assert table.hand == [*before, *kongs]
    table.discard(1, "4s", 1)
    table.stage.stand(1, stand)
    table.show(2.0)
    assert table.hand == [*before, *kongs, Discard(1, Tile("4s"))]
    table.check()


@pytest.mark.parametrize("rules", RULES)
def test_what_the_row_said_of_a_kong_stays_when_the_tiles_are_cleared_away(rules: str) -> None:
    table = drawn(rules)
    table.stage.stand(1, 10)
    table.stage.set_down(1, "?88m", turned=-1)
    table.show(3.0)
    table.stage.stand(1, 11)
    table.show(1.0)
    told = [event for event in table.hand if isinstance(event, Kong)]
    assert len(told) == 1
    for count in (7, 10, 13, 2):  # pushed together, and built anew
        for seat in range(4):
            table.stage.stand(seat, count)
        table.stage.busy = frozenset(range(4))
        table.show(0.6)
    table.stage.busy = frozenset()
    table.clear()
    assert [event for event in table.hand if isinstance(event, Kong)] == told
