"""Finding the table: felt of any colour, tiles on it, a rim around it, or no table at all."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.camera.pictures import Picture
from vision.table.calibrate import NoTable, find_table

CORNERS = np.array([[400, 70], [900, 60], [980, 660], [310, 640]])


def drawn(felt: tuple[int, int, int], rim: tuple[int, int, int] | None, tiles: bool) -> Picture:
    """A table seen aslant on a floor, colours in BGR."""
    rng = np.random.default_rng(3)
    picture = np.full((720, 1280, 3), (60, 75, 95), np.uint8)
    if rim is not None:
        middle = CORNERS.mean(axis=0)
        outer = np.rint(middle + 1.08 * (CORNERS - middle)).astype(np.int32)
        cv2.fillConvexPoly(picture, outer, rim)
    cv2.fillConvexPoly(picture, CORNERS.astype(np.int32), felt)
    if tiles:
        for x in range(450, 850, 22):
            cv2.rectangle(picture, (x, 560), (x + 20, 588), (230, 235, 235), -1)
        for x, y in rng.integers((450, 200), (800, 450), (25, 2)):
            cv2.rectangle(picture, (int(x), int(y)), (int(x) + 20, int(y) + 27), (235,) * 3, -1)
    light = np.linspace(0.8, 1.1, 1280)[None, :, None]
    noise = rng.normal(0, 4, picture.shape)
    return np.clip(picture * light + noise, 0, 255).astype(np.uint8)


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
