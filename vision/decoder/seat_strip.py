"""What lies before one player: when tiles came there, whatever they mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.decoder.changes import RowShown, TilesBefore
from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import Side
from vision.tracking.open_rows import OpenRow, hand_and_sets
from vision.tracking.zones import LEAST_DOWN, Laid, Zones, is_down

CALM_S: Final = 0.3
"""What lies before a player counts when it has not changed for so long."""
GROWS_S: Final = 2.5
"""Tiles that come within so long belong to one change: a hand is laid open tile after tile."""
SAME_PLACE: Final = 0.5
"""A tile that is found again lies within so many widths of where it lay."""
APART: Final = 0.6
"""The gap, in widths, before a tile that was won with, ..."""
WIDER: Final = 0.2
"""... which is wider by so much than before tiles that are just drawn."""
FEW_FACES: Final = 3
"""A hand that was stood up or laid down shows no more faces."""
FEW_FELL: Final = 2
"""So many standing tiles fewer beside a change mean nothing: they are miscounted now and then."""
LEAST_RISE: Final = 0.45
"""A tile on top of another makes it seem to move by its height's share of the picture, and this
way for this part of it at least, beside its neighbours ..."""
NEIGHBOURS: Final = 2.5
"""... within so many widths."""


class SeatStrip:
    """The tiles before one player during one hand."""

    def __init__(self, seat: int, zones: Zones, lying: Sequence[PlacedTile] = ()) -> None:
        """``lying`` is what lay there when the hand began."""
        self.seat = seat
        self.pending: frozenset[int] = frozenset()
        """Tracks that have come and do not rest yet."""
        self._zones = zones
        self._known: dict[int, PlacedTile] = {tile.id: tile for tile in lying}
        """Tracks of changes that are over."""
        self._change: TilesBefore | None = None
        """The change that may still grow."""
        self._last_s = 0.0
        """When it grew last."""
        self._pending_s = 0.0
        self._stood = zones.hand_size

    def update(self, laid: Laid, new_id: Callable[[], int]) -> Iterator[TilesBefore | RowShown]:
        """What came to lie here, once it lies still."""
        lying = [tile for tile in self._lying(laid) if tile.side is not Side.STANDING]
        yield from self._lifted(lying, laid, new_id)
        fresh = [tile for tile in lying if not self._is_known(tile)]
        ids = frozenset(tile.id for tile in fresh)
        told = frozenset(self._change.fresh) if self._change is not None else frozenset[int]()
        standing = self._standing(laid)
        # Tiles that stood beside the change may not stand any more. Of backs each counts.
        hidden = self._change is not None and not told.isdisjoint(self._change.backs)
        fell = standing < self._stood - (0 if hidden else FEW_FELL)
        if ids <= told and not (ids and fell):
            self.pending = frozenset()
            if told and laid.time_s - self._last_s > GROWS_S + CALM_S:
                self._close(lying)
            return
        if ids != self.pending:
            self.pending, self._pending_s = ids, laid.time_s
            return
        if laid.time_s - self._pending_s < CALM_S:
            return
        newest_s = max(tile.first_s for tile in fresh)
        came = [tile for tile in fresh if tile.id not in told]
        laid_down = len(came) >= LEAST_DOWN and all(tile.side is Side.BACK for tile in came)
        if told and (newest_s - self._last_s > GROWS_S or laid_down):
            self._close(lying)
            fresh = [tile for tile in fresh if tile.id not in told]
        was, self._stood, self._last_s = self._change, standing, newest_s
        number, time_s = (new_id(), newest_s) if was is None else (was.id, was.time_s)
        self._change = TilesBefore(
            number, time_s, self.seat, _ids(lying), _ids(fresh), _backs(lying), standing
        )
        self.pending = frozenset()
        yield self._change

    def forget(self, tiles: Collection[int]) -> None:
        """These tiles were taken back."""
        for tile in tiles:
            self._known.pop(tile, None)
        if self._change is not None and set(self._change.fresh) <= set(tiles):
            self._change = None

    def _lying(self, laid: Laid) -> Sequence[PlacedTile]:
        return laid.flat[self.seat]

    def _standing(self, laid: Laid) -> int:
        """Tiles of the hand that are not laid out."""
        return laid.standing[self.seat]

    def _close(self, lying: Sequence[PlacedTile]) -> None:
        """The change is over, and its tiles are known."""
        told = () if self._change is None else self._change.fresh
        self._known.update((tile.id, tile) for tile in lying if tile.id in told)
        self._change = None

    def _is_known(self, tile: PlacedTile) -> bool:
        """Whether a tile was there before, by its id or because it was found again."""
        was, near = self._known.get(tile.id), SAME_PLACE * self._zones.view.tile_mm
        return (was is not None and was.side is tile.side) or any(
            tile.side is other.side
            and math.hypot(tile.x_mm - other.x_mm, tile.y_mm - other.y_mm) < near
            for other in self._known.values()
        )

    def _lifted(
        self, lying: Sequence[PlacedTile], laid: Laid, new_id: Callable[[], int]
    ) -> Iterator[TilesBefore]:
        """A tile laid onto one of a row looks as if that had moved outwards."""
        moved = [
            (tile, was)
            for tile in lying
            if (was := self._known.get(tile.id)) and was.side is tile.side is Side.FACE
        ]
        if all(tile is was for tile, was in moved):
            return
        width_mm = self._zones.view.tile_mm
        for tile, was in moved:
            others = [
                there.xy_mm - lay.xy_mm
                for there, lay in moved
                if there is not tile
                and math.hypot(lay.x_mm - was.x_mm, lay.y_mm - was.y_mm) < NEIGHBOURS * width_mm
            ]
            if not others:
                continue
            at_mm, by_mm = was.xy_mm, tile.xy_mm - was.xy_mm
            rise_mm, expected_mm = by_mm - sum(others) / len(others), self._rise_mm(at_mm)
            if rise_mm @ expected_mm < LEAST_RISE * (expected_mm @ expected_mm):
                continue
            self._known[tile.id] = tile
            off = float(np.hypot(*(rise_mm - expected_mm))) / width_mm
            lies, standing = (_ids(lying), (tile.id,), _backs(lying)), self._standing(laid)
            yield TilesBefore(new_id(), laid.time_s, self.seat, *lies, standing, off)
            return

    def _rise_mm(self, at_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far a tile on top of the one at this place would make that seem to move."""
        view = self._zones.view
        seen = view.to_image(at_mm[None], 2 * view.lying_mm)
        return np.asarray(view.to_table(seen, view.lying_mm)[0] - at_mm, np.float64)


