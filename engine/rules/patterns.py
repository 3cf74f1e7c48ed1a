"""Patterns that give points to a finished hand, and the conditions that a row of their table may
state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.hands import HandForm
from engine.rules.arrangement import Arrangement
from engine.tiles import DRAGONS, WINDS

NINE_GATES: Final = (3, 1, 1, 1, 1, 1, 1, 1, 3)
"""Tiles of each rank in the waiting hand of nine gates."""
PatternCount = Callable[[Arrangement], int]
"""Counts how often a pattern occurs; True is once."""


@dataclass(frozen=True)
class Pattern:
    """One row of the table."""

    id: str
    name: str
    points: int
    count: PatternCount

    @property
    def series(self) -> str:
        """At most one pattern of a series counts."""
        return ".".join(self.id.split(".")[:2])


def of_every_series(
    hand: Arrangement, table: Iterable[Pattern]
) -> Mapping[str, tuple[Pattern, int]]:
    """The best pattern of each series that this hand has, with its points."""
    best: dict[str, tuple[Pattern, int]] = {}
    for pattern in table:
        points = pattern.points * pattern.count(hand)
        if points > best.get(pattern.series, (pattern, 0))[1]:
            best[pattern.series] = pattern, points
    return best


def with_points(table: Iterable[Pattern], points: Mapping[str, int]) -> tuple[Pattern, ...]:
    """The same patterns with other points for some of them, by id."""
    return tuple(
        replace(pattern, points=points.get(pattern.id, pattern.points)) for pattern in table
    )


def from_play(name: str) -> PatternCount:
    """Return the count of a pattern that depends on how the hand was won."""
    return lambda hand: name in hand.circumstances


def triplets_of(number: int, honors: str, pair: bool = False) -> PatternCount:
    """This many triplets of these honors and, with ``pair``, their pair too."""

    def count(hand: Arrangement) -> int:
        triplets = sum(tile in _HONORS[honors] for tile in hand.triplets)
        return triplets == number and (not pair or hand.pair in _HONORS[honors])

    return count


def concealed(number: int) -> PatternCount:
    return lambda hand: hand.concealed_triplets == number


def kongs(number: int) -> PatternCount:
    return lambda hand: hand.kongs == number


def only_outer(hand: Arrangement) -> bool:
    """Terminals and honors only; thirteen terminals have a pattern of their own."""
    return hand.form is not HandForm.ORPHANS and all(tile.is_outer for tile in hand.tiles)


_HONORS: Final = {"winds": WINDS, "dragons": DRAGONS}
