"""Who put a tile down, and which tiles another one was laid onto."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from engine.tiles import Tile
from tests.support.tables import VIEW, shares
from vision.decoder.changes import TilesBefore
from vision.decoder.put_down_by import in_turn, put_down_by, share_of_place
from vision.decoder.seat_strip import SeatStrip
from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import Side
from vision.tracking.zones import Laid, Zones

FIRST_S = 20.0


@pytest.mark.parametrize(("before", "lifted"), [(Side.FACE, [1]), (Side.BACK, [])])
def test_a_tile_laid_onto_a_face_lifts_it(before: Side, lifted: list[int]) -> None:
    row = [
        PlacedTile(place, Side.FACE, shares("6s"), 200.0 + 30 * place, 345.0, 0.0, 0.0, 5)
        for place in range(3)
    ]
    at_mm = np.array([row[1].xy_mm])
    x_mm, y_mm = VIEW.to_table(VIEW.to_image(at_mm, 2 * VIEW.lying_mm), VIEW.lying_mm)[0]
    now = (row[0], replace(row[1], x_mm=float(x_mm), y_mm=float(y_mm)), row[2])
    strip = SeatStrip(0, Zones(VIEW, 13), [row[0], replace(row[1], side=before), row[2]])
    laid = Laid(10.0, (10, 13, 13, 13), (now, (), (), ()), (), ())
    found = [one for one in strip.update(laid, count().__next__) if isinstance(one, TilesBefore)]
    assert [tile for one in found if one.rise_off is not None for tile in one.fresh] == lifted


@pytest.mark.parametrize(
    ("moved_s", "came"), [(18.0, False), (18.8, True), (20.0, True), (20.3, True), (20.6, False)]
)
def test_whoever_moved_before_a_tile_was_seen_put_it_down(moved_s: float, came: bool) -> None:
    """The tile lies in the middle, as near to one seat as to another."""
    tile = PlacedTile(1, Side.FACE, shares("5m"), 0.0, 0.0, 0.0, FIRST_S)
    scores = put_down_by(
        tile,
        Zones(VIEW, 13),
        lambda seat, from_s, until_s: seat == 2 and from_s <= moved_s <= until_s,
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
