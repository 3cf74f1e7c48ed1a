"""Pictures of a focus that hunts: what was read in soft ones is read again in a sharp one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.support.felt_film import laid_table
from tests.support.tables import VIEW
from vision.attention.focus import FocusWatch
from vision.attention.motion import READS, MotionMap
from vision.camera.frames import Frame
from vision.camera.pictures import Picture

TABLE = laid_table()
PART, OTHER = (600, 180, 900, 420), (1000, 500, 1200, 700)


def softened(blur_px: float) -> Picture:
    return np.asarray(cv2.GaussianBlur(TABLE, (0, 0), blur_px), np.uint8) if blur_px else TABLE


def read_again(*blurs_px: float) -> list[list[tuple[int, int, int, int]]]:
    """What is read again in each of these pictures, of which another part is read each time."""
    watch, parts, again = FocusWatch(), (OTHER, PART, OTHER), []
    for at, blur_px in enumerate(blurs_px):
        frame = Frame(softened(blur_px), at / 2, at)
        again.append(watch.again(frame))
        watch.was_read(frame, [parts[min(at, 2)]])
    return again


@pytest.mark.parametrize(
    ("blurs_px", "again"),
    [
        ((0, 0, 0), [[], [], []]),
        ((0, 5, 0, 0), [[], [], [PART], []]),
        ((0, 5, 5, 0), [[], [], [], [PART, OTHER]]),
        ((5, 5, 5), [[], [], []]),  # a soft lens
    ],
)
def test_parts_that_were_read_soft_are_read_again_once_they_are_sharp(
    blurs_px: tuple[float, ...], again: list[object]
) -> None:
    assert read_again(*blurs_px) == again


def test_what_is_read_again_is_due_although_nothing_has_moved() -> None:
    motion = MotionMap(VIEW)
    for index in range(4 * READS):
        motion.update(Frame(TABLE, index / 5, index))
        motion.was_read(motion.regions(10.0))
    assert motion.regions(10.0) == []
    motion.read_again([PART])
    motion.update(Frame(TABLE, 4 * READS / 5, 99))
    ((x0, y0, x1, y1),) = motion.regions(10.0)
    assert x0 < 620 < 880 < x1
    assert y0 < 200 < 400 < y1


def test_a_soft_picture_is_waited_with_but_not_for_ever() -> None:
    watch = FocusWatch()
    frames = [Frame(softened(5 if at else 0), at / 2, at) for at in range(9)]
    assert [watch.waits(frame) for frame in frames] == [False, *[True] * 5, *[False] * 3]
    assert not watch.waits(Frame(TABLE, 5.0, 10))
    assert watch.waits(Frame(softened(5), 5.5, 11))


def test_a_focus_that_hunts_is_told_once_and_that_it_holds_again() -> None:
    watch, said = FocusWatch(), []
    for at in range(40):
        watch.waits(Frame(softened(5 if at % 2 and at < 20 else 0), 4.0 * at, at))
        said += [(notice.lasts, notice.time_s) for notice in watch.notices(4.0 * at)]
    assert said == [(True, 20.0), (False, 4.0 * 30)], "three times, and none for a while"
