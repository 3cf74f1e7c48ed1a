"""The time that is left of a reading: it runs down like a clock, and is about right."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import pytest

from service.commands.progress import TimeEstimate

GONE_S: Final = (
    "6.6 8.8 19.5 26.4 29.5 37.8 44.0 47.9 59.0 61.8 63.8 64.3 65.2 66.6 68.7 69.4 71.3 72.5 "
    "73.7 74.8 76.9 78.6 80.2 82.8 84.0 86.3 88.8 90.2 91.8 93.2 94.3 95.6 97.4 100.0 103.9 "
    "104.7 106.5 109.1 112.1 114.7 116.5 118.7 121.4 123.0 126.2 128.3 129.9 131.2 132.5 134.5 "
    "135.7 137.1 140.0 145.8 146.4 "
)
STEPS: Final = (
    *((float(gone_s), 2.0 * step) for step, gone_s in enumerate(GONE_S.split())),
    (146.74, 109.8),
)
"""Seconds that have gone, and seconds of the film that are done: the recorded hand in ``samples``,
read on two cores that had other work as well."""
HAND_S: Final = 110.0


def hands(count: int) -> list[tuple[float, float]]:
    """The recorded steps, so many times over."""
    return [
        (STEPS[-1][0] * hand + now_s, HAND_S * hand + done_s)
        for hand in range(count)
        for now_s, done_s in STEPS
    ]


@pytest.mark.parametrize("count", [1, 3, 20])
def test_the_time_that_is_left_is_steady_and_about_right(count: int) -> None:
    steps = hands(count)
    remaining = TimeEstimate(HAND_S * count)
    shown = [(now_s, remaining.after(now_s, done_s)) for now_s, done_s in steps]
    known = [(now_s, left_s) for now_s, left_s in shown if left_s is not None]
    assert len(known) > 0.6 * len(steps)
    for (before_s, before), (now_s, now) in pairwise(known):
        run_down = before - (now_s - before_s)
        assert abs(now - run_down) < 4 + 0.05 * before, "no jump that anybody would notice"
    for now_s, now in known:
        left_s = steps[-1][0] - now_s
        assert abs(now - left_s) < 8 + 0.3 * left_s
    assert known[-1][1] < 5


def test_nothing_is_said_before_something_is_known() -> None:
    remaining = TimeEstimate(3600.0, since_s=1200.0)
    assert remaining.after(0.0, 1200.0) is None
    assert remaining.after(60.0, 1230.0) is None
    assert remaining.after(70.0, 1250.0) is not None
