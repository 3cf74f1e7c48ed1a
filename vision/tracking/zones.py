"""What a tile is part of, by where it lies: somebody's hand or sets, the middle, a wall."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Final

from engine.first_deal import Counted
from engine.rules.layout import PLAIN, TableLayout
from vision.table.placed_tile import Place, PlacedTile
from vision.table.view import HAND_SHARE, HEIGHT_SHARE, TableView
from vision.tiles.classes import Side
from vision.tracking.observe import Observation

TOUCHING: Final = 1.75
"""Middles of two tiles that lie side by side are nearer than this many widths."""
LEAST_DOWN: Final = 4
"""At least so many backs before a player are a hand that was laid down, ..."""
MOST_STANDING: Final = 3
"""... if no more than so many tiles seem to stand. With more they are a closed kong."""

IN_ROW: Final = 0.4
"""How far a tile of a standing row may be out of line, as a share of a tile's width."""
LEAST_ROW: Final = 6
"""Fewer tiles are no row yet: they stand as they were taken."""
LEAST_SEEN: Final = 4
"""With so many tiles that are seen, a row is known as one in which others are overlooked."""
HOLE: Final = 1.75
"""Neighbours in a row that are farther apart, in spacings of that row, have one between them. A
drawn tile stands up to half a tile's width away from the others."""
CONTINUED: Final = 1 + HOLE
"""A back continues a row where no more than one tile lacks between them, in widths of a tile."""
TWICE: Final = 0.68
"""Neighbours in a row that are nearer, in widths of a tile, are one tile, or one that is no longer
where it stood."""
IN_WALL: Final = 0.7
"""How far a stack of a wall may be out of line, as a share of a tile's width: half its length. In
nine simulated deals 0.4 and 1.0 count the same."""


@dataclass(frozen=True, eq=False)
class Laid:
    """The tiles of one moment, sorted by what they are part of."""

    time_s: float
    standing: tuple[int, ...]
    """Standing tiles of each seat."""
    flat: tuple[tuple[PlacedTile, ...], ...]
    """Faces and backs that lie in each seat's own strip, from its player's left to right."""
    middle: tuple[PlacedTile, ...]
    """Faces that lie anywhere else."""
    backs: tuple[PlacedTile, ...]
    """Backs that lie anywhere else: walls."""
    rows: tuple[tuple[PlacedTile, ...], ...] = ((), (), (), ())
    """The standing tiles of each seat, from its player's left to right."""

    def places(self, tile_mm: float) -> tuple[int, ...]:
        """How many tiles stand before each seat with those that lack in the midst of its row."""
        return tuple(
            max(count, _places([tile.own_places[seat][0] for tile in row], tile_mm))
            for seat, (count, row) in enumerate(zip(self.standing, self.rows, strict=True))
        )

    def lines(self, tile_mm: float) -> tuple[int, ...]:
        """The same with the backs that continue a row: of a wall some tiles may seem to stand."""
        return tuple(
            _line(seat, row, self.flat[seat], tile_mm) for seat, row in enumerate(self.rows)
        )


