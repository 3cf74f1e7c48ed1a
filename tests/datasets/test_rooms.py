"""Pictures of whole rooms: labels, two sizes of tiles, and no tile where none is wanted."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from render import main

from studio.camera.pinhole import PinholeCamera
from studio.materials.appearance import random_look
from studio.render.renderer import NoOpenGL, Renderer


@pytest.fixture(scope="module")
def camera() -> PinholeCamera:
    """One through which something can be drawn; skips where nothing can."""
    view = PinholeCamera(320, 240, 700.0, (0.0, 1.0, 900.0))
    try:
        Renderer(random_look(np.random.default_rng(2)), view, {}, samples=0).release()
    except NoOpenGL as error:
        pytest.skip(str(error))
    return view


@pytest.mark.usefixtures("camera")
def test_a_picture_of_a_room_shows_two_sizes_and_is_labelled(tmp_path: Path) -> None:
    size = ("--size", "320x180", "--samples", "0", "--two-sizes", "1")
    assert main(["rooms", "--out", str(tmp_path), "--seed", "5199", "--count", "1", *size]) == 0
    (row,) = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text().splitlines()]
    picture = cv2.imread(str(tmp_path / row["file"]))
    assert picture is not None
    assert picture.shape == (180, 320, 3)
    assert row["tiles"]
    assert row["tile_px"] == pytest.approx(18, abs=0.1)
    (scale,) = row["scales"]
    assert not 0.7 < scale < 1.5
