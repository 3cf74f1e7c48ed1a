"""The tools that count where the time of a film goes."""

from __future__ import annotations

import shutil
import sys
import time

import pytest

from tests.support.stage_times import STAGES, StageClock
from tests.support.thread_times import measured


def work(seconds: float) -> None:
    ends_s = time.thread_time() + seconds
    while time.thread_time() < ends_s:
        pass


def test_a_stage_that_another_one_calls_is_taken_out_of_it() -> None:
    clock = StageClock()
    inner = clock.counted("inner", work)

    def outer() -> None:
        inner(0.04)
        work(0.01)

    clock.counted("outer", outer)()
    assert clock.worked_s["inner"] >= 0.04
    assert 0.01 <= clock.worked_s["outer"] < 0.03


@pytest.mark.parametrize(("module", "path"), [row[:2] for row in STAGES])
def test_each_stage_is_there(module: str, path: str) -> None:
    place: object = __import__(module, fromlist=["_"])
    for name in path.split("."):
        place = getattr(place, name)
    assert callable(place)


@pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="counted by a library of ours"
)
def test_each_thread_of_a_command_is_told_with_what_it_waited_for() -> None:
    main, *others = measured(["--help"])
    # The system counts its work from before the count of its life begins.
    assert 0.2 <= main.worked_s <= main.lived_s + 0.1
    for one in (main, *others):
        assert 0.0 <= one.locked_s <= one.lived_s
        assert one.worked_s + one.queued_s + one.awaited_s <= one.lived_s + 0.1
