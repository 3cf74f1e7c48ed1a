"""95 % confidence intervals of the benchmark's figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

Interval = tuple[float, float]
Z: Final = 1.96
RESAMPLED: Final = 1000


def wilson(part: float, whole: int) -> Interval | None:
    """Return the Wilson interval of a share of independent cases; None for no case."""
    if not whole:
        return None
    share = part / whole
    middle = (share + Z * Z / (2 * whole)) / (1 + Z * Z / whole)
    half = Z * math.sqrt(share * (1 - share) / whole + Z * Z / (4 * whole**2)) / (1 + Z * Z / whole)
    return max(0.0, middle - half), min(1.0, middle + half)


def of_ratio(parts: Sequence[float], wholes: Sequence[float]) -> Interval | None:
    """Return the bootstrap interval of a ratio of sums over games; None where nothing is counted.

    Whole games are resampled, because the errors of one game hang together.
    """
    if not sum(wholes):
        return None
    drawn = _resampled(len(parts))
    above, below = drawn @ np.array(parts, float), drawn @ np.array(wholes, float)
    return _middle((above[below > 0] / below[below > 0]).tolist())


def of_difference(before: Sequence[float], after: Sequence[float]) -> Interval | None:
    """Return the bootstrap interval of the difference of two sums over the same games."""
    if not before:
        return None
    return _middle((_resampled(len(before)) @ (np.array(after, float) - np.array(before))).tolist())


def of_percentile(values: Sequence[Sequence[float]], percent: float) -> Interval | None:
    """Return the bootstrap interval of a percentile of values that games have."""
    filled = [np.array(value) for value in values if value]
    if not filled:
        return None
    found = []
    for counts in _resampled(len(filled)):
        drawn = [one for one, count in zip(filled, counts, strict=True) for _ in range(int(count))]
        found.append(float(np.percentile(np.concatenate(drawn), percent)))
    return _middle(found)


def _resampled(games: int) -> np.typing.NDArray[np.int64]:
    """Return how often each game is drawn in each sample (samples, games); always the same."""
    return np.random.default_rng(1).multinomial(games, [1 / games] * games, RESAMPLED)


def _middle(values: Sequence[float]) -> Interval:
    low, high = np.percentile(values, (2.5, 97.5))
    return float(low), float(high)
