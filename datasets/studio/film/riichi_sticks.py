"""Sticks that ready players of riichi put on the table."""

from __future__ import annotations

import math
from collections.abc import Iterator

from studio.film.arms import Arms
from studio.film.timeline import Timeline
from studio.scene import Prop
from studio.table.layout import Measures, Spot, deposit_spot
from studio.table.table_objects import WHITE


class RiichiSticks:
    """Which sticks lie on the table, from when until when."""

    def __init__(self, stage: Timeline, table: Measures, arms: Arms) -> None:
        self._stage, self._table, self._arms = stage, table, arms
        self._sticks: list[tuple[float, float, Prop]] = []

    def put(self, seat: int, begin: float) -> float:
        """A hand puts a stick before its river; returns when the hand has left."""
        x, y, turn = deposit_spot(self._table, seat)
        lies = Spot(x, y, 0.0, turn, "up")
        start = max(begin, self._stage.free_at(seat)) + self._arms.scaled(0.3)
        self._sticks.append((start + 0.1, math.inf, Prop("stick", x, y, turn, WHITE)))
        return self._arms.touch(seat, lies, start, 0.25)

    def take_away(self, time_s: float) -> None:
        """All sticks leave the table."""
        self._sticks = [(begin, min(end, time_s), stick) for begin, end, stick in self._sticks]

    def at(self, time_s: float) -> Iterator[Prop]:
        """The sticks that lie there at a moment."""
        return (stick for begin, end, stick in self._sticks if begin <= time_s < end)
