"""The table is found with felt of any colour, with tiles or a rim, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from tests.support.drawn_tables import CORNERS, drawn
from vision.camera.pictures import Picture
from vision.table.calibrate import NoTable, find_table


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
