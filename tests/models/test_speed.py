"""The figures of speed name each task with its time."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from score import main
from scores import speed

from engine.rules import RULE_SETS
from tests.support.paths import GAMES


def test_figures_of_the_engine_and_of_a_picture_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HANDS", "LISTS", "REPEATS"):
        monkeypatch.setattr(speed, name, 2)
    assert main(["speed", "engine", str(GAMES / "harbin-hlr.jsonl")]) == 0
    told = capsys.readouterr().out
    assert all(f"ranked discards, {rules}: " in told for rules in RULE_SETS)
    assert "harbin-hlr.jsonl: " in told
    assert " us to try an event, in the mean" in told
    picture = tmp_path / "small.png"
    cv2.imwrite(str(picture), np.full((240, 320, 3), 80, np.uint8))
    assert main(["speed", "picture", str(picture)]) == 0
    assert "a whole picture of 320x240" in capsys.readouterr().out
