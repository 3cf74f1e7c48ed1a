"""A camera that swings is held still; one that stands or was knocked is left alone."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from studio.camera.troubles import Trouble
from tests.support.tables import VIEW
from tests.support.troubled_film import troubled
from vision.arrays import Bytes
from vision.camera.frames import Frame
from vision.camera.pictures import Picture
from vision.table.relocate import Shift
from vision.table.swing import RESTS_S, SwingWatch, _Compared

SMALL = VIEW.in_picture(640, 360)


def held(
    watch: SwingWatch, seen: Iterator[Frame], unrest: float = 0.2
) -> list[NDArray[np.float64] | None]:
    return [watch.held(frame, unrest).shift for frame in seen]


@pytest.mark.parametrize(
    "trouble",
    [
        Trouble(swing_px=14),
        Trouble(swing_px=25, swing_hz=3.0),
        Trouble(swing_px=12, sway_deg=0.4, gain=0.1, warm=0.1, noise_grey=6),
    ],
)
def test_a_picture_that_swings_holds_still(trouble: Trouble) -> None:
    seen = troubled(trouble, 4.0)
    watch = SwingWatch(SMALL, next(seen))
    for frame in seen:
        lies = watch.held(frame, 0.2)
        if lies.shift is None:
            continue
        wave = np.sin(2 * np.pi * trouble.swing_hz * frame.time_s)
        middle = cv2.perspectiveTransform(np.array([[[320.0, 180.0]]]), lies.shift)[0, 0]
        assert middle[0] - 320 == pytest.approx(trouble.swing_px / 3 * wave, abs=0.35)
    assert watch.widest_px == pytest.approx(trouble.swing_px / 3, rel=0.4)


def test_errors_of_what_is_compared_do_not_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.table.swing.FRESH", 1.1)  # another picture every time
    monkeypatch.setattr("vision.table.swing.SOON_S", 0.0)
    seen = troubled(Trouble(swing_px=14, noise_grey=20), 12.0)
    watch = SwingWatch(SMALL, next(seen))
    off_px = 0.0
    for frame in seen:
        lies = watch.held(frame, 0.2).shift
        wave = np.sin(2 * np.pi * Trouble().swing_hz * frame.time_s)
        corners = watch._off(np.eye(3) if lies is None else lies) - [14 / 3 * wave, 0.0]
        off_px = max(off_px, float(np.abs(corners).max()))
    assert off_px < 2.3, "3.2 px where each is compared with the one before alone"


def test_a_camera_that_stands_is_hardly_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = troubled(Trouble(noise_grey=5), 6.0)
    watch = SwingWatch(SMALL, next(seen))
    follow, followed = watch._followed, []

    def counted(grey: Bytes, known: _Compared) -> tuple[Shift, float] | None:
        followed.append(grey)
        return follow(grey, known)

    monkeypatch.setattr(watch, "_followed", counted)
    assert held(watch, seen, unrest=0.0) == [None] * 59
    assert len(followed) <= 6


def test_a_swing_that_ends_costs_nothing_any_more() -> None:
    watch = SwingWatch(SMALL, next(troubled(Trouble(), 4.0)))
    assert any(shift is not None for shift in held(watch, troubled(Trouble(swing_px=14), 4.0)))
    still = (
        Frame(frame.pixels, 4.0 + frame.time_s, frame.index)
        for frame in troubled(Trouble(), RESTS_S + 2.0)
    )
    assert held(watch, still)[-1] is None


def test_a_knock_is_no_swing() -> None:
    watch = SwingWatch(SMALL, next(troubled(Trouble(), 4.0)))
    picture = next(troubled(Trouble(), 4.0)).image_bgr
    knocked: Picture = np.roll(picture, 40, axis=1)
    assert held(watch, (Frame(knocked, 1 + at / 10, at) for at in range(20)))[-1] is None
