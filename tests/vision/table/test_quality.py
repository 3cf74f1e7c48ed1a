"""A picture is judged by what makes tiles unreadable, a camera by what it does between two."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from studio.camera.troubles import Trouble
from tests.support.paths import FILM, SAMPLES
from tests.support.tables import VIEW
from tests.support.troubled_film import troubled
from vision.camera.frames import Frame
from vision.camera.pictures import Picture
from vision.camera.video_file import VideoFile
from vision.table.quality import QualityCheck, QualityGrade, good_enough, judge
from vision.table.steadiness import SteadinessWatch, noise_in
from vision.table.view import TableView


@pytest.fixture(scope="module")
def picture() -> Picture:
    """The sample's table with tiles on it, as sharp and as bright as it was filmed."""
    frames = VideoFile(FILM).frames(20.0)
    next(frames)
    shown = next(frames).image_bgr
    frames.close()
    return shown


FILMED = TableView.load(SAMPLES / "table.toml")


def found(picture: Picture, name: str, view: TableView = FILMED) -> QualityCheck:
    return next(one for one in judge(picture, view) if one.name == name)


def blurred(picture: Picture, share: float) -> Picture:
    """Blurred by a share of a tile's width."""
    soft: Picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), share * FILMED.tile_px), np.uint8)
    return soft


def lit(picture: Picture, gain: float) -> Picture:
    return np.asarray(np.clip(picture.astype(np.float32) * gain, 0, 255), np.uint8)


def test_the_sample_is_good_enough_and_its_small_tiles_are_named(picture: Picture) -> None:
    findings = judge(picture, FILMED)
    assert good_enough(findings)
    assert [finding.name for finding in findings if finding.grade is not QualityGrade.GOOD] == [
        "tile_px"
    ]
    assert 19 < found(picture, "tile_px").value < 22


@pytest.mark.parametrize(
    ("share", "grade"),
    [(0.03, QualityGrade.GOOD), (0.07, QualityGrade.POOR), (0.12, QualityGrade.BAD)],
)
def test_blur_counts_by_tiles(picture: Picture, share: float, grade: QualityGrade) -> None:
    assert found(blurred(picture, share), "blur").grade is grade
    larger = cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    view = FILMED.in_picture(2560, 1440)
    soft = cv2.GaussianBlur(larger, (0, 0), share * view.tile_px)
    assert found(np.asarray(soft, np.uint8), "blur", view).grade is grade


@pytest.mark.parametrize(
    ("gain", "name", "grade"),
    [
        (0.3, "light", QualityGrade.POOR),
        (0.15, "light", QualityGrade.BAD),
        (1.4, "glare", QualityGrade.GOOD),
        (4.0, "glare", QualityGrade.BAD),
    ],
)
def test_light_is_judged_on_the_field(
    picture: Picture, gain: float, name: str, grade: QualityGrade
) -> None:
    assert found(lit(picture, gain), name).grade is grade


def test_tiles_that_are_too_small_are_told(picture: Picture) -> None:
    small = np.asarray(cv2.resize(picture, (320, 180), interpolation=cv2.INTER_AREA), np.uint8)
    finding = found(small, "tile_px", FILMED)
    assert finding.grade is QualityGrade.BAD
    assert finding.value == pytest.approx(found(picture, "tile_px").value / 4, rel=0.02)
    assert not good_enough(judge(small, FILMED))


def test_a_corner_outside_the_picture_is_named(picture: Picture) -> None:
    corners = list(FILMED.corners_px)
    corners[2] = (corners[2][0], 719.5)
    finding = found(picture, "corners", replace(FILMED, corners_px=tuple(corners)))
    assert finding.grade is QualityGrade.BAD
    assert finding.corners == (2,)


# --- between one picture and the next ---


SMALL = VIEW.in_picture(640, 360)


def watched(trouble: Trouble) -> dict[str, QualityCheck]:
    watch = SteadinessWatch()
    for frame in troubled(trouble, 5.0, seed=3):
        watch.take(frame, SMALL)
    return {finding.name: finding for finding in watch.findings()}


@pytest.mark.parametrize(
    ("trouble", "name", "value"),
    [
        (Trouble(), None, 0.0),
        # Three colours make the noise of their grey smaller; it counts by the tiles' brightness.
        (Trouble(noise_grey=20), "noise", 20 * 0.67 / 230),
        (Trouble(gain=0.2), "flicker", 0.2),
        (Trouble(bands=0.2, lamp_hz=101.3), "flicker", 0.2),
        (Trouble(swing_px=30), "swing", 10 / SMALL.tile_px),
        (Trouble(focus_px=9, focus_hz=0.8), "focus", 0.4),
        (Trouble(dropped=0.75), "gap", 1.5),
    ],
)
def test_each_trouble_alone_is_named(trouble: Trouble, name: str | None, value: float) -> None:
    findings = watched(trouble)
    assert {"noise", "flicker", "swing", "focus", "gap", "rate"} == findings.keys()
    wrong = {one for one, finding in findings.items() if finding.grade is not QualityGrade.GOOD}
    assert wrong - {"rate"} == ({name} if name else set())
    if name:
        assert findings[name].value == pytest.approx(value, rel=0.5)


def plain(noise_grey: float) -> Frame:
    rng = np.random.default_rng(1)
    grey = np.clip(120 + rng.normal(0, noise_grey, (256, 256, 1)), 0, 255).astype(np.uint8)
    return Frame(np.repeat(grey, 3, axis=2), 0.0, 0)


def test_noise_is_measured_in_one_picture_too() -> None:
    assert noise_in(plain(8)) == pytest.approx(8 / 139, rel=0.1)


@pytest.mark.parametrize(("noise_grey", "grade"), [(13.5, "poor"), (17, "bad")])
def test_noise_in_which_films_are_read_forbids_no_game(noise_grey: float, grade: str) -> None:
    watch = SteadinessWatch()
    watch.take(plain(noise_grey), None)
    (noise,) = (finding for finding in watch.findings() if finding.name == "noise")
    assert noise.grade == grade
