"""What evidence costs: negative log-likelihoods, set by hand and fitted to simulated games."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from typing import Final

Charges = Mapping[str, float]
"""Amounts of each kind of cost."""


_FILE: Final = tomllib.loads(
    resources.files("vision.decoder").joinpath("likelihood.toml").read_text("utf-8")
)
BY_HAND: Final[dict[str, float]] = {name: float(cost) for name, cost in _FILE["costs"].items()}
COSTS: Final[dict[str, float]] = BY_HAND | {
    name: float(cost) for name, cost in _FILE.get("fitted", {}).items()
}
TILES: Final[dict[str, float]] = {name: float(cost) for name, cost in _FILE["tiles"].items()}
SEATS: Final[dict[str, float]] = {name: float(cost) for name, cost in _FILE["seats"].items()}
ROWS: Final[dict[str, float]] = {name: float(cost) for name, cost in _FILE["rows"].items()}
LIMITS: Final[dict[str, float]] = {name: float(cost) for name, cost in _FILE["limits"].items()}
CURVES: Final[dict[str, tuple[list[float], list[float]]]] = {
    name: (curve["at"], curve["odds"]) for name, curve in _FILE["curves"].items()
}
TEMPERATURE: Final = float(_FILE["posterior"]["temperature"])
"""A difference of so many nats makes one hypothesis e times as likely as another."""


def price(charges: Charges) -> float:
    """The sum of these charges, in nats."""
    total = 0.0
    for name, amount in charges.items():
        total += COSTS[name] * amount
    return total
