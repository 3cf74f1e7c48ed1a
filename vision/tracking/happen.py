"""From settled observations to what physically happened: a tile was put down, a set laid open."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from vision.table.placed_tile import PlacedTile
from vision.table.view import TableView, to_seat
from vision.tracking.apart import StandsApart
from vision.tracking.before_open import BeforeOpenSeat
from vision.tracking.before_seat import BeforeSeat
from vision.tracking.blind import Blindness
from vision.tracking.dealing import Dealing, in_play
from vision.tracking.falls import Falls
from vision.tracking.found import Found, found_on, hand_lies_open
from vision.tracking.happenings import (
    Added,
    Dealt,
    HandOpened,
    Happening,
    Put,
    TurnedUp,
    Washed,
    tiles_of,
)
from vision.tracking.observe import Observation
from vision.tracking.open_rows import OpenRow, lies_open, with_open_hands
from vision.tracking.taken_back import Returns
from vision.tracking.zones import Laid, Zones

WASHED_SHARE: Final = 0.6
"""A hand is cleared away when so large a share of its open tiles is gone, ..."""
WASHED_STANDING: Final = 0.85
"""... or this one while hands stand as they stood, ..."""
HANDS_STAND: Final = 0.8
"""... which is said of this share of their tiles, ..."""
WASHED_LEAST: Final = 5
"""... and so many of them; where fewer lay open, when the hands are gone too: ..."""
FEW_STAND: Final = 12
"""... fewer tiles stand before all players together ..."""
FEW_LIE: Final = 8
"""... and fewer lie there."""
COMES_FIRST_S: Final = 1.5
"""From the beginning of the deal until the first tiles lie before a player."""
ONE_PLACE: Final = 0.8
"""Middles of two tiles that lie on the felt are at least so many widths apart."""
LINGERS_S: Final = 0.4
"""A hand is taken to be there for so long after anything moved."""
UNREST: Final = 0.12
"""Where more than this share of the table moves, nothing is read: a wash, or a bumped camera."""
IN_OWN_RIVER: Final = 2.5
"""How much the quarter of the table speaks for who discarded, where discards lie in rows."""
NEARER: Final = 2.2
"""How much it speaks for who discarded that a loose tile lies half a field nearer, ..."""
NEAREST: Final = 1.2
"""... and at most."""
HAND_CAME: Final = 1.3
"""How much it speaks for who discarded that something moved before that player, or did not."""
BUSY_BEFORE_S: Final = 1.4
BUSY_AFTER_S: Final = 0.4
"""A discard comes with a movement so long before and after it is first seen."""
WAS_BACK_S: Final = 2.0
"""A face that showed its back for longer was turned up where it lay."""
SHOWN_AT_ONCE: Final = 3
"""Where more tiles are about to be told before one player, a hand is being laid open."""
KEPT_S: Final = 30.0
"""How long it is remembered who moved."""
LAST_PUT: Final = 3
"""Tiles that may be taken back: those that were put down last."""


class Watcher:
    """Takes observations in order of time and says what happened since the one before."""

    def __init__(self, view: TableView, zones: Zones) -> None:
        self.view, self.zones = view, zones
        self.tiles: dict[int, PlacedTile] = {}
        """The last that was known of every tile of the game, by id."""
        self.present: frozenset[int] = frozenset()
        """Ids of what lies on the table now."""
        self._playing = False
        self.found_over = False
        """A hand lay open when the table was seen first: nobody saw how it was won."""
        self._dealing = Dealing()
        self._cleared_s = -math.inf
        """When the tiles of the hand before began to be cleared away."""
        self._unrest_s: float | None = None
        """Since when so much has moved that nothing is read."""
        self._blind = Blindness()
        self._told: set[int] = set()
        """Tiles of which something was said."""
        self._put: set[int] = set()
        """Tiles of this hand that lie in the middle, discards and indicators."""
        self._backs: dict[int, float] = {}
        """When each tile of the walls was first seen."""
        self._seats = [BeforeSeat(seat, zones) for seat in range(4)]
        self._busy: deque[tuple[float, frozenset[int]]] = deque()
        """Before which seats something moved, and when."""
        self._returns = Returns()
        self.apart = StandsApart()
        """The tiles just drawn that stand apart."""
        self.falls = Falls()
        """The rows that have lost such a tile."""
        self._last: deque[int] = deque(maxlen=LAST_PUT)
        """Tiles that were put down last."""

    def blinded(self) -> None:
        """Nothing was seen for a while: much may have happened."""
        self._blind.begin()

    def put_last(self, tile: int | None) -> None:
        """Of a table that was found as it lies: which tile was discarded last."""
        if tile is not None:
            self._last.append(tile)

    def keep(self, tiles: Collection[int]) -> None:
        """Between two hands, forget all tiles but these and what lies there."""
        for tile in self.tiles.keys() - self.present - set(tiles):
            del self.tiles[tile]
            self._told.discard(tile)

    def update(self, seen: Observation) -> list[Happening]:
        self._blind.seen(seen.time_s)
        self._busy.append((seen.time_s, seen.busy))
        while seen.time_s - self._busy[0][0] > KEPT_S:
            self._busy.popleft()
        laid = self.zones.laid(seen)
        self.apart.update(laid.rows, self.view.tile_mm, seen.time_s)
        self.falls.update(laid.standing, seen.time_s)
        self.present = frozenset(tile.id for tile in seen.placed)
        if self._playing:
            for tile in seen.placed if seen.unrest < UNREST else ():
                if tile.id not in self._told or self._as_told(tile):
                    self.tiles[tile.id] = tile
        if seen.unrest < UNREST:
            self._unrest_s = None
        elif self._unrest_s is None:
            self._unrest_s = seen.time_s
        found = list(self._happened(laid, seen))
        for tile in laid.backs:
            self._backs.setdefault(tile.id, seen.time_s)
        for happening in found:
            self._told.update(tiles_of(happening))
        return found

    def _as_told(self, tile: PlacedTile) -> bool:
        """Still lies as it did when something was said of it; else it is being cleared away."""
        told = self.tiles[tile.id]
        moved = float(np.hypot(*(tile.xy_mm - told.xy_mm)))
        return tile.side is told.side and moved < self.view.tile_mm

    @property
    def playing(self) -> bool:
        """A hand has been dealt and not been cleared away."""
        return self._playing

    @property
    def open_rows(self) -> dict[int, OpenRow]:
        """The hands that lie face up from the deal on, by seat."""
        return {seat.seat: seat.row for seat in self._seats if isinstance(seat, BeforeOpenSeat)}

    def busy_at(self, seat: int, from_s: float, to_s: float) -> bool:
        """Whether something moved near this seat's hand."""
        for time_s, busy in reversed(self._busy):
            if time_s < from_s:
                return False
            if time_s <= to_s and seat in busy:
                return True
        return False

    def _happened(self, laid: Laid, seen: Observation) -> Iterator[Happening]:
        if not self._playing and self._blind.empty(laid.standing, laid.time_s):
            self._blind.end()
        if not self._blind.now:
            yield from self._playing_now(laid, seen) if self._playing else self._between(laid)
        elif seen.unrest < UNREST:
            yield from self._looking(laid, seen)

    # --- after nobody looked ---

    def _looking(self, laid: Laid, seen: Observation) -> Iterator[Happening]:
        """What lies on the table, once it lies still; then it is watched as ever."""
        flat = [tile for row in laid.flat for tile in row]
        lies = frozenset(tile.id for tile in (*laid.middle, *flat))
        still_s = self._blind.still_since(lies, laid.time_s)
        if still_s is None:
            return
        if self._playing and (self._washed(laid, WASHED_SHARE) or self._all_gone(laid)):
            yield from self._cleared(self._blind.last_s)
            return
        found = found_on(laid, self.view, self.zones.layout)
        self.found_over |= found is None and not self._playing and hand_lies_open(laid)
        if self._playing and (found is None or not self._much_is_new(found)):
            self._blind.end()
        elif found is not None and (found.discards or any(found.sets)):
            self._adopt(found, laid)
            yield replace(found, time_s=still_s)
        elif found is not None:
            self._blind.end()
            yield from self._between(laid)

    def _much_is_new(self, found: Found) -> bool:
        """More than the one discard or set that may have been made in any moment."""
        known = self._known
        fresh = [tile for river in found.rivers for tile in river if tile not in known]
        sets = [
            group
            for seat, row in enumerate(found.sets)
            for group in row
            if not all(self._seats[seat].holds(self.tiles[tile]) for tile in group)
        ]
        return len(fresh) + len(sets) > 1

    def _adopt(self, found: Found, laid: Laid) -> None:
        """Take what was found for what was told of."""
        self._blind.end()
        self._playing = True
        self._dealing.forget()
        lying = {tile.id: tile for row in (laid.middle, *laid.flat) for tile in row}
        self.tiles.update(lying)
        self._put |= {tile for river in found.rivers for tile in river} | set(found.turned_up)
        self._last.clear()
        self._returns.clear()
        self._seats = [
            BeforeSeat(
                seat,
                self.zones,
                [tuple(lying[tile] for tile in group) for group in found.sets[seat]],
                found.down[seat],
            )
            for seat in range(4)
        ]

    # --- between two hands ---

    def _between(self, laid: Laid) -> Iterator[Happening]:
        is_open = [
            lies_open(standing, flat, self._cleared_s)
            for standing, flat in zip(laid.standing, laid.flat, strict=True)
        ]
        laid = with_open_hands(laid, is_open)
        begun_s = self._dealing.update(laid)
        if begun_s is None:
            if in_play(laid) and not self._blind.now:
                self._blind.begin()
            return
        self._playing = True
        self._put.clear()
        self._last.clear()
        self._returns.clear()
        self._dealing.forget()
        self._seats = [
            BeforeOpenSeat(seat, self.zones) if is_open[seat] else BeforeSeat(seat, self.zones)
            for seat in range(4)
        ]
        self.tiles.update((tile.id, tile) for row in (laid.middle, *laid.flat) for tile in row)
        # What was there before the first hand stood is no discard: a chip, a square of the cloth.
        self._put.update(tile.id for tile in laid.middle if tile.first_s < begun_s)
        yield Dealt(max(0.0, self._cleared_s, begun_s - COMES_FIRST_S), laid.standing)

    # --- while a hand is played ---

    def _playing_now(self, laid: Laid, seen: Observation) -> Iterator[Happening]:
        if self._washed(laid, WASHED_STANDING if self._hands_stand(laid) else WASHED_SHARE):
            yield from self._cleared(laid.time_s if self._unrest_s is None else self._unrest_s)
            return
        if seen.unrest >= UNREST:
            return
        found: list[Happening] = []
        for seat in range(4):
            busy = self.busy_at(seat, seen.time_s - LINGERS_S, seen.time_s)
            found += self._seats[seat].update(laid, busy)
        found += self._middle(laid)
        found += self._taken_back(laid, seen)
        yield from sorted(found, key=lambda happening: happening.time_s)

    def _taken_back(self, laid: Laid, seen: Observation) -> Iterator[Happening]:
        """What was put down or laid open a while ago and is gone, while nobody lays anything."""
        busy = any(self.busy_at(seat, seen.time_s - LINGERS_S, seen.time_s) for seat in range(4))
        calm = not busy and not any(seat.pending or seat.opened for seat in self._seats)
        sets = [seat.sets[-1] for seat in self._seats if seat.sets and len(seat.sets[-1]) > 1]
        for gone in self._returns.update(laid, list(self._last), sets, self.present, calm):
            self._put.difference_update(gone.tiles)
            self._told.difference_update(gone.tiles)
            if len(gone.tiles) == 1:
                self._last.remove(gone.tiles[0])
            for seat in self._seats:
                seat.forget(gone.tiles)
            yield gone

    def _cleared(self, began_s: float) -> Iterator[Happening]:
        """The tiles are cleared away; what open hands showed last is told before that."""
        yield from self.shown_at_end(began_s)
        self._playing = False
        self._cleared_s = began_s
        self._dealing.forget()
        self._backs.clear()
        yield Washed(began_s)

    def shown_at_end(self, time_s: float) -> Iterator[Happening]:
        """What hands that lay open showed last when the hand was over."""
        for seat in self._seats if self._playing else ():
            if isinstance(seat, BeforeOpenSeat) and seat.shows_all:
                self.tiles.update((tile.id, tile) for tile in seat.row.row)
                yield HandOpened(time_s, seat.seat, tuple(tile.id for tile in seat.row.row), True)

    def _all_gone(self, laid: Laid) -> bool:
        """Of a few tiles that were told of, not one lies there any more."""
        return len(self._known) > 1 and not self._known & _faces(laid)

    @property
    def _known(self) -> set[int]:
        """Ids of the discards and of the tiles in sets."""
        return self._put | {t.id for s in self._seats for row in s.sets for t in row}

    def _hands_stand(self, laid: Laid) -> bool:
        """Whether the play goes on, by the hands."""
        held = [seat.holds_standing for seat in self._seats]
        if any(count is None for count in held):
            return False
        return sum(laid.standing) >= HANDS_STAND * sum(count or 0 for count in held)

    def _washed(self, laid: Laid, share: float) -> bool:
        """Whether most of what lay open is gone, or the hands where little did."""
        known = self._known
        if len(known) < WASHED_LEAST:
            return sum(laid.standing) < FEW_STAND and sum(map(len, laid.flat)) < FEW_LIE
        return len(known - _faces(laid)) >= max(WASHED_LEAST, share * len(known))

    def _middle(self, laid: Laid) -> Iterator[Happening]:
        for tile in laid.middle:
            if tile.id in self._put or self._twice(tile, laid.middle):
                continue
            self._put.add(tile.id)
            beside = next((seat for seat in self._seats if seat.is_beside_pung(tile)), None)
            if beside is not None:
                # It was laid towards the middle.
                beside.sets.append((tile,))
                yield Added(tile.first_s, beside.seat, tile.id)
                continue
            back_s = self._backs.get(tile.id)
            if back_s is not None and laid.time_s - back_s > WAS_BACK_S:
                # Where a hand is being laid open, it is looked under the indicators after that.
                late = tile.first_s <= back_s or self._hand_opens
                yield TurnedUp(laid.time_s if late else tile.first_s, tile.id)
            else:
                self._last.append(tile.id)
                early = tile.first_s < self._dealing.grew_s
                yield Put(tile.first_s, tile.id, self._for_seats(tile), early)

    @property
    def _hand_opens(self) -> bool:
        return any(len(seat.pending) > SHOWN_AT_ONCE for seat in self._seats)

    def _twice(self, tile: PlacedTile, middle: tuple[PlacedTile, ...]) -> bool:
        """Two tiles cannot lie in one place: one of them is a second reading of the other."""
        near = ONE_PLACE * self.view.tile_mm
        return any(
            other.id != tile.id
            and (other.id in self._put or (other.looks, -other.id) > (tile.looks, -tile.id))
            and float(np.hypot(other.x_mm - tile.x_mm, other.y_mm - tile.y_mm)) < near
            for other in middle
        )

    def _for_seats(self, tile: PlacedTile) -> tuple[float, ...]:
        """How much speaks for each seat having put a tile down, as a log-likelihood."""
        scores = []
        for seat in range(4):
            u, v = to_seat(tile.xy_mm, seat) / self.zones.half[seat]
            if self.zones.layout.river == "rows":
                # Everybody's river lies in a quarter of the middle.
                near = IN_OWN_RIVER if v > abs(u) else -IN_OWN_RIVER
            else:
                near = float(np.clip(NEARER * v, -NEAREST, NEAREST))
            came = self.busy_at(seat, tile.first_s - BUSY_BEFORE_S, tile.first_s + BUSY_AFTER_S)
            scores.append(near + (HAND_CAME if came else -HAND_CAME))
        return tuple(scores)


def _faces(laid: Laid) -> set[int]:
    """Ids of what may have been told of."""
    return {tile.id for tile in laid.middle} | {t.id for row in laid.flat for t in row}
