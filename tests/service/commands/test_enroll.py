"""``tilesight enroll``: a profile of laid-out tiles, of an evening's, and what it gains."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.tiles import KINDS
from service.commands.enroll import told_tiles
from service.main import run as tilesight
from service.table.picture_files import TILES_LIST
from vision.errors import ProfileError
from vision.tile_set.profile import PATCH_MARGIN, PATCH_PX, Profile
from vision.tiles.classes import FACE_INDEX, FACES
from vision.tiles.rectify import in_crop


def test_a_set_laid_out_becomes_a_profile_with_every_name_right(
    own_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = tmp_path / "mine.tiles"
    assert tilesight(["enroll", str(own_set / "laid"), "--out", str(profile)]) == 0
    assert "--set to detect, score and serve" in capsys.readouterr().out
    assert (tmp_path / "mine-1.jpg").stat().st_size > 10_000
    names = [FACES[face] for face in Profile.load(profile).faces]
    assert len(names) >= 35
    assert len(set(names)) == len(names)
    assert set(names) >= set(KINDS)


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ("4", "expected --is NUMBER=TILE"),
        ("2:4=1m", "there are pictures 1 to 1"),
        ("4=xx", "--is 4=xx: "),
    ],
)
def test_names_that_cannot_be_are_refused_in_one_line(told: str, says: str) -> None:
    with pytest.raises(ProfileError, match=says) as refused:
        told_tiles([told], 1)
    assert "\n" not in str(refused.value)


def test_a_profile_is_never_overwritten(
    own_set: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.tiles"
    out.write_bytes(b"precious")
    assert tilesight(["enroll", str(own_set / "laid"), "--out", str(out)]) == 2
    assert "exists already" in capfd.readouterr().err
    assert out.read_bytes() == b"precious"


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
    (folder / TILES_LIST).write_text(
        json.dumps({"picture": "a.jpg", "t": 1.0, "tiles": tiles}) + "\n"
    )
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
    letters("AHX", pictures).save(profile)
    kept = profile.read_bytes()
    out = "-" if pictures > 1 else str(report)
    assert tilesight(["enroll", "--set", str(profile), "--report", out]) == 0
    said = capsys.readouterr().out
    if out != "-":
        assert "of the copies are read right" in said
        said = report.read_text()
    gain = json.loads(said)
    assert (gain["kinds"], gain["tiles"]) == (3, 3 * pictures)
    assert gain["from_other_pictures"] == (pictures > 1)
    assert gain["uses_profile"]
    assert gain["before"]["right"] < 0.5 < 0.7 < gain["after"]["right"]
    assert gain["after"]["unknown"] < gain["before"]["unknown"]
    missed = sum(count for _, _, count in gain["confusions"])
    assert missed <= round((1 - gain["after"]["right"]) * gain["copies"])
    assert profile.read_bytes() == kept
