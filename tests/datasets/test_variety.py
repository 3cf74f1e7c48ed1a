"""What random tables and sets may hold, and that it is physically in order."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import get_args

import numpy as np
import pytest

from engine.tiles import CODES
from studio.camera.sensor import as_video, through_lens
from studio.faces import HELD_OUT, FaceSet, draw_faces, style_family
from studio.faces.ageing import varied
from studio.faces.style import FAMILY, style_of
from studio.faces.widen import widened
from studio.materials.appearance import random_look
from studio.random_table.arrangements import random_scene
from studio.random_table.laying import RandomTable
from studio.scene import Pose, Prop, PropKind, TilePose, rotation, upper_side
from studio.things.hands import OPEN_STEPS, hand_name, limb_mesh
from studio.things.props import prop_solids

SMALL = (48, 64)
PARTS = {
    "dots": "dot", "rosettes": "rosette", "sticks": "stick", "birds": "bird",
    "whites": "white", "fonts": "font",
}  # fmt: skip


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@cache
def drawn(seed: int, dark: bool) -> FaceSet:
    return draw_faces(seed, *SMALL, dark=dark)


def on_ivory(face: np.ndarray) -> np.ndarray:
    alpha = face[:, :, 3:].astype(float) / 255
    return face[:, :, :3] * alpha + 235 * (1 - alpha)


def test_nothing_of_the_held_out_family_is_mixed_into_other_sets() -> None:
    for seed in range(200):
        family = style_family(seed)
        style = widened(style_of(family, rng(seed)), rng(seed + 1), dark=seed % 9 == 0)
        for part, chosen in PARTS.items():
            assert getattr(style, chosen) not in getattr(FAMILY[HELD_OUT], part)
        assert style.fallback not in FAMILY[HELD_OUT].fonts


def test_red_fives_can_be_told_from_plain_ones_in_every_set() -> None:
    for seed, suit in product(range(10), "mps"):
        images = drawn(seed, dark=seed % 4 == 0).images
        red, plain = on_ivory(images["0" + suit]), on_ivory(images["5" + suit])
        warmer = (red[..., 0] - red[..., 2]) - (plain[..., 0] - plain[..., 2])
        assert np.abs(red - plain).mean() > 0.4, f"seed {seed}"
        assert np.abs(warmer).max() > 25, f"seed {seed}"


def test_sets_are_all_unlike_each_other() -> None:
    whites = [drawn(seed, dark=seed % 4 == 0).images["5z"] for seed in range(10)]
    framed = [white for white in whites if (white[..., 3] > 60).any()]
    assert len({white.tobytes() for white in framed}) == len(framed) > 4


def test_a_dark_set_has_ink_lighter_than_its_tiles() -> None:
    for seed in (0, 4, 8):
        made = drawn(seed, dark=True)
        assert made.body is not None
        assert max(made.body) < 0.15
        paint = made.images["1m"][made.images["1m"][:, :, 3] > 200]
        assert paint[:, :3].max(axis=1).mean() > 120


def test_given_faces_vary_from_set_to_set_and_not_by_themselves() -> None:
    images = drawn(1, dark=False).images
    again = [varied(images, rng(5)) for _ in range(2)]
    other = varied(images, rng(6))
    assert set(other) == set(CODES)
    assert all(np.array_equal(again[0][code], again[1][code]) for code in CODES)
    assert any(not np.array_equal(again[0][code], other[code]) for code in CODES)


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


def test_a_standing_tile_that_leans_back_turns_its_face_up() -> None:
    tile = TilePose(1, "1m", 0.0, 0.0, 20.0, 0.0, "standing", (20.0, 0.0))
    assert (rotation(tile) @ [0.0, 0.0, 1.0])[2] > 0.3
    top = upper_side(tile, (28.0, 37.0, 21.0))
    assert top[:, 2].min() > 20.0


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


@pytest.mark.parametrize("kind", get_args(PropKind))
def test_every_thing_lies_on_the_cloth(kind: PropKind) -> None:
    for seed in range(3):
        solids = list(prop_solids([Prop(kind, 10.0, 20.0, 30.0, seed=seed)]))
        assert solids
        assert min(solid.at_mm[2] - abs(solid.half_mm[2]) for solid in solids) > -1.0
        assert max(np.hypot(s.at_mm[0] - 10, s.at_mm[1] - 20) for s in solids) < 240


@pytest.mark.parametrize("step", [0, OPEN_STEPS])
def test_a_hand_is_one_closed_body_and_left_mirrors_right(step: int) -> None:
    right, left = (limb_mesh(hand_name(step, side)) for side in (False, True))
    edges = np.sort(right.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    _, met = np.unique(edges, axis=0, return_counts=True)
    assert (met == 2).mean() > 0.99
    points, normals = (
        right.vertices[right.triangles][..., part] for part in (np.s_[:3], np.s_[3:])
    )
    turned = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    assert ((turned * normals.sum(axis=1)).sum(axis=1) >= 0).mean() > 0.99
    assert np.array_equal(left.vertices[:, 0], -right.vertices[:, 0])


def test_a_film_of_one_picture_loses_detail_and_keeps_its_size() -> None:
    picture = rng().integers(0, 255, (65, 83, 3)).astype(np.uint8)
    coarse, fine = as_video(picture, 40), as_video(picture, 20)
    assert coarse.shape == fine.shape == picture.shape
    lost = [float(np.abs(p.astype(int) - picture).mean()) for p in (fine, coarse)]
    assert lost[0] < lost[1]
    assert np.array_equal(coarse, as_video(picture, 40))


def test_a_lens_moves_nothing_far() -> None:
    """Labels lie where the renderer put them: no fault of the lens may shift a tile."""
    picture = np.zeros((120, 160, 3), np.float32)
    picture[40:80, 60:100] = 200
    for seed in range(60):
        seen = through_lens(picture.copy(), rng(seed))[..., 1]
        y, x = (float((seen * at).sum() / seen.sum()) for at in np.mgrid[0:120, 0:160])
        assert abs(x - 79.5) < 1.5
        assert abs(y - 59.5) < 1.0
