"""Who came where: the one rule by which points, results and standings tell places and ties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from engine.events import Seat

Figure = TypeVar("Figure", int, float, tuple[float, float])
"""What is compared: points, or several figures of a person, the weightiest first."""


def places_of(values: Sequence[Figure]) -> tuple[int, ...]:
    """The place of each, 1 for the greatest.

    Equal ones share a place, and the places after it stay free: 1, 2, 2, 4.
    """
    return tuple(1 + sum(own < other for other in values) for own in values)


def places_in_turn(points: Sequence[int], first: Seat) -> tuple[int, ...]:
    """The same where nobody shares: of equal seats ``first`` is before the others, in turn."""
    return places_of([(own, -((seat - first) % 4)) for seat, own in enumerate(points)])
