"""A table is found or given by hand, and a picture shows where."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from service.main import run as tilesight
from service.table.options import Options
from service.table.reader_maker import ReaderMaker
from tests.support.detectors import Blind, Hands
from vision.camera.pictures import read_picture
from vision.pipeline import TableReader
from vision.table.view import TableView

FELT = np.array([[370, 149], [910, 149], [1016, 678], [264, 678]])
"""A square on the ground, as a camera sees it that leans by 35 degrees."""


@pytest.fixture(autouse=True)
def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the detector reads is tested elsewhere; here there is nothing to be read."""
    monkeypatch.setattr("service.commands.table_file.load_detector", Blind)


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A green felt on a brown floor, seen a little from below."""
    image = np.full((720, 1280, 3), (60, 90, 130), np.uint8)
    cv2.fillConvexPoly(image, FELT, (70, 120, 40))
    path = tmp_path / "table.png"
    assert cv2.imwrite(str(path), image)
    return path


def test_the_table_is_found_and_shown(picture: Path) -> None:
    out = picture.with_name("found.toml")
    assert tilesight(["check", str(picture), "--save", str(out), "--seat0", "right"]) == 0
    view = TableView.load(out)
    assert np.abs(view.field_px - FELT).max() < 12
    assert view.seat0 == "right"
    shown = read_picture(out.with_suffix(".jpg"))
    assert shown.shape == (720, 1280, 3)
    x, y = FELT[:2].mean(axis=0).astype(int)
    assert shown[y - 4 : y + 5, x, 1].max() > 180, "the outline is drawn along the felt's edge"


def test_a_table_without_a_square_edge_is_found_by_its_hands(
    picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    square = TableView(((360, 80), (920, 80), (920, 640), (360, 640)), (800, 800), (1280, 720))
    monkeypatch.setattr("service.commands.table_file.load_detector", lambda: Hands(square))
    image = np.full((720, 1280, 3), (60, 90, 130), np.uint8)
    cv2.rectangle(image, (90, 20), (1190, 700), (70, 120, 40), -1)
    cv2.imwrite(str(picture), image)
    out = picture.with_name("found.toml")
    assert tilesight(["check", str(picture), "--save", str(out), "--size-mm", "900"]) == 0
    view = TableView.load(out)
    assert np.abs(view.field_px - square.field_px).max() < 0.06 * 560
    assert view.size_mm == (900, 900)


def test_corners_can_be_given_by_hand(picture: Path) -> None:
    out = picture.with_name("given.toml")
    corners = "210,60 1070,60 1180,680 100,680"
    given = ["--corners", corners, "--size-mm", "950", "--save", str(out)]
    assert tilesight(["check", str(picture), *given]) == 0
    view = TableView.load(out)
    assert view.corners_px == ((210, 60), (1070, 60), (1180, 680), (100, 680))
    assert (view.size_mm, view.seat0) == ((950, 950), "bottom")


def test_a_picture_without_a_table_is_refused(
    picture: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), np.uint8)
    cv2.imwrite(str(picture), noise)
    assert tilesight(["check", str(picture), "--save", str(picture.with_name("t.toml"))]) == 2
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert "no table was found" in err
    assert list(picture.parent.iterdir()) == [picture]


def test_a_table_file_is_not_overwritten(picture: Path) -> None:
    out = picture.with_name("mine.toml")
    out.write_text("kept")
    assert tilesight(["check", str(picture), "--save", str(out)]) == 2
    assert out.read_text() == "kept"


@pytest.mark.parametrize(("said", "sits"), [(None, "right"), ("top", "top")])
def test_whoever_reads_a_table_reads_it_where_the_file_says(
    tmp_path: Path, said: str | None, sits: str
) -> None:
    corners = tuple((float(x), float(y)) for x, y in FELT)
    kept = TableView(corners, (700, 700), (1280, 720), "right")
    kept.save(tmp_path / "table.toml")
    maker = ReaderMaker.of(Options("riichi", table=tmp_path / "table.toml", seat0=said))
    for pace in (maker, maker.of_camera(), maker.of_recordings()):
        reader = pace(Blind())
        assert isinstance(reader, TableReader)
        assert reader.view == replace(kept, seat0=sits)
