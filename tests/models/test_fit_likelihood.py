"""The fitted figures are those that explain what was told; the rest of the file stays."""

from __future__ import annotations

import tomllib
from importlib import resources

import numpy as np
import pytest
from fit_likelihood import TEMPERATURES, Told, fitted, fitted_temperature, rewritten

from vision.decoder.likelihood import COSTS

FILE = resources.files("vision.decoder").joinpath("likelihood.toml").read_text("utf-8")


def told(right: int, wrong: int) -> Told:
    """Events of which two hypotheses differ by 1.5 nats."""
    sure = {at: 1.0 / (1.0 + np.exp(-1.5 / at)) for at in TEMPERATURES}
    return {at: [(one, True)] * right + [(one, False)] * wrong for at, one in sure.items()}


@pytest.mark.parametrize(("right", "wrong", "temperature"), [(82, 18, 1.0), (73, 27, 1.5)])
def test_the_temperature_makes_confidence_as_high_as_the_share_that_is_right(
    right: int, wrong: int, temperature: float
) -> None:
    found, losses = fitted_temperature([told(right, 0), told(0, wrong)])
    assert found == temperature
    assert losses[found] == min(losses.values())


def test_a_cost_falls_that_spoke_for_the_wrong_hypothesis() -> None:
    pytest.importorskip("scipy")
    before = np.array(list(COSTS.values()))
    at = list(COSTS).index("missed")
    rows = np.zeros((2, len(COSTS)))
    rows[0, at] = 1.0
    after, (was, now) = fitted([(rows, np.array([True, False]))] * 20, before)
    assert after[at] < before[at]
    assert np.array_equal(np.delete(after, at), np.delete(before, at))
    assert now < was


def test_the_file_keeps_its_comments_and_is_the_same_when_it_is_written_again() -> None:
    costs = np.array(list(COSTS.values())) + 0.25
    once = rewritten(FILE, costs, 1.75, {"fitted": "costs"})
    assert rewritten(once, costs, 1.75, {"fitted": "costs"}) == once
    read = tomllib.loads(once)
    assert list(read["costs"].values()) == pytest.approx(costs)
    assert read["posterior"]["temperature"] == 1.75
    assert read["fit"] == {"fitted": "costs"}
    assert once.count("#") == FILE.count("#")
