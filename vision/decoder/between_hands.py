"""Between two hands: tiles that are dealt, and a table that rests after nobody looked."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from vision.tracking.zones import Laid

BLIND_S: Final = 3.0
"""Who has seen nothing for so long looks at the whole table before saying what is new."""
FOUND_S: Final = 1.0
"""A hand that nobody saw begin is taken as it lies once it has lain still for so long."""
LEAD_S: Final = 0.4
"""What is put down from then on comes after it, even if it was seen a little earlier."""
FEW: Final = 3
"""Where fewer tiles stand before every player, there is no hand."""


@dataclass
class Blindness:
    """What came to lie on the table meanwhile, nobody saw come; so it is in the beginning."""

    now: bool = True
    last_s: float = 0.0
    """When the table was seen for the last time before."""
    first_s: float = math.inf
    """When it was seen for the first time since."""
    _seen_s: float | None = None
    _still_s: float | None = None
    _lies: frozenset[int] = frozenset()
    _empty_s: float | None = None

    def seen(self, time_s: float) -> None:
        """Somebody looks; a long time since the last look is as if nobody had."""
        if self._seen_s is not None and time_s - self._seen_s > BLIND_S:
            self.begin()
        self.first_s = min(self.first_s, time_s)
        self._seen_s = time_s

    def begin(self) -> None:
        self.now, self.last_s = True, self._seen_s or 0.0
        self.first_s, self._still_s = math.inf, None

    def end(self) -> None:
        self.now = False

    def still_since(self, lies: frozenset[int], time_s: float) -> float | None:
        """Since when these tiles, by id, have lain there; None for not long enough."""
        if self._still_s is None or lies != self._lies:
            self._still_s, self._lies = time_s, lies
        if time_s - self._still_s < FOUND_S:
            return None
        return max(0.0, self._still_s - LEAD_S)

    def empty(self, standing: Collection[int], time_s: float) -> bool:
        """Whether no hand has stood anywhere for a while."""
        if max(standing) >= FEW:
            self._empty_s = None
        elif self._empty_s is None:
            self._empty_s = time_s
        return self._empty_s is not None and time_s - self._empty_s >= FOUND_S


DEALT_S: Final = 0.6
"""Hands have been dealt when they have stood for so long and grown no more."""
DEALT: Final = 10
"""A hand is dealt when three seats have so many standing tiles or more, ..."""
LEAST_DEALT: Final = 6
"""... and the fourth so many: a sleeve may hide some of them."""
AT_ONCE: Final = 2
"""So many more tiles stand when some are dealt; a drawn one is one."""
FIRST_TILES: Final = 3
"""A deal begins when so many tiles lie or stand before one player."""
MOST_IN_MIDDLE: Final = 8
"""More faces in the middle are discards: chips and squares of the cloth are fewer."""


@dataclass
class Dealing:
    """Watches the table from one hand to the next."""

    _begun_s: float | None = None
    _stood_s: float | None = None
    """Since when hands have stood that have grown no more."""
    _counted: int = 0
    """Standing tiles when there were most."""
    grew_s: float = -math.inf
    """When hands grew last by more than the dealer's last tile."""
    bare: tuple[int, ...] = ()
    """Most standing tiles of each seat in two looks, while hands stood and no discard lay there."""
    bare_s: float = math.inf
    """When that was seen first."""
    _most: int = 0
    _last: tuple[int, ...] = ()

    def forget(self) -> None:
        """What was seen of a deal is over."""
        self._begun_s, self._stood_s, self._most = None, None, 0
        self.bare, self.bare_s, self._last = (), math.inf, ()

    def update(self, laid: Laid, free: int) -> float | None:
        """When the first tiles of a whole deal came; None while there is none.

        ``free``: faces in the middle that lie in no wall.
        """
        in_strips = [
            count + len(flat) for count, flat in zip(laid.standing, laid.flat, strict=True)
        ]
        if self._begun_s is None and max(in_strips) >= FIRST_TILES:
            self._begun_s = laid.time_s
        standing = sum(laid.standing)
        if standing >= self._most + AT_ONCE:
            # The tiles know when they were first seen, even if this is asked late.
            came_s = [tile.first_s for row in laid.rows for tile in row]
            self.grew_s = max(came_s, default=laid.time_s)
        self._most = max(self._most, standing)
        self._count(laid, free)
        if not _stand(laid) or free > MOST_IN_MIDDLE:
            self._stood_s = None
            return None
        # The dealer has a tile more, and gets it last.
        if self._stood_s is None or (standing > self._counted and not free):
            self._stood_s, self._counted = laid.time_s, standing
        return None if laid.time_s - self._stood_s < DEALT_S else self._begun_s

    def _count(self, laid: Laid, free: int) -> None:
        """Count the hands as long as nobody has discarded: the dealer holds a tile more."""
        if free or not _stand(laid):
            self._last = ()
            return
        if self._last:
            twice = tuple(map(min, laid.standing, self._last))
            self.bare = tuple(map(max, twice, self.bare or twice))
            self.bare_s = min(self.bare_s, laid.time_s)
        self._last = laid.standing


def hands_in_play(laid: Laid, free: int) -> bool:
    """Whether hands stand around ``free`` discards: a deal was missed."""
    return _stand(laid) and free > MOST_IN_MIDDLE


def _stand(laid: Laid) -> bool:
    whole = sum(count >= DEALT for count in laid.standing)
    return whole >= 3 and min(laid.standing) >= LEAST_DEALT
