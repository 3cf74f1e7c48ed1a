"""A ring of rendered pictures stays small, and a trainer can draw from it all the while."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from finder.data import Samples, read_crops
from ring import add, parts

from tests.support.paths import ROOT

PROGRAM = ROOT / "datasets" / "ring.py"


def finished(folder: Path, colour: int) -> Path:
    """One picture with one tile in the middle, as ``crops.py`` writes it."""
    folder.mkdir(parents=True)
    cv2.imwrite(str(folder / "00000.jpg"), np.full((96, 96, 3), colour, np.uint8))
    corners = [[30, 25], [60, 25], [60, 65], [30, 65]]
    tile = {"tile": "1m", "side": "face", "corners": corners, "visible": 1.0}
    row = {"file": "00000.jpg", "width": 96, "height": 96, "tiles": [tile]}
    (folder / "labels.jsonl").write_text(json.dumps(row) + "\n")
    return folder


def test_new_parts_take_the_place_of_the_oldest(tmp_path: Path) -> None:
    ring = tmp_path / "ring"
    for number in range(5):
        add(finished(ring / f".{number}.part", 100), ring / f"{number}", keep=3)
        for age, part in enumerate(reversed(parts(ring))):  # a clock may not tell them apart
            os.utime(part / "labels.jsonl", (1000 - age, 1000 - age))
    assert [part.name for part in parts(ring)] == ["2", "3", "4"]
    assert sorted(os.listdir(ring)) == ["2", "3", "4"]
    assert len(read_crops(ring)) == 3


def test_samples_come_on_when_pictures_have_gone(tmp_path: Path) -> None:
    ring = tmp_path / "ring"
    for number in range(3):
        finished(ring / f"{number}", 40 * number + 40)
    samples = Samples([ring], [], 0.0, 64, seed=1)
    for part in parts(ring)[:2]:
        (part / "labels.jsonl").unlink()
        (part / "00000.jpg").unlink()
    batches = samples.batches(4)
    drawn = [sample for _ in range(3) for sample in next(batches)]
    assert len(drawn) == 12
    assert all(sample.image_bgr.shape == (64, 64, 3) for sample in drawn)


def test_the_program_renders_parts_with_seeds_of_their_own(tmp_path: Path) -> None:
    ring = tmp_path / "ring"
    command = [sys.executable, str(PROGRAM), "--out", str(ring), "--seed", "3", "--size", "96"]
    command += ["--parts", "2", "--pictures", "1", "--keep", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "OpenGL" in done.stderr:
        pytest.skip("nothing can be drawn here")
    assert done.returncode == 0, done.stderr
    assert [part.name for part in parts(ring)] == ["3000001"]
    (picture,) = read_crops(ring)
    shown = cv2.imread(str(picture.path))
    assert shown is not None
    assert shown.shape == (96, 96, 3)
