"""Labels of real photos, completed for both trainings."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import complete_photos
import cv2
import numpy as np
import pytest
from finder.data import IGNORED
from finder.data import read_photos as finders_photos
from recogniser.data import NONSENSE
from recogniser.data import read_photos as recognisers_photos

from studio.held_out import group_of, is_kept_out
from vision.tiles.boxes import Boxes
from vision.tiles.classes import FACE_INDEX


def square(x: float, y: float, side: float = 40) -> list[list[float]]:
    return [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]


class Finds:
    """A finder that sees a face at (300, 300) and a back at (400, 300), wherever it looks."""

    def __init__(self, weights: Path) -> None:
        pass

    def find(self, image_bgr: object, tile_px: float, least: float) -> Boxes:
        boxes = np.array([[320, 320, 40, 40, 0], [420, 320, 40, 40, 0]], np.float32)
        return Boxes(boxes, np.ones(2, np.float32), np.array([0, 1]))


def row(name: str, group: str, *tiles: str, **more: object) -> dict[str, object]:
    labelled = [
        {"tile": tile, "oriented": False, "quad": square(20 + 60 * place, 40)}
        for place, tile in enumerate(tiles)
    ]
    return {"file": f"{name}.png", "photo": name, "group": group, "tiles": labelled, **more}


@pytest.fixture
def completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two labelled photos, of which the second is kept out, and ten without a tile."""
    parts = {
        "parts": [{"tile": "2f", "quad": square(20, 200)}],
        "maybe": [{"tile": "3p", "quad": square(100, 200)}],
    }
    kept_out = next(f"table {n}" for n in range(99) if is_kept_out(row("b", f"table {n}", "1m")))
    rows = {
        "train": [
            row("a", "desk", "1m", "9p", **parts),
            row("b", kept_out, "2s"),
            row("c", "desk"),
        ],
        "none": [row(f"n{number}", "keys") for number in range(10)],
    }
    for name, pictures in rows.items():
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}.json").write_text(json.dumps(pictures))
        for picture in pictures:
            image = np.full((640, 640, 3), 128, np.uint8)
            cv2.imwrite(str(tmp_path / name / str(picture["file"])), image)
    out = tmp_path / "photos.jsonl"
    files = [str(tmp_path / f"{name}.json") for name in rows]
    monkeypatch.setattr(complete_photos, "Finder", Finds)
    monkeypatch.setattr(
        sys, "argv", ["complete", *files, "--weights", str(tmp_path), "--out", str(out)]
    )
    complete_photos.main()
    return out


def test_what_nobody_labelled_and_parts_of_faces_teach_nothing(completed: Path) -> None:
    lines = [json.loads(line) for line in completed.read_text().splitlines()]
    first = next(line for line in lines if line["file"].endswith("a.png"))
    ignored = [tile["corners"][0] for tile in first["tiles"] if tile["class"] == IGNORED]
    assert ignored == [[20, 200], [100, 200], [300, 300], [400, 300]]
    assert not any(line["file"].endswith("c.png") for line in lines), "its tiles have no label"


def test_a_group_is_kept_out_whole_and_of_pictures_without_tiles_a_part(completed: Path) -> None:
    assert group_of(row("x", "desk", "1m")) == "desk"
    assert group_of({"photo": "x", "tiles": [1]}) == "x"
    names = {picture.path.stem for picture in finders_photos(completed)}
    assert "a" in names
    assert "b" not in names
    assert 2 <= len([name for name in names if name.startswith("n")]) <= 8


def test_keys_and_dice_are_no_face_to_the_recogniser(completed: Path) -> None:
    patches = recognisers_photos(completed)
    named = patches.faces[patches.faces != NONSENSE].tolist()
    assert named == [FACE_INDEX["1m"], FACE_INDEX["9p"], FACE_INDEX["2s"]]
    nothing = set(patches.groups[patches.faces == NONSENSE])
    trained = {p.path.stem for p in finders_photos(completed) if p.path.stem.startswith("n")}
    assert nothing == trained
