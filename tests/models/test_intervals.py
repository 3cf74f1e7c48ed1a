"""Confidence intervals of the benchmark's figures."""

from __future__ import annotations

import pytest
from games.intervals import of_percentile, of_ratio, wilson


def test_a_share_of_independent_cases_has_wilsons_interval() -> None:
    assert wilson(9, 10) == pytest.approx((0.5958, 0.9821), abs=1e-3)
    assert wilson(15, 15) == pytest.approx((0.7961, 1.0), abs=1e-3)
    assert wilson(0, 0) is None


def test_a_ratio_over_games_is_surer_the_more_alike_they_are() -> None:
    alike = of_ratio([9, 9, 9, 9], [10, 10, 10, 10])
    unlike = of_ratio([10, 10, 10, 6], [10, 10, 10, 10])
    assert alike == (0.9, 0.9)
    assert unlike is not None
    assert unlike[0] < 0.9 < unlike[1]
    assert of_ratio([], []) is None


def test_a_percentile_is_taken_over_the_values_of_whole_games() -> None:
    assert of_percentile([[1.0, 1.0], [1.0], []], 95) == (1.0, 1.0)
    low, high = of_percentile([[0.5] * 20, [0.5] * 20, [9.0] * 20], 50) or (0.0, 0.0)
    assert (low, high) == (0.5, 9.0)
    assert of_percentile([[]], 95) is None
