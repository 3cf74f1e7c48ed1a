"""A hand that lies face up before its player from the deal on, as on a table where one learns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from vision.seat_camera.standing_hand import StandingHand
from vision.table.placed_tile import PlacedTile
from vision.table.view import to_seat
from vision.tiles.classes import FACES, Side
from vision.tracking.zones import Laid, groups

LEAST_OPEN: Final = 10
"""So many faces in a row before a player, and hardly a standing tile, are a hand that lies open."""
MOST_STANDING: Final = 2
ROW_REACH: Final = 2.4
"""Middles of neighbours in a hand are nearer than so many widths, the tile just drawn apart."""
FEW: Final = 4
"""A hand beside a new set is the larger group where it holds more tiles than these."""
BREACH: Final = 0.2
"""A set begins after a gap that is wider than the usual one by this share of a width."""
HOLE: Final = 1.75
"""Between two tiles that lie so many widths apart inside a row, one was not found."""
RESTS_S: Final = 0.4
"""A row counts once it has lain unchanged for so long."""
MOVED: Final = 0.15
"""A row whose last tile lies apart by so many widths more or less is another row."""
OTHERWISE: Final = 0.25
"""A tile whose shares change by more than this from look to look gives way to another one."""
MOST_EVIDENCE: Final = 3.0
"""Places in which a tile was read count for so many at most: they share some of their errors."""
SAME: Final = 3.0
"""How much more speaks for a tile that is tracked as the same one."""
KINDS: Final = 34.0
FLOOR: Final = 1e-4


def lies_open(standing: int, flat: Sequence[PlacedTile], since_s: float) -> bool:
    """Whether a whole hand lies face up that was laid so after a moment."""
    faces = [tile for tile in flat if tile.side is Side.FACE]
    return (
        standing <= MOST_STANDING
        and len(faces) >= LEAST_OPEN
        and sum(tile.first_s >= since_s for tile in faces) > len(faces) / 2
    )


def with_open_hands(laid: Laid, is_open: Sequence[bool]) -> Laid:
    """The moment with the faces of hands that lie open counted as if they stood."""
    counts = (
        sum(tile.side is Side.FACE for tile in flat) if known else standing
        for known, standing, flat in zip(is_open, laid.standing, laid.flat, strict=True)
    )
    return replace(laid, standing=tuple(counts))


def hand_and_sets(
    tiles: Sequence[PlacedTile], seat: int, width_mm: float, sets_at: Literal["right", "left"]
) -> tuple[tuple[PlacedTile, ...], list[tuple[PlacedTile, ...]]]:
    """The hand among tiles given from a player's left to right, and what lies towards its sets."""
    ordered = list(tiles) if sets_at == "right" else list(reversed(tiles))
    parts = groups(ordered, width_mm, ROW_REACH)
    if not parts:
        return (), []
    largest = max(parts, key=len)
    hand = largest if len(largest) > FEW else parts[0]
    others = [part for part in parts if part is not hand]
    cut = _set_begins(hand, seat, width_mm)
    if cut is not None:
        hand, others = hand[:cut], [hand[cut:], *others]
    if sets_at == "left":
        hand, others = hand[::-1], [part[::-1] for part in others]
    return hand, others


def _set_begins(hand: Sequence[PlacedTile], seat: int, width_mm: float) -> int | None:
    """Where in a row a set begins that lies close to the hand: one tile of it is turned."""
    odd = next(
        (at for at, t in enumerate(hand) if t.side is not Side.FACE or lies_across(t, seat)), None
    )
    if odd is None:
        return None
    gaps = _gaps(hand, seat, width_mm)
    usual = float(np.median(gaps)) if gaps else 0.0
    places = [at for at in range(max(1, odd - 3), odd + 1) if len(hand) - at >= 3]
    widest = max(places, key=lambda at: gaps[at - 1], default=None)
    return widest if widest is not None and gaps[widest - 1] > usual + BREACH else None


def lies_across(tile: PlacedTile, seat: int) -> bool:
    return 45 < (tile.turn_deg + 90.0 * seat) % 180 < 135


