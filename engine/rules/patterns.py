"""Patterns that give points to a finished hand: the rows of a table, and what they add up to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import prod

from engine.announce import Item
from engine.rules.arrangement import Arrangement
from engine.rules.pattern_library import LIBRARY, PatternCount


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


def table_of(
    rows: Mapping[str, tuple[str, int]], own: Mapping[str, PatternCount] = {}
) -> tuple[Pattern, ...]:
    """The patterns of a table: by id, the name and the points. A name is that of a pattern of the
    game's ``own``, or else of the library."""
    known = {**LIBRARY, **own}
    return tuple(Pattern(id_, name, points, known[name]) for id_, (name, points) in rows.items())


# --- what a hand is worth ---


@dataclass(frozen=True)
class Worth:
    """What a hand is worth: named parts that add up, or multiply, to a limit."""

    lines: tuple[tuple[str, int], ...]
    """The names of the patterns that count, with their points or factors."""
    total: int
    """Their sum or product before the limit."""
    value: int
    """What counts."""

    def items(self, unit: str, at_most: str = "", without: str = "") -> list[Item]:
        """Its lines as items of a payout; ``at_most`` names the limit, ``without`` no pattern.

        What has no name is left out.
        """
        items = [Item(name, points, unit) for name, points in self.lines]
        if at_most and self.total > self.value:
            items.append(Item(at_most, self.value, unit))
        return items or ([Item(without, self.value, unit)] if without else [])


def multiplied(lines: Iterable[tuple[str, int]], most: int | None = None) -> Worth:
    """The product of these factors, at most ``most``."""
    factors = tuple(lines)
    total = prod(factor for _, factor in factors)
    return Worth(factors, total, total if most is None else min(total, most))


def worth_of(hand: Arrangement, table: Iterable[Pattern], most: int, least: int = 0) -> Worth:
    """The sum of the patterns of this arrangement, at most ``most``; ``least`` without any."""
    best = of_every_series(hand, table).values()
    lines = tuple([(pattern.name, points) for pattern, points in best])
    total = sum([points for _, points in lines])
    return Worth(lines, total, min(total, most) or least)


def best_of(ways: Iterable[Worth]) -> Worth | None:
    """The arrangement that is worth most. None where there is none."""
    return max(ways, key=lambda worth: (worth.value, worth.total), default=None)
