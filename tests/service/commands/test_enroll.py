"""``tilesight enroll``: a set of tiles laid out under the camera becomes a profile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.tiles import KINDS
from service.main import run as tilesight
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
    assert tilesight(["detect", str(own_set / "table"), "--json", "--set", str(profile)]) == 0
    seen = [json.loads(line)["tiles"] for line in capsys.readouterr().out.splitlines()]
    assert any(tile["side"] == "face" and tile["tile"] != "?" for tile in seen[-1])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--is", "4"], "expected --is NUMBER=TILE"),
        (["--is", "2:4=1m"], "there are pictures 1 to 1"),
        (["--is", "4=xx"], "xx"),
        (["--is", "99=1m"], "there is no tile 99"),
    ],
)
def test_names_that_cannot_be_are_refused_in_one_line(
    own_set: Path, tmp_path: Path, options: list[str], says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.tiles"
    assert tilesight(["enroll", str(own_set / "laid"), "--out", str(out), *options]) == 2
    error = capfd.readouterr().err
    assert says in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


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
