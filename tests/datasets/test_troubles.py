"""Kinds of camera trouble: the table of them, and what they do to pictures."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from studio.camera.troubles import (
    KINDS,
    STRENGTHS,
    TimedPicture,
    Trouble,
    spoilt,
    trouble_of,
)
from tests.support.felt_film import laid_table
from tests.support.tables import VIEW
from vision.camera.frames import Frame
from vision.shots.watch import ShotWatch

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


@pytest.mark.parametrize("kind", ["exposure", "motion-blur", "lamp"])
def test_no_strong_trouble_is_taken_for_another_scene(kind: str) -> None:
    watch, view = ShotWatch(), VIEW.in_picture(640, 360)
    shown = [
        watch.update(Frame(picture, time_s, index), view)
        for index, (time_s, picture) in enumerate(sent(f"{kind}:strong"))
    ]
    assert set(shown) == {"table"}
    assert not watch.notices
