"""What random tables and sets may hold, and that it is physically in order."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pytest

from engine.tiles import CODES
from studio.camera.sensor import as_video
from studio.faces import FaceSet, draw_faces
from studio.materials.appearance import random_look
from studio.random_table.arrangements import random_scene
from studio.random_table.laying import RandomTable
from studio.scene import Pose, TilePose, rotation

SMALL = (48, 64)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@cache
def drawn(seed: int, dark: bool) -> FaceSet:
    return draw_faces(seed, *SMALL, dark=dark)


def on_ivory(face: np.ndarray) -> np.ndarray:
    alpha = face[:, :, 3:].astype(float) / 255
    return face[:, :, :3] * alpha + 235 * (1 - alpha)


def test_red_fives_can_be_told_from_plain_ones_in_every_set() -> None:
    for seed, suit in product(range(10), "mps"):
        images = drawn(seed, dark=seed % 4 == 0).images
        red, plain = on_ivory(images["0" + suit]), on_ivory(images["5" + suit])
        warmer = (red[..., 0] - red[..., 2]) - (plain[..., 0] - plain[..., 2])
        assert np.abs(red - plain).mean() > 0.4, f"seed {seed}"
        assert np.abs(warmer).max() > 25, f"seed {seed}"


@pytest.mark.parametrize(
    ("pose", "lean"), list(product(("up", "down", "standing"), ((0.0, 0.0), (20.0, 0.0), (0, -9))))
)
def test_a_leaning_tile_touches_the_cloth_and_does_not_sink_in(
    pose: Pose, lean: tuple[float, float]
) -> None:
    table = RandomTable(random_look(rng(4)), rng(), CODES)
    z = table.rest_mm(pose, lean)
    tile = TilePose(1, "1m", 0.0, 0.0, z, 30.0, pose, lean)
    half = np.array(table.look.tiles.size_mm) / 2
    corners = np.array(list(product((-1, 1), repeat=3))) * half @ rotation(tile).T
    assert (corners[:, 2] + z).min() == pytest.approx(0.0, abs=1e-6)


def test_random_tables_hold_leaning_and_stacked_tiles_hands_and_things() -> None:
    leaning, above, kinds, arms = 0, 0, set(), 0
    for seed in range(30):
        dice = rng(seed)
        look = random_look(dice)
        scene = random_scene(dice, look, CODES)
        leaning += sum(max(map(abs, tile.lean_deg)) > 10 for tile in scene.tiles)
        above += sum(
            tile.pose != "standing" and tile.z_mm > 1.2 * look.tiles.thickness_mm
            for tile in scene.tiles
        )
        kinds |= {prop.kind for prop in scene.props}
        arms += len(scene.arms)
    assert leaning > 20
    assert above > 5
    assert arms > 15
    assert len(kinds) > 10


def test_a_film_of_one_picture_loses_detail_and_keeps_its_size() -> None:
    picture = rng().integers(0, 255, (65, 83, 3)).astype(np.uint8)
    coarse, fine = as_video(picture, 40), as_video(picture, 20)
    assert coarse.shape == fine.shape == picture.shape
    lost = [float(np.abs(p.astype(int) - picture).mean()) for p in (fine, coarse)]
    assert lost[0] < lost[1]
    assert np.array_equal(coarse, as_video(picture, 40))
