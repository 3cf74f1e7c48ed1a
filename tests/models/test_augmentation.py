"""Training samples of the recogniser."""

from __future__ import annotations

import numpy as np
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
