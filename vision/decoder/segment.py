"""When and where the table has changed and rests again."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, takewhile
from typing import Final

from vision.decoder.between_hands import LEAD_S, Blindness, Dealing
from vision.decoder.changes import (
    Cleared,
    FaceAppeared,
    HandsStand,
    RowShown,
    StickLaid,
    TableChange,
    TilesBefore,
    TilesGone,
)
from vision.decoder.put_down_by import hands_came, in_turn, put_down_by
from vision.decoder.seat_strip import SAME_PLACE, OpenSeatStrip, SeatStrip
from vision.decoder.snapshot import (
    Snapshot,
    hand_lies_open,
    rivers_of,
    snapshot_of,
    without_walls,
)
from vision.decoder.stirring import Stirring
from vision.table.placed_tile import PlacedTile
from vision.table.view import TableView
from vision.tiles.classes import Side
from vision.tracking.apart import StandsApart
from vision.tracking.falls import Falls
from vision.tracking.observe import Observation
from vision.tracking.open_rows import OpenRow, lies_open, with_open_hands
from vision.tracking.zones import TOUCHING, Laid, Zones

# Beside a number: how many of 394 table changes of twelve stored films another number alters, in
# their kinds or tiles / in these or their times.
WASHED_SHARE: Final = 0.6  # 0.3: 0/4; 0.8: 0/4
"""A hand is cleared away when so large a share of its open tiles is gone, ..."""
WASHED_STANDING: Final = 0.85  # 0.7: 4/4; 0.925: none
"""... or this one while hands stand as they stood, ..."""
HANDS_STAND: Final = 0.8  # 0.6: none; 0.9: none
"""... which is said of this share of their tiles, ..."""
WASHED_LEAST: Final = 5  # 3: none; 10: none
"""... and so many of them; where fewer lay open, when the hands are gone too: ..."""
FEW_STAND: Final = 12  # 6: none; 24: none
"""... fewer tiles stand before all players together ..."""
FEW_LIE: Final = 8  # 4: none; 16: none
"""... and fewer lie there."""
COMES_FIRST_S: Final = 1.5  # 0.75: none; 3.0: none
"""From the beginning of the deal until the first tiles lie before a player."""
ONE_PLACE: Final = 0.8  # 0.4: none; 1.6: 81/91
"""Middles of two tiles that lie on the felt are at least so many widths apart."""
LINGERS_S: Final = 0.4  # 0.2: 0/38; 0.8: 16/46
"""A hand is taken to be there for so long after anything moved."""
UNREST: Final = 0.12  # 0.06: 11/161; 0.24: 3/87
"""Where more than this share of the table moves, nothing is read: a wash, or a bumped camera."""
WAS_BACK_S: Final = 2.0  # 1.0: none; 4.0: none
"""A face that showed its back for longer was turned up where it lay."""
TURNED_S: Final = 1.5  # 0.75: none; 3.0: none
"""It takes no longer to turn a tile up where it lies."""
GONE_S: Final = 1.4  # 0.7: 0/24; 2.8: 0/30
"""What has not been seen for so long is taken to be gone, if nobody's hand is there."""
ON_ITS_WAY_S: Final = 2.5  # 1.25: none; 5.0: none
"""A tile that was taken for a set or a win is laid down within this time."""
TAKEN_S: Final = 0.2  # 0.1: none; 0.4: none
"""It was taken so long before it was first missed: before what is put down in its stead."""
KEPT_S: Final = 30.0  # 15.0: none; 60.0: none
"""How long it is remembered who moved."""
JOINED: Final = 5  # 3: none; 10: none
"""In a table found with fewer discards, dice may pass for discards of a row."""
OPEN_HAND: Final = 8  # 4: none; 12: none
"""So many faces that come before a player at once are a hand that is laid open, ..."""
OPENS_S: Final = 0.6  # 0.3: none; 1.2: none
"""... which takes so long at most where others throw their tiles in meanwhile, ..."""
AFTER_HAND_S: Final = 0.1
"""... and what is cleared away is so after that."""
LAST_PUT: Final = 3
"""Tiles that may be taken back: those that were put down last."""


