"""How long reading may wait: little during a game, more in a recording."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.attention.motion import PATIENCE_S


@dataclass(frozen=True)
class Schedule:
    """How long looks are delayed, and how many frames may be pending."""

    patience_s: float
    """How long a still part waits for the motion beside it to end before it is read."""
    behind: int = 0
    """How many frames may pass while the tiles of a look are still being read."""
    readers: int = 0
    """Threads that read tiles; with 0, each look is read at once."""


LIVE: Final = Schedule(PATIENCE_S)
RECORDED: Final = Schedule(patience_s=0.8, behind=4, readers=1)
"""Settings for recordings. Longer waits show fewer hands in motion but need more corrections
(models/LOG.md).

Four pending frames take 50 MB of a large film and last 0.5 s, long enough to read most looks. One
reader thread uses all idle cores; a second would need 40 MB for nets of its own.
"""
