"""Tiles that are knocked over or pushed aside and put right again: not events of the game."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from studio.film.arms import Arms
from studio.scene import Pose
from studio.table.layout import Spot, outline, overlap_mm, to_table
from studio.table.seats import Seats

FALLS_S: Final = 0.15
LEFT_S: Final = (0.8, 2.5)  # how long the tiles lie before somebody puts them right
PUSHED_MM: Final = (8.0, 22.0)
TRIES: Final = 12
MOST: Final = 3  # most tiles that are knocked over at once


class KnockedTiles:
    """Knocks over tiles of hands, rivers and walls."""

    def __init__(self, arms: Arms) -> None:
        self._arms, self._table, self._rng = arms, arms.table, arms.rng
        self._stage = arms.stage

    def knock(self, seats: Seats, now: float) -> float:
        """Let one mishap happen; return when it has been put right."""
        seat = self._rng.randrange(4)
        kind = self._rng.choice(("hand", "river", "wall"))
        if kind == "hand" and seats[seat].pose == "standing" and len(seats[seat].hand) > MOST:
            return self._hand(seat, seats[seat].hand, now)
        if kind == "wall":
            return self._wall(seats, seat, now)
        rivers = [tile for one in range(4) for tile in seats[one].river]
        return self._river(seat, rivers, now) if rivers else now

    def _hand(self, seat: int, hand: Sequence[int], now: float) -> float:
        """Knock over some neighbours of a standing row, onto their backs or their faces."""
        count = self._rng.randint(1, MOST)
        first = self._rng.randrange(len(hand) - count + 1)
        pose: Pose = "up" if self._rng.random() < 0.6 else "down"
        dx, dy = to_table(seat, 0.0, -self._table.height_mm / 2 - 2)
        tiles = {
            tile: replace(
                at,
                x_mm=at.x_mm + dx,
                y_mm=at.y_mm + dy,
                z_mm=self._table.thickness_mm / 2,
                pose=pose,
            )
            for tile in hand[first : first + count]
            for at in (self._stage.spots[tile],)
        }
        return self._over_and_back(seat, tiles, now)

    def _river(self, seat: int, rivers: Sequence[int], now: float) -> float:
        """Push a few discards aside, as a sleeve does."""
        one = self._rng.choice(rivers)
        places = self._stage.spots
        near = sorted(rivers, key=lambda tile: _far(places[tile], places[one]))
        pushed = near[: self._rng.randint(1, MOST)]
        others = [outline(self._table, at) for tile, at in places.items() if tile not in pushed]
        for _ in range(TRIES):
            way, far = self._rng.uniform(0, 2 * math.pi), self._rng.uniform(*PUSHED_MM)
            turn = self._rng.gauss(0, 12)
            fresh = {
                tile: replace(
                    places[tile],
                    x_mm=places[tile].x_mm + far * math.cos(way),
                    y_mm=places[tile].y_mm + far * math.sin(way),
                    yaw_deg=(places[tile].yaw_deg + turn) % 360,
                )
                for tile in pushed
            }
            shapes = [outline(self._table, at) for at in fresh.values()]
            if all(overlap_mm(shape, other) < 0.5 for shape in shapes for other in others):
                return self._over_and_back(seat, fresh, now)
        return now

    def _wall(self, seats: Seats, seat: int, now: float) -> float:
        """Let the upper tile of a stack fall onto the cloth before the wall."""
        inner = self._table.inner_mm
        upper = [
            tile
            for tile, at in self._stage.spots.items()
            if at.z_mm > self._table.thickness_mm
            and at.pose == "down"
            and tile not in seats[seat].hand
            and inner < _own_v(seat, at) < inner + self._table.height_mm
        ]
        if not upper:
            return now
        tile = self._rng.choice(upper)
        at = self._stage.spots[tile]
        dx, dy = to_table(seat, 0.0, -self._table.height_mm - 4)
        pose: Pose = "up" if self._rng.random() < 0.5 else "down"
        lies = Spot(at.x_mm + dx, at.y_mm + dy, self._table.thickness_mm / 2, at.yaw_deg, pose)
        shape = outline(self._table, lies)
        lying = (spot for other, spot in self._stage.spots.items() if other != tile)
        if any(overlap_mm(shape, outline(self._table, spot)) > 0.5 for spot in lying):
            return now
        return self._over_and_back(seat, {tile: lies}, now)

    def _over_and_back(self, seat: int, tiles: dict[int, Spot], now: float) -> float:
        before = {tile: self._stage.spots[tile] for tile in tiles}
        middle = next(iter(before.values()))
        start = max(now + 0.4, self._stage.free_at(seat, 1) + 0.2)
        self._arms.touch(seat, middle, start, FALLS_S + 0.1)
        for tile, lies in tiles.items():
            self._stage.move(tile, start, start + FALLS_S, lies, 0.0)
        back = max(start + FALLS_S + self._rng.uniform(*LEFT_S), self._stage.free_at(seat, 1) + 0.2)
        for tile, at in before.items():
            self._stage.move(tile, back, back + 0.4, self._stage.jittered(at, 0.3, 0.5), 6.0)
        return self._arms.touch(seat, middle, back - 0.1, 0.6)


def _far(one: Spot, other: Spot) -> float:
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def _own_v(seat: int, at: Spot) -> float:
    """Return how far a place lies towards a seat's player."""
    return to_table((4 - seat) % 4, at.x_mm, at.y_mm)[1]
