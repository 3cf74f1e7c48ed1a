"""Backs and faces that are read where a hand still stands are no closed kong."""

from __future__ import annotations

import pytest

from engine.events import Kong, Position
from engine.tiles import Tile, parse
from tests.support.recorded import Recorded
from tests.support.tables import discards, pung, shares

RULES = ("harbin-hlr", "hangzhou", "riichi")
LAID = {"harbin-hlr": "?88m?", "hangzhou": "????", "riichi": "8m??8m"}
"""A closed kong as players of these rules lay it."""


def with_a_pung(rules: str) -> Recorded:
    """Seat 1 has a set, 10 tiles that stand, and is to draw."""
    table = Recorded(rules)
    table.deal()
    table.claim(table.discard(0, "5p"), 1, "555p", lasts_s=3.0)
    table.plays((1, "9s"))
    table.stage.stand(1, 10)
    table.plays((2, "1s"), (3, "2s"), (0, "3s"), place=1)
    return table


def backs_on_the_rim(table: Recorded, faces: str, seat: int = 1) -> None:
    """Second readings of a row, farther out than the tiles stand."""
    table.stage.lay(seat, faces, -150, out_mm=378)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("stand", [9, 11])
def test_backs_before_a_row_that_stands_whole_are_no_kong(rules: str, stand: int) -> None:
    """A tile is drawn, and up to two of the row are not found."""
    table = with_a_pung(rules)
    before = table.hand
    table.stage.stand(1, stand)
    backs_on_the_rim(table, "????")
    table.show(4.0)
    assert table.hand == before
    table.discard(1, "4s", 1)
    table.stage.stand(1, 10)
    table.show(2.0)
    assert table.hand == [*before, *discards((1, "4s"))]
    table.check()


@pytest.mark.parametrize("rules", RULES)
def test_backs_that_lie_as_long_as_a_whole_row_stands_hide_no_later_set(rules: str) -> None:
    table = with_a_pung(rules)
    backs_on_the_rim(table, "????", seat=2)
    table.show(4.0)
    table.plays((1, "6m"))
    table.claim(table.discard(2, "4s", 2), 3, "444s", lasts_s=3.0)
    assert table.hand[-1] == pung(3, 2, "4s")


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("late", [0, 1, 4], ids=["at once", "a tile late", "all late"])
def test_a_kong_is_told_once_its_tiles_stand_no_more(rules: str, late: int) -> None:
    """The tiles of the row are missed a moment after the kong lies there."""
    table = with_a_pung(rules)
    table.stage.stand(1, 11)
    table.show(1.0)
    tiles = parse(LAID[rules])
    table.stage.stand(1, 7 + late)
    table.stage.set_down(1, LAID[rules], turned=-1, row=1)
    table.show(1.4)
    table.stage.stand(1, 7)
    table.show(1.0)
    table.stage.stand(1, 8)
    table.show(3.0)
    (kong,) = (event for event in table.hand if isinstance(event, Kong))
    face = next((tile for tile in tiles if tile.known), Tile("?"))
    assert (kong.seat, kong.kind, kong.tile) == (1, "closed", face)
    table.check()


@pytest.mark.parametrize(("rules", "shown"), [("harbin-hlr", "?86m?"), ("riichi", "8m??6m")])
def test_two_faces_that_do_not_agree_are_no_kong(rules: str, shown: str) -> None:
    """One of them was found twice, or lies there by chance."""
    table = with_a_pung(rules)
    before = table.hand
    table.stage.stand(1, 8)
    for tile, face in zip(
        table.stage.set_down(1, shown, turned=-1, row=1), parse(shown), strict=True
    ):
        if face == "6m":
            table.stage.change(tile, probabilities=shares("6m", other="1z"))
    table.show(4.0)
    assert table.hand == before


def test_a_table_that_is_joined_has_no_kong_beside_a_hand_that_stands_whole() -> None:
    table = Recorded("hangzhou")
    for seat in range(4):
        table.stage.stand(seat, 13)
        for place in range(3):
            table.put(seat, f"{1 + place * 3 + seat % 3}{'mpsm'[seat]}", place)
    backs_on_the_rim(table, "????")
    table.show(14.0)
    position = table.hand[0]
    assert isinstance(position, Position)
    assert not any(position.sets or ())
