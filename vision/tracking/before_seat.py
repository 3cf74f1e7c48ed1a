"""What lies before one player: sets beside a hand, tiles added to them, a hand down or open."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import Side
from vision.tracking.happenings import Added, HandOpened, Happening, LaidDown, SetLaid
from vision.tracking.zones import TOUCHING, Laid, Zones, groups, is_down

CALM_S: Final = 0.3
"""What lies before a player counts when it has not changed for so long."""
PATIENCE_S: Final = 2.0
"""Tiles of a set that are still missing are waited for so long."""
FOURTH_S: Final = 0.8
"""A claimed tile that makes three tiles a kong comes within so long."""
OPENED_S: Final = 4.0
"""A hand that was laid open and is not whole is waited for so long."""
GAP: Final = 3.0
"""Two tiles of a set are nearer than so many widths although one between them was not found."""
FAR: Final = 4.0
"""A tile of an open hand is nearer to another of it than so many widths."""
SAME_PLACE: Final = 0.5
"""A tile that is found again lies within so many widths of where it lay."""
BESIDE: Final = 1.6
"""A tile that was added to a set lies within so many widths of one of its tiles."""
SAME_FACE: Final = 0.1
"""It shows the face of each of them at least so likely."""
LEAST_STANDING: Final = 3
"""Beside a claimed set at least four tiles stand; one may have been missed."""
LEAST_HAND: Final = 4
"""So many tiles that lie before a player who holds more than one are a hand, or a part of one."""
KONG: Final = 4
RISES: Final = (0.6, 1.5)
"""A tile on top of another seems to lie outwards by so much of what its height makes ..."""
ASIDE: Final = 0.5
"""... and by no more than this aside."""


class BeforeSeat:
    """The tiles before one player during one hand."""

    def __init__(
        self,
        seat: int,
        zones: Zones,
        sets: Sequence[tuple[PlacedTile, ...]] = (),
        down: bool = False,
    ) -> None:
        """``sets`` are those that lie there already; ``down``: the hand lies backs up."""
        self.seat = seat
        self.sets = list(sets)
        """As they were laid, with single tiles that were added to one."""
        self.opened = False
        """The hand lies faces up, and nothing more is said of it."""
        self.pending: frozenset[int] = frozenset()
        """Ids of what lies there and was not told yet."""
        self._zones = zones
        self._down = down
        self._pending_s = 0.0
        """Since when these tiles have been pending."""
        self._waiting_s = 0.0
        """Since when any have."""

    def update(self, laid: Laid, busy: bool) -> Iterator[Happening]:
        """What came to lie here, once it lies still; ``busy``: somebody's hand is there."""
        if self.opened:
            return
        fresh = [tile for tile in laid.flat[self.seat] if not self.holds(tile)]
        yield from self._lifted(laid)
        # The backs of a hand that was laid down are no news.
        news = [tile for tile in fresh if tile.side is Side.FACE] if self._down else fresh
        if not news:
            self.pending = frozenset()
        elif self._lie_still(news, laid.time_s, busy):
            yield from self._explained(fresh, news, laid)

    def holds(self, tile: PlacedTile) -> bool:
        """Whether a tile is one of a set, by its id or because it was found again in its place."""
        near = SAME_PLACE * self._tile_mm
        return any(
            tile.id == other.id or (tile.side is other.side and _far_mm(tile, other) < near)
            for row in self.sets
            for other in row
        )

    def is_beside_pung(self, tile: PlacedTile) -> bool:
        """Whether a tile lies beside three others that show its face."""
        near = BESIDE * self._tile_mm
        return any(
            len(row) == 3
            and min(_far_mm(tile, other) for other in row) < near
            and all(float(tile.probabilities @ other.probabilities) > SAME_FACE for other in row)
            for row in self.sets
        )

    def forget(self, tiles: Collection[int]) -> None:
        """These tiles, which were a set, were taken back."""
        self.sets = [row for row in self.sets if {tile.id for tile in row} != set(tiles)]

    @property
    def holds_standing(self) -> int | None:
        """How many tiles stand here while the hand is played; None where they lie, or did."""
        return None if self.opened or self._down else self._size

    @property
    def _tile_mm(self) -> float:
        return self._zones.view.tile_mm

    @property
    def _size(self) -> int:
        """How many tiles a hand beside these sets waits with."""
        return 13 - 3 * sum(len(row) > 2 for row in self.sets)

    def _lie_still(self, news: Sequence[PlacedTile], time_s: float, busy: bool) -> bool:
        """Whether these tiles have lain there for long enough, and nobody is about to add any."""
        ids = frozenset(tile.id for tile in news)
        if not self.pending:
            self._waiting_s = time_s
        if ids != self.pending:
            self.pending, self._pending_s = ids, time_s
            return False
        waited_s = time_s - self._waiting_s
        lingers = busy and waited_s < PATIENCE_S and not self._is_whole_set(news, time_s)
        return time_s - self._pending_s >= CALM_S and not lingers

    def _is_whole_set(self, news: Sequence[PlacedTile], time_s: float) -> bool:
        """Whether a whole set lies there that gets no further tile, whatever its player does."""
        faces = all(tile.side is Side.FACE for tile in news)
        whole = len(news) in (3, 4) and len(groups(news, self._tile_mm, TOUCHING)) == 1
        return faces and whole and (len(news) == 4 or time_s - _latest(news) >= FOURTH_S)

    def _explained(
        self, fresh: Sequence[PlacedTile], news: Sequence[PlacedTile], laid: Laid
    ) -> Iterator[Happening]:
        """A hand that was opened or laid down, else sets; ``news`` are those of the fresh tiles."""
        backs = [tile for tile in fresh if tile.side is Side.BACK]
        standing = laid.standing[self.seat]
        waited_s = laid.time_s - self._waiting_s
        hand = self._open_hand(
            [tile for tile in fresh if tile.side is Side.FACE], standing + len(backs)
        )
        if hand:
            if len(hand) in (self._size, self._size + 1) or waited_s >= OPENED_S:
                self.opened = True
                yield HandOpened(_latest(hand), self.seat, tuple(tile.id for tile in hand))
            return
        if is_down(len(backs), standing) and not self._down:
            self._down = True
            yield LaidDown(float(np.median([tile.first_s for tile in backs])), self.seat)
            return
        if self._down and (waited_s < PATIENCE_S or len(backs) < LEAST_HAND):
            return  # it is being opened; who is ready claims nothing more
        # Two tiles with a gap between them: the one in the middle has not been found.
        reach = GAP if waited_s > PATIENCE_S and len(news) == 2 else TOUCHING
        for group in groups(news, self._tile_mm, reach):
            yield from self._laid_beside(group, standing, waited_s)

    def _open_hand(self, faces: Sequence[PlacedTile], hidden: int) -> tuple[PlacedTile, ...]:
        """The faces of a hand that lies open, with so many tiles that show none; else nothing."""
        several = self._size > 1
        least = LEAST_HAND if several else 1
        if len(faces) > least:
            # A hand lies together: what lies far from it is another's, or a thing.
            faces = max(groups(faces, self._tile_mm, FAR), key=len)
        most_hidden = max(1, len(faces) // 4) if several else 0
        if several and hidden and len(faces) == KONG and _show_one_face(faces):
            return ()  # no hand waits with all four of a kind
        return tuple(faces) if len(faces) >= least and hidden <= most_hidden else ()

    def _laid_beside(
        self, group: tuple[PlacedTile, ...], standing: int, waited_s: float
    ) -> Iterator[Happening]:
        """Tiles side by side beside a hand of so many standing tiles."""
        shows = any(tile.side is Side.FACE for tile in group)
        if standing < min(LEAST_STANDING, self._size - 3) and not self._down:
            return  # a hand that is being opened, not a set beside a hand
        four_backs = len(group) == 4 and standing >= LEAST_HAND
        pair = len(group) == 2 and shows and waited_s > PATIENCE_S
        if (len(group) in (3, 4) and (shows or four_backs)) or pair:
            yield self._set(group)
        elif len(group) in (6, 7, 8) and shows:
            for part in _parts(group):
                yield self._set(part)
        elif len(group) == 1 and shows and not self._completes(group[0]):
            (tile,) = group
            if self.is_beside_pung(tile):
                self.sets.append(group)
                yield Added(tile.first_s, self.seat, tile.id)

    def _set(self, tiles: tuple[PlacedTile, ...]) -> SetLaid:
        self.sets.append(tiles)
        return SetLaid(_latest(tiles), self.seat, tuple(tile.id for tile in tiles))

    def _completes(self, tile: PlacedTile) -> bool:
        """Add the third tile of a set of which two had been found; nothing happened."""
        near = TOUCHING * self._tile_mm
        for place, row in enumerate(self.sets):
            if len(row) == 2 and min(_far_mm(tile, other) for other in row) < near:
                self.sets[place] = (*row, tile)
                return True
        return False

    def _lifted(self, laid: Laid) -> Iterator[Happening]:
        """A tile laid onto the turned one of a pung looks as if that had moved outwards."""
        now = {tile.id: tile for tile in laid.flat[self.seat]}
        for place, row in enumerate(self.sets):
            if len(row) != 3 or any(tile.side is not Side.FACE for tile in row):
                continue
            if any(tile.id not in now for tile in row):
                continue
            shifts = {tile.id: now[tile.id].xy_mm - tile.xy_mm for tile in row}
            for tile in row:
                others = [shift for key, shift in shifts.items() if key != tile.id]
                if self._rises(tile, shifts[tile.id] - np.mean(others, axis=0)):
                    self.sets[place] = (*(now[each.id] for each in row), now[tile.id])
                    yield Added(laid.time_s, self.seat, tile.id)
                    return

    def _rises(self, tile: PlacedTile, moved_mm: NDArray[np.float64]) -> bool:
        """Whether this shift is what a tile on top of this one would make it seem to move by."""
        view = self._zones.view
        seen = view.to_image(tile.xy_mm[None], 2 * view.lying_mm)
        expected_mm = view.to_table(seen, view.lying_mm)[0] - tile.xy_mm
        along = float(moved_mm @ expected_mm / (expected_mm @ expected_mm))
        aside_mm = float(np.hypot(*(moved_mm - along * expected_mm)))
        least, most = RISES
        return least < along < most and aside_mm < ASIDE * float(np.hypot(*expected_mm))


def _show_one_face(tiles: Sequence[PlacedTile]) -> bool:
    """Whether each may show the face of every other one."""
    shares = [tile.probabilities for tile in tiles]
    return all(float(one @ other) > SAME_FACE for one, other in combinations(shares, 2))


def _far_mm(one: PlacedTile, other: PlacedTile) -> float:
    return float(np.hypot(*(one.xy_mm - other.xy_mm)))


def _latest(tiles: Sequence[PlacedTile]) -> float:
    return max(tile.first_s for tile in tiles)


def _parts(group: tuple[PlacedTile, ...]) -> list[tuple[PlacedTile, ...]]:
    """Two sets that were laid within one breath, side by side, apart by the time they came."""
    order = sorted(group, key=lambda tile: tile.first_s)
    cuts = range(max(3, len(order) - 4), min(4, len(order) - 3) + 1)
    cut = max(cuts, key=lambda at: order[at].first_s - order[at - 1].first_s)
    early = {tile.id for tile in order[:cut]}
    return [
        tuple(tile for tile in group if tile.id in early),
        tuple(tile for tile in group if tile.id not in early),
    ]
