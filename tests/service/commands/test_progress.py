"""The time that is left of a reading: it runs down like a clock, and is about right."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import pytest

from service.commands.progress import TimeEstimate

STEPS: Final = (
    (6.6, 0.0),
    (8.8, 2.0),
    (19.5, 4.0),
    (26.4, 6.0),
    (29.5, 8.0),
    (37.8, 10.0),
    (44.0, 12.0),
    (47.9, 14.0),
    (59.0, 16.0),
    (61.8, 18.0),
    (63.8, 20.0),
    (64.3, 22.0),
    (65.2, 24.0),
    (66.6, 26.0),
    (68.7, 28.0),
    (69.4, 30.0),
    (71.3, 32.0),
    (72.5, 34.0),
    (73.7, 36.0),
    (74.8, 38.0),
    (76.9, 40.0),
    (78.6, 42.0),
    (80.2, 44.0),
    (82.8, 46.0),
    (84.0, 48.0),
    (86.3, 50.0),
    (88.8, 52.0),
    (90.2, 54.0),
    (91.8, 56.0),
    (93.2, 58.0),
    (94.3, 60.0),
    (95.6, 62.0),
    (97.4, 64.0),
    (100.0, 66.0),
    (103.9, 68.0),
    (104.7, 70.0),
    (106.5, 72.0),
    (109.1, 74.0),
    (112.1, 76.0),
    (114.7, 78.0),
    (116.5, 80.0),
    (118.7, 82.0),
    (121.4, 84.0),
    (123.0, 86.0),
    (126.2, 88.0),
    (128.3, 90.0),
    (129.9, 92.0),
    (131.2, 94.0),
    (132.5, 96.0),
    (134.5, 98.0),
    (135.7, 100.0),
    (137.1, 102.0),
    (140.0, 104.0),
    (145.8, 106.0),
    (146.4, 108.0),
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
