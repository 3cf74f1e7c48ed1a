"""Fit from when on the dice net is believed, on drawn pictures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from dice.drawing import PATCH_PX, DrawnDie, draw_picture

from vision.arrays import Bools, Doubles
from vision.dice.finder import PER_MM, DiceFinder, Die

NEAR_MM = 3.0
LEAST_SURE = 0.8
"""Least mean probability of a value over the looks at a die. Chosen on filmed rolls
(score.py dice --seed 100 --tables 3): of 15 none was read wrong from here on."""
FALSE = 0.01
"""Most dice that are none, or lie elsewhere, among those that are found."""
FLOOR = 0.05
"""Least presence that is looked at."""


@dataclass(frozen=True)
class Told:
    """A die that was found in a drawn picture, or one that was not."""

    present: float
    """0 if it was not found."""
    value_sure: float
    right: bool
    true: bool
    """Whether a die is there."""


def told_of(finder: DiceFinder, count: int, seed: int) -> list[Told]:
    """Draw pictures and look for their dice."""
    rng = np.random.default_rng(seed)
    usual, finder.least_present = finder.least_present, FLOOR
    told = []
    for _ in range(count):
        picture, dice = draw_picture(rng)
        told += _compared(finder.read(picture, (0.0, 0.0), (PATCH_PX / PER_MM,) * 2), dice)
    finder.least_present = usual
    return told


def _compared(found: list[Die], true: tuple[DrawnDie, ...]) -> list[Told]:
    told, left = [], [die for die in true if die.clear]
    for die in found:
        same = [one for one in left if _far(die, one) < NEAR_MM]
        sure = float(die.values.max())
        if same:
            left.remove(same[0])
            right = die.value == same[0].value
            told.append(Told(die.present, sure, right, true=True))
        elif not any(_far(die, one) < one.side_mm for one in true if not one.clear):
            told.append(Told(die.present, sure, right=False, true=False))
    inside = [one for one in left if _whole(one)]
    return told + [Told(0.0, 0.0, right=False, true=True) for _ in inside]


def fitted(told: list[Told]) -> dict[str, object]:
    """The thresholds, and what they bring."""
    present = np.array([one.present for one in told])
    true = np.array([one.true for one in told])
    right = np.array([one.right for one in told])
    sure = np.array([one.value_sure for one in told])
    least = _least(present, ~true, FALSE)
    found = true & (present >= least)
    read = found & (sure >= LEAST_SURE)
    return {
        "least_present": least,
        "least_sure": LEAST_SURE,
        "metrics": {
            "drawn dice": int(true.sum()),
            "found": round(float(found.sum() / true.sum()), 4),
            "found that are none": int((~true & (present >= least)).sum()),
            "values right": round(float(right[found].mean()), 4),
            "told from one picture": round(float(read.sum() / true.sum()), 4),
            "told wrong in one picture": int((~right[read]).sum()),
        },
    }


def _least(sure: Doubles, bad: Bools, share: float) -> float:
    """The least certainty from which on at most this share is bad."""
    order = np.argsort(-sure)
    falling = sure[order]
    shares = np.cumsum(bad[order]) / np.arange(1, len(order) + 1)
    # All that are equally certain are taken or left together.
    last_of_its_kind = np.append(falling[1:] < falling[:-1], True)
    good = np.flatnonzero((shares <= share) & last_of_its_kind)
    least = float(falling[good[-1]]) if len(good) else 1.0
    return round(float(np.clip(np.floor(least * 1000) / 1000, 0.1, 0.999)), 3)


def _far(die: Die, one: DrawnDie) -> float:
    return float(np.hypot(die.x_mm - one.x_mm, die.y_mm - one.y_mm))


def _whole(one: DrawnDie) -> bool:
    far = PATCH_PX / PER_MM
    return min(one.x_mm, one.y_mm, far - one.x_mm, far - one.y_mm) > 0.6 * one.side_mm
