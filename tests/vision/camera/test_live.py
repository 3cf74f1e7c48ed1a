"""Live sources give the newest frame, and say why there are no more."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from tests.support.patience import PATIENCE_S
from vision.camera.frames import Frame, Frames
from vision.camera.live import newest, open_live
from vision.camera.pictures import SourceError


def test_a_slow_looker_gets_the_newest_frame_and_loses_those_before() -> None:
    looked, passed = (threading.Event(), threading.Event()), (threading.Event(), threading.Event())

    def playing() -> Frames:
        for index in range(20):
            if index in (1, 10):  # whoever looks has the frame before, and looks away
                assert looked[index // 10].wait(PATIENCE_S)
            yield Frame(np.zeros((4, 4, 3), np.uint8), index / 10, index)
            if index in (9, 19):  # the frame has been put there
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


def test_an_address_that_does_not_answer_is_refused_without_its_password() -> None:
    with pytest.raises(SourceError, match="does not answer") as raised:
        open_live("rtsp://owner:secret@127.0.0.1:9/table")
    assert "secret" not in str(raised.value)
    assert str(raised.value).startswith("127.0.0.1 does not answer")


def test_a_camera_that_sends_nothing_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.camera.live.STOP_S", 0.0)
    over = threading.Event()

    def silent() -> Frames:
        over.wait(PATIENCE_S)
        yield from ()

    frames = newest(silent(), 0.05)
    with pytest.raises(SourceError, match=r"no picture has come for 0\.05 s"):
        next(frames)
    over.set()
