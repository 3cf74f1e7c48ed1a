"""From settled observations to what physically happened: a tile was put down, a set laid open."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from vision.reading.classes import Side
from vision.table.view import TableView, to_seat
from vision.tracking.blind import Blindness
from vision.tracking.found import Found, found_on
from vision.tracking.happenings import (
    Added,
    Dealt,
    Happening,
    LaidDown,
    Opened,
    Put,
    SetLaid,
    TurnedUp,
    Washed,
    tiles_of,
)
from vision.tracking.observe import Observation, Placed
from vision.tracking.taken_back import Returns
from vision.tracking.zones import TOUCHING, Laid, Zones, groups

CALM_S: Final = 0.3
"""A row in front of a player counts when it has not changed for so long."""
GAP: Final = 3.0
"""Two tiles of a set are nearer than so many widths although one between them was not found."""
FAR: Final = 4.0
"""A tile of an open hand is nearer to another of it than so many widths."""
FOURTH_S: Final = 0.8
"""A claimed tile that makes three tiles a kong comes within so long."""
PATIENCE_S: Final = 2.0
"""Tiles of a set that are still missing are waited for so long."""
DEALT_S: Final = 0.6
DEALT: Final = 10
"""A hand is dealt when three seats have so many standing tiles or more."""
WASHED_SHARE: Final = 0.6
WASHED_LEAST: Final = 5
LEAST_STANDING: Final = 3
"""Beside a claimed set at least four tiles stand; one may have been missed."""
COMES_FIRST_S: Final = 1.5
"""From the beginning of the deal until the first tiles lie before a player."""
ONE_PLACE: Final = 0.8
"""Middles of two tiles that lie on the felt are at least so many widths apart."""
LINGERS_S: Final = 0.4
"""A hand is taken to be there for so long after anything moved."""
UNREST: Final = 0.12
"""Where more than this share of the table moves, nothing is read: a wash, or a bumped camera."""
OPENED_S: Final = 4.0
"""A hand that was laid open and is not whole is waited for so long."""
IN_OWN_RIVER: Final = 2.5
"""How much the quarter of the table speaks for who discarded, where discards lie in rows."""
WAS_BACK_S: Final = 2.0
BUSY_BEFORE_S: Final = 1.4
KEPT_S: Final = 30.0
LAST_PUT: Final = 3
"""Tiles that may be taken back: those that were put down last."""


@dataclass
class _SeatSeen:
    """What is known of the tiles before one player."""

    sets: list[tuple[Placed, ...]] = field(default_factory=list)
    down: bool = False
    opened: bool = False
    pending: frozenset[int] = frozenset()
    pending_s: float = 0.0
    waiting_s: float = 0.0


class Watcher:
    """Takes observations in order of time and says what happened since the one before."""

    def __init__(self, view: TableView, zones: Zones) -> None:
        self.view, self.zones = view, zones
        self.tiles: dict[int, Placed] = {}
        """The last that was known of every tile of this hand, by id."""
        self.present: frozenset[int] = frozenset()
        """Ids of what lies on the table now."""
        self._playing = False
        self._dealt_since: float | None = None
        self._counted = 0
        """Standing tiles when there were most, while a hand is dealt."""
        self._begun_s: float | None = None
        self._unrest_s: float | None = None
        self._blind = Blindness()
        self._told: set[int] = set()
        self._put: set[int] = set()
        self._backs: dict[int, float] = {}
        self._seats = [_SeatSeen() for _ in range(4)]
        self._busy: deque[tuple[float, frozenset[int]]] = deque()
        self._returns = Returns()
        self._last: deque[int] = deque(maxlen=LAST_PUT)
        """Tiles that were put down last."""

    def blinded(self) -> None:
        """Nothing was seen for a while: much may have happened."""
        self._blind.begin()

    def put_last(self, tile: int | None) -> None:
        """Of a table that was found as it lies: which tile was discarded last."""
        if tile is not None:
            self._last.append(tile)

    def update(self, seen: Observation) -> list[Happening]:
        self._blind.seen(seen.time_s)
        self._busy.append((seen.time_s, seen.busy))
        while seen.time_s - self._busy[0][0] > KEPT_S:
            self._busy.popleft()
        laid = self.zones.laid(seen)
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

    def _as_told(self, tile: Placed) -> bool:
        """Still lies as it did when something was said of it; else it is being cleared away."""
        told = self.tiles[tile.id]
        moved = float(np.hypot(*(tile.xy_mm - told.xy_mm)))
        return tile.side is told.side and moved < self.view.tile_mm

    @property
    def playing(self) -> bool:
        """A hand has been dealt and not been cleared away."""
        return self._playing

    def busy_at(self, seat: int, from_s: float, to_s: float) -> bool:
        """Whether something moved near this seat's hand."""
        return any(from_s <= time <= to_s and seat in busy for time, busy in self._busy)

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
        if self._playing and (self._washed(laid) or self._all_gone(laid)):
            yield self._cleared(self._blind.last_s)
            return
        found = found_on(laid, self.view, self.zones.customs)
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
        told = {t.id for seat in self._seats for row in seat.sets for t in row} | self._put
        fresh = [tile for river in found.rivers for tile in river if tile not in told]
        sets = [
            group
            for seat, row in enumerate(found.sets)
            for group in row
            if not all(self._belongs(self.tiles[t], self._of_sets(seat)) for t in group)
        ]
        return len(fresh) + len(sets) > 1

    def _of_sets(self, seat: int) -> list[Placed]:
        return [tile for row in self._seats[seat].sets for tile in row]

    def _adopt(self, found: Found, laid: Laid) -> None:
        """Take what was found for what was told of."""
        self._blind.end()
        self._playing = True
        self._dealt_since, self._begun_s = None, None
        lying = {tile.id: tile for row in (laid.middle, *laid.flat) for tile in row}
        self.tiles.update(lying)
        self._put |= {tile for river in found.rivers for tile in river} | set(found.turned_up)
        self._last.clear()
        self._returns.clear()
        self._seats = [
            _SeatSeen([tuple(lying[tile] for tile in group) for group in row], down)
            for row, down in zip(found.sets, found.down, strict=True)
        ]

    # --- between two hands ---

    def _between(self, laid: Laid) -> Iterator[Happening]:
        in_strips = [
            count + len(flat) for count, flat in zip(laid.standing, laid.flat, strict=True)
        ]
        if self._begun_s is None and max(in_strips) >= 3:
            self._begun_s = laid.time_s
        ready = sum(count >= DEALT for count in laid.standing) >= 3 and min(laid.standing) >= 6
        if not ready or len(laid.middle) > 8:
            self._dealt_since = None
            if ready and not self._blind.now:
                self._blind.begin()
            return
        # The dealer has a tile more, and gets it last.
        standing = sum(laid.standing)
        if self._dealt_since is None or (standing > self._counted and not laid.middle):
            self._dealt_since, self._counted = laid.time_s, standing
        if laid.time_s - self._dealt_since < DEALT_S:
            return
        self._playing = True
        self._put.clear()
        self._last.clear()
        self._returns.clear()
        self._seats = [_SeatSeen() for _ in range(4)]
        begun_s = self._begun_s if self._begun_s is not None else laid.time_s
        self.tiles.update((tile.id, tile) for row in (laid.middle, *laid.flat) for tile in row)
        # What was there before the first hand stood is no discard: a chip, a square of the cloth.
        self._put.update(tile.id for tile in laid.middle if tile.first_s < begun_s)
        yield Dealt(max(0.0, begun_s - COMES_FIRST_S), laid.standing)
        self._begun_s = None

    # --- while a hand is played ---

    def _playing_now(self, laid: Laid, seen: Observation) -> Iterator[Happening]:
        if self._washed(laid):
            yield self._cleared(laid.time_s if self._unrest_s is None else self._unrest_s)
            return
        if seen.unrest >= UNREST:
            return
        found: list[Happening] = []
        for seat in range(4):
            busy = self.busy_at(seat, seen.time_s - LINGERS_S, seen.time_s)
            found += self._strip(laid, seat, busy)
        found += self._middle(laid)
        found += self._taken_back(laid, seen)
        yield from sorted(found, key=lambda happening: happening.time_s)

    def _taken_back(self, laid: Laid, seen: Observation) -> Iterator[Happening]:
        """What was put down or laid open a while ago and is gone, while nobody lays anything."""
        busy = any(self.busy_at(seat, seen.time_s - LINGERS_S, seen.time_s) for seat in range(4))
        calm = not busy and not any(seat.pending or seat.opened for seat in self._seats)
        sets = [seat.sets[-1] for seat in self._seats if seat.sets and len(seat.sets[-1]) > 2]
        for gone in self._returns.update(laid, list(self._last), sets, self.present, calm):
            self._put.difference_update(gone.tiles)
            self._told.difference_update(gone.tiles)
            if len(gone.tiles) == 1:
                self._last.remove(gone.tiles[0])
            for seat in self._seats:
                seat.sets = [
                    row for row in seat.sets if gone.tiles != tuple(tile.id for tile in row)
                ]
            yield gone

    def _cleared(self, began_s: float) -> Washed:
        self._playing, self._dealt_since, self._begun_s = False, None, None
        self._backs.clear()
        return Washed(began_s)

    def _all_gone(self, laid: Laid) -> bool:
        """Of a few tiles that were told of, not one lies there any more."""
        return len(self._known) > 1 and not self._known & _faces(laid)

    @property
    def _known(self) -> set[int]:
        """Ids of the discards and of the tiles in sets."""
        return self._put | {t.id for s in self._seats for row in s.sets for t in row}

    def _washed(self, laid: Laid) -> bool:
        known = self._known
        gone = len(known - _faces(laid))
        standing = sum(laid.standing)
        return (len(known) >= WASHED_LEAST and gone >= WASHED_SHARE * len(known) and gone >= 5) or (
            len(known) < WASHED_LEAST and standing < 12 and sum(map(len, laid.flat)) < 8
        )

    def _middle(self, laid: Laid) -> Iterator[Happening]:
        for tile in laid.middle:
            if tile.id in self._put or self._twice(tile, laid.middle):
                continue
            self._put.add(tile.id)
            seat = self._added_to(tile)
            if seat is not None:
                self._seats[seat].sets.append((tile,))
                yield Added(tile.first_s, seat, tile.id)
                continue
            back_s = self._backs.get(tile.id)
            if back_s is not None and laid.time_s - back_s > WAS_BACK_S:
                # Where a hand is being laid open, it is looked under the indicators after that.
                late = tile.first_s <= back_s or any(len(s.pending) > 3 for s in self._seats)
                yield TurnedUp(laid.time_s if late else tile.first_s, tile.id)
            else:
                self._last.append(tile.id)
                yield Put(tile.first_s, tile.id, self._for_seats(tile))

    def _added_to(self, tile: Placed) -> int | None:
        """The seat beside whose set a tile of the same face was laid, towards the middle."""
        return next(
            (seat for seat in range(4) if self._beside_set(tile, self._seats[seat].sets)), None
        )

    def _twice(self, tile: Placed, middle: tuple[Placed, ...]) -> bool:
        """Two tiles cannot lie in one place: one of them is a second reading of the other."""
        near = ONE_PLACE * self.view.tile_mm
        return any(
            other.id != tile.id
            and (other.id in self._put or (other.looks, -other.id) > (tile.looks, -tile.id))
            and float(np.hypot(other.x_mm - tile.x_mm, other.y_mm - tile.y_mm)) < near
            for other in middle
        )

    def _for_seats(self, tile: Placed) -> tuple[float, ...]:
        scores = []
        for seat in range(4):
            u, v = to_seat(tile.xy_mm, seat) / self.zones.half[seat]
            if self.zones.customs.river == "rows":
                # Everybody's river lies in a quarter of the middle.
                near = IN_OWN_RIVER if v > abs(u) else -IN_OWN_RIVER
            else:
                near = float(np.clip(2.2 * v, -1.2, 1.2))
            came = self.busy_at(seat, tile.first_s - BUSY_BEFORE_S, tile.first_s + 0.4)
            scores.append(near + (1.3 if came else -1.3))
        return tuple(scores)

    def _strip(self, laid: Laid, seat: int, busy: bool) -> Iterator[Happening]:
        before = self._seats[seat]
        if before.opened:
            return
        in_sets = [t for row in before.sets for t in row]
        fresh = [t for t in laid.flat[seat] if not self._belongs(t, in_sets)]
        backs = [t for t in fresh if t.side is Side.BACK]
        faces = [t for t in fresh if t.side is Side.FACE]
        yield from self._lifted(laid, seat)
        # The backs of a hand that was laid down are no news.
        news = faces if before.down else fresh
        if not news:
            before.pending = frozenset()
            return
        ids = frozenset(t.id for t in news)
        if not before.pending:
            before.waiting_s = laid.time_s
        if ids != before.pending:
            before.pending, before.pending_s = ids, laid.time_s
            return
        lain_s = laid.time_s - before.pending_s
        waited = laid.time_s - before.waiting_s
        lingers = busy and waited < PATIENCE_S and not self._set_lies(news, laid.time_s)
        if lain_s < CALM_S or lingers:
            return
        standing = laid.standing[seat]
        size = _waiting(before.sets)
        still_up = standing + len(backs)
        whole = 4 if size > 1 else 1
        if len(faces) > whole:
            # A hand lies together: what lies far from it is another's, or a thing.
            rows = groups(faces, self.view.tile_mm, FAR)
            row = max(rows, key=lambda tiles: len(tiles))
            faces = list(row)
        if len(faces) >= whole and still_up <= (max(1, len(faces) // 4) if size > 1 else 0):
            if len(faces) not in (size, size + 1) and waited < OPENED_S:
                return
            before.opened = True
            yield Opened(_latest(faces), seat, tuple(t.id for t in faces))
            return
        if len(backs) >= 4 and standing <= 3 and not before.down:
            before.down = True
            yield LaidDown(_median_first(backs), seat)
            return
        if before.down and (waited < PATIENCE_S or len(backs) < 4):
            return  # it is being opened; who is ready claims nothing more
        # Two tiles with a gap between them: the one in the middle has not been found.
        reach = GAP if waited > PATIENCE_S and len(news) == 2 else TOUCHING
        for group in groups(news, self.view.tile_mm, reach):
            yield from self._group(laid, seat, group, waited)

    def _set_lies(self, news: list[Placed], now_s: float) -> bool:
        """Whether a whole set lies there that gets no further tile, whatever its player does."""
        faces = all(tile.side is Side.FACE for tile in news)
        whole = len(news) in (3, 4) and len(groups(news, self.view.tile_mm, TOUCHING)) == 1
        return faces and whole and (len(news) == 4 or now_s - _latest(news) >= FOURTH_S)

    def _group(
        self, laid: Laid, seat: int, group: tuple[Placed, ...], waited: float
    ) -> Iterator[Happening]:
        before = self._seats[seat]
        shows = any(t.side is Side.FACE for t in group)
        four_backs = len(group) == 4 and laid.standing[seat] >= 4
        least = min(LEAST_STANDING, _waiting(before.sets) - 3)
        if laid.standing[seat] < least and not before.down:
            return  # a hand that is being opened, not a set beside a hand
        if len(group) in (3, 4) and (shows or four_backs):
            before.sets.append(group)
            yield SetLaid(_latest(group), seat, tuple(t.id for t in group))
        elif len(group) in (6, 7, 8) and shows:
            for part in _parts(group):
                before.sets.append(part)
                yield SetLaid(_latest(part), seat, tuple(t.id for t in part))
        elif len(group) == 1 and shows:
            if self._completes(group[0], before.sets):
                return
            if self._beside_set(group[0], before.sets):
                before.sets.append(group)
                yield Added(group[0].first_s, seat, group[0].id)
        elif len(group) == 2 and shows and waited > PATIENCE_S:
            before.sets.append(group)
            yield SetLaid(_latest(group), seat, tuple(t.id for t in group))

    def _lifted(self, laid: Laid, seat: int) -> Iterator[Happening]:
        """A tile laid onto the turned one of a pung looks as if that had moved outwards."""
        before = self._seats[seat]
        now = {t.id: t for t in laid.flat[seat]}
        for place, row in enumerate(before.sets):
            if len(row) != 3 or any(t.side is not Side.FACE for t in row):
                continue
            shifts = {t.id: now[t.id].xy_mm - t.xy_mm for t in row if t.id in now}
            for tile in row:
                others = [shift for key, shift in shifts.items() if key != tile.id]
                if tile.id not in shifts or len(others) < 2:
                    continue
                moved = shifts[tile.id] - np.mean(others, axis=0)
                expected = self._rise(tile)
                along = float(moved @ expected / (expected @ expected))
                across = float(np.hypot(*(moved - along * expected)))
                if 0.6 < along < 1.5 and across < 0.5 * float(np.hypot(*expected)):
                    before.sets[place] = (*(now[t.id] for t in row), now[tile.id])
                    yield Added(laid.time_s, seat, tile.id)
                    return

    def _rise(self, tile: Placed) -> np.ndarray:
        """Where a tile on top of this one would seem to lie, as a shift in millimetres."""
        lying = self.view.lying_mm
        seen = self.view.to_image(tile.xy_mm[None], 2 * lying)
        return np.asarray(self.view.to_table(seen, lying)[0] - tile.xy_mm)

    def _belongs(self, tile: Placed, known: list[Placed]) -> bool:
        """A tile that is known by its id, or that was found again in its place."""
        near = 0.5 * self.view.tile_mm
        return any(
            tile.id == other.id
            or (tile.side is other.side and float(np.hypot(*(tile.xy_mm - other.xy_mm))) < near)
            for other in known
        )

    def _completes(self, tile: Placed, sets: list[tuple[Placed, ...]]) -> bool:
        """Add the third tile of a set of which two had been found; nothing happened."""
        near = TOUCHING * self.view.tile_mm
        for place, row in enumerate(sets):
            if len(row) == 2 and min(np.hypot(*(tile.xy_mm - t.xy_mm)) for t in row) < near:
                sets[place] = (*row, tile)
                return True
        return False

    def _beside_set(self, tile: Placed, sets: list[tuple[Placed, ...]]) -> bool:
        near = 1.6 * self.view.tile_mm
        return any(
            len(row) == 3
            and min(np.hypot(*(tile.xy_mm - t.xy_mm)) for t in row) < near
            and all(float(tile.probabilities @ t.probabilities) > 0.1 for t in row)
            for row in sets
        )


def _faces(laid: Laid) -> set[int]:
    """Ids of what may have been told of."""
    return {tile.id for tile in laid.middle} | {t.id for row in laid.flat for t in row}


def _waiting(sets: list[tuple[Placed, ...]]) -> int:
    """How many tiles a hand beside these sets waits with."""
    return 13 - 3 * sum(len(row) > 2 for row in sets)


def _latest(tiles: tuple[Placed, ...] | list[Placed]) -> float:
    return max(tile.first_s for tile in tiles)


def _median_first(tiles: list[Placed]) -> float:
    return float(np.median([tile.first_s for tile in tiles]))


def _parts(group: tuple[Placed, ...]) -> list[tuple[Placed, ...]]:
    """Two sets that were laid within one breath, side by side, apart by the time they came."""
    order = sorted(group, key=lambda tile: tile.first_s)
    cut = max(range(3, len(order) - 2), key=lambda at: order[at].first_s - order[at - 1].first_s)
    early = {tile.id for tile in order[:cut]}
    return [
        tuple(t for t in group if t.id in early),
        tuple(t for t in group if t.id not in early),
    ]
