"""Many tiles that move at once: they are mixed, or something covers them for a moment."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

# Beside a number: how many of 394 table changes of twelve stored films another number alters, in
# their kinds or tiles / in these or their times. Nobody throws a hand in there.
MOVED: Final = 3  # 2: none; 6: none
"""So many tiles of those that lay still have left their places, one soon after the other: ..."""
SOON_S: Final = 1.5  # 0.75: none; 3.0: none
"""... within so long of the one before. Then much is being moved until none has for as long."""
TOPPLED: Final = 3  # 2: none; 6: none
"""A row that loses so many standing tiles or more ..."""
ROWS: Final = 2  # 1: 2/74; 4: none
"""... together with another one is toppled: who lays a hand open or down is alone."""
THROWN: Final = 4  # 2: 0/10; 8: none
"""So many faces that come to the middle as soon after each other are no discards: somebody throws
a hand in, or a sleeve has hidden them. Where a row has fallen meanwhile, it is the hand."""
AT_MOST_S: Final = 8.0  # 4.0: none; 16.0: none
"""What comes to lie meanwhile is waited with for so long: whoever plays on is read again then."""
THROWN_AT_MOST_S: Final = 30.0
"""A hand that was thrown in is washed within so long; a row that stays short has laid a set."""


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
    _came: list[float] = field(default_factory=list)
    """When faces came to the middle, of the last moments."""
    _thrown: dict[int, int] = field(default_factory=dict)
    """The rows that were thrown in, by seat: how many tiles stood there before."""

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
            self._thrown = {s: least for s, least in self._thrown.items() if standing[s] < least}
            if not self._thrown or not self.waits(time_s):
                self._thrown.clear()
                self.since_s = None

    def came(self, times_s: Sequence[float], time_s: float) -> None:
        """Take the moments in which faces came to the middle."""
        self._came = [s for s in (*self._came, *times_s) if time_s - s <= SOON_S]
        if len(self._came) < THROWN:
            return
        self._last_s = time_s
        since_s = min(self._came)
        self.since_s = since_s if self.since_s is None else min(self.since_s, since_s)
        now = self._stood[-1][1]
        for seat, count in enumerate(now):
            most = max(counts[seat] for _, counts in self._stood)
            if most >= count + TOPPLED:
                self._thrown[seat] = max(most - 1, self._thrown.get(seat, 0))

    def waits(self, time_s: float) -> bool:
        """Whether what comes to lie there now may be a part of it.

        A hand that was thrown in is, until its row stands again.
        """
        if self.since_s is None:
            return False
        return time_s - self.since_s < (THROWN_AT_MOST_S if self._thrown else AT_MOST_S)

    def _toppled_since(self) -> float | None:
        """When the second of several rows began to fall; None where they stand."""
        now = self._stood[-1][1]
        fell = []
        for seat, count in enumerate(now):
            whole = [s for s, counts in self._stood if counts[seat] >= count + TOPPLED]
            if whole:
                fell.append(whole[-1])
        return max(fell) if len(fell) >= ROWS else None
