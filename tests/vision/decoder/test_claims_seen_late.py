"""Between a discard and what shows its claim the table looks as if neither had happened."""

from __future__ import annotations

from engine.events import Correct, Discard, Pung
from tests.support.recorded import Recorded, discards
from tests.support.tables import set_at_corner


def test_a_discard_that_is_taken_for_a_claim_is_not_taken_back_in_between(table: Recorded) -> None:
    """Its player's row is miscounted meanwhile: it seems to hold the tile again."""
    tile = table.discard(0, "1m")
    table.stage.take(tile)
    table.stage.stand(0, 14)
    table.show(2.0)
    assert table.hand == discards((0, "1m"))
    table.stage.stand(0, 13)
    table.stage.stand(1, 11)
    set_at_corner(table.stage, 1, ["1m", "1m", "1m"], turned=0)
    table.show(4.0)
    assert [type(event) for event in table.hand] == [Discard, Pung]
    assert not any(isinstance(line.event, Correct) for line in table.lines)
    table.check()


def test_a_discard_that_is_put_back_is_taken_back(table: Recorded) -> None:
    tile = table.discard(0, "1m")
    table.stage.take(tile)
    table.stage.stand(0, 14)
    table.show(6.0)
    assert table.hand == []
    table.check()


def test_a_hand_that_is_laid_down_has_no_standing_tiles_however_many_seem_to_stand() -> None:
    """After two sets seven tiles are the whole hand."""
    table = Recorded("harbin-hlr")
    table.deal()
    for face, corner, held in (("1m", 0, 11), ("2p", 1, 8)):
        tile = table.discard(0, face)
        table.stage.take(tile)
        table.stage.stand(1, held)
        set_at_corner(table.stage, 1, [face] * 3, turned=0, row=corner)
        table.show(4.0)
        table.discard(1, f"{corner + 3}s", corner)
        for seat in (2, 3):
            table.discard(seat, f"{corner + 5}s", corner)
    table.stage.stand(1, 4)
    for place in range(7):
        table.stage.put(1, 30 + 29 * place, 345)
    table.show(4.0)
    claim = next(event for event in table.hand if isinstance(event, Pung) and event.tile == "2p")
    assert claim.ready
