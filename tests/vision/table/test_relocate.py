"""A moved camera is recognised by what stays in place, and the table found again by its tiles."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.tables import TILE_MM, VIEW, Read, shares
from vision.camera.pictures import Picture
from vision.table.placed_tile import PlacedTile
from vision.table.registration import ReferencePicture, moved_px
from vision.table.relocate import found_again, found_turned, shift_of
from vision.table.view import TableView, from_seat
from vision.tiles.classes import FACES, Side

KNOCKED = replace(VIEW, corners_px=((498, 61), (1492, 40), (1516, 1049), (474, 1066)))
"""The same table through a camera that was turned, tilted and pushed."""


def lying() -> list[PlacedTile]:
    """Rows of standing tiles at all four sides, and a river in front of each seat."""
    tiles: list[PlacedTile] = []
    for seat in range(4):
        for place in range(13):
            x, y = from_seat(np.array([-200.0 + TILE_MM * place, 345.0]), seat)
            tiles.append(tile(len(tiles), x, y, Side.STANDING))
        for place in range(4):
            x, y = from_seat(np.array([-70.0 + 31.0 * place, 140.0]), seat)
            face = FACES[(5 * seat + 3 * place) % 34]
            tiles.append(tile(len(tiles), x, y, Side.FACE, face))
    return tiles


def tile(number: int, x: float, y: float, side: Side, face: str = "") -> PlacedTile:
    faces = shares(face) if face else np.zeros(len(FACES))
    return PlacedTile(number, side, faces, float(x), float(y), 0.0, 0.0)


def seen(placed: list[PlacedTile], view: TableView, noise_px: float = 0.0) -> list[Read]:
    """The same tiles as detected through another camera."""
    rng = np.random.default_rng(2)
    size = np.array([[-1, -1.33], [1, -1.33], [1, 1.33], [-1, 1.33]]) * TILE_MM / 2
    found = []
    for one in placed:
        high = view.standing_mm if one.side is Side.STANDING else view.lying_mm
        corners = view.to_image(one.xy_mm + size, high) + rng.normal(0, noise_px, (4, 2))
        faces = one.probabilities.astype(np.float32)
        found.append(Read(one.side, corners.astype(np.float32), 0.9, faces))
    return found


def off_mm(view: TableView, true: TableView) -> float:
    """Largest distance between a tile's place and its true place."""
    places = np.array([one.xy_mm for one in lying()])
    return float(np.abs(view.to_table(true.to_image(places)) - places).max())


def rough_guess(px: float) -> NDArray[np.float64]:
    """A guess like the registration's, a few pixels off."""
    rng = np.random.default_rng(4)
    after = np.array(KNOCKED.corners_px) + rng.normal(0, px, (4, 2))
    points = np.repeat(np.array(VIEW.corners_px), 3, axis=0)
    jitter = rng.uniform(-200, 200, (12, 2))
    start = shift_of(np.array(VIEW.corners_px).repeat(2, 0), after.repeat(2, 0), 50)
    assert start is not None
    moved = np.column_stack([points + jitter, np.ones(12)]) @ start.T
    found = shift_of(points + jitter, moved[:, :2] / moved[:, 2:])
    assert found is not None
    return found


LITTLE = replace(VIEW, corners_px=tuple((x + 7, y - 5) for x, y in VIEW.corners_px))


@pytest.mark.parametrize(
    ("true", "guess_px", "least_x", "noise_px", "most_mm"),
    [
        (KNOCKED, 4.0, 0, 0.7, 3.0),
        (KNOCKED, 4.0, 750, 0.0, 5.0),
        (LITTLE, None, 0, 0.0, 2.0),
        (VIEW, None, 0, 0.0, 1.0),
    ],
    ids=["a rough guess", "hands over a third of the table", "a small knock", "as before"],
)
def test_the_table_is_found_to_a_few_millimetres(
    true: TableView, guess_px: float | None, least_x: float, noise_px: float, most_mm: float
) -> None:
    shown = seen(lying(), true, noise_px)
    part = [one for one in shown if one.corners_px.mean(axis=0)[0] > least_x]
    guess = None if guess_px is None else rough_guess(guess_px)
    found = found_again(VIEW, lying(), part, guess)
    assert found is not None
    assert off_mm(found, true) < most_mm


