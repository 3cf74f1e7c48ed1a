"""Frames taken by a thread: all of them ahead, or only the newest; no thread is left behind."""

from __future__ import annotations

import contextlib
import threading

import numpy as np
import pytest

from tests.support.patience import PATIENCE_S
from vision.camera.buffer import ahead, newest
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
    # Threads of other tests may end meanwhile; this test must leave none.
    assert set(threading.enumerate()) <= before


def test_a_slow_looker_gets_the_newest_frame_and_loses_those_before() -> None:
    looked, passed = (threading.Event(), threading.Event()), (threading.Event(), threading.Event())

    def playing() -> Frames:
        for index in range(20):
            if index in (1, 10):  # the consumer has the frame before and looks away
                assert looked[index // 10].wait(PATIENCE_S)
            yield Frame(np.zeros((4, 4, 3), np.uint8), index / 10, index)
            if index in (9, 19):  # the frame is in the buffer
                passed[index // 10].set()

    frames = newest(playing())
    seen = [next(frames).index]
    for away, come in zip(looked, passed, strict=True):
        away.set()
        assert come.wait(PATIENCE_S)
        seen.append(next(frames).index)
    assert seen == [0, 9, 19]
    assert list(frames) == []


def test_an_error_of_the_source_reaches_whoever_looks() -> None:
    def broken() -> Frames:
        raise SourceError("camera 0 stopped sending pictures")
        yield

    with pytest.raises(SourceError, match="stopped"):
        list(newest(broken()))


def test_a_camera_that_sends_nothing_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.buffer.STOP_S", 0.0)
    over = threading.Event()

    def silent() -> Frames:
        over.wait(PATIENCE_S)
        yield from ()

    frames = newest(silent(), 0.05)
    with pytest.raises(SourceError, match=r"no picture has come for 0\.05 s"):
        next(frames)
    over.set()
