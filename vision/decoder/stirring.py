"""Many tiles that move at once: they are mixed, or something covers them for a moment."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

MOVED: Final = 3
"""So many tiles of those that lay still have left their places, one soon after the other: ..."""
SOON_S: Final = 1.5
"""... within so long of the one before. Then much is being moved until none has for as long."""
TOPPLED: Final = 3
"""A row that loses so many standing tiles or more ..."""
ROWS: Final = 2
"""... together with another one is toppled: who lays a hand open or down is alone."""
AT_MOST_S: Final = 8.0
"""What comes to lie meanwhile is waited with for so long: whoever plays on is read again then."""


@dataclass
class Stirring:
    """Watches the tiles of a hand that lie still."""

    _left: dict[int, float] = field(default_factory=dict)
    """When each tile left its place, of the last moments."""
    _stood: deque[tuple[float, tuple[int, ...]]] = field(default_factory=deque)
    """Standing tiles of each seat in the last looks."""
    _unrest: tuple[float, float] | None = None
    """From when until when so much moved that nothing was read."""
    since_s: float | None = None
    """Since when much is being moved; None while nothing is."""
    covered: set[int] = field(default_factory=set)
    """Tiles that left together and are not back: nobody takes so many at once, so that they are
    gone says nothing of any of them."""
    unseen: set[int] = field(default_factory=set)
    """Tiles that have left since so much moves that nothing is read."""
    _last_s: float = 0.0
    """When anything was moved last."""

    def unrest(self, left: Collection[int], there: Collection[int], time_s: float) -> None:
        """So much moves that nothing is read, nor what it means that a tile is gone."""
        from_s = time_s if self._unrest is None else self._unrest[0]
        self._unrest = from_s, time_s
        self.unseen.update(left)
        self.unseen.difference_update(there)

    def update(
        self, left: Collection[int], there: Collection[int], standing: Sequence[int], time_s: float
    ) -> None:
        """Take the tiles that have just left their places, all that lie in theirs, and the rows."""
        for tile in there:
            self._left.pop(tile, None)
        self.covered.difference_update(there)
        self.unseen.difference_update(there)
        if len(self.unseen) >= MOVED:
            self.covered |= self.unseen
        self.unseen.clear()
        self._left.update(dict.fromkeys(left, time_s))
        self._left = {t: s for t, s in self._left.items() if time_s - s <= SOON_S}
        self._stood.append((time_s, tuple(standing)))
        while time_s - self._stood[0][0] > SOON_S:
            self._stood.popleft()
        if self._unrest is not None and time_s - self._unrest[1] > SOON_S:
            self._unrest = None
        toppled_s = self._toppled_since()
        if len(self._left) >= MOVED or toppled_s is not None or self.since_s is not None:
            self.covered |= self._left.keys()
        if len(self._left) >= MOVED or toppled_s is not None:
            moved = [*self._left.values(), *(() if toppled_s is None else (toppled_s,))]
            self._last_s = max(moved)
            if self.since_s is None:
                self.since_s = min(moved)
                if self._unrest is not None:
                    self.since_s = min(self.since_s, self._unrest[0])
        elif time_s - self._last_s > SOON_S:
            self.since_s = None

    def waits(self, time_s: float) -> bool:
        """Whether what comes to lie there now may be a part of it."""
        return self.since_s is not None and time_s - self.since_s < AT_MOST_S

    def _toppled_since(self) -> float | None:
        """When the second of several rows began to fall; None where they stand."""
        now = self._stood[-1][1]
        fell = []
        for seat, count in enumerate(now):
            whole = [s for s, counts in self._stood if counts[seat] >= count + TOPPLED]
            if whole:
                fell.append(whole[-1])
        return max(fell) if len(fell) >= ROWS else None
