"""Training pictures: labels lie where the tiles are drawn, and a seed fixes everything."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from render import main

from engine.tiles import CODES
from studio.camera.pinhole import PinholeCamera
from studio.materials.appearance import TableLook, TileSet, random_look
from studio.render.renderer import LEAST_TURNED, NoOpenGL, Renderer
from studio.scene import Arm, Label, Pose, Rendering, TableScene, TilePose, front, upper_side

CAMERA = PinholeCamera(320, 240, 700.0, (30.0, 160.0, 900.0), (0.0, 0.0), 3.0, 0.02)
FEW = ("--count", "2", "--size", "192x128")


@cache
def can_draw() -> bool:
    try:
        Renderer(plain_look(), CAMERA, {}, samples=0).release()
    except NoOpenGL:
        return False
    return True


@pytest.fixture
def drawing() -> None:
    if not can_draw():
        pytest.skip("this machine has no OpenGL without a screen")


def plain_look() -> TableLook:
    """A dark green table without rim or console."""
    look = random_look(np.random.default_rng(4))
    tiles = TileSet(body=(0.85, 0.85, 0.8), back=(0.7, 0.02, 0.02))
    return replace(look, tiles=tiles, cloth=(0.01, 0.08, 0.03), rim_mm=(0.0, 0.0), console_mm=0.0)


def tile(number: int, x: float, y: float, pose: Pose = "up", level: float = 0.5) -> TilePose:
    size = plain_look().tiles
    tall = size.height_mm if pose == "standing" else size.thickness_mm
    return TilePose(number, "1p", x, y, tall * level, 20.0, pose)


def shoot(
    *tiles: TilePose, arms: tuple[Arm, ...] = (), camera: PinholeCamera = CAMERA
) -> Rendering:
    renderer = Renderer(plain_look(), camera, {}, samples=0)
    try:
        return renderer.render(TableScene(tiles, arms))
    finally:
        renderer.release()


def seen(shot: Rendering) -> dict[int, Label]:
    return {label.id: label for label in shot.labels}


def read(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "labels.jsonl").read_text().splitlines()]


@pytest.mark.usefixtures("drawing")
def test_every_picture_has_its_line_of_labels_and_a_seed_repeats_it(tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert main(["crops", *FEW, "--seed", "7", "--out", str(tmp_path / name)]) == 0
    for file in (tmp_path / "a").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()
    rows = read(tmp_path / "a")
    assert [row["file"] for row in rows] == ["00000.jpg", "00001.jpg"]
    for row in rows:
        picture = cv2.imread(str(tmp_path / "a" / row["file"]))
        assert picture is not None
        assert picture.shape == (row["height"], row["width"], 3) == (128, 192, 3)
        for found in row["tiles"]:
            assert found["tile"] in CODES
            assert found["side"] in {"face", "back", "standing", "front"}
            assert np.array(found["corners"]).shape == (4, 2)
            assert 0 < found["visible"] <= 1
    assert any(row["tiles"] for row in rows)


@pytest.mark.usefixtures("drawing")
@pytest.mark.parametrize(("pose", "side"), [("up", "face"), ("down", "back"), ("standing",) * 2])
def test_a_label_outlines_the_upper_side_that_is_drawn(pose: Pose, side: str) -> None:
    tiles = (tile(1, -60, 10, pose),)
    shot = shoot(*tiles)
    (label,) = shot.labels
    assert (label.side, label.tile) == (side, "1p")
    assert label.visible > 0.9
    bare = shoot().image_bgr
    inside = np.zeros(bare.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.rint(label.corners_px).astype(np.int32), 1)
    # The table's light is the same in both; inside the outline nearly every pixel is the tile's.
    change = np.abs(shot.image_bgr.astype(int) - bare).max(axis=2)
    assert (change[cv2.erode(inside, np.ones((3, 3), np.uint8)) > 0] > 12).mean() > 0.97


@pytest.mark.usefixtures("drawing")
@pytest.mark.parametrize("pose", ["up", "down", "standing"])
def test_corners_are_the_projected_corners_clockwise(pose: Pose) -> None:
    look, at = plain_look(), tile(1, 40, -30, pose)
    (label,) = shoot(at).labels
    inset = look.tiles.bevel_mm * 0.3
    expected = CAMERA.project(upper_side(at, look.tiles.size_mm, inset))
    np.testing.assert_allclose(label.corners_px, expected, atol=1e-3)
    x, y = label.corners_px.T
    assert (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0  # clockwise, as y points down


@pytest.mark.usefixtures("drawing")
@pytest.mark.parametrize(
    ("yaw_deg", "below_mm", "side"),
    [
        (0.0, 900.0, "face"),  # the camera stands as high as far: foreshortened to 0.7
        (0.0, 260.0, "front"),  # to less than a half
        (60.0, 900.0, "front"),
        (180.0, 900.0, None),  # it shows its back
    ],
)
def test_a_standing_tile_has_a_label_of_its_face_where_a_camera_before_it_sees_it(
    yaw_deg: float, below_mm: float, side: str | None
) -> None:
    camera = PinholeCamera(320, 240, 1100.0, (0.0, below_mm, 900.0))
    at = replace(tile(1, 0, 0, "standing"), yaw_deg=yaw_deg)
    shot = shoot(at, camera=camera)
    assert [label.side for label in shot.labels] == ["standing"]
    assert [label.side for label in shot.fronts] == [side] * (side is not None)
    assert shot.labels[0].foreshortened is None
    for label in shot.fronts:
        assert label.visible > 0.9
        assert label.foreshortened is not None
        assert (label.foreshortened >= LEAST_TURNED) == (side == "face")
        expected = camera.project(
            front(at, plain_look().tiles.size_mm, 0.3 * plain_look().tiles.bevel_mm)
        )
        np.testing.assert_allclose(label.corners_px, expected, atol=1e-3)
        # Its own top lies above its foot in the picture.
        assert label.corners_px[:2, 1].max() < label.corners_px[2:, 1].min() + 12


@pytest.mark.usefixtures("drawing")
def test_the_labels_of_an_owned_set_tell_the_fronts_of_its_standing_tiles(tmp_path: Path) -> None:
    few = ["--sets", "1", "--laid", "1", "--tables", "6", "--styles", "modern"]
    assert main(["sets", *few, "--seed", "3", "--out", str(tmp_path)]) == 0
    tiles = [tile for row in read(tmp_path / "0" / "table") for tile in row["tiles"]]
    turned = {tile["side"]: tile["foreshortened"] for tile in tiles if "foreshortened" in tile}
    assert set(turned) <= {"face", "front"}
    assert turned


@pytest.mark.usefixtures("drawing")
def test_a_tile_that_lies_has_no_front() -> None:
    assert not shoot(tile(1, -60, 10), tile(2, 60, 10, "down")).fronts


@pytest.mark.usefixtures("drawing")
def test_the_face_is_upright_for_its_player() -> None:
    face = np.zeros((64, 48, 4), np.uint8)
    face[:20, :16] = (255, 0, 0, 255)  # red ink at the face's own top left
    at = replace(tile(1, 0, 0), yaw_deg=70.0)
    renderer = Renderer(plain_look(), CAMERA, {"1p": face}, samples=0)
    shot = renderer.render(TableScene((at,)))
    renderer.release()
    corners = shot.labels[0].corners_px
    image = shot.image_bgr.astype(int)
    middle = corners.mean(axis=0)
    redness = []
    for corner in corners:
        x, y = np.rint(middle + 0.6 * (corner - middle)).astype(int)
        redness.append(image[y, x, 2] - image[y, x, 0])
    assert redness[0] > 60 > 30 > max(redness[1:])


@pytest.mark.usefixtures("drawing")
def test_what_lies_on_a_tile_or_reaches_over_it_hides_it() -> None:
    below, above, far = tile(1, 0, 0), tile(2, 0, 0, level=1.5), tile(3, 110, 40)
    shares = seen(shoot(below, above, far))
    assert 1 not in shares or shares[1].visible < 0.2
    assert shares[2].visible > 0.95
    assert shares[3].visible > 0.95
    hand = Arm(0, -5.0, -60.0, 40.0, 0.5)
    hidden = seen(shoot(tile(1, 0, 0), far, arms=(hand,)))
    assert 1 not in hidden or hidden[1].visible < 0.4
    assert hidden[3].visible > 0.95
