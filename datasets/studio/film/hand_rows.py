"""What is done to a whole hand of tiles: slid, sorted, laid down, touched."""

from __future__ import annotations

import random

from studio.film.arms import Arms
from studio.film.timeline import Timeline
from studio.table.layout import Measures
from studio.table.seats import Seats


class HandRows:
    """Moves the hands of all seats to where they belong."""

    def __init__(
        self, stage: Timeline, table: Measures, seats: Seats, arms: Arms, rng: random.Random
    ) -> None:
        self.stage, self.table, self.rng = stage, table, rng
        self._seats, self._arms = seats, arms

    def at_row(self, seat: int, begin: float, lasts: float) -> float:
        spots = [self.stage.spots[tile] for tile in self._seats[seat].hand]
        return self._arms.at_row(seat, spots, begin, lasts)

    def arrange(self, seat: int, start: float, end: float, lift_mm: float = 0.0) -> bool:
        """Slide a hand's tiles to where they belong; True if any moves."""
        moved = False
        for tile, target in zip(
            self._seats[seat].hand, self._seats.hand_targets(seat), strict=True
        ):
            now = self.stage.spots[tile]
            far = abs(now.x_mm - target.x_mm) + abs(now.y_mm - target.y_mm)
            if lift_mm and (far > 1.5 * self.table.width_mm or now.pose != target.pose):
                self.stage.move(tile, start, end, self.stage.jittered(target, 0.12, 0.25), lift_mm)
                moved = True
            else:
                moved |= self.stage.shift(tile, start, end, target)
        return moved

    def tidy(self, seat: int, begin: float, inserted: bool) -> float:
        """Close the hand's gap and sort the drawn tile in; returns when the hand has left."""
        player = self._seats[seat]
        self._seats.sort(seat)
        if not self.arrange(seat, begin, begin + 0.35, lift_mm=40.0 if inserted else 0.0):
            return begin
        middle = self.stage.spots[player.hand[self.rng.randrange(len(player.hand))]]
        begin = max(begin, self.stage.free_at(seat, 1))
        return self._arms.touch(seat, middle, begin + 0.02, 0.38)

    def lay_down(self, seat: int, begin: float) -> float:
        """Harbin's sign of readiness: the whole hand backs up."""
        player = self._seats[seat]
        player.pose = "down"
        begin = max(begin, self.stage.free_at(seat), self.stage.free_at(seat, 1))
        self.arrange(seat, begin, begin + 0.5, lift_mm=6.0)
        return self.at_row(seat, begin, 0.7)