class Zones:
    """Sorts observations; learns how far out the hands of this table stand."""

    def __init__(self, view: TableView, hand_size: int, layout: TableLayout = PLAIN) -> None:
        """``hand_size``: tiles of a waiting hand without declared sets."""
        self.view = view
        self.hand_size = hand_size
        self.layout = layout
        self.half = tuple(view.half_mm[1 - seat % 2] for seat in range(4))
        self._hand_v = [HAND_SHARE * half for half in self.half]

    def strip_v(self, seat: int) -> float:
        """Where a seat's own strip begins, from the table's middle."""
        return self._hand_v[seat] - 0.62 * HEIGHT_SHARE * self.view.tile_mm

    def laid(self, seen: Observation) -> Laid:
        self._learn(seen)
        strips = bottom, right, top, left = [self.strip_v(seat) for seat in range(4)]
        stand: list[list[PlacedTile]] = [[], [], [], []]
        flat: list[list[PlacedTile]] = [[], [], [], []]
        middle, backs = list[PlacedTile](), list[PlacedTile]()
        at: dict[int, Place] = {}
        for tile in seen.placed:
            if -left <= tile.x_mm <= right and -top <= tile.y_mm <= bottom:
                if tile.side is not Side.STANDING:
                    (middle if tile.side is Side.FACE else backs).append(tile)
                continue
            places = tile.own_places
            seat = self._seat_at(places, strips)
            at[tile.id] = places[seat]
            (stand if tile.side is Side.STANDING else flat)[seat].append(tile)
        for seat in range(4):
            self._stand_up(stand[seat], flat[seat], at)
            for tiles in (stand[seat], flat[seat]):
                tiles.sort(key=lambda tile: at[tile.id][0])
        return Laid(
            seen.time_s,
            tuple(map(len, stand)),
            tuple(map(tuple, flat)),
            tuple(middle),
            tuple(backs),
            tuple(map(tuple, stand)),
        )

    def counted(
        self, seen: Observation, rows: Sequence[tuple[int, ...]], *, playing: bool
    ) -> Counted:
        """How many stacks of the wall lie, and how many tiles stand, before each seat.

        ``rows``: how many stood last, now and for long enough to count, while a hand is played
        (``playing``); empty where none stood yet. Then a short row is not counted, nor one that
        has just changed, that seems to be of another length now, or over which an arm reaches. A
        row in which a tile seems to lack is never counted, as one has been overlooked, nor one in
        which two tiles stand in one place.
        Of backs, only those in line with others are stacks of a wall. Any thread may ask this:
        nothing is learnt from it.
        """
        apart = Zones(self.view, self.hand_size, self.layout)
        apart._hand_v = list(self._hand_v)
        laid = apart.laid(seen)
        stacks = Counter(_walls_of(laid.backs, self.view.tile_mm))
        own = [[tile.own_places[seat][0] for tile in row] for seat, row in enumerate(laid.rows)]
        standing = [
            None
            if _is_odd(tiles, self.view.tile_mm)
            else _stood(len(tiles), row)
            if playing
            else len(tiles)
            for tiles, row in zip(own, rows, strict=True)
        ]
        return Counted(
            tuple(None if seat in seen.busy else stacks[seat] for seat in range(4)),
            tuple(None if seat in seen.busy else standing[seat] for seat in range(4)),
        )

    def _stand_up(
        self, stand: list[PlacedTile], flat: list[PlacedTile], at: Mapping[int, Place]
    ) -> None:
        """Count tiles that seem to lie in the midst of a standing row as standing, too.

        Nothing changes if the row would then be longer than a hand beside its sets can be. ``at``:
        places of the tiles in the seat's own millimetres.
        """
        if len(stand) <= MOST_STANDING or not flat:
            return
        along, out = zip(*(at[tile.id] for tile in stand), strict=True)
        near_mm, usual = IN_ROW * self.view.tile_mm, median(out)
        line = [tile for tile in flat if abs(at[tile.id][1] - usual) < near_mm]
        faces = sum(tile.side is Side.FACE for tile in flat if tile not in line)
        if len(stand) + len(line) > self.hand_size + 1 - faces // 3 * 3:
            return
        for tile in line:
            if min(along) < at[tile.id][0] < max(along):
                flat.remove(tile)
                stand.append(replace(tile, side=Side.STANDING))

    def _seat_at(self, places: Sequence[Place], strips: Sequence[float]) -> int:
        """The seat in whose strip a tile lies that is not in the middle, by its place for each.

        A corner belongs to the seat that has its sets there.
        """
        inside = [seat for seat in range(4) if places[seat][1] > strips[seat]]
        if len(inside) < 2:
            return inside[0]
        side = 1.0 if self.layout.sets_at == "right" else -1.0
        return max(inside, key=lambda seat: side * places[seat][0])

    def _learn(self, seen: Observation) -> None:
        near: tuple[list[float], ...] = ([], [], [], [])
        for tile in seen.placed:
            if tile.side is not Side.STANDING:
                continue
            for (u, v), half, here in zip(tile.own_places, self.half, near, strict=True):
                if v > 0.7 * half and abs(u) < 0.75 * half:
                    here.append(v)
        for seat, here in enumerate(near):
            if len(here) >= 6:
                self._hand_v[seat] += 0.2 * (median(here) - self._hand_v[seat])


