"""``tilesight check`` says in sentences and as JSON whether a camera is good enough."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from service.main import run as tilesight
from tests.support.detectors import Blind, Hands
from tests.support.paths import FILM, SAMPLES
from vision.camera.pictures import read_picture
from vision.camera.video_file import VideoFile
from vision.table.view import TableView


@pytest.fixture
def picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A picture of the sample's table."""
    monkeypatch.setattr("service.commands.check.load_detector", lambda own_set: Blind())
    monkeypatch.chdir(tmp_path)
    frames = VideoFile(FILM).frames(20.0)
    cv2.imwrite("table.png", next(frames).image_bgr)
    frames.close()
    return tmp_path / "table.png"


TABLE = ["--table", str(SAMPLES / "table.toml")]


def test_a_good_picture_passes_and_shows_what_was_found(
    picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tilesight(["check", str(picture), *TABLE, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["good"]
    assert told["table"]
    assert {row["name"] for row in told["findings"]} >= {"tile_px", "blur", "glare", "light"}
    assert (read_picture(Path(told["picture"])) != read_picture(picture)).any()


def test_what_is_worst_stands_first(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(picture), read_picture(picture) // 8)
    assert tilesight(["check", str(picture), *TABLE, "--lang", "en"]) == 1
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith("✗ It is too dark")
    assert "Do not play like this" in last


def test_a_film_is_watched_for_as_long_as_asked(
    picture: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    view = TableView.load(SAMPLES / "table.toml")
    monkeypatch.setattr("service.commands.check.load_detector", lambda own_set: Hands(view))
    tilesight(["check", str(FILM), "--seconds", "3", "--json"])
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["findings"]}
    assert rows["swing"]["grade"] == rows["flicker"]["grade"] == "good"
    assert rows["rate"]["value"] == pytest.approx(5, abs=0.5)


def test_without_a_table_no_game_should_be_played(
    picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cv2.imwrite(str(picture), np.full((360, 640, 3), 120, np.uint8))
    assert tilesight(["check", str(picture), "--lang", "en"]) == 1
    assert "table" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.mp4"], "there is no video file"),
        (["table.png", "--seconds", "0"], "--seconds"),
        (["table.png", "--table", "missing.toml"], "cannot be read"),
        (["table.png", "--out", "missing/check.jpg"], "missing"),
    ],
)
def test_bad_input_is_one_line(
    picture: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert tilesight(["check", *arguments]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_a_picture_without_colours_is_told(
    picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grey = cv2.cvtColor(read_picture(picture), cv2.COLOR_BGR2GRAY)
    cv2.imwrite(str(picture), grey)
    assert tilesight(["check", str(picture), *TABLE, "--lang", "en"]) == 0
    assert "! The picture has no colours: red fives cannot be told" in capsys.readouterr().out
    tilesight(["check", str(picture), *TABLE, "--json"])
    rows = {row["name"]: row["grade"] for row in json.loads(capsys.readouterr().out)["findings"]}
    assert rows["grey"] == "poor"
