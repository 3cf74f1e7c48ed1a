"""Between two hands: whether tiles have been dealt, and since when."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from vision.tracking.zones import Laid

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
    _most: int = 0

    def forget(self) -> None:
        """What was seen of a deal is over."""
        self._begun_s, self._stood_s, self._most = None, None, 0

    def update(self, laid: Laid) -> float | None:
        """When the first tiles of a whole deal came; None while there is none."""
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
        if not _hands_stand(laid) or len(laid.middle) > MOST_IN_MIDDLE:
            self._stood_s = None
            return None
        # The dealer has a tile more, and gets it last.
        if self._stood_s is None or (standing > self._counted and not laid.middle):
            self._stood_s, self._counted = laid.time_s, standing
        return None if laid.time_s - self._stood_s < DEALT_S else self._begun_s


def in_play(laid: Laid) -> bool:
    """Whether hands stand around discards: a deal was missed."""
    return _hands_stand(laid) and len(laid.middle) > MOST_IN_MIDDLE


def _hands_stand(laid: Laid) -> bool:
    whole = sum(count >= DEALT for count in laid.standing)
    return whole >= 3 and min(laid.standing) >= LEAST_DEALT
