"""Frames that are decoded ahead: all of them, in order, and no thread is left behind."""

from __future__ import annotations

import contextlib
import threading

import numpy as np
import pytest

from vision.camera.buffer import ahead
from vision.camera.frames import Frame, Frames
from vision.camera.pictures import SourceError


def counted(count: int, broken: Exception | None = None) -> Frames:
    for index in range(count):
        yield Frame(np.zeros((4, 4, 3), np.uint8), index / 10, index)
    if broken is not None:
        raise broken


def test_every_frame_comes_in_order() -> None:
    assert [frame.index for frame in ahead(counted(40), 3)] == list(range(40))


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (SourceError("the film is torn"), "what a source says of itself"),
        (MemoryError("the film is torn"), "nobody expected it: who waits must not wait for ever"),
    ],
)
def test_what_is_wrong_with_the_source_is_told_after_the_last_frame(
    broken: Exception, why: str
) -> None:
    frames = ahead(counted(5, broken), 2)
    assert [next(frames).index for _ in range(5)] == list(range(5)), why
    with pytest.raises(type(broken), match="torn"):
        next(frames)


def test_frames_that_nobody_wants_any_more_are_let_go() -> None:
    before = set(threading.enumerate())
    with contextlib.closing(ahead(counted(10_000), 2)) as frames:
        next(frames)
        assert set(threading.enumerate()) - before, "a thread takes them"
    # Threads of other tests may end meanwhile; of this one none may be left.
    assert set(threading.enumerate()) <= before
