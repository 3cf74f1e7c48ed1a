"""The clock by which delays are measured on a busy machine."""

from __future__ import annotations

import time

from engine.events import Discard, Entry
from engine.tiles import Tile
from tests.support.live_clock import Beside, FirstTold, WorkClock, delays, note_told


def work(seconds: float) -> str:
    ends_s = time.process_time() + seconds
    while time.process_time() < ends_s:
        pass
    return "found"


def test_a_look_is_there_when_its_work_is_done_though_the_thread_beside_it_did_nothing() -> None:
    clock = WorkClock()
    beside = Beside(clock)
    first, second = beside.submit(work, 0.02), beside.submit(work, 0.02)
    assert not first.done()
    assert clock.now_s < 0.02, "the work beside it is not its own"
    clock.until(0.03)
    assert first.done()
    assert not second.done(), "one after the other"
    assert second.result() == "found"
    assert clock.now_s >= 0.04


def test_whoever_waits_for_a_frame_is_called_once_for_each_look_that_is_there_before() -> None:
    beside = Beside(WorkClock())
    beside.submit(work, 0.01)
    beside.submit(work, 0.01)
    assert beside.called_before(0.0) is None
    first, second = beside.called_before(1.0), beside.called_before(1.0)
    assert first is not None
    assert second is not None
    assert 0.01 <= first < second
    assert beside.called_before(1.0) is None


def test_what_a_thread_computes_is_counted_and_what_it_waits_is_not() -> None:
    clock = WorkClock()
    time.sleep(0.05)
    clock.works()
    assert clock.worked_s < 0.05
    work(0.02)
    clock.rests()
    clock.works()
    assert clock.worked_s < 0.02, "nobody asked for that to be counted"
    work(0.02)
    clock.works()
    assert clock.worked_s >= 0.015


def test_where_others_have_half_of_each_core_all_takes_twice_as_long() -> None:
    clock = WorkClock(0.5)
    beside = Beside(clock)
    work(0.02)
    beside.submit(work, 0.02)
    assert clock.now_s >= 2 * 0.015
    (ends_s,) = beside.ends_s
    assert ends_s - clock.now_s >= 2 * 0.015
    assert beside.worked_s < 0.04, "what it computed is counted as it is"


def test_an_event_was_heard_when_it_was_told_first_though_its_time_was_moved_since() -> None:
    def told(time_s: float) -> Entry:
        return Entry(Discard(0, Tile("5m")), time_s)

    first_s: FirstTold = {}
    for now_s, time_s in ((10.9, 10.4), (38.0, 10.6)):
        note_told(first_s, [told(time_s)], now_s)
    late = delays([told(10.5)], [told(10.6)], first_s, Discard)
    assert late is not None
    assert abs(late.longest_s - 0.4) < 1e-9
