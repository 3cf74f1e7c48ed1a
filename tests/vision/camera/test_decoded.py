"""A decoded picture: the same brightness and colours, however little of it is converted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

from tests.support.films import film
from vision.camera.decoded import DecodedFrame, every_nth_row, size_of
from vision.camera.frames import Frame


def decoded(tmp_path: Path) -> DecodedFrame:
    with av.open(str(film(tmp_path / "game.mp4", frames=2, fps=10))) as container:
        return DecodedFrame(next(container.decode(video=0)))


def test_brightness_is_that_of_the_converted_picture(tmp_path: Path) -> None:
    picture = decoded(tmp_path)
    from_file = picture.small_grey((64, 36)).astype(int)
    converted = Frame(picture.bgr(), 0.0, 0).small_grey((64, 36)).astype(int)
    assert np.abs(from_file - converted).max() <= 4
    assert np.ptp(converted) > 30, "a picture without contrast says nothing"


def test_a_frame_that_shows_other_pixels_has_another_small_picture() -> None:
    frame = Frame(np.full((90, 160, 3), 40, np.uint8), 0.0, 0)
    small = frame.small_grey((16, 9))
    assert replace(frame, shift=np.eye(3)).small_grey((16, 9)) is small
    brighter = replace(frame, pixels=np.full((90, 160, 3), 80, np.uint8))
    assert brighter.small_grey((16, 9)).mean() == 80
    assert frame.small_grey((16, 9)).mean() == 40


@pytest.mark.parametrize("part", [(0, 0, 320, 180), (31, 17, 120, 90), (200, 101, 319, 179)])
def test_a_part_is_converted_as_the_whole_is(
    tmp_path: Path, part: tuple[int, int, int, int]
) -> None:
    x0, y0, x1, y1 = part
    alone = decoded(tmp_path).parts([part])
    whole = decoded(tmp_path).bgr()
    assert alone.shape == whole.shape
    here = np.abs(alone[y0:y1, x0:x1].astype(int) - whole[y0:y1, x0:x1])
    assert here.max() <= 6


def test_what_is_not_asked_for_is_not_converted(tmp_path: Path) -> None:
    assert not decoded(tmp_path).parts([(0, 0, 40, 40)])[60:, 60:].any()


def test_sizes_are_those_of_the_upright_picture(tmp_path: Path) -> None:
    picture = decoded(tmp_path)
    assert size_of(picture) == size_of(picture.bgr()) == (320, 180)
    assert every_nth_row(picture, 10).shape == (18, 320)
