"""Frames whose taker is called away while the next one has not come."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from tests.support.patience import PATIENCE_S, until
from vision.camera.buffer import CalledFrames
from vision.camera.frames import Frame
from vision.camera.pictures import SourceError

PICTURE = np.zeros((4, 4, 3), np.uint8)


def frame(index: int) -> Frame:
    return Frame(PICTURE, index / 10, index)


def test_no_frame_is_lost_and_none_is_taken_before_the_one_before_is_dealt_with() -> None:
    taken = list[int]()

    def source() -> Iterator[Frame]:
        for index in range(20):
            taken.append(index)
            yield frame(index)

    for index, got in enumerate(CalledFrames(source())):
        assert got is not None
        assert (got.index, taken[-1]) == (index, index)
    assert len(taken) == 20


def test_a_call_is_answered_while_the_camera_is_silent_and_costs_no_frame() -> None:
    comes = threading.Event()

    came = list[int]()

    def source() -> Iterator[Frame]:
        yield frame(0)
        assert comes.wait(PATIENCE_S), "nobody was called away"
        for index in (1, 2):
            came.append(index)
            yield frame(index)

    called = CalledFrames(source())
    frames = iter(called)
    assert next(frames) is not None
    threading.Timer(0.02, called.call).start()
    assert next(frames) is None
    comes.set()
    until(lambda: came)
    second = next(frames)
    assert second is not None
    assert second.index == 1
    time.sleep(0.05)
    assert came == [1], "the next one is not taken before it is asked for"
    third = next(frames)
    assert third is not None
    assert third.index == 2
    assert next(frames, "the end") == "the end"


def test_what_goes_wrong_with_the_camera_reaches_whoever_takes_its_frames() -> None:
    def source() -> Iterator[Frame]:
        yield frame(0)
        raise SourceError("the camera is gone")

    frames = iter(CalledFrames(source()))
    assert next(frames) is not None
    with pytest.raises(SourceError, match="the camera is gone"):
        next(frames)


def test_the_source_is_closed_when_no_more_frames_are_taken() -> None:
    closed = threading.Event()

    def source() -> Iterator[Frame]:
        try:
            for index in range(20):
                yield frame(index)
        finally:
            closed.set()

    with contextlib.closing(iter(CalledFrames(source()))) as frames:
        next(frames)
    until(closed.is_set)
