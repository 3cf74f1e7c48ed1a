"""What a Harbin hand must still come to, as its declared sets leave it."""

from __future__ import annotations

from typing import Final

from engine.hands.goals import NO_MARKS, Goal, Marks
from engine.rules.harbin.limits import is_terminal_or_dragon
from engine.state import Meld, SetKind

SHAPE: Final = Goal(honours="red_dragon")
"""Sets and a pair of the tiles in play, without the limiting conditions."""


def goal_with(melds: tuple[Meld, ...]) -> Goal:
    """000, 5: a pung, a chow, a terminal or red dragon, two suits, where no set has them yet."""
    marks = NO_MARKS
    if not any(meld.kind is not SetKind.CHOW for meld in melds):
        marks |= Marks.PUNG
    if not any(meld.kind is SetKind.CHOW for meld in melds):
        marks |= Marks.CHOW
    tiles = [tile for meld in melds for tile in meld.tiles]
    if not any(map(is_terminal_or_dragon, tiles)):
        marks |= Marks.OUTER
    declared = frozenset("mps".index(tile.suit) for tile in tiles if tile.suit != "z")
    return Goal(
        suits="marked_suit" if marks else "suit",
        honours="red_dragon",
        marks=marks,
        second_suit=declared,
    )
