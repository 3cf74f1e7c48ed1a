"""The figures of reading one picture can be read by programs and people."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import speed_picture
from speed_picture import main

from tests.support.films import film


def test_figures_are_told_to_programs_and_people(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(speed_picture, "REPEATS", 1)
    monkeypatch.setattr(speed_picture, "WHOLE_REPEATS", 1)
    picture = tmp_path / "small.png"
    cv2.imwrite(str(picture), np.full((240, 320, 3), 80, np.uint8))
    assert main([str(picture), "--json"]) == 0
    window, tiles, whole, memory = json.loads(capsys.readouterr().out)
    for row in (window, tiles, whole):
        assert row["seconds"] > 0
    assert "320x240" in whole["name"]
    assert memory["megabytes"] is None or 50 < memory["megabytes"] < memory["goal_megabytes"]
    assert main([str(picture)]) == 0
    assert "goal" in capsys.readouterr().out


def test_a_videos_picture_is_made_as_wide_as_the_largest_cameras(tmp_path: Path) -> None:
    video = film(tmp_path / "table.mp4", frames=20, fps=10)
    assert speed_picture._whole(video).shape[:2] == (2160, 3840)
