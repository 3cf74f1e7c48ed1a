"""Noise is measured, told where it is too strong, and averaged out where nothing moves."""

from __future__ import annotations

import av
import cv2
import numpy as np
import pytest

from studio.camera.troubles import Trouble
from tests.support.felt_film import small_table
from tests.support.troubled_film import troubled
from vision.arrays import Doubles
from vision.camera.decoded import UPRIGHT, DecodedFrame
from vision.camera.frames import Frame
from vision.camera.noise import NoiseWatch
from vision.camera.pictures import Picture

TABLE = small_table()
PART = (160, 80, 320, 240)
CELL_PX = 8


def watched(
    *troubles: Trouble, by: int = 1, decoded: bool = False
) -> tuple[NoiseWatch, Frame, list[bool]]:
    """The watch after some seconds of each, the last frame, and what was said."""
    watch, said = NoiseWatch(), []
    for after, trouble in enumerate(troubles):
        for frame in troubled(trouble, 4.0):
            pixels = as_decoded(frame.image_bgr) if decoded else frame.pixels
            shown = Frame(pixels, 10.0 * after + frame.time_s, frame.index)
            said += [notice.lasts for notice in watch.update(shown, by)]
    return watch, shown, said


def as_decoded(image_bgr: Picture) -> DecodedFrame:
    packed = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2YUV_I420)
    return DecodedFrame(av.VideoFrame.from_ndarray(packed, format="yuv420p"), UPRIGHT)


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


@pytest.mark.parametrize("decoded", [False, True])
def test_pictures_of_what_is_still_are_averaged(decoded: bool) -> None:
    watch, last, _ = watched(Trouble(noise_grey=14, light=0.6), decoded=decoded)
    mean = watch.averaged(last, [PART], still_since(-np.inf), 1 / CELL_PX)
    x0, y0, x1, y1 = PART
    dark = np.asarray(TABLE * 0.6, np.uint8)
    true = (as_decoded(dark).bgr() if decoded else dark)[y0:y1, x0:x1].astype(np.float64)
    one, many = (np.std(shown.image_bgr[y0:y1, x0:x1] - true) for shown in (last, mean))
    assert many < 0.45 * one
    assert mean.shift is None


def test_noise_counts_in_the_size_that_is_read() -> None:
    trouble = Trouble(noise_grey=10)
    whole, _, _ = watched(trouble)
    half, _, _ = watched(trouble, by=2)
    assert whole.noisy
    assert not half.noisy
    assert half.share == pytest.approx(whole.share / 2, rel=0.2)


@pytest.mark.parametrize("decoded", [False, True])
def test_noisy_pictures_are_averaged_in_the_size_that_is_read(decoded: bool) -> None:
    watch, last, _ = watched(Trouble(noise_grey=24, light=0.6), by=2, decoded=decoded)
    mean = watch.averaged(last, [PART], still_since(-np.inf), 1 / CELL_PX)
    assert mean.size_px == (320, 180)
    assert mean.shift is not None
    x0, y0, x1, y1 = (side // 2 for side in PART)
    true = cv2.resize(TABLE, (320, 180), interpolation=cv2.INTER_AREA)[y0:y1, x0:x1] * 0.6
    one = cv2.resize(last.image_bgr, (320, 180), interpolation=cv2.INTER_AREA)[y0:y1, x0:x1]
    assert np.std(mean.image_bgr[y0:y1, x0:x1] - true) < 0.5 * np.std(one - true)
    assert not mean.image_bgr[y1:].any()
    assert watch.everywhere(last).size_px == last.size_px


def test_another_size_to_read_begins_anew() -> None:
    watch, last, _ = watched(Trouble(noise_grey=14, light=0.6))
    list(watch.update(last, 2))
    assert watch.averaged(last, [PART], still_since(-np.inf), 1 / CELL_PX) is last


def test_what_lies_beside_is_shown_as_it_is() -> None:
    watch, last, _ = watched(Trouble(noise_grey=14, light=0.6), decoded=True)
    beside = (400, 100, 440, 140)
    mean = watch.averaged(last, [PART], still_since(-np.inf), 1 / CELL_PX, [beside])
    x0, y0, x1, y1 = beside
    assert np.array_equal(mean.image_bgr[y0:y1, x0:x1], last.parts([beside])[y0:y1, x0:x1])
    assert mean.image_bgr[y0:y1, x0:x1].any()


def test_what_has_just_moved_is_seen_in_the_last_picture_alone() -> None:
    watch, last, _ = watched(Trouble(noise_grey=14, light=0.6))
    still_s = still_since(-np.inf)
    still_s[:, : 240 // CELL_PX] = last.time_s
    mean = watch.averaged(last, [PART], still_s, 1 / CELL_PX).image_bgr
    x0, y0, x1, y1 = PART
    assert np.array_equal(mean[y0:y1, x0:240], last.image_bgr[y0:y1, x0:240])
    assert not np.array_equal(mean[y0:y1, 240:x1], last.image_bgr[y0:y1, 240:x1])
