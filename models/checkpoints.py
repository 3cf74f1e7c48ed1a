"""Checkpoints and averaged weights of both trainings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from vision.detect import SHIPPED

STARTS = Path(__file__).parent / "weights"
"""Where the next training of the shipped nets can start; outside the wheel."""


def save(path: Path, net: Any, optimiser: Any, **state: Any) -> None:
    """Write a complete checkpoint: a run may be stopped at any moment."""
    part = path.with_suffix(".part")
    torch.save({"net": net.state_dict(), "optimiser": optimiser.state_dict(), **state}, part)
    part.replace(path)


def average(ema: dict[str, torch.Tensor], net: torch.nn.Module, share: float) -> None:
    """Move the averaged weights towards the net's by this share."""
    with torch.no_grad():
        for name, value in net.state_dict().items():
            if value.dtype.is_floating_point:
                ema[name].lerp_(value.float(), share)
            else:
                ema[name] = value.clone()


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


def keep_start(name: str, exported_to: Path, **state: Any) -> None:
    """Save from what the next training can start, beside exported weights or in ``STARTS``."""
    folder = STARTS if exported_to.resolve() == SHIPPED else exported_to
    torch.save(state, folder / f"{name}.pt")
