"""A discard that lay there when the table was first seen, and was overlooked then."""

from __future__ import annotations

import pytest

from engine.events import Position
from tests.support.recorded import Recorded
from tests.support.tables import discards, pung, shares


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("hidden", [0, 1])
def test_a_discard_that_was_overlooked_takes_its_place_in_the_row(
    turned: bool, hidden: int
) -> None:
    table = Recorded("riichi")
    for seat in range(4):
        table.stage.stand(seat, 13)
    for place in range(3):
        for seat in range(4):
            face = f"{1 + place * 3 + seat % 3}{'mpsm'[seat]}"
            tile = table.put(seat, face, place)
            if (seat, place) == (2, hidden):
                table.stage.change(tile, probabilities=shares(face, 0.995))
                if turned:
                    table.stage.change(tile, turn_deg=270.0)
                overlooked, shown = table.stage.take_up(tile), face
    table.show(14.0)
    table.stage.lay_again(overlooked)
    table.show(4.0)
    position = table.hand[0]
    assert isinstance(position, Position)
    assert len(table.hand) == 1
    rivers = position.rivers or ()
    assert [len(river) for river in rivers] == [3, 3, 3, 3]
    assert (str(rivers[2][hidden].tile), rivers[2][hidden].ready) == (shown, turned)
    assert (2 in (position.ready or ())) is turned
    table.plays((0, "8m"), (1, "9p"), place=3)
    assert table.hand[1:] == discards((0, "8m"), (1, "9p"))
    table.check()


def test_a_discard_that_was_claimed_since_stays_where_it_lay() -> None:
    table = Recorded("riichi")
    for seat in range(4):
        table.stage.stand(seat, 13)
    for place in range(3):
        for seat in range(4):
            tile = table.put(seat, f"{1 + place * 3 + seat % 3}{'mpsm'[seat]}", place)
            if (seat, place) == (2, 1):
                overlooked = table.stage.take_up(tile)
            if (seat, place) == (3, 2):
                last = tile
    table.show(14.0)
    table.claim(last, 1, "777m", lasts_s=4.0)
    table.stage.lay_again(overlooked)
    table.show(4.0)
    position = table.hand[0]
    assert isinstance(position, Position)
    assert [len(river) for river in position.rivers or ()] == [3, 3, 3, 3]
    assert table.hand[1:] == [pung(1, 3, "7m")]