def _ids(tiles: Sequence[PlacedTile]) -> tuple[int, ...]:
    return tuple(tile.id for tile in tiles)


def _backs(tiles: Sequence[PlacedTile]) -> tuple[int, ...]:
    return tuple(tile.id for tile in tiles if tile.side is Side.BACK)


class OpenSeatStrip(SeatStrip):
    """The tiles before one player whose hand everybody sees from the deal on."""

    def __init__(self, seat: int, zones: Zones) -> None:
        super().__init__(seat, zones)
        self.row = OpenRow(seat, zones.view.tile_mm)
        self.hidden = False
        """The hand stands or lies backs up by now: it is watched as any other."""
        self._others: Sequence[PlacedTile] = ()
        self._drawn_gaps: list[float] = []
        self._asked: tuple[int, ...] = ()

    def update(self, laid: Laid, new_id: Callable[[], int]) -> Iterator[TilesBefore | RowShown]:
        if not self.hidden:
            yield from self._watch(laid, new_id)
        yield from super().update(laid, new_id)

    @property
    def shows_all(self) -> bool:
        """Whether the hand lay open to the last: perhaps nothing else shows a win."""
        return not self.hidden and bool(self.row.row)

    def _lying(self, laid: Laid) -> Sequence[PlacedTile]:
        return laid.flat[self.seat] if self.hidden else self._others

    def _standing(self, laid: Laid) -> int:
        return super()._standing(laid) if self.hidden else len(self.row.row)

    def _watch(self, laid: Laid, new_id: Callable[[], int]) -> Iterator[RowShown]:
        """Follow the row, and tell what lies beside it."""
        flat = [tile for tile in laid.flat[self.seat] if not self._is_known(tile)]
        backs = sum(tile.side is Side.BACK for tile in flat)
        standing = laid.standing[self.seat]
        if len(flat) - backs <= FEW_FACES and (standing > FEW_FACES or is_down(backs, standing)):
            self.hidden = True
            return
        width_mm, sets_at = self._zones.view.tile_mm, self._zones.layout.sets_at
        hand, groups = hand_and_sets(flat, self.seat, width_mm, sets_at)
        beside = {tile.id for group in groups for tile in group}
        self._others = [
            tile for tile in laid.flat[self.seat] if tile.id in beside or self._is_known(tile)
        ]
        if not self.row.look(laid.time_s, hand):
            return
        row, gap = self.row.row, self.row.gap
        ids = _ids(row)
        if len(row) % 3 != 2:
            return
        usual = float(np.median(self._drawn_gaps)) if self._drawn_gaps else APART - WIDER
        if gap >= max(APART, usual + WIDER) and ids != self._asked:
            self._asked = ids
            yield RowShown(new_id(), row[-1].first_s, self.seat, ids)
        else:
            self._drawn_gaps.append(gap)
