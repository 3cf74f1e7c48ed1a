"""The fitted costs are those that explain the games; what was set by hand stays in the file."""

from __future__ import annotations

import tomllib
from importlib import resources

import numpy as np
import pytest
from fit_likelihood import Beam, best_temperature, fitted, loss_of, rewritten

from vision.decoder.likelihood import BY_HAND

FILE = resources.files("vision.decoder").joinpath("likelihood.toml").read_text("utf-8")
COSTS = np.array(list(BY_HAND.values()))


def beams(right: int, wrong: int) -> list[Beam]:
    """Changes with two hypotheses, of which the one with a discard that is gone is seldom right."""
    rows = np.zeros((2, len(BY_HAND)))
    rows[0, list(BY_HAND).index("absent")] = 1.0
    likelier = np.array([False, True])
    return [(rows, likelier)] * right + [(rows, ~likelier)] * wrong


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_the_temperature_makes_costs_as_sure_as_the_share_that_is_right(temperature: float) -> None:
    odds = np.exp(BY_HAND["absent"] / temperature)
    right = round(1000 * odds / (1 + odds))
    assert best_temperature(beams(right, 1000 - right), COSTS) == temperature


def test_a_cost_falls_that_speaks_for_the_wrong_hypothesis_and_no_other_does() -> None:
    pytest.importorskip("scipy")
    games = beams(70, 30)
    after = fitted(games, COSTS, 1.0)
    at = list(BY_HAND).index("absent")
    assert np.log(70 / 30) < after[at] < COSTS[at]
    assert np.array_equal(np.delete(after, at), np.delete(COSTS, at))
    assert loss_of(games, after, 1.0)[0] < loss_of(games, COSTS, 1.0)[0]


def test_the_file_keeps_the_costs_set_by_hand_and_is_the_same_when_it_is_written_again() -> None:
    costs = COSTS.copy()
    costs[3] += 0.25
    once = rewritten(FILE, costs, {"changes": 7})
    assert rewritten(once, costs, {"changes": 7}) == once
    read, was = tomllib.loads(once), tomllib.loads(FILE)
    assert read["costs"] == was["costs"]
    assert read["fitted"] == {list(BY_HAND)[3]: costs[3]}
    assert read["fit"] == {"changes": 7}
    assert rewritten(once, COSTS, {}).count("#") == FILE.count("#")
