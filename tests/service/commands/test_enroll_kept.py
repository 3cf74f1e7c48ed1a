"""``tilesight enroll`` learns from an evening what people or the rules confirmed, nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from service.main import run as tilesight
from service.table.tile_keeper import LIST
from vision.tile_set.profile import PATCH_PX, Profile
from vision.tiles.classes import FACE_INDEX, FACES

W, H = 48, 64


def kept(folder: Path, *said: tuple[str, str | None]) -> Path:
    """A folder with one picture, in which these tiles lie in a row."""
    folder.mkdir()
    image = np.full((200, 900, 3), 90, np.uint8)
    tiles: list[dict[str, object]] = []
    for place, (name, by) in enumerate(said):
        x = 20 + 70 * place
        image[40 : 40 + H, x : x + W] = 20 * place
        corners = [[x, 40], [x + W, 40], [x + W, 40 + H], [x, 40 + H]]
        tiles.append({"corners": corners, "side": "face", "read": "?", "tile": name})
        if by is not None:
            tiles[-1]["by"] = by
    cv2.imwrite(str(folder / "a.jpg"), image)
    (folder / LIST).write_text(json.dumps({"picture": "a.jpg", "t": 1.0, "tiles": tiles}) + "\n")
    return folder


def enrolled(path: Path) -> list[str]:
    return [FACES[face] for face in Profile.load(path).faces]


def test_only_what_people_or_the_rules_confirmed_is_learnt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = [("1m", "person"), ("9p", "asked"), ("5z", "rules"), ("3s", None), ("1m", "rules")]
    folder, out = kept(tmp_path / "kept", *said), tmp_path / "mine.tiles"
    assert tilesight(["enroll", str(folder), "--set", str(out)]) == 0
    assert enrolled(out) == ["1m", "1m", "5z"]
    assert "3 tiles that people or the rules confirmed" in capsys.readouterr().out
    middles = Profile.load(out).patches_bgr[:, PATCH_PX[1] // 2, PATCH_PX[0] // 2, 0]
    np.testing.assert_allclose(middles, [80, 0, 40], atol=6)


def test_an_evening_extends_a_profile(tmp_path: Path) -> None:
    out = tmp_path / "mine.tiles"
    blank = np.zeros((1, PATCH_PX[1], PATCH_PX[0], 3), np.uint8)
    Profile(blank, np.array([FACE_INDEX["7z"]])).save(out)
    folder = kept(tmp_path / "kept", ("2m", "person"))
    assert tilesight(["enroll", str(folder), "--set", str(out), "--extend"]) == 0
    assert enrolled(out) == ["7z", "2m"]


def test_an_evening_without_a_confirmed_face_leaves_the_profile_alone(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, out = kept(tmp_path / "kept", ("9p", "asked")), tmp_path / "mine.tiles"
    assert tilesight(["enroll", str(folder), "--set", str(out)]) == 2
    error = capfd.readouterr().err
    assert "nobody confirmed a face" in error
    assert error.count("\n") == 1
    assert not out.exists()
