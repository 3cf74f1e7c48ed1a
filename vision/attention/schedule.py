"""How a table is read: while a game is played, or from a recording, for which nobody waits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.attention.motion import PATIENCE_S


@dataclass(frozen=True)
class Schedule:
    """What is gained by waiting, and what is lost."""

    patience_s: float
    """What is still is read with what still moves beside it, unless it has waited for so long."""
    behind: int = 0
    """Frames for which the tiles of a look may be waited for while others are looked at."""
    readers: int = 0
    """Threads that read tiles meanwhile; with none, each look is read at once."""


LIVE: Final = Schedule(PATIENCE_S)
RECORDED: Final = Schedule(patience_s=0.8, behind=4, readers=1)
"""Who waits longer looks at fewer hands on their way, and has more to correct (models/LOG.md).

Four frames are 50 MB of a large film, and 0.5 s: by then most of what was looked at is read. A
second reader would need 40 MB more for nets of its own; the one takes all cores that are idle.
"""
