"""When a row of standing tiles has become one tile shorter."""

from __future__ import annotations

import pytest

from vision.tracking.falls import Falls


@pytest.mark.parametrize(
    ("counts", "fell"),
    [
        ([(14, 1.0), (13, 1.0)], True),
        ([(14, 1.0), (9, 0.6), (13, 1.0)], True),  # a sleeve hid some
        ([(14, 0.2), (13, 1.0)], False),  # counted once
        ([(14, 1.0), (13, 0.2)], False),
        ([(14, 1.0), (9, 6.0), (13, 1.0)], False),
        ([(14, 1.0), (12, 1.0)], False),
        ([(13, 1.0), (12, 1.0)], False),
    ],
)
def test_a_row_falls_when_both_numbers_of_tiles_have_stood(
    counts: list[tuple[int, float]], fell: bool
) -> None:
    falls, time_s = Falls(), 0.0
    for count, lasts_s in counts:
        for _ in range(round(lasts_s / 0.2)):
            falls.update((0, count, 0, 0), time_s)
            time_s += 0.2
    assert (falls.fell(1, 14, 0.0, time_s) is not None) == fell
    assert falls.fell(1, 14, time_s, 99.0) is None
    assert falls.fell(2, 14, 0.0, time_s) is None
