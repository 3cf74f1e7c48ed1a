"""The timeline of a film: where each tile and each arm is at any time."""

from __future__ import annotations

import bisect
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from studio.table.layout import Spot, to_table

NEAR_MM = 1.5


@dataclass(frozen=True)
class Motion:
    """A tile on its way from one place to another; times in seconds."""

    start_s: float
    end_s: float
    start: Spot
    end: Spot
    lift_mm: float

    def at(self, time_s: float) -> Spot:
        if time_s >= self.end_s:
            return self.end
        if time_s <= self.start_s:
            return self.start
        share = ease((time_s - self.start_s) / (self.end_s - self.start_s))
        turn = (self.end.yaw_deg - self.start.yaw_deg + 180) % 360 - 180
        arc = self.lift_mm * 4 * share * (1 - share)
        return Spot(
            _between(self.start.x_mm, self.end.x_mm, share),
            _between(self.start.y_mm, self.end.y_mm, share),
            _between(self.start.z_mm, self.end.z_mm, share) + arc,
            (self.start.yaw_deg + turn * share) % 360,
            self.start.pose if share < 0.5 else self.end.pose,
        )


@dataclass(frozen=True)
class Stop:
    """Where the finger tips of a hand are at one moment."""

    time_s: float
    """Meaningless for a hand at rest."""
    x_mm: float
    y_mm: float
    height_mm: float
    open_amount: float = 0.3


@dataclass(frozen=True)
class Reach:
    """One visit of a player's hand to the table."""

    seat: int
    hand: int
    """0 for the right hand, 1 for the left."""
    stops: tuple[Stop, ...]

    def at(self, time_s: float) -> Stop | None:
        if not self.stops[0].time_s <= time_s < self.stops[-1].time_s:
            return None
        index = bisect.bisect_right([stop.time_s for stop in self.stops], time_s)
        before, after = self.stops[index - 1], self.stops[index]
        share = ease((time_s - before.time_s) / max(1e-6, after.time_s - before.time_s))
        return Stop(
            time_s,
            _between(before.x_mm, after.x_mm, share),
            _between(before.y_mm, after.y_mm, share),
            _between(before.height_mm, after.height_mm, share),
            _between(before.open_amount, after.open_amount, share),
        )


class Timeline:
    """Collects motions in any order; ``spots`` is where each tile ends up."""

    def __init__(self, half_mm: float, rng: random.Random, sloppy: float = 1.0) -> None:
        """``sloppy``: how far from its place a tile is laid down, in what is usual."""
        self.rng, self._sloppy = rng, sloppy
        self._rest = {
            (seat, hand): _rest(seat, hand, half_mm, rng) for seat in range(4) for hand in (0, 1)
        }
        self.spots: dict[int, Spot] = {}
        self._first: dict[int, Spot] = {}
        self._motions: dict[int, list[Motion]] = {}
        self._starts: dict[int, list[float]] = {}
        self._reaches: list[Reach] = []
        self._last_reach: dict[tuple[int, int], Reach] = {}
        self._busy_until: dict[tuple[int, int], float] = {}

    def put(self, tile: int, at: Spot) -> None:
        """Lay a tile on the table before the film begins."""
        self.spots[tile] = self._first[tile] = at
        self._motions[tile], self._starts[tile] = [], []

    def move(
        self, tile: int, start_s: float, end_s: float, to: Spot, lift_mm: float = 25.0
    ) -> None:
        """Carry a tile; the motions of one tile are given in order of time."""
        if self._motions[tile]:
            start_s = max(start_s, self._motions[tile][-1].end_s)
        end_s = max(end_s, start_s + 0.05)
        self._motions[tile].append(Motion(start_s, end_s, self.spots[tile], to, lift_mm))
        self._starts[tile].append(start_s)
        self.spots[tile] = to

    def jittered(self, at: Spot, mm: float, deg: float) -> Spot:
        """Return the place as exactly as a person's hand meets it."""
        return replace(
            at,
            x_mm=at.x_mm + self.rng.gauss(0, self._sloppy * mm),
            y_mm=at.y_mm + self.rng.gauss(0, self._sloppy * mm),
            yaw_deg=(at.yaw_deg + self.rng.gauss(0, self._sloppy * deg)) % 360,
        )

    def shift(self, tile: int, start_s: float, end_s: float, to: Spot) -> bool:
        """Slide a tile to its place unless it is there; return whether it moves."""
        now = self.spots[tile]
        near = abs(now.x_mm - to.x_mm) + abs(now.y_mm - to.y_mm) < NEAR_MM
        if near and now.pose == to.pose and abs(now.z_mm - to.z_mm) < 1:
            return False
        self.move(tile, start_s, end_s, self.jittered(to, 0.12, 0.25), 0.0)
        return True

    def free_at(self, seat: int, hand: int = 0) -> float:
        """Return when this hand of a seat has left the table."""
        return self._busy_until.get((seat, hand), 0.0)

    def reach(
        self, seat: int, stops: Sequence[Stop], come_s: float, leave_s: float, hand: int = 0
    ) -> float:
        """Move a hand over the table along the stops; return when it has left."""
        rest = self._rest[seat, hand]
        first, last = stops[0].time_s, stops[-1].time_s
        begin = max(0.0, min(max(first - come_s, self.free_at(seat, hand) - leave_s), first - 0.1))
        end = last + leave_s
        # A hand on its way back turns round instead of going home first.
        before = self._last_reach.get((seat, hand))
        start = (before.at(begin) if before else None) or replace(rest, time_s=begin)
        reach = Reach(seat, hand, (start, *stops, replace(rest, time_s=end)))
        self._last_reach[seat, hand] = reach
        self._reaches.append(reach)
        self._busy_until[seat, hand] = max(end, self.free_at(seat, hand))
        return end

    def tiles_at(self, time_s: float) -> Iterator[tuple[int, Spot]]:
        for tile, motions in self._motions.items():
            index = bisect.bisect_right(self._starts[tile], time_s)
            yield tile, motions[index - 1].at(time_s) if index else self._first[tile]

    def arms_at(self, time_s: float) -> Iterator[tuple[int, int, Stop]]:
        """Yield all eight hands; a hand that is not over the table rests before its player."""
        busy = {
            (reach.seat, reach.hand): at
            for reach in self._reaches
            if (at := reach.at(time_s)) is not None
        }
        for (seat, hand), rest in self._rest.items():
            yield seat, hand, busy.get((seat, hand), rest)


def _rest(seat: int, hand: int, half_mm: float, rng: random.Random) -> Stop:
    """Draw where a hand rests: beside the table's edge, a little below it."""
    u = (110.0 if hand == 0 else -110.0) + rng.gauss(0, 25)
    x, y = to_table(seat, u, half_mm + rng.uniform(105, 150))
    return Stop(0.0, x, y, rng.uniform(-45, -25), rng.uniform(0.3, 0.9))


def ease(share: float) -> float:
    """Map a share of time to a share of way: slow, fast, slow."""
    return share * share * (3 - 2 * share)


def _between(start: float, end: float, share: float) -> float:
    return start + (end - start) * share
