"""Notices about camera and table, each trouble reported once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NoticeKind = Literal[
    "moved",
    "swing",
    "lost",
    "frozen",
    "slow",
    "busy",
    "gap",
    "light",
    "noise",
    "focus",
    "tint",
    "grey",
    "size",
    "gone",
    "battery",
    "warm",
    "unseen",
    "mirrored",
    "cut",
    "replay",
]


@dataclass(frozen=True)
class Notice:
    """One line for people: a trouble has begun, has ended, or has passed already."""

    kind: NoticeKind
    time_s: float
    text: str
    lasts: bool
    """Whether the trouble goes on until a notice of the same kind says that it has ended."""
    since_s: float | None = None
    """Of pictures that are missing in a film: when they began to be."""
