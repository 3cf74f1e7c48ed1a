"""What lies before a player whose hand lies face up: the hand itself, and the sets beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import Side
from vision.tracking.before_seat import BeforeSeat
from vision.tracking.happenings import HandOpened, Happening, LaidDown
from vision.tracking.open_rows import OpenRow, hand_and_sets
from vision.tracking.zones import Laid, Zones, is_down

APART: Final = 0.6
"""The gap, in widths, before a tile that was won with, ..."""
WIDER: Final = 0.2
"""... which is wider by so much than before tiles that are just drawn."""
FEW_FACES: Final = 3
"""A hand that was stood up or laid down shows no more faces."""


class BeforeOpenSeat(BeforeSeat):
    """The tiles before one player during one hand that everybody sees."""

    def __init__(self, seat: int, zones: Zones) -> None:
        super().__init__(seat, zones)
        self.row = OpenRow(seat, zones.view.tile_mm)
        self._hidden = False
        """The hand stands or lies backs up by now: it is watched as any other."""
        self._drawn_gaps: list[float] = []
        self._asked: tuple[int, ...] = ()
        """The row of which it was told that its last tile lies apart."""

    def update(self, laid: Laid, busy: bool) -> Iterator[Happening]:
        """What came to lie here besides the hand, and a hand whose last tile was laid apart."""
        if self._hidden:
            yield from super().update(laid, busy)
            return
        fresh = [tile for tile in laid.flat[self.seat] if not self.holds(tile)]
        backs = [tile for tile in fresh if tile.side is Side.BACK]
        standing = laid.standing[self.seat]
        if len(fresh) - len(backs) <= FEW_FACES and len(backs) + standing > FEW_FACES:
            yield from self._put_away(fresh, backs, laid, busy)
            return
        yield from self._lifted(laid)
        sets_at = self._zones.layout.sets_at
        hand, others = hand_and_sets(fresh, self.seat, self._tile_mm, sets_at)
        if self.row.look(laid.time_s, hand):
            yield from self._apart()
        news = [tile for group in others for tile in group]
        if not news:
            self.pending = frozenset()
        elif self._lie_still(news, laid.time_s, busy):
            waited_s = laid.time_s - self._waiting_s
            for group in others:
                yield from self._laid_beside(group, len(hand), waited_s)

    @property
    def holds_standing(self) -> int | None:
        return super().holds_standing if self._hidden else None

    @property
    def shows_all(self) -> bool:
        """Whether the hand lay open to the last: perhaps nothing else shows a win."""
        return not self._hidden and bool(self.row.row)

    def _put_away(
        self, fresh: Sequence[PlacedTile], backs: Sequence[PlacedTile], laid: Laid, busy: bool
    ) -> Iterator[Happening]:
        """The hand was laid backs up or stood up: it is hidden from now on."""
        if not self._lie_still(fresh, laid.time_s, busy):
            return
        self._hidden = True
        if is_down(len(backs), laid.standing[self.seat]):
            self._down = True
            yield LaidDown(float(np.median([tile.first_s for tile in backs])), self.seat)

    def _apart(self) -> Iterator[Happening]:
        """The whole hand with a tile that lies farther apart than one just drawn."""
        row, gap = self.row.row, self.row.gap
        ids = tuple(tile.id for tile in row)
        if len(row) != self._size + 1:
            return
        usual = float(np.median(self._drawn_gaps)) if self._drawn_gaps else APART - WIDER
        if gap >= max(APART, usual + WIDER) and ids != self._asked:
            self._asked = ids
            yield HandOpened(row[-1].first_s, self.seat, ids, True)
        else:
            self._drawn_gaps.append(gap)
