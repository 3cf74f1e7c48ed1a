"""What evidence costs: negative log-likelihoods, fitted on simulated games."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Final

Charges = Mapping[str, float]
"""Amounts of each kind of cost."""


def _load() -> dict[str, float]:
    text = resources.files("vision.decoder").joinpath("likelihood.toml").read_text("utf-8")
    return {name: float(value) for name, value in tomllib.loads(text)["costs"].items()}


COSTS: Final[dict[str, float]] = _load()


def price(charges: Charges) -> float:
    """The sum of these charges, in nats."""
    return sum(COSTS[name] * amount for name, amount in charges.items())
