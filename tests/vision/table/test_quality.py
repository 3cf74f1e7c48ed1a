"""A picture is judged by what makes its tiles unreadable."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.support.paths import FILM, SAMPLES
from vision.camera.pictures import Picture
from vision.camera.video_file import VideoFile
from vision.table.quality import QualityCheck, QualityGrade, good_enough, judge
from vision.table.view import TableView


@pytest.fixture(scope="module")
def picture() -> Picture:
    """The sample's table with tiles on it, as sharp and as bright as it was filmed."""
    frames = VideoFile(FILM).frames(20.0)
    next(frames)
    shown = next(frames).image_bgr
    frames.close()
    return shown


VIEW = TableView.load(SAMPLES / "table.toml")


def found(picture: Picture, name: str, view: TableView = VIEW) -> QualityCheck:
    return next(one for one in judge(picture, view) if one.name == name)


def blurred(picture: Picture, share: float) -> Picture:
    """Blurred by a share of a tile's width."""
    soft: Picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), share * VIEW.tile_px), np.uint8)
    return soft


def lit(picture: Picture, gain: float) -> Picture:
    return np.asarray(np.clip(picture.astype(np.float32) * gain, 0, 255), np.uint8)


def test_the_sample_is_good_enough_and_its_small_tiles_are_named(picture: Picture) -> None:
    findings = judge(picture, VIEW)
    assert good_enough(findings)
    assert [finding.name for finding in findings if finding.grade is not QualityGrade.GOOD] == [
        "tile_px"
    ]
    assert 19 < found(picture, "tile_px").value < 22


@pytest.mark.parametrize(
    ("share", "grade"),
    [(0.03, QualityGrade.GOOD), (0.07, QualityGrade.POOR), (0.12, QualityGrade.BAD)],
)
def test_blur_is_judged_as_a_share_of_a_tile(
    picture: Picture, share: float, grade: QualityGrade
) -> None:
    assert found(blurred(picture, share), "blur").grade is grade
    larger = cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    view = VIEW.in_picture(2560, 1440)
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
    finding = found(small, "tile_px", VIEW)
    assert finding.grade is QualityGrade.BAD
    assert finding.value == pytest.approx(found(picture, "tile_px").value / 4, rel=0.02)
    assert not good_enough(judge(small, VIEW))


def test_a_corner_outside_the_picture_is_named(picture: Picture) -> None:
    corners = list(VIEW.corners_px)
    corners[2] = (corners[2][0], 719.5)
    finding = found(picture, "corners", replace(VIEW, corners_px=tuple(corners)))
    assert finding.grade is QualityGrade.BAD
    assert finding.corners == (2,)
