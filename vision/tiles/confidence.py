"""Calibrated confidence of a reading: how often readings like it were right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats

FEATURES: Final = (
    "constant", "odds", "margin", "size", "outline", "odds_of_small", "axis", "no_tile",
    "odds_of_outline", "odds_of_no_tile",
)  # fmt: skip
"""Inputs of the curve, in the order of ``features``.

The last two say how much the odds are worth where the outline is sure, and where no tile may be.
"""
SUREST: Final = 16.0
"""Nats; from 17 on a confidence of 32 bits is 1."""
TYPICAL_PX: Final = 30.0
_LEAST: Final = 1e-7
_SUREST_AXIS: Final = 10.0
"""Nats; above, the direction of a tile is as good as known."""
_NO_TILE: Final = 8.0
"""Nats at which it is as good as known that no tile is there."""


@dataclass(frozen=True)
class Confidence:
    """A logistic curve over features of a reading.

    The probability of the likeliest face is too high for unknown sets, small tiles and loose
    outlines. The curve corrects it; its weights are fitted by models/fit_confidence.py.
    """

    weights: tuple[float, ...]
    """One for each of ``FEATURES``."""

    @classmethod
    def read(cls, about: Mapping[str, float]) -> Confidence:
        """From the weights by name, as in the metadata; raises ``KeyError``."""
        if set(about) != set(FEATURES):
            raise KeyError(f"expected {', '.join(FEATURES)}, got {', '.join(about)}")
        return cls(tuple(float(about[name]) for name in FEATURES))

    def of(self, inputs: Doubles) -> Floats:
        """(n,) confidence 0..1, from ``features`` (n, 10)."""
        told = inputs @ np.array(self.weights)
        return np.asarray(1 / (1 + np.exp(-told.clip(-SUREST, SUREST))), np.float32)


def features(
    probabilities: NDArray[np.floating],
    widths_px: Floats,
    scores: Floats,
    axes: Floats,
    tiles: Floats,
) -> Doubles:
    """(n, 10) features of n readings.

    They have distributions (n, 38), tile widths and finder scores (n,), ``axes`` (n,): how much
    likelier it is that the tile lies along its outline than across it, or the reverse, in nats, and
    ``tiles`` (n,): how much likelier that a tile is there than not.
    """
    ranked = np.sort(np.asarray(probabilities, np.float64), axis=1)[:, ::-1]
    # One minus the best would lose its digits where the reading is sure.
    rest = ranked[:, 1:].sum(axis=1)
    odds = np.log((ranked[:, 0] + _LEAST) / (rest + _LEAST)).clip(-4, 12)
    margin = np.log((ranked[:, 0] + _LEAST) / (ranked[:, 1] + _LEAST)).clip(0, 12)
    size = np.log(np.asarray(widths_px, np.float64).clip(8, 60) / TYPICAL_PX)
    found = np.asarray(scores, np.float64).clip(0.02, 0.98)
    outline = np.log(found / (1 - found))
    small = np.minimum(size, 0)
    axis = np.asarray(axes, np.float64).clip(0, _SUREST_AXIS) / _SUREST_AXIS
    none = (-np.asarray(tiles, np.float64)).clip(0, _NO_TILE) / _NO_TILE
    alone = [np.ones(len(odds)), odds, margin, size, outline, odds * small, axis, none]
    return np.stack([*alone, odds * outline, odds * none], axis=1)
