"""Costs that several explanations share: negative log-likelihoods."""

from __future__ import annotations

import math
from typing import Final

MISSED: Final = 5.5
"""A discard was never seen."""
UNSEEN_SET: Final = 14.0
"""Tiles that were laid down or turned up mean nothing."""
NO_SIGN: Final = 9.0
"""A hand was laid down and nobody claimed anything, or it was cleared away and nobody won."""
WORST_FACES: Final = 5.0
"""Faces that cost more are no less sure: a claim that is told has more to speak for it."""


def sure_of(cost: float) -> float:
    """How sure faces are that cost so much, 0..1."""
    return math.exp(-min(cost, WORST_FACES))
