"""Checkpoints and averaged weights of the trainings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from vision.detect import SHIPPED

STARTS = Path(__file__).parent / "weights"
"""Where the next training of the shipped nets can start; outside the wheel."""


def mean(states: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the last of several checkpoints, with the mean of the averaged weights of all."""
    ema = {
        name: sum(state["ema"][name].float() for state in states).div(len(states)).to(value.dtype)
        for name, value in states[-1]["ema"].items()
        if all(name in state["ema"] for state in states)
    }
    steps = ", ".join(str(state["step"]) for state in states)
    recipe = states[-1]["recipe"] | ({"mean_of_steps": steps} if len(states) > 1 else {})
    return states[-1] | {"ema": ema, "recipe": recipe}


def minutes(state: Mapping[str, Any]) -> float:
    """Return how long a checkpoint was trained: its own count, else what its recipe allowed."""
    spent_s = state.get("spent_s")
    return float(state["recipe"]["minutes"]) if spent_s is None else float(spent_s) / 60


def keep_start(name: str, exported_to: Path, **state: Any) -> None:
    """Save from what the next training can start, beside exported weights or in ``STARTS``."""
    folder = STARTS if exported_to.resolve() == SHIPPED else exported_to
    torch.save(state, folder / f"{name}.pt")
