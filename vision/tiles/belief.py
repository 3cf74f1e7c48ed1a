"""How sure a face is, and from when on it is named."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.arrays import Bools, Doubles, Floats
from vision.tiles.confidence import features
from vision.tiles.recogniser import Belief, Recogniser, Recognition

LIKELY: Final = 0.6
"""Least confidence of an enrolled set's reading that the net alone may raise. On four sets 66 right
faces more are named, of 462, and one more is surely wrong; without this limit 82 and three."""


@dataclass(frozen=True, eq=False)
class FaceBelief:
    """The fields of a ``Detection`` that tell it."""

    threshold: float
    in_company: float | None = None
    trust: float | None = None
    features: Doubles | None = None
    alone: float | None = None


def believed(
    net: Recogniser, named: Recognition, widths_px: Floats, scores: Floats
) -> list[FaceBelief]:
    """Return the belief in each of n faces.

    Where the net alone surely reads the same face, what a set's own pictures find ``LIKELY`` is as
    sure as it is without them. Nothing is believed less for it.
    """
    told = features(named.probabilities, widths_px, scores, named.axes, named.tiles)
    lower = net.threshold_in_company if net.threshold_in_company != net.threshold else None
    trust = None if net.confidence is None else net.confidence.of(told)
    beliefs = [
        FaceBelief(net.threshold, lower, None if trust is None else float(trust[at]), inputs)
        for at, inputs in enumerate(told)
    ]
    plain = named.uncorrected
    if plain is None or (alone := net.net_alone) is None or alone.confidence is None:
        return beliefs
    again = alone.confidence.of(features(plain, widths_px, scores, named.axes, named.tiles))
    again[plain.argmax(axis=1) != named.probabilities.argmax(axis=1)] = 0.0
    beliefs = [replace(it, alone=float(sure)) for it, sure in zip(beliefs, again, strict=True)]
    if trust is None:
        return beliefs
    for at in np.flatnonzero(raised(trust, net.threshold, again, alone)).tolist():
        beliefs[at] = replace(
            beliefs[at],
            threshold=alone.threshold,
            in_company=alone.in_company,
            trust=float(again[at]),
        )
    return beliefs


def raised(trust: Floats, threshold: float, again: Floats, alone: Belief) -> Bools:
    """(n,) where the net alone is believed in place of a set's own pictures.

    ``trust`` (n,) is the confidence by these, named from ``threshold`` on; ``again`` (n,) that of
    the net alone in the same face, 0 where it reads another one.
    """
    doubtful = (trust >= LIKELY) & (trust < threshold)
    return np.asarray(doubtful & (again >= alone.in_company) & (again > trust), np.bool_)
