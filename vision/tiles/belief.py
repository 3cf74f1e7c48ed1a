"""How sure a face is, and from when on it is named: by one rule for all that ask.

The detector asks for tiles in a picture, a profile's gain for copies of a set's tiles. The curve
and the thresholds are those of the recogniser: of the net, or of the enrolled set that corrects it.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.arrays import Doubles, Floats
from vision.tiles.confidence import features
from vision.tiles.recogniser import Recogniser, Recognition


@dataclass(frozen=True, eq=False)
class FaceBelief:
    """The fields of a ``Detection`` that tell it."""

    threshold: float
    in_company: float | None = None
    trust: float | None = None
    features: Doubles | None = None


def believed(
    net: Recogniser, named: Recognition, widths_px: Floats, scores: Floats
) -> list[FaceBelief]:
    """Return the belief in each of n faces, of tiles so wide that the finder scores so high."""
    told = features(named.probabilities, widths_px, scores, named.axes, named.tiles)
    lower = net.threshold_in_company if net.threshold_in_company != net.threshold else None
    trust = None if net.confidence is None else net.confidence.of(told)
    return [
        FaceBelief(net.threshold, lower, None if trust is None else float(trust[at]), inputs)
        for at, inputs in enumerate(told)
    ]
