"""Frames taken by a thread, all of them ahead or only the newest, and a camera that goes away."""

from __future__ import annotations

import contextlib
import threading
import weakref
from itertools import islice

import numpy as np
import pytest

from tests.support.patience import PATIENCE_S
from vision.camera.buffer import ahead, newest
from vision.camera.frames import Frame, Frames
from vision.camera.pictures import SourceError
from vision.camera.reconnecting import ReconnectingCamera
from vision.notice import Notice


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
def test_what_is_wrong_is_told_after_the_last_frame(broken: Exception, why: str) -> None:
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
    with pytest.raises(SourceError, match="stopped"):
        list(newest(counted(0, SourceError("camera 0 stopped sending pictures"))))


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


# --- a camera that comes back ---


class Loose:
    """A camera with a loose plug: some frames at a time, then an error."""

    name = "camera 7"

    def __init__(self, frames: int) -> None:
        self._frames = frames

    def frames(self, step_s: float = 0.0) -> Frames:
        for index in range(self._frames):
            yield Frame(np.full((4, 4, 3), index, np.uint8), index * 0.01, index)
        raise SourceError("camera 7 stopped sending pictures")


class Plug:
    """Opens camera after camera; None stands for one that does not answer."""

    def __init__(self, *lengths: int | None) -> None:
        self._lengths = list(lengths)

    def __call__(self) -> Loose:
        length = self._lengths.pop(0)
        if length is None:
            raise SourceError("camera 7 cannot be opened")
        return Loose(length)


def test_frames_go_on_after_the_camera_is_back_and_each_is_said_once() -> None:
    source = ReconnectingCamera(Plug(3, None, None, 2, 1), again_s=0.01)
    said: list[Notice] = []
    source.say = said.append
    frames = list(islice(source.frames(), 6))
    assert [frame.index for frame in frames] == list(range(6))
    times = [frame.time_s for frame in frames]
    assert times == sorted(times)
    assert [(notice.kind, notice.lasts) for notice in said] == [
        ("gone", True),
        ("gone", False),
        ("gone", True),
        ("gone", False),
    ]
    assert "camera 7" in said[0].text


def test_a_camera_that_cannot_be_opened_at_first_is_refused() -> None:
    with pytest.raises(SourceError, match="cannot be opened"):
        ReconnectingCamera(Plug(None))


def test_waiting_ends_when_nobody_wants_it_any_more() -> None:
    source = ReconnectingCamera(Plug(1), again_s=100 * PATIENCE_S)
    gone = threading.Event()
    source.say = lambda notice: gone.set()
    taken: list[Frame] = []
    thread = threading.Thread(target=lambda: taken.extend(source.frames()))
    thread.start()
    assert gone.wait(PATIENCE_S)
    source.end()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()
    assert len(taken) == 1


def test_nobody_waits_at_the_end_for_a_camera_that_does_not_answer() -> None:
    asked, answers = threading.Event(), threading.Event()
    cameras = [Loose(1)]

    def plugged() -> Loose:
        if not cameras:
            asked.set()
            answers.wait(PATIENCE_S)
            raise SourceError("camera 7 cannot be opened")
        return cameras.pop()

    source = ReconnectingCamera(plugged, again_s=0.01)
    thread = threading.Thread(target=lambda: list(source.frames()), daemon=True)
    thread.start()
    assert asked.wait(PATIENCE_S)
    source.end()
    thread.join(PATIENCE_S / 2)
    assert not thread.is_alive()
    answers.set()


def test_a_camera_is_let_go_before_it_is_opened_again() -> None:
    held: list[weakref.ref[Loose]] = []

    def plugged() -> Loose:
        assert [each() for each in held] == [None] * len(held)
        camera = Loose(2)
        held.append(weakref.ref(camera))
        return camera

    frames = ReconnectingCamera(plugged, again_s=0.01).frames()
    assert len(list(islice(frames, 5))) == 5
    assert len(held) == 3
    frames.close()