def test_tiles_that_a_knock_left_outside_the_picture_are_not_asked_for() -> None:
    low = replace(KNOCKED, corners_px=tuple((x, y + 500) for x, y in KNOCKED.corners_px))
    shown = [one for one in seen(lying(), low) if (one.corners_px < (1920, 1080)).all()]
    assert len(shown) < 0.6 * len(lying())
    guess = np.array([[1, 0, 0], [0, 1, 500], [0, 0, 1.0]]) @ rough_guess(4.0)
    found = found_again(VIEW, lying(), shown, guess)
    assert found is not None
    assert off_mm(found, low) < 8.0


@pytest.mark.parametrize("played_on", [False, True])
@pytest.mark.parametrize("shift_px", [(38.0, 0.0), (0.0, 38.0)])
def test_rows_that_fit_one_tile_farther_on_are_not_taken_for_the_table(
    shift_px: tuple[float, float], played_on: bool
) -> None:
    wrong = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]], [0, 0, 1.0]])
    found = found_again(VIEW, lying(), seen(lying(), VIEW), wrong, played_on=played_on)
    assert found is None or off_mm(found, VIEW) < 2.0


def loose(count: int) -> list[PlacedTile]:
    places = np.random.default_rng(5).uniform(-350, 350, (count, 2))
    return [tile(at, x, y, Side.FACE, "5p") for at, (x, y) in enumerate(places)]


@pytest.mark.parametrize("played_on", [False, True])
def test_another_table_is_not_taken_for_this_one(played_on: bool) -> None:
    shown = seen(loose(60), VIEW)
    assert found_again(VIEW, lying(), shown, np.eye(3), played_on=played_on) is None


def test_a_third_of_the_tiles_is_enough_once_the_game_may_have_gone_on() -> None:
    shown = seen([*lying()[::3], *loose(40)], KNOCKED, 0.7)
    assert found_again(VIEW, lying(), shown, rough_guess(4.0)) is None
    assert found_again(VIEW, lying(), shown, None, played_on=True) is None
    found = found_again(VIEW, lying(), shown, rough_guess(4.0), played_on=True)
    assert found is not None
    assert off_mm(found, KNOCKED) < 4.0


@pytest.mark.parametrize("count", [0, 3])
def test_with_too_few_tiles_the_background_alone_says_where_the_table_is(count: int) -> None:
    known = lying()[:count]
    shown = [] if count else seen(lying(), KNOCKED)
    assert found_again(VIEW, known, shown, None) is None
    found = found_again(VIEW, known, shown, rough_guess(0.1))
    assert found is not None
    assert off_mm(found, KNOCKED) < 2.0
    assert found_again(VIEW, lying(), [], np.eye(3)) is None, "nothing is seen of many"


