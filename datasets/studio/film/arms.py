"""What players' hands do: carry tiles, work on their own row, sweep over the table, put sticks."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence

from studio.film.timeline import Stop, Timeline
from studio.scene import Prop
from studio.table.film_setup import WHITE
from studio.table.layout import Measures, Spot, deposit_spot, to_table
from studio.table.seats import Seats

LINGERS_S = (0.4, 2.0)  # how long a hand stays that does not leave at once


class Arms:
    """Moves tiles, each with the hand that carries it."""

    def __init__(
        self,
        stage: Timeline,
        table: Measures,
        rng: random.Random,
        pace: float,
        lingers: float = 0.0,
    ) -> None:
        """``lingers`` is the probability that a hand stays over what it has put down."""
        self.stage, self.table, self.rng, self.pace = stage, table, rng, pace
        self._lingers = lingers
        self.stays_s = 0.0
        """How long hands stay now over what they put down; 0: by chance."""

    def scaled(self, seconds: float) -> float:
        return seconds * self.pace

    def carry(
        self,
        seat: int,
        tiles: Sequence[int],
        targets: Sequence[Spot],
        start: float,
        travel_s: float,
        hand: int = 0,
    ) -> tuple[float, float]:
        """Carry tiles to their targets; return when they lie there and when the hand has left."""
        come, grip, leave = self.scaled(0.33), self.scaled(0.08), self.scaled(0.28)
        taken = start + come + grip
        from_x, from_y = _middle([self.stage.spots[tile] for tile in tiles])
        to_x, to_y = _middle(targets)
        landed = taken + travel_s * (0.6 + (abs(from_x - to_x) + abs(from_y - to_y)) / 1200)
        for tile, target in zip(tiles, targets, strict=True):
            self.stage.move(tile, taken, landed, target, 28.0)
        stops = [
            Stop(start + come, from_x, from_y, 32.0, 0.5),
            Stop(taken, from_x, from_y, 26.0, 0.15),
            Stop(landed, to_x, to_y, 26.0, 0.15),
            Stop(landed + grip, to_x, to_y, 38.0, 0.5),
        ]
        stays_s = self.stays_s
        if not stays_s and self._lingers and self.rng.random() < self._lingers:
            stays_s = self.rng.uniform(*LINGERS_S)
        if stays_s:
            stays = landed + grip + stays_s
            aside_x, aside_y = self.rng.gauss(0, 15), self.rng.gauss(0, 15)
            stops.append(Stop(stays, to_x + aside_x, to_y + aside_y, 55.0, 0.6))
        return landed, self.stage.reach(seat, stops, come, leave, hand)

    def lift_and_return(self, seat: int, tile: int, back: Spot, start: float) -> float:
        """Lift a tile, look at it and put it back; return when the hand has left."""
        at = self.stage.spots[tile]
        raised = Spot(at.x_mm, at.y_mm, at.z_mm + 22, at.yaw_deg, at.pose)
        up, down = start + self.scaled(0.55), start + self.scaled(1.5)
        self.stage.move(tile, up, up + 0.3, raised, 0.0)
        self.stage.move(tile, down, down + 0.3, back, 0.0)
        stops = [
            Stop(up, at.x_mm, at.y_mm, 26.0, 0.2),
            Stop(up + 0.3, at.x_mm, at.y_mm, 48.0, 0.2),
            Stop(down, at.x_mm, at.y_mm, 48.0, 0.2),
            Stop(down + 0.35, back.x_mm, back.y_mm, 28.0, 0.4),
        ]
        return self.stage.reach(seat, stops, self.scaled(0.4), self.scaled(0.35))

    def at_row(self, seat: int, spots: Sequence[Spot], begin: float, lasts: float) -> float:
        """Put two hands at the ends of the player's row; return when they have left."""
        left = begin
        for hand, at in ((0, spots[-1]), (1, spots[0])):
            stops = [
                Stop(begin, at.x_mm, at.y_mm, 35.0, 0.6),
                Stop(begin + lasts, at.x_mm, at.y_mm, 30.0, 0.6),
            ]
            left = self.stage.reach(seat, stops, 0.3, 0.3, hand)
        return left

    def touch(self, seat: int, at: Spot, begin: float, lasts: float) -> float:
        """Touch one place of the row with the left hand; return when it has left."""
        stops = [
            Stop(begin, at.x_mm, at.y_mm, 40.0, 0.3),
            Stop(begin + lasts, at.x_mm, at.y_mm, 36.0, 0.4),
        ]
        return self.stage.reach(seat, stops, 0.3, 0.3, hand=1)

    def wander(
        self,
        begin: float,
        end: float,
        u_mm: tuple[float, float],
        v_mm: tuple[float, float],
        height_mm: float,
    ) -> None:
        """Keep both hands of all four players busy in a band of the table."""
        for seat in range(4):
            for hand in (0, 1):
                time, stops = begin, []
                while time < end:
                    u = u_mm[hand] + self.rng.gauss(0, 50)
                    x, y = to_table(seat, u, self.rng.uniform(*v_mm))
                    stops.append(Stop(time, x, y, height_mm, 0.8))
                    time += self.rng.uniform(0.35, 0.7)
                self.stage.reach(seat, stops, 0.4, 0.5, hand)