def _gaps(row: Sequence[PlacedTile], seat: int, width_mm: float) -> list[float]:
    """Widths of free cloth between neighbours, had all of them the usual width."""
    along = [float(to_seat(tile.xy_mm, seat)[0]) for tile in row]
    return [abs(two - one) / width_mm - 1.0 for one, two in pairwise(along)]


@dataclass(frozen=True, eq=False)
class _Known:
    """What is known of one tile of the hand, wherever in it the tile lay."""

    tile: int
    """Id by which it is tracked now."""
    log_faces: NDArray[np.float64]
    places: int
    """Sum of what was read, and in how many places, before it lay here."""
    here: NDArray[np.float64]

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        total, places = self.log_faces + self.here, self.places + 1
        log = total * (min(places, MOST_EVIDENCE) / places)
        found = np.exp(log - log.max())
        return np.asarray(found / found.sum(), np.float64)

    def seen_as(self, tile: PlacedTile) -> _Known:
        """The same tile, where it is tracked now."""
        here = _logs(tile)
        if tile.id == self.tile:
            return replace(self, here=here)
        return _Known(tile.id, self.log_faces + self.here, self.places + 1, here)


class OpenRow:
    """The hand of one seat over time."""

    def __init__(self, seat: int, width_mm: float) -> None:
        self.seat, self.width_mm = seat, width_mm
        self.stood: tuple[StandingHand, ...] = ()
        """What lay there, one row after the other, each as it was read then."""
        self.row: tuple[PlacedTile, ...] = ()
        """The row that lay still last, from the player's left to right."""
        self.gap = 0.0
        """Between the last two tiles of that row, in widths of a tile."""
        self._here: tuple[_Known, ...] = ()
        self._ids: tuple[int, ...] = ()
        self._shares = np.zeros((0, len(FACES)))
        self._gap = 0.0
        self._since_s = 0.0
        self._lies = False

    def look(self, time_s: float, row: Sequence[PlacedTile]) -> bool:
        """Take the row as it is believed to lie; True when another one has come to rest."""
        ids = tuple(tile.id for tile in row)
        gaps = _gaps(row, self.seat, self.width_mm)
        gap = gaps[-1] if gaps else 0.0
        shares = np.array([tile.probabilities for tile in row])
        same = ids == self._ids and abs(gap - self._gap) <= MOVED
        if not same or float(np.abs(shares - self._shares).max(initial=0.0)) > OTHERWISE:
            self._ids, self._gap, self._since_s, self._lies = ids, gap, time_s, False
        self._shares = shares
        broken = any(between + 1.0 > HOLE for between in gaps[:-1])
        if time_s - self._since_s < RESTS_S or not ids or broken:
            return False
        self._here = self._followed(row)
        fresh = not self._lies
        known = np.array([known.shares for known in self._here])
        hand = StandingHand(self._since_s, time_s, known)
        self.stood = (*(self.stood if fresh else self.stood[:-1]), hand)
        self._lies, self.row, self.gap = True, tuple(row), gap
        return fresh

    def _followed(self, row: Sequence[PlacedTile]) -> tuple[_Known, ...]:
        """The tiles of a row, each with what is known of it if it lay there before.

        Of the tiles of both rows, those that look most alike are the same.
        """
        before = self._here
        likely = sorted(
            (
                (_like(known, two), i, k)
                for i, known in enumerate(before)
                for k, two in enumerate(row)
            ),
            reverse=True,
        )
        pairs = dict[int, int]()
        for like, old, place in likely:
            if like > 0 and place not in pairs and old not in pairs.values():
                pairs[place] = old
        return tuple(
            before[pairs[place]].seen_as(tile)
            if place in pairs
            else _Known(tile.id, np.zeros(len(FACES)), 0, _logs(tile))
            for place, tile in enumerate(row)
        )


def _logs(tile: PlacedTile) -> NDArray[np.float64]:
    return np.asarray(np.log(tile.probabilities * (1 - FLOOR) + FLOOR), np.float64)


def _like(one: _Known, two: PlacedTile) -> float:
    """How much speaks for both being one tile, as a log-likelihood."""
    like = math.log(max(float(one.shares @ two.probabilities) * KINDS, 1e-9))
    return like + SAME if one.tile == two.id else like
