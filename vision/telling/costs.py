"""Costs that several explanations share: negative log-likelihoods."""

from __future__ import annotations

from typing import Final

MISSED: Final = 5.5
"""A discard was never seen."""
UNSEEN_SET: Final = 14.0
"""Tiles that were laid down or turned up mean nothing."""
NO_SIGN: Final = 9.0
"""A hand was laid down and nobody claimed anything, or it was cleared away and nobody won."""
