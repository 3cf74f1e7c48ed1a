"""Training samples of the recogniser, and coarse windows of the finder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from finder.data import COARSE_PX, SPECK_PX, TrainingPicture, coarse_window
from recogniser.augmentation import Sampler
from recogniser.data import EDGE_X, EDGE_Y, NONSENSE, PATCH_H, PATCH_W, TILE_H, TILE_W, Patches

RED, BLUE, CLOTH = (30, 30, 220), (220, 30, 30), (30, 220, 30)


def halves() -> Patches:
    """One tile, red on its left and blue on its right, on a green cloth."""
    image = np.full((PATCH_H, PATCH_W, 3), CLOTH, np.uint8)
    tile = image[EDGE_Y : EDGE_Y + TILE_H, EDGE_X : EDGE_X + TILE_W]
    tile[:, : TILE_W // 2], tile[:, TILE_W // 2 :] = RED, BLUE
    return Patches(image[None], np.array([3]), np.array([True]), np.array(["one"]))


def test_outlines_of_no_single_tile_are_labelled_as_no_face() -> None:
    batch = Sampler([halves()], [1.0], 1, nonsense=1.0).batch(60)
    assert set(batch.faces) == {NONSENSE}
    assert set(batch.first) == {-1}


def test_a_whole_tile_keeps_its_face_and_tells_its_direction() -> None:
    batch = Sampler([halves()], [1.0], 3, nonsense=0.0).batch(60)
    assert set(batch.faces) == {3}
    assert set(batch.first) == {0, 1, 2, 3}
    assert np.abs(batch.outlines).max() < 0.5


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
