"""Overlays show what was read without hiding it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.tiles import UNKNOWN, Tile
from tests.support.placed_tiles import Lying
from vision.draw import around, overlay, with_crops
from vision.tiles.classes import Side


def lying(side: Side = Side.FACE, tile: Tile = UNKNOWN) -> Lying:
    corners = np.array([[100, 100], [130, 100], [130, 140], [100, 140]], np.float32)
    return Lying(side, corners, tile)


BLANK = np.zeros((240, 320, 3), np.uint8)


@pytest.mark.parametrize("side", list(Side))
def test_a_tile_is_outlined_and_its_face_stays_open_to_the_eye(side: Side) -> None:
    drawn = overlay(BLANK, [lying(side, Tile("5m") if side is Side.FACE else UNKNOWN)])
    assert drawn[120, 99:102].any()
    assert not drawn[105:135, 105:125].any()


def test_the_picture_itself_is_left_as_it_was() -> None:
    image = BLANK.copy()
    overlay(image, [lying()])
    assert not image.any()


def test_marked_tiles_are_pointed_at() -> None:
    plain, marked = overlay(BLANK, [lying()]), overlay(BLANK, [lying()], marked=[0])
    assert (plain != marked).any()


def test_an_overlay_can_be_smaller_than_the_picture() -> None:
    drawn = overlay(BLANK, [lying()], scale=0.5)
    assert drawn.shape == (120, 160, 3)
    assert drawn[60, 49:52].any()


def test_the_part_around_tiles_stays_inside_the_picture() -> None:
    corners = lying().corners_px
    assert around(BLANK, [corners], 10).shape == (60, 50, 3)
    assert around(BLANK, [corners], 1000).shape == BLANK.shape


def test_crops_are_shown_whole_below_the_picture() -> None:
    crops = [np.full((64, 48, 3), 10 * place, np.uint8) for place in range(5)]
    shown = with_crops(BLANK, crops, ["1 1m", "2 2m", "3 3m", "4 4m", "5 5m"], [4])
    assert (shown[: len(BLANK)] == BLANK).all()
    below = shown[len(BLANK) :]
    assert all((below == crop[0, 0]).all(axis=2).sum() >= 96 * 128 for crop in crops[1:])
