"""Frames that are decoded ahead: all of them, in order, and no thread is left behind."""

from __future__ import annotations

import contextlib
import threading

import numpy as np
import pytest

from vision.camera.ahead import ahead
from vision.camera.frames import Frame, Frames
from vision.camera.pictures import SourceError


def counted(count: int, broken: bool = False) -> Frames:
    for index in range(count):
        yield Frame(np.zeros((4, 4, 3), np.uint8), index / 10, index)
    if broken:
        raise SourceError("the film is torn")


def test_every_frame_comes_in_order() -> None:
    assert [frame.index for frame in ahead(counted(40), 3)] == list(range(40))


def test_what_is_wrong_with_the_source_is_told_after_the_last_frame() -> None:
    frames = ahead(counted(5, broken=True), 2)
    assert [next(frames).index for _ in range(5)] == list(range(5))
    with pytest.raises(SourceError, match="torn"):
        next(frames)


def test_frames_that_nobody_wants_any_more_are_let_go() -> None:
    before = threading.active_count()
    with contextlib.closing(ahead(counted(10_000), 2)) as frames:
        next(frames)
    assert threading.active_count() == before
