"""What is asked is shown upright, large, and with nothing drawn over it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from service.table.questions import BESIDE, UPRIGHT_PX, overview, upright
from tests.support.tables import TILE_MM, VIEW, shares
from vision.camera.pictures import Picture
from vision.decoder.question import EventPlace, Question, QuestionTile
from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import Side

RED, WHITE = (0, 0, 255), (255, 255, 255)


def lying(turn_deg: float, x_mm: float = -90.0, side: Side = Side.FACE) -> QuestionTile:
    return QuestionTile.of(PlacedTile(7, side, shares("7s"), x_mm, 60.0, turn_deg, 3.0), VIEW)


def drawn(*tiles: QuestionTile) -> Picture:
    """A dark table with white tiles, the upper half of each red."""
    picture = np.full((1080, 1920, 3), 30, np.uint8)
    for tile in tiles:
        corners = tile.corners_px(picture)
        top_left, top_right, low_right, low_left = corners
        middle_right, middle_left = (top_right + low_right) / 2, (top_left + low_left) / 2
        for outline, colour in (
            (corners, WHITE),
            (np.array([top_left, top_right, middle_right, middle_left]), RED),
        ):
            cv2.fillConvexPoly(picture, np.rint(outline).astype(np.int32), colour)
    return picture


def asked(*tiles: QuestionTile) -> Question:
    return Question(EventPlace("put", 2.5), (), 0, tiles)


@pytest.mark.parametrize("turn_deg", [0.0, 90.0, 180.0, 270.0, 33.0])
def test_a_tile_of_every_seat_is_turned_upright(turn_deg: float) -> None:
    tile = lying(turn_deg)
    picture = drawn(tile)
    shown = upright(picture, asked(tile))
    assert shown is not None
    width, height = UPRIGHT_PX
    assert shown.shape[1::-1] == (width, height)
    assert width / (1 + 2 * BESIDE) >= 96
    assert width > 3 * VIEW.tile_px
    above, below = shown[height * 2 // 5, width // 2], shown[height * 3 // 5, width // 2]
    assert np.abs(above.astype(int) - RED).max() < 40
    assert np.abs(below.astype(int) - WHITE).max() < 40
    assert shown[3, 3].max() < 60, "with what lies beside it"


def test_a_smaller_picture_shows_the_same_tile() -> None:
    tile = lying(90.0)
    smaller = cv2.resize(drawn(tile), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    large, small = upright(drawn(tile), asked(tile)), upright(smaller.astype(np.uint8), asked(tile))
    assert large is not None
    assert small is not None
    assert float(np.abs(large.astype(int) - small).mean()) < 10


def test_several_tiles_stand_side_by_side_and_backs_are_left_out() -> None:
    tiles = [lying(0.0, x_mm) for x_mm in (-90.0, -90.0 + TILE_MM, -90.0 + 2 * TILE_MM)]
    back = lying(0.0, 120.0, Side.BACK)
    shown = upright(drawn(*tiles), asked(*tiles, back))
    assert shown is not None
    assert 3 * UPRIGHT_PX[0] <= shown.shape[1] < 3.3 * UPRIGHT_PX[0]
    assert upright(drawn(back), asked(back)) is None
    hand = upright(drawn(*tiles), asked(*tiles * 5))
    assert hand is not None
    assert hand.shape[0] > 3 * UPRIGHT_PX[1]


def test_the_overview_rings_every_tile_but_covers_none() -> None:
    tile = lying(0.0)
    picture = drawn(tile)
    shown = overview(picture, asked(tile))
    ring = (shown[..., 2] > 200) & (shown[..., 1] < 90)
    middle = shown[shown.shape[0] // 2 + 20, shown.shape[1] // 2]
    assert ring.any()
    assert middle.min() > 200
    assert overview(picture, asked()).shape[1] == shown.shape[1]


def test_a_question_is_shown_when_all_its_tiles_lie() -> None:
    assert asked(lying(0.0)).shown_s == 3.5
    taken = replace(asked(lying(0.0)), place=EventPlace("takenback", 9.0))
    assert taken.shown_s == 3.5
    assert asked().shown_s == 2.5