class Segmenter:
    """Takes observations in order of time and says what has changed since the one before."""

    def __init__(
        self,
        view: TableView,
        zones: Zones,
        most_out: int = 0,
        flowers: bool = False,
        winners_stay: bool = False,
    ) -> None:
        """``most_out``: how many seats may have won and left while the others play on; ``flowers``:
        the game has them; ``winners_stay``: who has won lays the hand open and plays on."""
        self.view, self.zones = view, zones
        self._most_out, self.flowers, self._winners_stay = most_out, flowers, winners_stay
        self.tiles: dict[int, PlacedTile] = {}
        """The last that was known of every tile of the game, by id."""
        self.present: frozenset[int] = frozenset()
        """Ids of what lies on the table now."""
        self.playing = False
        """Hands stand, and have not been cleared away."""
        self.ended = False
        """The last picture is looked at, and no other will come."""
        self._sticks: set[int] = set()
        """Seats of which it was told in this hand that a stick lies before their rivers."""
        self._left_s: dict[int, float] = {}
        """When what is no longer there was missed first, of the last moments."""
        self.gone_s: dict[int, float] = {}
        """The same for all tiles of this hand that lay open."""
        self.found_over = False
        """A hand lay open when the table was seen first: nobody saw how it was won."""
        self.apart = StandsApart()
        """The tiles just drawn that stand apart."""
        self.falls = Falls()
        """The rows that have lost such a tile."""
        self.seats = [SeatStrip(seat, zones) for seat in range(4)]
        self._changes_seen = 0
        self._dealing = Dealing(zones)
        self._cleared_s = -math.inf
        self._unrest_s: float | None = None
        """Since when so much has moved that nothing is read."""
        self._blind = Blindness()
        self._lay: set[int] = set()
        """Tiles of this hand that lie, or lay, face up."""
        self._middle: set[int] = set()
        """Those of them that came to the middle."""
        self._backs: dict[int, float] = {}
        """When each tile of the walls was first seen."""
        self._in_wall_s: dict[int, float] = {}
        """When those that were taken for faces were last seen."""
        self._busy: deque[tuple[float, frozenset[int]]] = deque()
        """Before which seats something moved, and when."""
        self._last: deque[int] = deque(maxlen=LAST_PUT)
        self._sets: deque[tuple[int, ...]] = deque(maxlen=LAST_PUT)
        """The last tiles that came to the middle, and before players."""
        self._gone_s: dict[tuple[int, ...], float] = {}
        self._told_gone: set[int] = set()
        """Tiles of which it was told that they are gone: they may be put there again."""
        self._found: HandsStand | None = None
        """The table as it was found in this hand, where nobody saw how it came to lie so."""
        self._stirring = Stirring()
        self._cleared: frozenset[int] = frozenset()
        """What lay open in the hand before: that it is gone says nothing of any tile."""
        self._withheld: dict[int, TableChange] = {}
        """Changes that come while much is moved, by their ids."""
        self._opened_s = -math.inf
        """When a hand was laid open last."""
        self._opened: set[int] = set()
        """Ids of the changes that show one."""

    def blinded(self) -> None:
        """Nothing was seen for a while: much may have happened."""
        self._blind.begin()

    def cleared_meanwhile(self) -> Cleared:
        """The tiles of the hand before were cleared away while nobody looked."""
        return Cleared(self.new_id(), self._blind.last_s, unseen=True)

    def put_last(self, tile: int | None) -> None:
        """Of a table that was found as it lies: which tile was discarded last."""
        if tile is not None:
            self._last.append(tile)

    def keep(self, tiles: Collection[int]) -> None:
        """Between two hands, forget all tiles but these and what lies there."""
        for tile in self.tiles.keys() - self.present - set(tiles):
            del self.tiles[tile]
            self._lay.discard(tile)

    def update(self, seen: Observation) -> list[TableChange]:
        self._blind.seen(seen.time_s)
        self._busy.append((seen.time_s, seen.busy))
        while seen.time_s - self._busy[0][0] > KEPT_S:
            self._busy.popleft()
        laid = self.zones.laid(seen)
        self.apart.update(laid.rows, self.view.tile_mm, seen.time_s)
        calm = self.playing and self._stirring.since_s is None and seen.unrest < UNREST
        self.falls.update(laid.standing, seen.time_s, calm)
        present = frozenset(tile.id for tile in seen.placed)
        self._left_s.update(dict.fromkeys(self.present - present, seen.time_s))
        for tile_id in [
            number
            for number, left_s in self._left_s.items()
            if number in present or not (self.ended or seen.time_s - left_s < ON_ITS_WAY_S)
        ]:
            del self._left_s[tile_id]
        left = self._lay & (self.present - present)
        self.gone_s = {tile: s for tile, s in self.gone_s.items() if tile not in present}
        self.gone_s |= dict.fromkeys(left, seen.time_s)
        self.present = present
        if seen.unrest < UNREST:
            self._unrest_s = None
            if self.playing:
                left |= {
                    t.id for t in seen.placed if t.id in self._lay and not self._lies_as_before(t)
                }
                self._stirring.update(left, self._lay & present - left, laid.standing, seen.time_s)
            for tile in seen.placed if self.playing else ():
                if tile.id not in self._lay or self._lies_as_before(tile):
                    self.tiles[tile.id] = tile
        else:
            self._stirring.unrest(left, self._lay & present, seen.time_s)
            if self._unrest_s is None:
                self._unrest_s = seen.time_s
        found = list(self._changes(laid, seen))
        for tile in laid.backs:
            self._backs.setdefault(tile.id, seen.time_s)
        for number in self._middle & self._backs.keys() & self.present:
            self._in_wall_s[number] = seen.time_s
        for change in found:
            # The backs of a hand that lies down may be turned over yet.
            faces = (tile for tile in change.tiles if tile in self.tiles)
            self._lay.update(tile for tile in faces if self.tiles[tile].side is Side.FACE)
        return found

    def _lies_as_before(self, tile: PlacedTile) -> bool:
        """Whether a tile still lies as it did; else it is being cleared away."""
        was = self.tiles.get(tile.id)
        if was is None or was is tile:
            return True
        moved_mm = math.hypot(tile.x_mm - was.x_mm, tile.y_mm - was.y_mm)
        return tile.side is was.side and moved_mm < self.view.tile_mm

    @property
    def open_rows(self) -> dict[int, OpenRow]:
        """The hands that lie face up from the deal on, by seat."""
        return {seat.seat: seat.row for seat in self.seats if isinstance(seat, OpenSeatStrip)}

    @property
    def taken(self) -> Collection[int]:
        """Ids of tiles of which nobody knows yet why they are gone.

        A hand took them before the frames ended, or many are gone at once, or while nobody looked
        and it is not said yet what happened meanwhile.
        """
        stirred = self._stirring.covered | self._stirring.unseen | self._cleared
        if self._blind.now:
            stirred |= self._lay - self.present
        return frozenset(stirred | (self._left_s.keys() if self.ended else set()))

    def busy_at(self, seat: int, from_s: float, to_s: float) -> bool:
        """Whether something moved near this seat's hand."""
        late = takewhile(lambda one: one[0] >= from_s, reversed(self._busy))
        return any(time_s <= to_s and seat in busy for time_s, busy in late)

    def left_at_end(self, time_s: float) -> Iterator[TableChange]:
        """What is told because no other picture comes: one tile that was laid down while others
        were moved, and what open hands showed last."""
        withheld = [change for change in self._withheld.values() if change.tiles]
        yield from withheld if len(withheld) == 1 and self.present >= {*withheld[0].tiles} else ()
        yield from self.shown_at_end(time_s)

    def shown_at_end(self, time_s: float) -> Iterator[TableChange]:
        """What hands that lay open showed last when the hand was over."""
        for strip in self.seats if self.playing else ():
            if isinstance(strip, OpenSeatStrip) and strip.shows_all:
                self.tiles.update((tile.id, tile) for tile in strip.row.row)
                row = tuple(tile.id for tile in strip.row.row)
                yield RowShown(self.new_id(), time_s, strip.seat, row)

    def new_id(self) -> int:
        """Number of the next change."""
        self._changes_seen += 1
        return self._changes_seen - 1

    def _changes(self, laid: Laid, seen: Observation) -> Iterator[TableChange]:
        if not self.playing and self._blind.empty(laid.standing, laid.time_s):
            self._blind.end()
        if not self._blind.now:
            yield from self._play(laid, seen) if self.playing else self._between(laid)
        elif seen.unrest < UNREST:
            yield from self._after_blindness(laid)

    # --- after nobody looked ---

    def _after_blindness(self, laid: Laid) -> Iterator[TableChange]:
        """The table as it lies, once it rests; then it is watched as ever."""
        if not self.playing:
            free, turned = without_walls(laid.middle, laid.backs, self.view.tile_mm)
            self._dealing.update(laid, free)
            came = any(tile.first_s >= self._dealing.bare_s for tile in free)
            if came and self._dealing.dealt(laid):
                yield self._first_discard(laid, turned)
                return
        lies = frozenset(_faces(laid))
        # In a hand that was watched before, only what is new must rest: things come and go.
        new = lies - self._lay if self.playing else lies
        rests_s = self._blind.still_since(new, laid.time_s)
        if rests_s is None:
            return
        if self.playing and (self._washed(laid, WASHED_SHARE) or self._all_gone(laid)):
            yield from self._clear(self._blind.last_s, unseen=True)
            return
        stay = self._winners_stay and not self.playing
        snapshot = snapshot_of(laid, self.zones, self._most_out, self.flowers, winners_stay=stay)
        if snapshot is None and not self.playing and hand_lies_open(laid):
            self.found_over = True
            self._dealing.forget()  # the hands that stand beside it are no new ones
        if self.playing and (snapshot is None or not self._much_is_new(snapshot)):
            self._blind.end()
        elif snapshot is not None and (
            snapshot.discards or any(snapshot.sets) or snapshot.turned_up
        ):
            known = self._middle.copy() if self.playing else set[int]()
            self._begin(laid, [False] * 4, rests_s)
            # What lay there before, and is hidden now, does not come for a second time.
            self._middle.update(known, (tile.id for tile in laid.middle))
            stood, first_s = laid.standing, self._blind.first_s
            self._found = HandsStand(self.new_id(), rests_s, stood, snapshot, first_s)
            yield self._found
        elif snapshot is not None:
            self._blind.end()
            yield from self._between(laid)

    def _first_discard(self, laid: Laid, turned: Sequence[PlacedTile]) -> HandsStand:
        """The deal of a hand that was seen without a discard until the first ones came."""
        counts, since_s = self._dealing.bare, self._dealing.bare_s
        self._begin(laid, [False] * 4, since_s)
        self._middle.update(tile.id for tile in laid.middle if tile.first_s < since_s)
        there = tuple(tile.id for tile in turned if tile.id in self._middle)
        nothing = ((),) * 4
        shown = Snapshot(since_s, counts, (False,) * 4, nothing, nothing, there)
        return HandsStand(
            self.new_id(), max(0.0, since_s - LEAD_S), counts, shown if there else None
        )

    def _much_is_new(self, found: Snapshot) -> bool:
        """More than the one discard or set that may have been made in any moment."""
        rivers = sum(tile not in self._lay for river in found.rivers for tile in river)
        sets = sum(
            not all(tile in self._lay for tile in group) for row in found.sets for group in row
        )
        return rivers + sets > 1

    # --- between two hands ---

    def _between(self, laid: Laid) -> Iterator[TableChange]:
        stood_s = self._dealing.bare_s
        is_open = [
            lies_open(standing, flat, self._cleared_s)
            for standing, flat in zip(laid.standing, laid.flat, strict=True)
        ]
        laid = with_open_hands(laid, is_open)
        free, _ = without_walls(laid.middle, laid.backs, self.view.tile_mm)
        begun_s = self._dealing.update(laid, free)
        if begun_s is None:
            if self._dealing.in_play(laid, len(free)):
                self._blind.begin()
            return
        counts = self._dealing.bare or laid.standing
        self._begin(laid, is_open, begun_s, self._dealing.dealt_s(laid))
        # What was there before the first hand stood is no discard: a chip, a square of the cloth.
        self._middle.update(tile.id for tile in laid.middle if tile.first_s < begun_s)
        for strip, row in zip(self.seats, laid.flat, strict=True):
            # A kong is laid, or a flower, as soon as all hands stand.
            strip.forget([t.id for t in row if t.side is Side.FACE and t.first_s > stood_s])
        time_s = max(0.0, self._cleared_s, begun_s - COMES_FIRST_S)
        yield HandsStand(self.new_id(), time_s, counts)

    def _begin(
        self, laid: Laid, is_open: list[bool], time_s: float, dealt_s: float = math.inf
    ) -> None:
        """Watch a hand from now on; what lay before players at ``dealt_s`` is not new."""
        self._blind.end()
        known = [[tile for tile in flat if tile.first_s < dealt_s] for flat in laid.flat]
        self._dealing.forget()
        self.falls.forget_rows()
        self.playing = True
        self._middle.clear()
        self._last.clear()
        self._sets.clear()
        self._gone_s.clear()
        self._told_gone.clear()
        self._sticks.clear()
        self.gone_s.clear()
        self._stirring, self._opened_s, self._found = Stirring(), -math.inf, None
        self._withheld.clear()
        self._opened.clear()
        self.seats = [
            OpenSeatStrip(seat, self.zones)
            if is_open[seat]
            else SeatStrip(seat, self.zones, known[seat])
            for seat in range(4)
        ]
        self.tiles.update((tile.id, tile) for row in (laid.middle, *laid.flat) for tile in row)

    # --- while a hand is played ---

    def _play(self, laid: Laid, seen: Observation) -> Iterator[TableChange]:
        if self._washed(laid, WASHED_STANDING if self._hands_stand(laid) else WASHED_SHARE):
            yield from self._clear(self._cleared_since(laid.time_s))
            return
        if seen.unrest >= UNREST:
            return
        found: list[TableChange] = []
        for strip in self.seats:
            for change in strip.update(laid, self.new_id):
                self._sets.append(change.tiles)
                found.append(change)
        found += self._in_the_middle(laid)
        faces = [change for change in found if isinstance(change, FaceAppeared)]
        came_s = [one.time_s for one in faces if not (one.early or one.was_back)]
        self._stirring.came(came_s, seen.time_s)
        found += self._gone(laid, seen)
        for seat in sorted(seen.sticks - self._sticks):
            self._sticks.add(seat)
            found.append(StickLaid(self.new_id(), seen.time_s, seat))
        found = list(self._told(found, seen.time_s))
        yield from sorted(found, key=lambda change: change.time_s)

    def _told(self, found: Sequence[TableChange], time_s: float) -> Iterator[TableChange]:
        """The changes that are no part of tiles being mixed, those that were withheld first."""
        waits = self._stirring.waits(time_s)
        if not waits:
            yield from self._withheld.values()
            self._withheld.clear()
        for change in found:
            since_s = self._stirring.since_s or 0.0
            if self._opens_a_hand(change, since_s + OPENS_S if waits else math.inf):
                self._opened_s = max(self._opened_s, change.time_s)
                self._opened.add(change.id)
            elif waits and (change.time_s >= since_s or change.id in self._opened):
                self._withheld[change.id] = change
                continue
            self._withheld.pop(change.id, None)
            yield change

    def _opens_a_hand(self, change: TableChange, until_s: float) -> bool:
        """Whether a hand is laid open; what comes to it after a moment is no tile of it."""
        if not isinstance(change, TilesBefore):
            return isinstance(change, RowShown)
        came_s = max(self.tiles[tile].first_s for tile in change.fresh)
        grown = change.id in self._opened and came_s > until_s
        return len(set(change.fresh) - set(change.backs)) >= OPEN_HAND and not grown

    def _cleared_since(self, time_s: float) -> float:
        """Since when the tiles are being cleared away, after what was done last before that."""
        begun_s = self._unrest_s
        if begun_s is None or self._stirring.since_s is not None:
            begun_s = min(begun_s or math.inf, self._stirring.since_s or time_s)
        return max(begun_s, self._opened_s + AFTER_HAND_S)

    def _gone(self, laid: Laid, seen: Observation) -> Iterator[TableChange]:
        """What was put down a while ago and is gone, while nobody lays anything."""
        busy = any(self.busy_at(seat, seen.time_s - LINGERS_S, seen.time_s) for seat in range(4))
        calm = not (busy or self.ended or any(strip.pending for strip in self.seats))
        groups: list[tuple[int, ...]] = [(tile,) for tile in self._last]
        groups += [tiles for tiles in self._sets if len(tiles) in (2, 3, 4)]
        for group in groups:
            if any(tile in self.present for tile in group):
                self._gone_s.pop(group, None)
                continue
            since_s = self._gone_s.setdefault(group, laid.time_s)
            if calm and laid.time_s - since_s >= GONE_S:
                del self._gone_s[group]
                self._middle.difference_update(group)
                self._lay.difference_update(group)
                self._told_gone.update(group)
                if len(group) == 1:
                    self._last.remove(group[0])
                self._sets = deque((one for one in self._sets if one != group), LAST_PUT)
                for strip in self.seats:
                    strip.forget(group)
                yield TilesGone(self.new_id(), since_s - TAKEN_S, group, laid.standing)

    def _clear(self, began_s: float, unseen: bool = False) -> Iterator[TableChange]:
        """The tiles are cleared away; what open hands showed last comes before that."""
        yield from (one for one in self._withheld.values() if one.time_s < began_s)
        self._withheld.clear()
        yield from self.shown_at_end(began_s)
        self.playing = False
        self._cleared_s = began_s
        self._dealing.forget(self._blind.lasted_s if unseen else 0.0)
        self._backs.clear()
        self._in_wall_s.clear()
        self._cleared = frozenset(self._lay)
        self._lay.clear()
        yield Cleared(self.new_id(), began_s, unseen)

    def _all_gone(self, laid: Laid) -> bool:
        """Of a few tiles that lay there, not one lies there any more."""
        return len(self._lay) > 1 and not self._lay & _faces(laid)

    def _hands_stand(self, laid: Laid) -> bool:
        """Whether the play goes on, by the hands."""
        if any(isinstance(strip, OpenSeatStrip) and not strip.hidden for strip in self.seats):
            return False
        lying = [sum(tile.side is Side.FACE for tile in row) for row in laid.flat]
        held = [max(1, self.zones.hand_size - count) for count in lying]
        return sum(laid.standing) >= HANDS_STAND * sum(held)

    def _washed(self, laid: Laid, share: float) -> bool:
        """Whether most of what lay open is gone, or the hands where little did."""
        if len(self._lay) < WASHED_LEAST:
            return sum(laid.standing) < FEW_STAND and sum(map(len, laid.flat)) < FEW_LIE
        return len(self._lay - _faces(laid)) >= max(WASHED_LEAST, share * len(self._lay))

    def _in_the_middle(self, laid: Laid) -> Iterator[TableChange]:
        came = sorted(self._came_to_the_middle(laid), key=lambda change: change.time_s)
        overlooked = {change.id: found for change in came if (found := self._overlooked(change))}
        yield from overlooked.values()
        came = [change for change in came if change.id not in overlooked]
        for _, together in groupby(came, key=lambda change: change.time_s):
            # Nobody saw which came first, as after a pause of the pictures.
            yield from in_turn(list(together), lambda change: change.seats)

    def _came_to_the_middle(self, laid: Laid) -> Iterator[FaceAppeared]:
        for tile in laid.middle:
            if tile.id in self._middle or self._twice(tile, laid.middle):
                continue
            self._middle.add(tile.id)
            back_s = self._back_since(tile)
            was_back = laid.time_s - back_s > WAS_BACK_S
            # Where a hand is being laid open, it is looked under the indicators after that.
            late = was_back and (tile.first_s <= back_s or self._hand_opens)
            late |= tile.id in self._told_gone
            time_s = laid.time_s if late else tile.first_s
            if not was_back:
                self._last.append(tile.id)
            early = tile.first_s < self._dealing.grew_s
            seats = put_down_by(tile, self.zones, self.busy_at)
            moved = hands_came(tile, self.busy_at)
            yield FaceAppeared(self.new_id(), time_s, tile.id, seats, early, was_back, moved)

    def _overlooked(self, change: FaceAppeared) -> HandsStand | None:
        """The table as it was found, with a discard that lay there and was overlooked.

        None where the tile may have come since: nobody lays one before others of a row.
        """
        found, layout = self._found, self.zones.layout
        if found is None or found.snapshot is None or layout.river != "rows" or change.was_back:
            return None
        known = {tile for river in found.snapshot.rivers for tile in river} & self.present
        lying = [self.tiles[tile] for tile in (*sorted(known), change.tile) if tile in self.tiles]
        rivers = rivers_of(lying, self.view.tile_mm, layout)
        orders = [[tile.id for tile in river] for river in rivers]
        order = next(order for order in orders if change.tile in order)
        if order[-1] == change.tile or found.snapshot.discards < JOINED:
            return None
        after = order[order.index(change.tile) + 1]
        off_mm = math.dist(self.tiles[after].xy_mm, self.tiles[change.tile].xy_mm)
        if off_mm > TOUCHING * self.view.tile_mm:
            return None
        ids = tuple(
            tuple(
                new for tile in river for new in ((change.tile, tile) if tile == after else (tile,))
            )
            for river in found.snapshot.rivers
        )
        self._found = replace(found, snapshot=replace(found.snapshot, rivers=ids))
        return self._found

    def _back_since(self, tile: PlacedTile) -> float:
        """Since when a back lay where this face lies now; infinity where none did.

        A back that was taken for a face is another track than the face when it is turned up.
        """
        if tile.id in self._backs:
            return self._backs[tile.id]
        for other in self._middle & self._backs.keys():
            there = self.tiles[other]
            off_mm = math.hypot(there.x_mm - tile.x_mm, there.y_mm - tile.y_mm)
            lay_s = self._in_wall_s.get(other, -math.inf)
            if off_mm < SAME_PLACE * self.view.tile_mm and tile.first_s - lay_s < TURNED_S:
                return self._backs[other]
        return math.inf

    @property
    def _hand_opens(self) -> bool:
        return any(len(strip.pending) > LAST_PUT for strip in self.seats)

    def _twice(self, tile: PlacedTile, middle: tuple[PlacedTile, ...]) -> bool:
        """Two tiles cannot lie in one place: one of them is a second reading of the other."""
        near = ONE_PLACE * self.view.tile_mm
        return any(
            other.id != tile.id
            and (other.id in self._middle or (other.looks, -other.id) > (tile.looks, -tile.id))
            and math.hypot(other.x_mm - tile.x_mm, other.y_mm - tile.y_mm) < near
            for other in middle
        )


def _faces(laid: Laid) -> set[int]:
    """Ids of what lies there, in the middle and before players."""
    return {tile.id for tile in laid.middle} | {t.id for row in laid.flat for t in row}