def _middle(spots: Sequence[Spot]) -> tuple[float, float]:
    return (sum(at.x_mm for at in spots) / len(spots), sum(at.y_mm for at in spots) / len(spots))


class RiichiSticks:
    """The sticks that riichi players put on the table, and when each lies there."""

    def __init__(self, arms: Arms) -> None:
        self._stage, self._table, self._arms = arms.stage, arms.table, arms
        self._sticks: list[tuple[float, float, Prop]] = []

    def put(self, seat: int, begin: float) -> float:
        """Put a stick before a seat's river; return when the hand has left."""
        x, y, turn = deposit_spot(self._table, seat)
        lies = Spot(x, y, 0.0, turn, "up")
        start = max(begin, self._stage.free_at(seat)) + self._arms.scaled(0.3)
        self._sticks.append((start + 0.1, math.inf, Prop("stick", x, y, turn, WHITE)))
        return self._arms.touch(seat, lies, start, 0.25)

    def take_away(self, time_s: float) -> None:
        """Remove all sticks."""
        self._sticks = [(begin, min(end, time_s), stick) for begin, end, stick in self._sticks]

    def at(self, time_s: float) -> Iterator[Prop]:
        """Yield the sticks that lie there at this time."""
        return (stick for begin, end, stick in self._sticks if begin <= time_s < end)


class HandRows:
    """Moves whole hands of tiles: arranges, sorts and lays them down."""

    def __init__(self, arms: Arms, seats: Seats) -> None:
        self.stage, self.table, self.rng = arms.stage, arms.table, arms.rng
        self._seats, self._arms = seats, arms

    def at_row(self, seat: int, begin: float, lasts: float) -> float:
        spots = [self.stage.spots[tile] for tile in self._seats[seat].hand]
        return self._arms.at_row(seat, spots, begin, lasts)

    def arrange(self, seat: int, start: float, end: float, lift_mm: float = 0.0) -> bool:
        """Slide a hand's tiles to their places; return whether any moved."""
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
        """Close the gap in a hand and sort the drawn tile in; return when the hand has left."""
        player = self._seats[seat]
        self._seats.sort(seat)
        if not self.arrange(seat, begin, begin + 0.35, lift_mm=40.0 if inserted else 0.0):
            return begin
        middle = self.stage.spots[player.hand[self.rng.randrange(len(player.hand))]]
        begin = max(begin, self.stage.free_at(seat, 1))
        return self._arms.touch(seat, middle, begin + 0.02, 0.38)

    def lay_down(self, seat: int, begin: float) -> float:
        """Lay the hand backs up, Harbin's sign of readiness; return when the hands have left."""
        player = self._seats[seat]
        player.pose = "down"
        return self._turn(seat, begin)

    def take_up(self, seat: int, begin: float) -> float:
        """Stand a hand up again that was laid down; return when the hands have left."""
        self._seats[seat].pose = "standing"
        return self._turn(seat, begin)

    def _turn(self, seat: int, begin: float) -> float:
        begin = max(begin, self.stage.free_at(seat), self.stage.free_at(seat, 1))
        self.arrange(seat, begin, begin + 0.5, lift_mm=6.0)
        return self.at_row(seat, begin, 0.7)

    def put_back(self, seat: int, before: Mapping[int, Spot], begin: float) -> float:
        """Return every tile to where it was ``before``; return when the hands have left.

        The right hand carries tiles of the wall and the rivers, the left one those of the row.
        """
        begin = max(begin, self.stage.free_at(seat), self.stage.free_at(seat, 1))
        far: tuple[list[int], list[int]] = ([], [])
        for tile, at in before.items():
            now = self.stage.spots[tile]
            if abs(now.x_mm - at.x_mm) + abs(now.y_mm - at.y_mm) > 1.5 * self.table.width_mm:
                far[at.pose == "standing"].append(tile)
            elif now != at:
                self.stage.shift(tile, begin, begin + 0.4, at)
        left = begin
        for hand, tiles in enumerate(far):
            if tiles:
                places = [self.stage.jittered(before[tile], 0.3, 0.6) for tile in tiles]
                _, gone = self._arms.carry(seat, tiles, places, begin, 0.5, hand)
                left = max(left, gone)
        return left
