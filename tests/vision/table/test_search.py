"""The table is found by its edge and its tiles together, because neither alone is always right."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.drawn_tables import CORNERS, PICTURE_PX, VIEW, drawn, hands
from tests.support.tables import Read
from vision.camera.pictures import Picture
from vision.table.calibrate import NoTable, find_table
from vision.table.quads import off_square
from vision.table.search import ACROSS, table_in, tiles_in
from vision.table.view import TableView
from vision.tiles.classes import FACES, Side

FELT = (70, 120, 40)


def tile_at(x: float, y: float, side: Side = Side.BACK, width_px: float = 22) -> Read:
    size = np.array([[-1, -1.33], [1, -1.33], [1, 1.33], [-1, 1.33]]) * width_px / 2
    return Read(
        side, (size + np.array([x, y])).astype(np.float32), 0.9, np.zeros(len(FACES), np.float32)
    )


def painted(picture: Picture, tiles: list[Read]) -> Picture:
    for tile in tiles:
        cv2.fillConvexPoly(picture, np.rint(tile.corners_px).astype(np.int32), (230, 235, 235))
    return picture


def off_side(view: TableView) -> float:
    """The largest error of a corner, as a share of a side."""
    side_px = np.linalg.norm(np.diff(CORNERS, axis=0), axis=1).mean()
    return float(np.abs(view.field_px - CORNERS).max() / side_px)


def test_sets_that_cover_a_corner_of_the_felt_are_part_of_the_table() -> None:
    sets = [tile_at(421 + 23 * place, 86 + 30 * row) for place in range(8) for row in (0, 1)]
    # A meld at the very edge looks like the floor.
    picture = painted(drawn(FELT, None, tiles=False), sets)
    cv2.fillConvexPoly(
        picture, np.array([[390, 60], [600, 60], [600, 130], [375, 130]]), (230,) * 3
    )
    assert off_side(table_in(picture, sets)) < 0.02


def test_what_lies_between_the_walls_is_not_the_table() -> None:
    across = range(0, 400, 22)
    wall = [tile_at(450 + at, y) for at in across for y in (140, 580)]
    wall += [tile_at(x, 180 + at, width_px=25) for at in across for x in (430, 850)]
    picture = np.full((720, 1280, 3), (60, 75, 95), np.uint8)
    cv2.rectangle(picture, (440, 150), (840, 570), FELT, -1)
    painted(picture, wall)
    assert find_table(picture).field_px[0][0] > 430
    with pytest.raises(NoTable):
        table_in(picture, wall)


def test_hands_are_believed_where_the_edge_is_another_ones() -> None:
    picture = np.full((720, 1280, 3), (60, 75, 95), np.uint8)
    cv2.rectangle(picture, (260, 20), (1020, 700), FELT, -1)  # the table under the mat
    standing = hands(VIEW)
    view = table_in(painted(picture, standing), standing)
    assert off_side(view) < 0.06


@pytest.mark.parametrize(("width_px", "found"), [(22, True), (9, False), (40, False)])
def test_an_edge_is_a_table_s_where_its_tiles_have_a_tile_s_size(
    width_px: float, found: bool
) -> None:
    tiles = [
        tile_at(450 + 45 * (at % 8), 200 + 60 * (at // 8), Side.FACE, width_px) for at in range(40)
    ]
    picture = painted(drawn(FELT, None, tiles=False), tiles)
    if found:
        assert off_side(table_in(picture, tiles)) < 0.02
    else:
        with pytest.raises(NoTable):
            table_in(picture, tiles)


@pytest.mark.parametrize(("width", "height"), [(400, 560), (560, 380)])
def test_a_long_table_is_no_mahjong_table(width: int, height: int) -> None:
    picture = np.full((720, 1280, 3), (60, 75, 95), np.uint8)
    low = (640 - width // 2, 360 - height // 2)
    cv2.rectangle(picture, low, (low[0] + width, low[1] + height), FELT, -1)
    with pytest.raises(NoTable):
        find_table(picture)


def test_a_square_seen_aslant_is_told_from_a_long_table() -> None:
    lean = np.radians(30.0)
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)

    def seen(sides: tuple[float, float]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        x, y = (square * sides).T
        depth = 4.0 - y * np.sin(lean)
        shown = np.stack([1100 * x / depth, 1100 * y * np.cos(lean) / depth], axis=1)
        return np.asarray(shown + np.array(PICTURE_PX) / 2, np.float64)

    assert off_square(seen((1.0, 1.0)), *PICTURE_PX) < 0.01
    assert off_square(seen((1.0, 1.4)), *PICTURE_PX) > 0.15


def test_tiles_are_read_at_a_table_s_size_and_once_more_at_their_own() -> None:
    asked: list[float | None] = []

    def read(tile_px: float | None) -> list[Read]:
        asked.append(tile_px)
        return [tile_at(200 + 15 * place, 300, width_px=12) for place in range(20)]

    assert len(tiles_in(read, PICTURE_PX)) == 20
    assert asked[0] == pytest.approx(720 / ACROSS)
    assert asked[1] == pytest.approx(12, abs=0.5)


def test_where_a_table_s_size_shows_nothing_any_size_is_tried() -> None:
    asked: list[float | None] = []

    def read(tile_px: float | None) -> list[Read]:
        asked.append(tile_px)
        return [] if tile_px is not None else [tile_at(600, 300, width_px=90)]

    assert len(tiles_in(read, PICTURE_PX)) == 1
    assert asked[1:] == [None]
