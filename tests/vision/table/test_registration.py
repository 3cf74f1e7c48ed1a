"""A moved camera is recognised by what stays in place, however much is hidden."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.tables import VIEW
from vision.camera.pictures import Picture
from vision.table.registration import ReferencePicture, moved_px

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
