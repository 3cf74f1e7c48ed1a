"""Who pays whom to settle an evening, in the fewest payments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

MOST_SETTLED: Final = 10
"""Of more people the fewest payments are not looked for: one each is enough."""


def settled(won: Mapping[str, int]) -> Iterator[tuple[str, str, int]]:
    """Who pays, whom and how many points, by what each has won; it adds up to nothing."""
    for group in _settled_apart({name: points for name, points in won.items() if points}):
        yield from _paid_round(group)


def _settled_apart(won: Mapping[str, int]) -> list[dict[str, int]]:
    """As many groups as possible that settle among themselves: each saves a payment."""
    names = tuple(won)
    if len(names) > MOST_SETTLED:
        return [dict(won)]

    @cache
    def best(left: int) -> tuple[int, ...]:
        """The groups of the people in ``left``, as bits."""
        first, part = left & -left, left
        found: tuple[int, ...] = (left,)
        while part := (part - 1) & left:
            if part & first and not sum(won[names[at]] for at in _bits(part)):
                found = max(found, (part, *best(left ^ part)), key=len)
        return found

    groups = best((1 << len(names)) - 1) if names else ()
    return [{names[at]: won[names[at]] for at in _bits(group)} for group in groups]


def _bits(group: int) -> Iterator[int]:
    return (at for at in range(group.bit_length()) if group >> at & 1)


def _paid_round(won: Mapping[str, int]) -> Iterator[tuple[str, str, int]]:
    """One payment for each person but one: whoever has lost most pays whoever has won most."""
    left = dict(won)
    while any(left.values()):
        loser, winner = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        points = min(-left[loser], left[winner])
        left[loser] += points
        left[winner] -= points
        yield loser, winner, points
