"""How many tiles stand before each player, and which rows have lost the tile that was drawn."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.tracking.zones import MOST_STANDING

STOOD_S: Final = 0.4
"""A row counts when as many tiles of it have stood for so long, ..."""
LEFT_S: Final = 4.0
"""... and has fallen when one tile less stands so long after it, at most: a hand hides tiles."""
KEPT: Final = 200
"""So many falls are remembered: those of two hands and more."""


@dataclass(frozen=True)
class Fall:
    """A row with a drawn tile in it has lost one."""

    seat: int
    count: int
    """Tiles that stood there before."""
    time_s: float
    """When one less was counted first."""


@dataclass
class _Run:
    """As many tiles stand before a player, from one look on until another."""

    count: int
    from_s: float
    to_s: float

    @property
    def stood(self) -> bool:
        return self.to_s - self.from_s >= STOOD_S


class Falls:
    """Remembers when whose row fell."""

    def __init__(self) -> None:
        self._now: list[_Run | None] = [None] * 4
        self._whole: list[_Run | None] = [None] * 4
        """The last that stood with a drawn tile."""
        self._counted: list[tuple[int, ...]] = [()] * 4
        """How many tiles of each row stood last, now and for long enough to count."""
        self._known: deque[Fall] = deque(maxlen=KEPT)

    def update(self, standing: Sequence[int], time_s: float, calm: bool = True) -> None:
        """Take the numbers of standing tiles, by seat. ``calm``: a hand is played, not mixed."""
        for seat, count in enumerate(standing):
            now = self._now[seat]
            if now is None or now.count != count:
                now = self._now[seat] = _Run(count, time_s, time_s)
            now.to_s = time_s
            if now.stood:
                self._stands(seat, now)
            if calm and count > MOST_STANDING and (now.stood or self._counted[seat]):
                stood = count if now.stood else self._counted[seat][1]
                self._counted[seat] = count, stood

    def forget_rows(self) -> None:
        """Another hand begins."""
        self._counted = [()] * 4

    @property
    def counted(self) -> tuple[tuple[int, ...], ...]:
        """How many tiles stood last before each player, now and for long enough to count.

        A short row is none: it lies open, backs up, or under an arm. Empty where none stood yet.
        """
        return tuple(self._counted)

    def fell(self, seat: int, count: int, from_s: float, to_s: float) -> float | None:
        """When this row of so many tiles lost one between two moments; None where it did not."""
        for fall in self._known:
            if fall.seat == seat and fall.count == count and from_s < fall.time_s < to_s:
                return fall.time_s
        return None

    def whole_since(self, seat: int, count: int, from_s: float) -> bool:
        """Whether this row stands as it stood at a moment, with so many tiles all the while."""
        now = self._now[seat]
        return now is not None and now.count == count and now.stood and now.from_s <= from_s

    def _stands(self, seat: int, now: _Run) -> None:
        whole = self._whole[seat]
        if now.count % 3 == 2:
            self._whole[seat] = now
        elif whole is not None and now.count == whole.count - 1:
            self._whole[seat] = None
            if now.from_s - whole.to_s <= LEFT_S:
                self._known.append(Fall(seat, whole.count, now.from_s))
