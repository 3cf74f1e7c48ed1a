"""Forms of winning hands, and the groups that they consist of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.tiles import Tile


class HandForm(StrEnum):
    """What a winning hand may look like."""

    SETS = "sets"
    """Sets and a pair."""
    PAIRS = "pairs"
    """Seven pairs; four equal tiles may be two of them."""
    DISTINCT_PAIRS = "distinct_pairs"
    """Seven different pairs."""
    ORPHANS = "orphans"
    """One of each terminal and honour, and one of them twice."""


SETS_ONLY: Final = frozenset({HandForm.SETS})


class GroupKind(StrEnum):
    CHOW = "chow"
    PUNG = "pung"
    PAIR = "pair"


@dataclass(frozen=True)
class Group:
    """A set or the pair of one split."""

    kind: GroupKind
    tile: Tile
    """The tile, or the lowest of a chow."""

    @property
    def middle(self) -> Tile | None:
        """The middle tile of a chow."""
        if self.kind is not GroupKind.CHOW:
            return None
        return Tile(f"{self.tile.rank + 1}{self.tile.suit}")


Split = tuple[Group, ...]
