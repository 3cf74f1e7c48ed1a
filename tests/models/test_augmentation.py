"""Training samples of the recogniser."""

from __future__ import annotations

import numpy as np
from recogniser.augmentation import Sampler, no_single_tile
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


def test_some_of_them_show_a_large_part_of_a_tile_and_nothing_else() -> None:
    image = np.full((PATCH_H, PATCH_W, 3), 255, np.uint8)
    tile = image[EDGE_Y : EDGE_Y + TILE_H, EDGE_X : EDGE_X + TILE_W]
    tile[..., 0] = 0  # blue is the cloth; red and green say where on the tile a pixel is
    tile[..., 1], tile[..., 2] = np.mgrid[0:TILE_H, 0:TILE_W] * 2
    rng, parts = np.random.default_rng(2), 0
    for _ in range(200):
        window = no_single_tile(image, rng)
        shares = np.ptp(window.reshape(-1, 3), axis=0) / (255, 2 * TILE_H, 2 * TILE_W)
        parts += shares[0] < 0.1 and 0.4 < shares[1:].min() < 0.78 and shares[1:].max() > 0.9
    assert parts >= 15


def test_a_whole_tile_keeps_its_face_and_tells_its_direction() -> None:
    batch = Sampler([halves()], [1.0], 3, nonsense=0.0).batch(60)
    assert set(batch.faces) == {3}
    assert set(batch.first) == {0, 1, 2, 3}
    assert np.abs(batch.outlines).max() < 0.5
