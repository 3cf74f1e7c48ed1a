"""``tilesight enroll --report``: what a profile gains is measured, not promised."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from service.main import run as tilesight
from vision.tile_set.profile import PATCH_MARGIN, PATCH_PX, Profile
from vision.tiles.rectify import in_crop


def letters(signs: str, pictures: int) -> Profile:
    """A set with letters for faces, which no net knows."""
    patches = []
    left, top = in_crop(PATCH_PX, PATCH_MARGIN)[0].astype(int)
    right, bottom = in_crop(PATCH_PX, PATCH_MARGIN)[2].astype(int)
    for number in range(pictures):
        for sign in signs:
            patch = np.full((PATCH_PX[1], PATCH_PX[0], 3), (60, 110, 50), np.uint8)
            patch[top:bottom, left:right] = 225 - 30 * number
            at = (left + 8, bottom - 16)
            cv2.putText(patch, sign, at, cv2.FONT_HERSHEY_TRIPLEX, 1.5, (110, 60, 20), 2)
            patches.append(patch)
    return Profile(np.stack(patches), np.tile(np.arange(len(signs)), pictures))


@pytest.mark.parametrize("pictures", [1, 2])
def test_a_report_tells_the_shares_before_and_after(
    pictures: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile, report = tmp_path / "letters.tiles", tmp_path / "gain.json"
    letters("AHKX", pictures).save(profile)
    kept = profile.read_bytes()
    out = "-" if pictures > 1 else str(report)
    assert tilesight(["enroll", "--set", str(profile), "--report", out]) == 0
    said = capsys.readouterr().out
    if out != "-":
        assert "of the copies are read right" in said
        said = report.read_text()
    gain = json.loads(said)
    assert (gain["kinds"], gain["tiles"]) == (4, 4 * pictures)
    assert gain["from_other_pictures"] == (pictures > 1)
    assert gain["uses_profile"]
    assert gain["before"]["right"] < 0.5 < 0.7 < gain["after"]["right"]
    assert gain["after"]["unknown"] < gain["before"]["unknown"]
    missed = sum(count for _, _, count in gain["confusions"])
    assert missed <= round((1 - gain["after"]["right"]) * gain["copies"])
    assert profile.read_bytes() == kept


def test_a_missing_profile_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert tilesight(["enroll", "--set", str(tmp_path / "no.tiles"), "--report", "-"]) == 2
    assert "there is no profile" in capfd.readouterr().err
