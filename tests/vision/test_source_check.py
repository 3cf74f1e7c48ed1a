"""What is seen of a camera before a game."""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
import pytest

from tests.support.detectors import LeftDark
from vision.camera.frames import Frame
from vision.camera.pictures import Picture
from vision.detect import Detector
from vision.source_check import READ_EACH_S, SourceCheck


def felt(low_end: int) -> Picture:
    picture = np.full((720, 1280, 3), (40, 60, 90), np.uint8)
    cv2.rectangle(picture, (360, 80), (920, low_end), (60, 120, 40), -1)
    return picture


@pytest.mark.parametrize(("later", "grade"), [(640, "good"), (716, "bad")])
def test_a_corner_that_lay_outside_one_picture_is_looked_for_again(later: int, grade: str) -> None:
    check = SourceCheck(cast(Detector, LeftDark()), None, None)
    for step, low_end in enumerate((716, 716, later)):
        check.take(Frame(felt(low_end), step * READ_EACH_S, step))
    corners = [finding.grade for finding in check.findings() if finding.name == "corners"]
    assert corners == [grade]
