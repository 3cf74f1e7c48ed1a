"""A discard that lay there when the table was first seen, and was overlooked then."""

from __future__ import annotations

import pytest

from engine.events import Discard, Position
from tests.support.recorded import Recorded
from tests.support.tables import discards, pung, shares
from vision.table.placed_tile import PlacedTile


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


def found(rules: str, rounds: int, hidden: tuple[int, int]) -> tuple[Recorded, PlacedTile, str]:
    """A table that is found after so many rounds, with the discard of a seat and round hidden."""
    table, shown = Recorded(rules), ""
    for seat in range(4):
        table.stage.stand(seat, 13)
    for place in range(rounds):
        for seat in range(4):
            face = f"{1 + place * 3 + seat % 3}{'mpsm'[seat]}"
            tile = table.put(seat, face, place)
            table.stage.change(tile, probabilities=shares(face, 0.995))
            if (seat, place) == hidden:
                overlooked, shown = table.stage.take_up(tile), face
    table.show(14.0)
    return table, overlooked, shown


@pytest.mark.parametrize("rules", ["riichi", "hangzhou", "harbin-hlr"])
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("rounds", [1, 3])
def test_an_overlooked_discard_at_the_end_of_a_row_is_none_that_was_just_made(
    rules: str, seat: int, rounds: int
) -> None:
    """Nobody else's discards are invented for it, and the hand goes on with whose turn it is."""
    table, overlooked, shown = found(rules, rounds, (seat, rounds - 1))
    table.stage.lay_again(overlooked)
    table.show(4.0)
    table.plays((0, "8m"), (1, "9p"), (2, "9s"), place=rounds)
    position = table.hand[0]
    assert isinstance(position, Position)
    lay = [str(thrown.tile) for river in position.rivers or () for thrown in river]
    later = discards((0, "8m"), (1, "9p"), (2, "9s"))
    assert table.hand[-3:] == later
    if rules == "harbin-hlr" and table.hand[1:] != later:
        # In a heap it may as well be what was discarded first.
        assert [str(one.tile) for one in table.hand[1:-3] if isinstance(one, Discard)] == [shown]
        lay.append(shown)
    else:
        assert table.hand[1:] == later
    assert len(lay) == 4 * rounds
    assert shown in lay
    table.check()


@pytest.mark.parametrize("rules", ["riichi", "harbin-hlr"])
def test_a_discard_that_is_made_after_the_table_was_found_is_new(rules: str) -> None:
    table, overlooked, _ = found(rules, 3, (3, 2))
    table.stage.lay_again(overlooked)
    table.stage.take(overlooked.id)
    table.show(1.0)
    table.plays((3, "8m"), (0, "9p"), (1, "9s"), place=4)
    assert table.hand[1:] == discards((3, "8m"), (0, "9p"), (1, "9s"))
