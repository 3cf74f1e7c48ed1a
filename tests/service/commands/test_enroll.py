"""``tilesight enroll``: a set of tiles laid out under the camera becomes a profile."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.tiles import KINDS
from service.commands.enroll import _told
from service.main import run as tilesight
from vision.errors import ProfileError
from vision.tile_set.profile import Profile
from vision.tiles.classes import FACES


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
        _told([told], 1)
    assert "\n" not in str(refused.value)


def test_a_profile_is_never_overwritten(
    own_set: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.tiles"
    out.write_bytes(b"precious")
    assert tilesight(["enroll", str(own_set / "laid"), "--out", str(out)]) == 2
    assert "exists already" in capfd.readouterr().err
    assert out.read_bytes() == b"precious"


@pytest.mark.parametrize("command", ["detect", "score"])
def test_a_file_that_is_no_profile_is_refused_before_anything_is_read(
    own_set: Path, tmp_path: Path, command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    junk = tmp_path / "junk.tiles"
    junk.write_bytes(b"junk")
    source = str(own_set / "table" / "00000.jpg")
    rules = ["--rules", "harbin-hlr"] if command == "score" else []
    assert tilesight([command, source, *rules, "--set", str(junk)]) == 2
    assert "is not a profile of a set of tiles" in capfd.readouterr().err
