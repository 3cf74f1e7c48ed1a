"""Where every tile of a hand that lies open came from, followed from the deal on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.tiles import UNKNOWN, Tile
from vision.seat_camera.origins import SOONER_S, SeatAction, TracedHand, surest_first
from vision.seat_camera.witness import COMES_S
from vision.tiles.classes import FACE_INDEX, face_class
from vision.tracking.open_rows import RowsSeen

Keys = tuple[int, ...]


@dataclass
class _Hand:
    """What a hand holds on its way through the acts, by the numbers of its tiles."""

    holds: set[int]
    shares: Mapping[int, NDArray[np.float64]]
    names: dict[int, Tile] = field(default_factory=dict)
    """What is known of tiles that left the hand."""
    same: dict[int, int] = field(default_factory=dict)
    """Tiles that were given a new number though they had one."""

    def first(self, key: int) -> int:
        while key in self.same:
            key = self.same[key]
        return key

    def all(self, keys: Sequence[int]) -> list[int]:
        return [self.first(key) for key in keys]

    def lose(self, face: Tile, after: Keys | None) -> None:
        """A tile that is known to show this face left the hand; ``after``: what then lay there."""
        gone = self.holds - set(self.all(after)) if after is not None else set()
        tried = gone or self.holds
        if not tried:
            return
        key = max(tried, key=lambda one: (self._likely(one, face), one))
        self.names[key] = face
        self.holds.discard(key)

    def agree(self, row: Keys) -> None:
        """Give tiles of a row that came from nowhere the numbers of those that are missing."""
        here = self.all(row)
        new = [key for key in here if key not in self.holds]
        missing = sorted(self.holds - set(here))
        for key in new:
            if missing:
                old = max(missing, key=lambda one: float(self.shares[one] @ self.shares[key]))
                missing.remove(old)
                self.same[key] = old

    def _likely(self, key: int, face: Tile) -> float:
        name = face_class(face)
        return float(self.shares[key][FACE_INDEX[name]]) if name is not None else 0.0


def followed(
    done: Sequence[SeatAction],
    seen: RowsSeen,
    end_s: float,
    left: Counter[Tile],
    won_with: Sequence[Tile] = (),
) -> TracedHand | None:
    """What was dealt and drawn; None where the hand was not seen whole before its first act.

    ``end_s``: when the hand was over. ``left``: copies that may be in it. ``won_with``: the
    hand as it was told, if it won.
    """
    rests, fulls = _rows_after(done, seen, end_s)
    dealt = rests[0]
    if dealt is None and fulls[0] is not None:
        dealt = fulls[0][:-1]
    begin, gone = 1, tuple[Tile, ...]()
    if dealt is None and len(done) > 1 and not done[1].drew:
        # The dealer was quick: what is left of the hand, and what went, was dealt.
        dealt, begin, gone = rests[1], 2, done[1].gone
    if dealt is None:
        return None
    hand = _Hand(set(dealt), seen.shares)
    draws: list[int | Tile | None] = [None] * len(done)
    for at in range(begin, len(done)):
        act, after = done[at], rests[at]
        if act.drew:
            drawn = _newcomer(hand, fulls[at - 1]) if fulls[at - 1] is not None else None
            if drawn is None and after is not None:
                drawn = _newcomer(hand, after)
            if drawn is None and len(act.gone) == 1:
                draws[at] = act.gone[0]  # what was drawn was put down, as far as anybody saw
                continue
            if drawn is not None:
                draws[at] = drawn
                hand.holds.add(drawn)
        for face in act.gone:
            hand.lose(face, after)
        if after is not None:
            hand.agree(after)
    pending = _newcomer(hand, fulls[-1])
    for face in won_with:
        hand.lose(face, None)
    names = _named(hand, pending, left)
    return TracedHand(
        tuple(sorted((*gone, *(names.get(key, UNKNOWN) for key in dealt)))),
        tuple(_name_of(one, names) for one in draws),
        _name_of(pending, names),
    )


def _rows_after(
    done: Sequence[SeatAction], seen: RowsSeen, end_s: float
) -> tuple[list[Keys | None], list[Keys | None]]:
    """After each act: the last row that waited there, and the last one with the next tile drawn."""
    rests: list[Keys | None] = [None] * len(done)
    fulls: list[Keys | None] = [None] * len(done)
    ends = [act.time_s for act in done[1:]] + [end_s]
    taken: set[float] = set()
    for at, (act, until_s) in enumerate(zip(done, ends, strict=True)):
        waits = act.size % 3 == 1
        for row in seen.rows:
            if row.from_s in taken or not act.time_s - COMES_S <= row.from_s < until_s:
                continue
            # A row that waits just before an act belongs to what follows.
            late = waits and row.from_s >= until_s - SOONER_S
            if len(row.keys) == act.size and fulls[at] is None and not late:
                rests[at] = row.keys
                taken.add(row.from_s)
            elif len(row.keys) == act.size + 1 and waits:
                fulls[at] = row.keys
                taken.add(row.from_s)
    return rests, fulls


def _newcomer(hand: _Hand, row: Keys | None) -> int | None:
    """The one tile of a row that the hand did not hold."""
    if row is None:
        return None
    new = [key for key in hand.all(row) if key not in hand.holds]
    return new[-1] if new else None


def _named(hand: _Hand, pending: int | None, left: Counter[Tile]) -> dict[int, Tile]:
    """Faces of all tiles by their numbers; those still held are named anew."""
    held = sorted(hand.holds | ({pending} if pending is not None else set()))
    found = surest_first([hand.shares[key] for key in held], left)
    return hand.names | {key: tile for key, tile in zip(held, found, strict=True) if tile.known}


def _name_of(drawn: int | Tile | None, names: Mapping[int, Tile]) -> Tile:
    if isinstance(drawn, Tile):
        return drawn
    return UNKNOWN if drawn is None else names.get(drawn, UNKNOWN)
