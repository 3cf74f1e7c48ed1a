from __future__ import annotations

import pytest

from engine.tiles import Tile
from tests.support.tables import VIEW, shares
from vision.decoder.put_down_by import in_turn, put_down_by, share_of_place
from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import Side
from vision.tracking.zones import Zones

FIRST_S = 20.0


@pytest.mark.parametrize(
    ("moved_s", "came"), [(18.0, False), (18.8, True), (20.0, True), (20.3, True), (20.6, False)]
)
def test_whoever_moved_a_moment_before_a_tile_was_seen_likely_put_it_down(
    moved_s: float, came: bool
) -> None:
    """The tile lies in the middle, as near to one seat as to another."""
    tile = PlacedTile(1, Side.FACE, shares("5m"), 0.0, 0.0, 0.0, FIRST_S)
    scores = put_down_by(
        tile, Zones(VIEW), lambda seat, from_s, until_s: seat == 2 and from_s <= moved_s <= until_s
    )
    others = {score for seat, score in enumerate(scores) if seat != 2}
    assert len(others) == 1
    assert (scores[2] > others.pop()) is came


def test_tiles_of_one_moment_are_put_in_the_order_of_play() -> None:
    near = {"5m": (0.0, 0, 0, 3), "6m": (0.0, 3, 0, 0), "7m": (0.0, 0, 3, 0)}
    assert in_turn(list(near), near.__getitem__) == ("6m", "7m", "5m")
    assert in_turn(["5m", "5p"], lambda _: (0.0,) * 4) == ("5m", "5p"), "nothing tells them apart"


def test_how_sure_the_order_is_depends_on_where_the_tiles_lie() -> None:
    nowhere, clear = (0.0,) * 4, (6.0, 0.0, 0.0, 0.0)
    alike = [(Tile("5m"), nowhere), (Tile("6m"), nowhere)]
    assert share_of_place(0, (0, 1), alike) == 0.5
    assert share_of_place(0, (0, 1), [(Tile("5m"), clear), (Tile("6m"), nowhere)]) > 0.99
    assert share_of_place(0, (0, 1), [(Tile("5m"), nowhere)] * 2) == 1.0, "the same face"
