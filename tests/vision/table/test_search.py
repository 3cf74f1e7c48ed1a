"""The table is found by its edge, its tiles and its hands, as no one of them is always right."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.drawn_tables import CORNERS, PICTURE_PX, VIEW, drawn, hands
from tests.support.tables import VIEW as FROM_ABOVE
from tests.support.tables import Read
from vision.camera.pictures import Picture
from vision.table.calibrate import NoTable, find_table
from vision.table.hand_rows import table_by_hands
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
def test_an_edge_is_a_table_s_where_its_tiles_have_its_size(width_px: float, found: bool) -> None:
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


@pytest.mark.parametrize(
    ("there", "again", "count"),
    [([tile_at(200 + 15 * place, 300, width_px=12) for place in range(20)], 12, 20), ([], None, 1)],
    ids=["they tell their size", "a table's size shows nothing: any is tried"],
)
def test_tiles_are_read_at_a_table_s_size_first(
    there: list[Read], again: float | None, count: int
) -> None:
    asked: list[float | None] = []

    def read(tile_px: float | None) -> list[Read]:
        asked.append(tile_px)
        return [tile_at(600, 300, width_px=90)] if tile_px is None else there

    assert len(tiles_in(read, PICTURE_PX)) == count
    assert asked[0] == pytest.approx(720 / ACROSS)
    assert asked[1:] == [None if again is None else pytest.approx(again, abs=0.5)]


# --- by its felt: of any colour, with tiles or a rim, and nowhere else ---


@pytest.mark.parametrize("felt", [(70, 120, 40), (150, 80, 40), (60, 50, 130), (120, 120, 125)])
@pytest.mark.parametrize("rim", [None, (40, 60, 110)])
@pytest.mark.parametrize("tiles", [False, True])
def test_the_corners_of_the_felt_are_found(
    felt: tuple[int, int, int], rim: tuple[int, int, int] | None, tiles: bool
) -> None:
    view = find_table(drawn(felt, rim, tiles))
    np.testing.assert_allclose(np.array(view.corners_px), CORNERS, atol=6)


def no_tables() -> dict[str, Picture]:
    rng = np.random.default_rng(4)
    return {
        "one colour": np.full((480, 640, 3), 128, np.uint8),
        "black": np.zeros((480, 640, 3), np.uint8),
        "noise": rng.integers(0, 255, (480, 640, 3)).astype(np.uint8),
        "stripes": np.tile(np.repeat(np.array([30, 220], np.uint8), 20), (480, 16))[..., None]
        .repeat(3, axis=2)
        .copy(),
    }


@pytest.mark.parametrize("name", list(no_tables()))
def test_where_there_is_no_table_that_is_said_in_one_line(name: str) -> None:
    with pytest.raises(NoTable, match="no table") as said:
        find_table(no_tables()[name])
    assert "\n" not in str(said.value)


# --- by its four standing hands where the felt's edge cannot be seen ---


LEANING = replace(FROM_ABOVE, corners_px=((560, 120), (1380, 150), (1540, 1010), (380, 960)))
"""Seen aslant, through a camera that is turned a little."""


@pytest.mark.parametrize("view", [FROM_ABOVE, LEANING], ids=["from above", "leaning"])
@pytest.mark.parametrize("count", [7, 13])
def test_the_field_is_found_to_a_few_hundredths(view: TableView, count: int) -> None:
    found = table_by_hands(hands(view, count), view.picture_px)
    side = float(np.linalg.norm(view.field_px[2] - view.field_px[3]))
    assert np.abs(found.field_px - view.field_px).max() < 0.06 * side


def test_what_else_lies_about_does_not_matter() -> None:
    rng = np.random.default_rng(6)
    stray = [
        replace(hand, corners_px=hand.corners_px + rng.uniform(-150, 150, 2).astype(np.float32))
        for hand in hands(LEANING)[::8]
    ]
    found = table_by_hands([*hands(LEANING), *stray], LEANING.picture_px)
    side = float(np.linalg.norm(LEANING.field_px[2] - LEANING.field_px[3]))
    assert np.abs(found.field_px - LEANING.field_px).max() < 0.06 * side


@pytest.mark.parametrize("seats", [(0, 1, 2), (0, 2), ()])
def test_without_four_hands_there_is_no_table(seats: tuple[int, ...]) -> None:
    all_hands = hands(FROM_ABOVE)
    some = [hand for seat in seats for hand in all_hands[13 * seat : 13 * seat + 13]]
    with pytest.raises(NoTable, match="no table"):
        table_by_hands(some, FROM_ABOVE.picture_px)
