"""A ring of rendered pictures stays small, and a trainer can draw from it all the while."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cv2
import pytest
import render
from finder.data import read_crops
from renders.ring import parts


def test_the_program_renders_parts_with_seeds_of_their_own(tmp_path: Path) -> None:
    """In a process of its own: it lowers its priority, and would do so for all tests after it."""
    ring = tmp_path / "ring"
    small = ("--size", "96", "--parts", "2", "--pictures", "1", "--keep", "1")
    command = [sys.executable, render.__file__, "ring", "--out", str(ring), "--seed", "3", *small]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "OpenGL" in done.stderr:
        pytest.skip("nothing can be drawn here")
    assert done.returncode == 0, done.stderr
    assert [part.name for part in parts(ring)] == ["3000001"]
    (picture,) = read_crops(ring)
    shown = cv2.imread(str(picture.path))
    assert shown is not None
    assert shown.shape == (96, 96, 3)