def _nearest(tile: PlacedTile) -> int:
    """The seat on whose side of the table's middle a tile lies farthest out."""
    return max(range(4), key=lambda seat: tile.own_places[seat][1])


def _walls_of(backs: Sequence[PlacedTile], tile_mm: float) -> Iterator[int]:
    """The seat before whom each back lies that is part of a wall.

    A wall reaches as far as the next one does, so the end of one is told from it by its line.
    """
    out: dict[int, list[float]] = {}
    for tile in backs:
        seat = _nearest(tile)
        out.setdefault(seat, []).append(tile.own_places[seat][1])
    lines = {seat: median(each) for seat, each in out.items()}
    for tile in backs:
        off = {seat: abs(tile.own_places[seat][1] - line) for seat, line in lines.items()}
        seat = min(off, key=lambda seat: off[seat])
        if off[seat] < IN_WALL * tile_mm:
            yield seat


def _places(along_mm: Sequence[float], tile_mm: float) -> int:
    """Tiles of a row, given from one end to the other, with those that lack in its midst."""
    over = 2.0 - HOLE  # two neighbours that are ``HOLE`` widths apart have one between them
    gaps = [(right - left) / tile_mm for left, right in pairwise(along_mm)]
    return len(along_mm) + sum(max(0, math.floor(gap + over) - 1) for gap in gaps)


def _line(seat: int, row: Sequence[PlacedTile], flat: Sequence[PlacedTile], tile_mm: float) -> int:
    """Places of a standing row and of the backs that lie in line with it and beside its tiles."""
    if not row:
        return 0
    usual = median(tile.own_places[seat][1] for tile in row)
    line = [
        tile
        for tile in flat
        if tile.side is Side.BACK and abs(tile.own_places[seat][1] - usual) < IN_ROW * tile_mm
    ]
    parts = groups([*row, *line], tile_mm, CONTINUED)
    along = (
        tile.own_places[seat][0]
        for part in parts
        if any(tile.side is Side.STANDING for tile in part)
        for tile in part
    )
    return _places(sorted(along), tile_mm)


def _is_odd(along_mm: Sequence[float], tile_mm: float) -> bool:
    """Whether a tile lacks in the midst of a whole row, or one is read twice; the drawn one stands
    a little apart."""
    if len(along_mm) < LEAST_ROW:
        return False
    apart = [right - left for left, right in pairwise(sorted(along_mm))]
    return max(apart) > HOLE * median(apart) or min(apart) < TWICE * tile_mm


def _stood(count: int, row: tuple[int, ...]) -> int | None:
    """The length of a row while a hand is played; None where it is not known."""
    if not row or count <= MOST_STANDING:
        return None
    return count if row == (count, count) else None


def is_down(backs: int, standing: int) -> bool:
    """Whether a player's hand lies there as a whole, backs up."""
    return backs >= LEAST_DOWN and standing <= MOST_STANDING


def groups(
    tiles: Sequence[PlacedTile], tile_mm: float, reach: float = TOUCHING
) -> list[tuple[PlacedTile, ...]]:
    """Tiles that lie side by side, middles within ``reach`` widths, in the order given."""
    left = list(tiles)
    found = []
    while left:
        group = [left.pop(0)]
        for member in group:
            near = [
                t
                for t in left
                if math.hypot(t.x_mm - member.x_mm, t.y_mm - member.y_mm) < reach * tile_mm
            ]
            group += near
            left = [t for t in left if t not in near]
        found.append(tuple(t for t in tiles if t in group))
    return found
