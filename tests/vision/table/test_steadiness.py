"""What a camera does between one picture and the next is measured, and told apart."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from studio.camera.troubles import Trouble, spoilt
from tests.support.felt_film import laid_table
from tests.support.tables import VIEW
from vision.camera.frames import Frame
from vision.table.quality import QualityCheck, QualityGrade
from vision.table.steadiness import SteadinessWatch, noise_in

SMALL = VIEW.in_picture(640, 360)


def watched(trouble: Trouble) -> dict[str, QualityCheck]:
    table = np.asarray(cv2.resize(laid_table(), (640, 360), interpolation=cv2.INTER_AREA), np.uint8)
    timed = ((index / 10, table) for index in range(50))
    watch = SteadinessWatch()
    for index, (time_s, picture) in enumerate(spoilt(trouble, timed, seed=3)):
        watch.take(Frame(picture, time_s, index), SMALL)
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
def test_each_trouble_is_named_and_no_other(
    trouble: Trouble, name: str | None, value: float
) -> None:
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
