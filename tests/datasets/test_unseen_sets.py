"""The benchmark of unseen sets: faces kept out of training, at given sizes, in four lights."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from evaluation.labels import read_labelled
from render import main

from studio.camera.pinhole import PinholeCamera
from studio.held_out import HELD_OUT_SHARE, is_held_out
from studio.materials.appearance import random_look
from studio.materials.lights import LIGHTS
from studio.render.renderer import NoOpenGL, Renderer

KINDS = ("1m", "5p", "7z")


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One set of each source at one size."""
    camera = PinholeCamera(64, 64, 100.0, (0.0, 0.0, 900.0))
    try:
        Renderer(random_look(np.random.default_rng(1)), camera, {}, samples=0).release()
    except NoOpenGL:
        pytest.skip("this machine has no OpenGL without a screen")
    folder = tmp_path_factory.mktemp("unseen")
    out = folder / "out"
    arguments = ["--photos", str(photos(folder)), "--style", "modern", "--sets", "1"]
    assert main(["unseen", *arguments, "--sizes", "12", "--out", str(out)]) == 0
    return out


def photos(folder: Path) -> Path:
    """Faces with one held-out photograph of each kind, and more that are trained on."""
    kinds = cycle(KINDS)
    rows = []
    for number in range(60):
        file = f"{number}.jpg"
        kind = next(kinds) if is_held_out(file, HELD_OUT_SHARE) else "9s"
        cv2.imwrite(str(folder / file), np.full((32, 24, 3), number, np.uint8))
        rows.append({"file": file, "tile": kind})
    assert {row["tile"] for row in rows} == {"9s", *KINDS}
    (folder / "faces.json").write_text(json.dumps(rows))
    return folder


def lines(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("source", ["photographed", "drawn"])
def test_every_light_has_its_picture_with_labels_for_the_report(
    rendered: Path, source: str
) -> None:
    rows = lines(rendered / source)
    assert [(row["light"], row["tile_px"]) for row in rows] == [(light, 12) for light in LIGHTS]
    for row in rows:
        image = cv2.imread(str(rendered / source / row["file"]))
        assert image is not None
        assert image.shape[:2] == (row["height"], row["width"])
        # The whole table with its edge, at 27 to 31 tiles a side.
        assert 12 * 27 * 1.1 < row["width"] < 12 * 31 * 1.2
        assert all({"blur", "glare"} <= set(tile) for tile in row["tiles"])
    pictures = read_labelled(rendered / source)
    assert {picture.light for picture in pictures} == set(LIGHTS)
    assert {picture.style for picture in pictures} == {"set 0"}
    widths = [t.width_px for picture in pictures for t in picture.tiles if t.side == "face"]
    assert np.median(widths) == pytest.approx(12, rel=0.15)


def test_photographed_sets_have_nothing_but_faces_kept_out_of_training(rendered: Path) -> None:
    tiles = [tile for row in lines(rendered / "photographed") for tile in row["tiles"]]
    assert {tile["tile"] for tile in tiles if tile["side"] == "face"} <= set(KINDS)