@pytest.mark.parametrize("count", [1, 3, 11])
def test_a_few_tiles_may_be_asked_whether_the_background_is_right(count: int) -> None:
    few = lying()[13 : 13 + count]
    there = seen(few, KNOCKED, 0.7)
    found = found_again(VIEW, few, there, rough_guess(3.0), few_agree=True)
    assert found is not None
    assert off_mm(found, KNOCKED) < 15.0
    assert found_again(VIEW, few, there, np.eye(3), few_agree=True) is None
    assert found_again(VIEW, few, [], rough_guess(3.0), few_agree=True) is None
    assert found_again(VIEW, [], [], rough_guess(3.0), few_agree=True) is not None


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("count", [9, 60, 80])
def test_a_picture_that_is_turned_leaves_everybody_in_their_seat(turn: int, count: int) -> None:
    """Few discards, a few tiles, or many: hands look the same from every side."""
    placed = [*lying()[count // 9 :: 17], *lying()][:count]
    seen_px = replace(VIEW, corners_px=KNOCKED.corners_px, picture_px=(1400, 1900))
    true = replace(seen_px, corners_px=(*seen_px.corners_px[turn:], *seen_px.corners_px[:turn]))
    found = found_turned(VIEW, seen_px, placed, seen(placed, true, 0.7), few_agree=True)
    assert found is not None
    assert found.picture_px == (1400, 1900)
    assert off_mm(found, true) < 4.0


def test_a_turned_picture_of_another_table_is_not_taken_for_this_one() -> None:
    others = [tile(at, one.x_mm, one.y_mm, one.side, "5p") for at, one in enumerate(lying())]
    assert found_turned(VIEW, KNOCKED, lying(), seen(others, KNOCKED)) is None


def test_a_background_that_moves_every_which_way_says_nothing() -> None:
    rng = np.random.default_rng(3)
    points = rng.uniform(0, 1000, (40, 2))
    assert shift_of(points, rng.uniform(0, 1000, (40, 2))) is None
    assert shift_of(points[:4], points[:4]) is None


# --- the background, however much of it is hidden ---


SIZE_PX = (1920, 1080)


def textured(seed: int, size_px: tuple[int, int]) -> Picture:
    rng = np.random.default_rng(seed)
    coarse = rng.integers(40, 200, (size_px[1] // 20, size_px[0] // 20, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(coarse, size_px, interpolation=cv2.INTER_CUBIC), np.uint8)


FLOOR = textured(8, SIZE_PX)
SLEEVE = textured(9, (1250, 860))


def with_sleeve(at: tuple[int, int]) -> Picture:
    """A body and its sleeves lean over most of the table and the floor beside it."""
    picture = FLOOR.copy()
    x, y = at
    picture[y : y + SLEEVE.shape[0], x : x + SLEEVE.shape[1]] = SLEEVE
    return picture


def moved_by(picture: Picture, x: float, y: float, turn_deg: float) -> Picture:
    matrix = cv2.getRotationMatrix2D((960, 540), turn_deg, 1.0)
    matrix[:, 2] += np.array([x, y])
    seen = cv2.warpAffine(picture, matrix, SIZE_PX, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(seen, np.uint8)


@pytest.mark.parametrize("to", [(330, 40), (345, 52), (360, 150)])
def test_a_sleeve_that_moves_over_most_of_the_picture_moves_no_camera(to: tuple[int, int]) -> None:
    background = ReferencePicture(with_sleeve((330, 40)), VIEW)
    shift = background.shift_to(with_sleeve(to))
    assert shift is not None
    assert moved_px(shift, VIEW) < 1.0


@pytest.mark.parametrize("by", [(12, 5), (-9, 14)])
def test_players_who_lean_over_all_floor_that_is_seen_move_no_camera(by: tuple[int, int]) -> None:
    def seen(x: int, y: int) -> Picture:
        picture = FLOOR.copy()
        for left in (60, 1500):
            body = textured(left, (340, 900))
            picture[80 + y : 980 + y, left + x : left + 340 + x] = body
        return picture

    shift = ReferencePicture(seen(0, 0), VIEW).shift_to(seen(*by))
    assert shift is not None
    assert moved_px(shift, VIEW) < 1.0


@pytest.mark.parametrize(("x", "y", "turn_deg"), [(24, -15, 0.0), (-60, 30, 1.5), (9, 7, -0.6)])
def test_a_camera_that_was_moved_is_found_to_be(x: float, y: float, turn_deg: float) -> None:
    background = ReferencePicture(with_sleeve((330, 40)), VIEW)
    shift = background.shift_to(moved_by(with_sleeve((330, 40)), x, y, turn_deg))
    assert shift is not None
    back = np.linalg.inv(np.vstack([cv2.getRotationMatrix2D((960, 540), turn_deg, 1.0), [0, 0, 1]]))
    back = back @ np.array([[1, 0, -x], [0, 1, -y], [0, 0, 1]])
    assert moved_px(back @ shift, VIEW) < 3.0


def test_another_picture_altogether_says_nothing() -> None:
    assert ReferencePicture(FLOOR, VIEW).shift_to(textured(10, SIZE_PX)) is None
