"""Between two hands: tiles that are dealt, and a table that rests after nobody looked."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from vision.table.placed_tile import PlacedTile
from vision.tracking.zones import LEAST_SEEN, Laid, Zones

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

    @property
    def lasted_s(self) -> float:
        """How long the table was not seen."""
        return self.first_s - self.last_s

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
"""Hands have been dealt when they have stood for so long and grown no more, ..."""
HOLES_S: Final = 1.2
"""... for so long where tiles of them are overlooked, ..."""
ROW_UNSEEN_S: Final = 3.0
"""... and for so long where hardly anything is seen of one of them."""
FEWER: Final = 3
"""A hand is dealt when before three seats no more than so many of its tiles lack, ..."""
LEAST_DEALT: Final = 6
"""... and the fourth has so many: a sleeve may hide some of them."""
WHOLE_ROWS: Final = 3
BY_FOURS: Final = 4
"""A row in which tiles are overlooked has more places, with those that lack in its midst, than were
dealt before the last four: nobody sees how many lack at its ends. Eight of 13 are no hand."""
PLAYED_ROWS: Final = 2
"""So many rows are enough where discards show that the hand is played: ..."""
PLAYED: Final = 2
"""... so many that came one after the other, ..."""
NEXT_S: Final = 1.0
"""... at least so long apart, as no tiles do that are mixed."""
SWEPT: Final = 12
"""Rows with holes are of another hand once fewer tiles than these have stood since the last, ..."""
SWEPT_S: Final = 1.0
"""... for so long: an arm hides a row for a moment; ..."""
MIXED_S: Final = 20.0
"""... or where nobody looked for so long: tiles may have been mixed and dealt."""
AT_ONCE: Final = 2
"""So many more tiles stand when some are dealt; a drawn one is one."""
FIRST_TILES: Final = 3
"""A deal begins when so many tiles lie or stand before one player."""
MOST_IN_MIDDLE: Final = 8
"""More faces in the middle are discards: chips and squares of the cloth are fewer."""


@dataclass
class Dealing:
    """Watches the table from one hand to the next."""

    zones: Zones
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
    rows_s: float | None = None
    """Since when rows have stood, however many of their tiles are overlooked."""
    _most: int = 0
    _swept: bool = True
    """Hardly a tile has stood since the hand before, or there was none."""
    _few_s: float | None = None
    """Since when hardly a tile stands."""
    _last: tuple[int, ...] = ()

    def forget(self, unseen_s: float = 0.0) -> None:
        """What was seen of a deal is over; ``unseen_s``: how long nobody has looked."""
        self._begun_s, self._stood_s, self.rows_s, self._most = None, None, None, 0
        self.bare, self.bare_s, self._last = (), math.inf, ()
        self._swept, self._few_s = unseen_s >= MIXED_S, None

    def update(self, laid: Laid, free: Sequence[PlacedTile]) -> float | None:
        """When the first tiles of a whole deal came; None while there is none.

        ``free``: faces in the middle that lie in no wall.
        """
        in_strips = [
            count + len(flat) for count, flat in zip(laid.standing, laid.flat, strict=True)
        ]
        if self._begun_s is None and max(in_strips) >= FIRST_TILES:
            self._begun_s = laid.time_s
        standing = sum(laid.standing)
        if standing >= SWEPT:
            self._few_s = None
            if self.rows_s is None and self._rows(laid) >= PLAYED_ROWS:
                self.rows_s = laid.time_s
        elif self._few_s is None:
            self._few_s = laid.time_s
        elif laid.time_s - self._few_s >= SWEPT_S:
            self._swept, self.rows_s = True, None
        played = self._played(free)
        if standing >= self._most + AT_ONCE and not played:
            # The tiles know when they were first seen, even if this is asked late.
            came_s = [tile.first_s for row in laid.rows for tile in row]
            self.grew_s = max(came_s, default=laid.time_s)
        self._most = max(self._most, standing)
        self._count(laid, len(free))
        rests_s = None if len(free) > MOST_IN_MIDDLE else self._must_rest_s(laid, played)
        if rests_s is None:
            self._stood_s = None
            return None
        # The dealer has a tile more, and gets it last; where tiles are overlooked, some are found.
        grown = standing >= self._counted + (1 if self._stand(laid) else AT_ONCE)
        if self._stood_s is None or (grown and not free):
            self._stood_s, self._counted = laid.time_s, standing
        return None if laid.time_s - self._stood_s < rests_s else self._begun_s

    def in_play(self, laid: Laid, free: int) -> bool:
        """Whether hands stand around ``free`` discards: a deal was missed."""
        return free > MOST_IN_MIDDLE and self.dealt(laid)

    def dealt(self, laid: Laid) -> bool:
        """Whether hands stand as they were dealt, for however short a time."""
        return self._must_rest_s(laid, played=False) is not None

    def dealt_s(self, laid: Laid) -> float:
        """What lay before players then is not new; infinity where hands have just been dealt."""
        if self._stand(laid) or self.rows_s is None:
            return math.inf
        return self.rows_s + HOLES_S

    def _must_rest_s(self, laid: Laid, played: bool) -> float | None:
        """How long hands must stand like this to have been dealt; None where they are not."""
        if self._stand(laid):
            return DEALT_S
        rows = self._rows(laid) if self._swept else 0
        if rows >= WHOLE_ROWS:
            least = min(laid.places(self.zones.view.tile_mm))
            return HOLES_S if least >= LEAST_DEALT else ROW_UNSEEN_S
        return 0.0 if rows >= PLAYED_ROWS and played else None

    def _rows(self, laid: Laid) -> int:
        """How many whole hands stand, with tiles that lack in the midst of a row. A longer row is a
        wall of which tiles seem to stand, and so is each as long as the dealer's but one."""
        size, tile_mm = self.zones.hand_size, self.zones.view.tile_mm
        before = (size - 2) // BY_FOURS * BY_FOURS
        rows = zip(laid.standing, laid.places(tile_mm), laid.lines(tile_mm), strict=True)
        lengths = [
            max(places, line)
            for seen, places, line in rows
            if seen >= LEAST_SEEN and places > before
        ]
        return sum(length <= size for length in lengths) + (size + 1 in lengths)

    def _played(self, free: Sequence[PlacedTile]) -> bool:
        """Whether faces have come to the middle one after the other since rows stand."""
        count, last_s = 0, -math.inf
        for first_s in sorted(tile.first_s for tile in free):
            if self.rows_s is not None and first_s >= max(self.rows_s, last_s + NEXT_S):
                count, last_s = count + 1, first_s
        return count >= PLAYED

    def _count(self, laid: Laid, free: int) -> None:
        """Count the hands as long as nobody has discarded: the dealer holds a tile more."""
        if free or not self.dealt(laid):
            self._last = ()
            return
        if self._last:
            twice = tuple(map(min, laid.standing, self._last))
            self.bare = tuple(map(max, twice, self.bare or twice))
            self.bare_s = min(self.bare_s, laid.time_s)
        self._last = laid.standing

    def _stand(self, laid: Laid) -> bool:
        whole = sum(count >= self.zones.hand_size - FEWER for count in laid.standing)
        return whole >= 3 and min(laid.standing) >= LEAST_DEALT
