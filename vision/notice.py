"""What is said about camera and table while they are watched: each trouble once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "moved", "lost", "frozen", "slow", "gap", "light", "size", "gone", "unseen", "mirrored"
]


@dataclass(frozen=True)
class Notice:
    """One line for people: a trouble has begun, is over, or has passed already."""

    kind: Kind
    time_s: float
    text: str
    lasts: bool
    """The trouble goes on until a notice of the same kind says that it does not."""
