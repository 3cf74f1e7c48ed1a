"""Who put a tile down, and what tiles mean that come to lie before one player."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from engine.events import Chow, Discard, Kong, Pung, Win
from engine.tiles import Tile
from tests.support.seen import Seen
from tests.support.tables import TILE_MM, VIEW, chow, pung, shares
from vision.decoder.changes import TilesBefore
from vision.decoder.put_down_by import in_turn, put_down_by, share_of_place
from vision.decoder.seat_strip import SeatStrip
from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import Side
from vision.tracking.zones import Laid, Zones

STRIP_MM = 345.0
"""How far from the middle of the table hands stand and sets lie."""
FIRST_S = 20.0


@pytest.mark.parametrize(
    ("came_s", "cut", "why"),
    [
        ((0.0,) * 3 + (0.2,) * 3, 3, "two pungs"),
        ((0.0,) * 3 + (0.2,) * 4, 3, "a pung and a kong"),
        ((0.0,) * 4 + (0.2,) * 3, 4, "a kong and a pung"),
        ((0.0,) * 4 + (0.2,) * 4, 4, "two kongs"),
        ((0.0,) * 4 + (0.1,) + (0.2,) * 3, 4, "two kongs, a tile of one seen before the others"),
        ((0.0,) * 4 + (0.1,) + (0.3,) * 3, 4, "the same, and much before: no set has five tiles"),
    ],
)
def test_two_sets_that_lie_side_by_side_are_told_apart_by_when_they_came(
    came_s: tuple[float, ...], cut: int, why: str
) -> None:
    seen = Seen()
    seen.deal(dealer=0 if cut == 4 else 3)
    if cut == 3:
        seen.stage.take(seen.discard(3, "1m"))
        seen.stage.stand(3, 13)
    seen.stage.stand(0, 7)
    row, now_s = list[int](), seen.stage.time_s
    for place, after_s in enumerate(came_s):
        first, size = (0, cut) if place < cut else (cut, len(came_s) - cut)
        outer = size == 4 and place in (first, first + 3)
        face = "" if outer else "1m" if place < cut else "9p"
        tile = seen.stage.put(0, 390.0 - TILE_MM * place, STRIP_MM, face)
        seen.stage.change(tile, first_s=now_s + after_s)
        row.append(tile)
    seen.show(2.0)
    laid = [step for step in seen.best.events if isinstance(step.event, Pung | Kong)]
    assert [frozenset(step.tiles) for step in laid] == [frozenset(row[:cut]), frozenset(row[cut:])]
    kinds = [Pung if len(tiles) == 3 else Kong for tiles in (row[:cut], row[cut:])]
    assert [type(step.event) for step in laid] == kinds, why


@pytest.mark.parametrize(("faces", "what"), [("3333s", Kong), ("333s 9p", Win), ("234s 9p", Win)])
def test_four_of_a_kind_beside_the_last_standing_tile_are_a_kong(faces: str, what: type) -> None:
    """Other four are a hand of which one tile seems to stand."""
    seen = Seen("wsom")
    seen.deal(dealer=2)
    thrown = seen.discard(2, "1m")
    for row, tiles in enumerate(("111m", "888p", "777z")):
        seen.stage.take(thrown)
        seen.stage.stand(0, 11 - 3 * row)
        seen.stage.set_down(0, tiles, turned=1, row=row)
        seen.show(2.0)
        seen.discard(0, f"{row + 1}s", row)
        seen.stage.stand(0, 10 - 3 * row)
        seen.discard(1, f"{row + 5}m", row)
        thrown = seen.discard(2, ("8p", "7z", "6s")[row], row + 1)
    seen.discard(3, "9p", 4)
    assert len(seen.best.state.players[0].melds) == 3
    seen.stage.stand(0, 1)
    seen.stage.lay(0, faces, -150)
    seen.show(6.0)
    assert type(seen.events[-1]) is what
    assert sum(isinstance(event, Kong) for event in seen.events) == (what is Kong)


def test_what_a_hand_lays_down_one_tile_after_the_other_is_one_set(seen: Seen) -> None:
    seen.stage.take(seen.discard(0, "6s"))
    seen.stage.stand(1, 11)
    for place, face in enumerate(("6s", "5s", "7s")):
        turn = 90.0 if place == 0 else 0.0
        seen.stage.put(1, 274.0 + 31 * place, 370, face, turn)
        seen.show(0.6)
    seen.show(1.6)
    assert seen.events == [Discard(0, Tile("6s")), chow(1, 0, "6s", "57s")]


def test_a_set_is_laid_beside_a_hand_of_which_few_tiles_are_found(seen: Seen) -> None:
    seen.stage.take(seen.discard(0, "6s"))
    seen.stage.stand(1, 2)
    seen.stage.set_down(1, "666s", turned=1)
    seen.show(2.0)
    assert seen.events == [Discard(0, Tile("6s")), pung(1, 0, "6s")]


def test_faces_of_a_hand_that_stands_are_no_set_beside_one_that_is_laid() -> None:
    seen = Seen("riichi")
    seen.deal()
    seen.stage.take(seen.discard(0, "2p"))
    seen.stage.stand(1, 9)
    seen.stage.set_down(1, "132p", turned=2)
    seen.stage.lay(1, "40m", 180)
    seen.show(2.0)
    laid = [step.event for step in seen.best.events if isinstance(step.event, Chow)]
    assert laid == [chow(1, 0, "2p", "13p")]


@pytest.mark.parametrize(("before", "lifted"), [(Side.FACE, [1]), (Side.BACK, [])])
def test_a_tile_laid_onto_a_face_lifts_it(before: Side, lifted: list[int]) -> None:
    row = [
        PlacedTile(place, Side.FACE, shares("6s"), 200.0 + 30 * place, 345.0, 0.0, 0.0, 5)
        for place in range(3)
    ]
    at_mm = np.array([row[1].xy_mm])
    x_mm, y_mm = VIEW.to_table(VIEW.to_image(at_mm, 2 * VIEW.lying_mm), VIEW.lying_mm)[0]
    now = (row[0], replace(row[1], x_mm=float(x_mm), y_mm=float(y_mm)), row[2])
    strip = SeatStrip(0, Zones(VIEW), [row[0], replace(row[1], side=before), row[2]])
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
