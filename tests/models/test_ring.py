"""A ring of rendered pictures stays small, and a trainer can draw from it all the while."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from finder.data import read_crops
from render import main
from renders.ring import parts


def test_the_program_renders_parts_with_seeds_of_their_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ring = tmp_path / "ring"
    small = ("--size", "96", "--parts", "2", "--pictures", "1", "--keep", "1")
    status = main(["ring", "--out", str(ring), "--seed", "3", *small])
    if "OpenGL" in (said := capsys.readouterr().err):
        pytest.skip("nothing can be drawn here")
    assert status == 0, said
    assert [part.name for part in parts(ring)] == ["3000001"]
    (picture,) = read_crops(ring)
    shown = cv2.imread(str(picture.path))
    assert shown is not None
    assert shown.shape == (96, 96, 3)
