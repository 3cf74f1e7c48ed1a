"""Kinds of camera trouble: the table of them, and what they do to pictures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
import simulate

from studio.camera.troubles import (
    KINDS,
    STRENGTHS,
    TimedPicture,
    Trouble,
    sent_size,
    spoilt,
    trouble_of,
)
from tests.support.knocked_film import laid_table
from tests.support.tables import VIEW
from vision.camera.frames import Frame
from vision.camera.pictures import Picture
from vision.camera.video_file import VideoFile
from vision.shots.dissolve import dissolves
from vision.shots.small import small_of
from vision.shots.watch import ShotWatch
from vision.table.calibrate import find_table

SAMPLES = Path(__file__).parents[2] / "samples"

TABLE = np.asarray(cv2.resize(laid_table(), (640, 360), interpolation=cv2.INTER_AREA), np.uint8)


def film(lasts_s: float = 4.0) -> list[TimedPicture]:
    """A table over which a bar moves."""
    frames = []
    for index in range(round(10 * lasts_s)):
        picture = TABLE.copy()
        cv2.rectangle(picture, (15 * index, 100), (15 * index + 60, 130), (90, 120, 200), -1)
        frames.append((index / 10, picture))
    return frames


def sent(name: str, seed: int = 0) -> list[TimedPicture]:
    return list(spoilt(replace(trouble_of(name), at_s=2.0), film(), seed))


def grey(picture: Picture) -> Picture:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def harm(name: str) -> float:
    """How far the film is from the good one, pictures that do not come being old ones."""
    left, last, off = sent(name), TABLE, 0.0
    for time_s, good in film():
        if left and left[0][0] == time_s:
            last = left.pop(0)[1]
        whole = cv2.resize(last, (640, 360), interpolation=cv2.INTER_LINEAR)
        off += float(cv2.absdiff(whole, good).mean())
    return off


def test_twenty_kinds_come_in_three_strengths() -> None:
    assert len(KINDS) == 20
    for kind in KINDS:
        every = {trouble_of(f"{kind}:{strength}") for strength in STRENGTHS}
        assert len(every) == 3
        assert trouble_of(kind) == trouble_of(f"{kind}:ordinary") != Trouble()


@pytest.mark.parametrize("kind", KINDS)
def test_a_stronger_trouble_does_more_to_a_film(kind: str) -> None:
    mild, ordinary, strong = (harm(f"{kind}:{strength}") for strength in STRENGTHS)
    assert 0 < mild < ordinary < strong


@pytest.mark.parametrize("kind", ["noise", "drops", "hand-held", "compression"])
def test_a_seed_repeats_a_film(kind: str) -> None:
    one, again, other = sent(kind), sent(kind), sent(kind, seed=1)
    assert [time_s for time_s, _ in one] == [time_s for time_s, _ in again]
    assert all(np.array_equal(a, b) for (_, a), (_, b) in zip(one, again, strict=True))
    if kind != "compression":
        assert len(one) != len(other) or not np.array_equal(one[-1][1], other[-1][1])


def test_noise_grows_with_light() -> None:
    still = [
        (index / 10, np.full((90, 160, 3), level, np.uint8))
        for index, level in enumerate((40, 160))
    ]
    dark, bright = (float(picture.std()) for _, picture in spoilt(Trouble(iso=3200), still))
    assert 1 < dark < 0.8 * bright


def test_half_size_is_half_the_size() -> None:
    (_, first), *_ = sent("half-size")
    assert first.shape == (180, 320, 3)
    assert sent_size(trouble_of("half-size"), (1282, 722)) == (640, 360)


def test_a_trouble_that_is_unknown_is_told_with_those_that_are_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        simulate.settings_of(["--case", "robbed-kong", "--out", "x", "--trouble", "swing:wild"])
    assert "'swing:wild'; expected KIND or KIND:STRENGTH" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["exposure", "motion-blur", "lamp"])
def test_no_strong_trouble_is_taken_for_another_scene(kind: str) -> None:
    watch, view = ShotWatch(), VIEW.in_picture(640, 360)
    shown = [
        watch.update(Frame(picture, time_s, index), view)
        for index, (time_s, picture) in enumerate(sent(f"{kind}:strong"))
    ]
    assert set(shown) == {"table"}
    assert not watch.notices


def test_a_table_that_a_knock_moves_far_stays_the_table() -> None:
    sample = VideoFile(SAMPLES / "harbin.mp4").frame_at(20.0)
    assert sample is not None
    picture = cv2.resize(sample.image_bgr, (640, 360), interpolation=cv2.INTER_AREA)
    still = [(index / 10, np.asarray(picture, np.uint8)) for index in range(12)]
    watch, view = ShotWatch(), find_table(still[0][1])
    seen = spoilt(replace(trouble_of("knock:strong"), at_s=0.5), still)
    shown = [watch.update(Frame(one, time_s, 0), view) for time_s, one in seen]
    assert set(shown) == {"table"}


def test_light_that_goes_and_comes_back_is_no_dissolve() -> None:
    table = small_of(grey(TABLE))
    other = small_of(grey(np.ascontiguousarray(TABLE[:, ::-1])))
    mixed = [
        np.rint(table + share * (other.astype(float) - table)).astype(np.uint8)
        for share in (0.0, 0.3, 0.6, 0.9)
    ]
    assert dissolves(mixed)
    assert not dissolves([mixed[0], mixed[2], mixed[1], mixed[3]])
