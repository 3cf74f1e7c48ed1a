"""Curves that were fitted to games; their numbers lie in ``fitted``, a file for each game."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import Any, Literal

GREATEST_EXPONENT = 30.0


@dataclass(frozen=True)
class Curve:
    """A weighted sum of features: as it is, as a chance, or as an amount."""

    weights: tuple[float, ...]

    def sum(self, features: Sequence[float]) -> float:
        return sum(weight * value for weight, value in zip(self.weights, features, strict=True))

    def chance(self, features: Sequence[float], shift: float = 0.0) -> float:
        """0 to 1; ``shift`` is added to the sum."""
        at = max(-GREATEST_EXPONENT, min(GREATEST_EXPONENT, self.sum(features) + shift))
        return 1 / (1 + exp(-at))

    def amount(self, features: Sequence[float]) -> float:
        """Above zero."""
        return exp(max(-GREATEST_EXPONENT, min(GREATEST_EXPONENT, self.sum(features))))


@dataclass(frozen=True)
class Fitted:
    """The curves of one game."""

    source: Literal["logs", "simulated", "simulated_base"]
    """``logs`` of people, or ``simulated`` games; ``simulated_base`` where what is told of a tile
    that others may win on is hardly better than how often any tile is won on.
    """
    curves: Mapping[str, Curve]

    def first(self, *names: str) -> Curve | None:
        """The first of these curves that the game has; it lacks those of what hardly happens."""
        return next((self.curves[name] for name in names if name in self.curves), None)


@cache
def fitted(name: str) -> Fitted:
    """Read the curves of a game."""
    return parsed(
        json.loads(files(__package__).joinpath("fitted", f"{name}.json").read_text("utf-8"))
    )


def parsed(told: Mapping[str, Any]) -> Fitted:
    """The curves as their file holds them: a weight for each named feature."""
    curves = {name: Curve(tuple(weights.values())) for name, weights in told["curves"].items()}
    return Fitted(told["about"]["source"], curves)


def log1p(value: float) -> float:
    return log(1 + value)
