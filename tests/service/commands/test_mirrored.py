"""Every command that takes pictures says that they are mirrored, and can put them right."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from service.main import run as tilesight
from service.table.reader_maker import view_of
from tests.support.films import mirrored
from tests.support.paths import FILM, SAMPLES
from vision.attention.mirror_watch import MIRRORED, NOT_MIRRORED
from vision.camera.pictures import read_picture
from vision.camera.video_file import VideoFile
from vision.table.view import TableView

pytestmark = pytest.mark.film


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a game and a picture of it, both as a selfie camera takes them."""
    folder = tmp_path_factory.mktemp("selfie")
    film = mirrored(FILM, folder / "selfie.mp4", [70 + 0.2 * i for i in range(6)])
    picture = next(VideoFile(film).frames()).image_bgr
    cv2.imwrite(str(folder / "selfie.png"), picture)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("score selfie.mp4 --rules harbin-hlr", MIRRORED),
        (f"score {SAMPLES}/harbin.mp4 --rules harbin-hlr --mirrored", NOT_MIRRORED),
        ("check selfie.png --save table.toml", MIRRORED),
        ("enroll selfie.mp4", MIRRORED),
        ("serve --mirrored", "without a camera, the page asks"),
    ],
)
def test_the_wrong_way_round_is_refused_at_once(
    command: str, says: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = sorted(folder.rglob("*"))
    assert tilesight(command.split()) == 2
    last = capfd.readouterr().err.splitlines()[-1]
    assert last.startswith("tilesight: ")
    assert says in last
    assert sorted(folder.rglob("*")) == before


def test_a_table_file_remembers_that_the_camera_mirrors(folder: Path) -> None:
    assert (
        tilesight(["check", "selfie.mp4", "--save", "table.toml", "--mirrored", "--seat0", "right"])
        == 0
    )
    view = TableView.load(folder / "table.toml")
    truth = TableView.load(SAMPLES / "table.toml")
    assert np.abs(view.field_px - truth.field_px).max() < 12
    assert (view.mirrored, view.seat0) == (True, "right")
    shown = read_picture(folder / "table.jpg").astype(int)
    right_way = read_picture(folder / "selfie.png")[:, ::-1].astype(int)
    assert np.abs(shown - right_way).mean() < 8, "the picture to check by is put right"
    assert view_of(folder / "table.toml", None, None) == (view, True)
    # What is said now counts more than the file.
    turned = view.mirror_image()
    assert view_of(folder / "table.toml", None, False) == (turned, False)
    turned.save(folder / "other.toml")
    plain, said = view_of(folder / "other.toml", None, None)
    assert plain is not None
    assert (plain.mirrored, plain.seat0, said) == (False, "left", None)
    again, said = view_of(folder / "other.toml", "top", True)
    assert again is not None
    assert (again.mirrored, again.seat0, said) == (True, "top", True)
    assert np.abs(again.field_px - view.field_px).max() < 0.2


def test_tiles_of_a_mirrored_picture_are_told_where_the_file_shows_them(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    part = read_picture(folder / "selfie.png")[260:560, 500:880]
    cv2.imwrite("selfie.png", part)
    cv2.imwrite("plain.png", cv2.flip(part, 1))
    assert tilesight(["dev", "detect", "plain.png", "selfie.png", "--json"]) == 0
    out, err = capfd.readouterr()
    assert err == f"selfie.png: {MIRRORED}\n"
    plain = json.loads(out.splitlines()[0])
    assert tilesight(["dev", "detect", "selfie.png", "--json", "--mirrored"]) == 0
    out, err = capfd.readouterr()
    assert err == ""
    for tile in plain["tiles"]:
        tile["corners"] = [[round(379 - x, 1), y] for x, y in tile["corners"]]
    assert json.loads(out)["tiles"] == plain["tiles"]
    assert len(plain["tiles"]) > 15
