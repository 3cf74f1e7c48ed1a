"""The confidence of a reading follows from its features and the weights."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.tiles.classes import FACES
from vision.tiles.confidence import FEATURES, Confidence, features

WEIGHTS = {"constant": -2.0, "odds": 0.8, "margin": 0.1, "size": 0.5, "outline": 0.7}
CURVE = Confidence.read(WEIGHTS | {"odds_of_small": 0.3, "axis": 0.8, "no_tile": -3.0})


def reading(best: float, second: float = 0.0) -> NDArray[np.float32]:
    row = np.full(len(FACES), (1 - best - second) / (len(FACES) - 2), np.float32)
    row[:2] = best, second or row[2]
    return np.asarray(row / row.sum(), np.float32)


def sure(
    best: float,
    second: float = 0.0,
    width_px: float = 30,
    score: float = 0.9,
    axis: float = 8.0,
    tile: float = 3.0,
) -> float:
    one = (np.array([value], np.float32) for value in (width_px, score, axis, tile))
    return float(CURVE.of(features(reading(best, second)[None], *one))[0])


def test_what_is_seen_well_and_is_surely_a_tile_is_trusted_more() -> None:
    assert sure(0.99) > sure(0.9) > sure(0.5)
    assert sure(0.9, width_px=40) > sure(0.9, width_px=25) > sure(0.9, width_px=14)
    assert sure(0.9, score=0.9) > sure(0.9, score=0.4)
    assert sure(0.9, axis=9.0) > sure(0.9, axis=0.5)
    assert sure(0.9, tile=3.0) > sure(0.9, tile=-1.0) > sure(0.9, tile=-3.0)
    assert sure(0.6, second=0.01) > sure(0.6, second=0.39)


@pytest.mark.parametrize("best", [1.0, 1 / len(FACES), 0.9999999])
@pytest.mark.parametrize(
    ("width_px", "score", "axis", "tile"), [(0.0, 0.0, 0.0, -1e6), (1e6, 1.0, 1e6, 1e6)]
)
def test_the_ends_of_every_scale_give_a_confidence(
    best: float, width_px: float, score: float, axis: float, tile: float
) -> None:
    assert 0 < sure(best, width_px=width_px, score=score, axis=axis, tile=tile) < 1


def test_no_readings_have_no_confidence() -> None:
    none = np.zeros(0, np.float32)
    told = features(np.zeros((0, len(FACES))), none, none, none, none)
    assert told.shape == (0, len(FEATURES))
    assert CURVE.of(told).shape == (0,)


def test_weights_of_other_features_are_not_taken_for_these() -> None:
    with pytest.raises(KeyError, match="expected constant, odds"):
        Confidence.read(WEIGHTS)
