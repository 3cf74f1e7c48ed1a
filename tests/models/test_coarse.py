"""Coarse windows, in which a chair is as large as a tile: nothing small in them is to be found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from finder.data import COARSE_PX, SPECK_PX, TrainingPicture, coarse_window

GREY = np.full((400, 600, 3), 128, np.uint8)


def picture(*sides_px: float, complete: bool = True) -> TrainingPicture:
    """Square tiles of these sides, side by side in the middle."""
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    places = [(220 + 90 * number, 200) for number in range(len(sides_px))]
    corners = [place + side * square for place, side in zip(places, sides_px, strict=True)]
    return TrainingPicture(
        Path(), np.array(corners, np.float32), np.zeros(len(sides_px), np.int64), complete
    )


@pytest.mark.parametrize("complete", [True, False], ids=["rendered", "photo"])
def test_small_tiles_are_nothing_and_all_around_them_is_trusted(complete: bool) -> None:
    most = 0.0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        sample = coarse_window(GREY, GREY, picture(40, 40, complete=complete), 320, rng)
        assert len(sample.boxes) == 0
        most = max(most, float(1 - sample.trusted.mean()))
    assert 0 < most < 0.02  # at the largest scale tiles are ignored, and nothing else is


def test_the_tile_of_a_larger_set_is_still_wanted() -> None:
    found = [
        coarse_window(GREY, GREY, picture(20, 20, 90), 320, np.random.default_rng(seed)).boxes
        for seed in range(60)
    ]
    widths = [float(width) for boxes in found for width in boxes.short_px]
    assert 0 < len(widths) < 60
    assert SPECK_PX[1] * 0.6 < min(widths)
    assert max(widths) < 2 * 90 / 20 * COARSE_PX[1]
