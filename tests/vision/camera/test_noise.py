"""Noise is measured, told where it is too strong, and averaged out where nothing moves."""

from __future__ import annotations

import numpy as np
import pytest

from studio.camera.troubles import Trouble
from tests.support.felt_film import small_table
from tests.support.troubled_film import troubled
from vision.arrays import Doubles
from vision.camera.frames import Frame
from vision.camera.noise import NoiseWatch

TABLE = small_table()
PART = (160, 80, 320, 240)
CELL_PX = 8


def watched(*troubles: Trouble) -> tuple[NoiseWatch, Frame, list[bool]]:
    """The watch after some seconds of each, the last frame, and what was said."""
    watch, said = NoiseWatch(), []
    for after, trouble in enumerate(troubles):
        for frame in troubled(trouble, 4.0):
            shown = Frame(frame.pixels, 10.0 * after + frame.time_s, frame.index)
            said += [notice.lasts for notice in watch.update(shown)]
    return watch, shown, said


def still_since(time_s: float) -> Doubles:
    return np.full((360 // CELL_PX, 640 // CELL_PX), time_s)


@pytest.mark.parametrize(
    ("trouble", "share"),
    [
        (Trouble(), 0.0),
        (Trouble(gain=0.2, warm=0.2), 0.0),
        (Trouble(noise_grey=10), 0.028),
        (Trouble(noise_grey=10, light=0.5), 0.055),
    ],
)
def test_noise_counts_as_a_share_of_the_light(trouble: Trouble, share: float) -> None:
    watch, _, said = watched(trouble)
    assert watch.share == pytest.approx(share, abs=0.008)
    assert watch.noisy == (share > 0)
    assert not said


def test_too_much_noise_is_said_once_and_so_is_its_end() -> None:
    _, _, said = watched(Trouble(noise_grey=30, light=0.25), Trouble(noise_grey=6))
    assert said == [True, False]


def test_pictures_of_what_is_still_are_averaged() -> None:
    watch, last, _ = watched(Trouble(noise_grey=14, light=0.6))
    mean = watch.averaged(last, [PART], still_since(-np.inf), 1 / CELL_PX)
    x0, y0, x1, y1 = PART
    true = TABLE[y0:y1, x0:x1] * 0.6
    one, many = (np.std(shown.image_bgr[y0:y1, x0:x1] - true) for shown in (last, mean))
    assert many < 0.45 * one


def test_what_has_just_moved_is_seen_in_the_last_picture_alone() -> None:
    watch, last, _ = watched(Trouble(noise_grey=14, light=0.6))
    still_s = still_since(-np.inf)
    still_s[:, : 240 // CELL_PX] = last.time_s
    mean = watch.averaged(last, [PART], still_s, 1 / CELL_PX).image_bgr
    x0, y0, x1, y1 = PART
    assert np.array_equal(mean[y0:y1, x0:240], last.image_bgr[y0:y1, x0:240])
    assert not np.array_equal(mean[y0:y1, 240:x1], last.image_bgr[y0:y1, 240:x1])
