"""Follow a standing hand: readings add up while it stands still and restart when it changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from engine.tiles import UNKNOWN, Tile
from vision.arrays import Doubles
from vision.seat_camera.row_reader import StandingRow
from vision.tiles.classes import FACES

NEAR: Final = 0.4
"""A tile that moved by less than this, in its widths, is the same tile."""
LOOKS_TO_BELIEVE: Final = 2
HELD_S: Final = 0.4
"""A hand counts after it has stood unchanged for this long."""
MISSES: Final = 2
"""A tile missed in this many looks in a row is gone; a finger may hide it once."""
LOST_S: Final = 4.0
"""A hand not seen for this long may no longer stand there."""
MOST_EVIDENCE: Final = 4.0
"""Most looks that count towards a face, because they share their errors."""
FLOOR: Final = 1e-4
SURE: Final = 0.7
OTHERS: Final = 2
"""Readings in a row of another face, each this sure, that mean another tile is there."""
LEAST_SURE: Final = 0.5
"""A face less likely than this is ``?``."""


@dataclass(frozen=True, eq=False)
class StandingHand:
    """One hand that stood unchanged for a while."""

    from_s: float
    to_s: float
    probabilities: Doubles
    """(n, 38) over ``FACES``, one row per tile, from left to right as the player sees them."""

    def __len__(self) -> int:
        return len(self.probabilities)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The likeliest face of each tile; ``?`` where none is likely."""
        return tuple(
            Tile(FACES[int(shares.argmax())]) if shares.max() >= LEAST_SURE else UNKNOWN
            for shares in self.probabilities
        )

    @property
    def counts(self) -> Doubles:
        """(38,) expected number of tiles of each face."""
        return np.asarray(self.probabilities.sum(axis=0), np.float64)


@dataclass(eq=False)
class _Slot:
    """One tile in its place."""

    at_px: Doubles
    wide_px: float = 0.0
    log_faces: Doubles = field(default_factory=lambda: np.zeros(len(FACES)))
    looks: int = 0
    misses: int = 0
    others: int = 0

    @property
    def probabilities(self) -> Doubles:
        log = self.log_faces * (min(self.looks, MOST_EVIDENCE) / max(1, self.looks))
        shares = np.exp(log - log.max())
        return np.asarray(shares / shares.sum(), np.float64)

    def add(self, row: StandingRow, at: int) -> None:
        """Add a reading of this tile."""
        quad = row.corners_px[at]
        self.at_px = self.at_px + 0.3 * (quad.mean(axis=0) - self.at_px)
        self.wide_px = float(np.linalg.norm(quad[1] - quad[0]))
        self.log_faces = self.log_faces + np.log(row.probabilities[at] * (1 - FLOOR) + FLOOR)
        self.looks += 1
        self.misses = 0

    def shows_another(self, faces: Doubles) -> bool:
        """Whether this reading and the one before are surely of another tile."""
        before = self.probabilities
        sure = self.looks >= LOOKS_TO_BELIEVE and min(faces.max(), before.max()) > SURE
        self.others = self.others + 1 if sure and float(before @ faces) < 0.1 else 0
        return self.others >= OTHERS


class HandWatch:
    """Collects the looks at one seat's row; ``stood`` holds what is known of its hand.

    One thread takes looks; any thread may read ``stood``.
    """

    def __init__(self) -> None:
        self.stood: tuple[StandingHand, ...] = ()
        """Hands that stood unchanged, in order of time; the last may still be standing."""
        self._slots: list[_Slot] = []
        self._since_s: float | None = None
        self._open = False
        """Whether the last of ``stood`` still stands there."""
        self._seen_s = float("-inf")

    def look(self, time_s: float, row: StandingRow | None) -> None:
        """Take one look, in order of time; None if no row was found."""
        if time_s - self._seen_s > LOST_S:
            self._slots, self._since_s, self._open = [], None, False
        if row is None or not len(row):
            return
        self._seen_s = time_s
        if self._changed(row):
            # When one tile comes or goes, any may have moved, so all are read anew.
            self._slots = [_slot(row, at) for at in range(len(row))]
            self._since_s, self._open = None, False
        whole = all(slot.misses == 0 for slot in self._slots)
        believed = [slot for slot in self._slots if slot.looks >= LOOKS_TO_BELIEVE]
        if whole and believed:
            self._since_s = time_s if self._since_s is None else self._since_s
            self._stand(believed, self._since_s, time_s)

    def still(self, time_s: float) -> None:
        """Nothing has moved since the last look: the hand still stands."""
        if self._open and self._seen_s > float("-inf"):
            self._seen_s = time_s
            self.stood = (*self.stood[:-1], replace(self.stood[-1], to_s=time_s))

    def _stand(self, slots: Sequence[_Slot], since_s: float, time_s: float) -> None:
        in_order = sorted(slots, key=lambda slot: float(slot.at_px[0]))
        now = StandingHand(since_s, time_s, np.array([slot.probabilities for slot in in_order]))
        if self._open:
            self.stood = (*self.stood[:-1], now)
        elif time_s - since_s >= HELD_S:
            self._open = True
            self.stood = (*self.stood, now)

    def _changed(self, row: StandingRow) -> bool:
        """Add a look to the tiles of the hand; return whether others stand there now."""
        middles = row.corners_px.mean(axis=1)
        free = set(range(len(row)))
        changed = not self._slots
        for slot in list(self._slots):
            far = [(float(np.hypot(*(middles[at] - slot.at_px))), at) for at in free]
            nearest, at = min(far, default=(np.inf, -1))
            if nearest <= NEAR * slot.wide_px:
                free.discard(at)
                was = slot.looks
                changed |= slot.shows_another(row.probabilities[at])
                slot.add(row, at)
                changed |= was < LOOKS_TO_BELIEVE <= slot.looks and self._since_s is not None
            elif slot.looks < LOOKS_TO_BELIEVE:
                self._slots.remove(slot)
            else:
                slot.misses += 1
                changed |= slot.misses >= MISSES
        self._slots += [_slot(row, at) for at in free]
        return changed


def _slot(row: StandingRow, at: int) -> _Slot:
    slot = _Slot(row.corners_px[at].mean(axis=0))
    slot.add(row, at)
    return slot


def shifted(stood: Sequence[StandingHand], by_s: float) -> tuple[StandingHand, ...]:
    """The same hands with ``by_s`` added to their times."""
    return tuple(replace(hand, from_s=hand.from_s + by_s, to_s=hand.to_s + by_s) for hand in stood)
