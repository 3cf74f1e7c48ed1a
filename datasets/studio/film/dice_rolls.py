"""Dice that players roll: picked up, thrown, and come to rest with the recorded values."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from studio.film.arms import Arms
from studio.film.timeline import Stop
from studio.scene import Prop
from studio.table.layout import Measures, Spot
from studio.things.dice import USUAL_MM, draw_die

FROM_MIDDLE_MM: Final = 26.0
"""Greatest distance at which dice come to rest from their place on the table."""
FALLS_S: Final = (0.45, 0.8)
HELD_MM: Final = 46.0
_OUT: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))  # direction from the middle to each seat
_DISHES: Final = ((0.05, 0.1, 0.25), (0.02, 0.02, 0.02), (0.4, 0.4, 0.4), (0.3, 0.12, 0.05))


@dataclass(frozen=True)
class RolledDice:
    """The values that dice showed when they came to rest."""

    t_s: float
    values: tuple[int, ...]


@dataclass(frozen=True)
class _Throw:
    """Dice in a hand, then in the air, then at rest."""

    held_s: float
    thrown_s: float
    rest_s: float
    seat: int
    dice: tuple[Prop, ...]
    """As they lie at rest."""
    spins_deg: tuple[tuple[float, float, float], ...]


class DiceRolls:
    """The dice on the table, and how they move."""

    def __init__(self, table: Measures, arms: Arms, rng: random.Random) -> None:
        self._arms, self._rng = arms, rng
        self._count = 3 if rng.random() < 0.1 else 2
        self._die = draw_die(rng)
        side = USUAL_MM * self._die.stretch[0]
        self._apart_mm = side * 1.02
        self._middle = rng.uniform(-22, 22), rng.uniform(-22, 22)
        colour = rng.choice(_DISHES)
        dish = Prop("dish", *self._middle, 0.0, colour, seed=rng.randrange(1 << 31))
        self._dish = (dish,) if rng.random() < 0.3 else ()
        self._lift_mm = 3.2 if self._dish else 0.0
        self._first = self._scattered([rng.randint(1, 6) for _ in range(self._count)])
        self._throws: list[_Throw] = []
        self._half = table.thickness_mm / 2
        self.rolled: list[RolledDice] = []

    @property
    def in_the_way(self) -> list[Spot]:
        """Return places that no discard may cover."""
        x, y = self._middle
        far = FROM_MIDDLE_MM / 2 + 4
        return [
            Spot(x + u * far, y + v * far, self._half, 0.0, "up") for u in (-1, 1) for v in (-1, 1)
        ]

    def roll(self, seat: int, values: Sequence[int], begin: float) -> tuple[float, float]:
        """Pick up the dice and throw them; return when they rest and when the hand has left.

        A third die without a recorded value shows any.
        """
        more = [self._rng.randint(1, 6) for _ in range(self._count - len(values))]
        shown = (*values, *more)
        x, y = self._middle
        held = begin + self._arms.scaled(0.4)
        thrown = held + self._arms.scaled(self._rng.uniform(0.5, 1.1))
        rest = thrown + self._rng.uniform(*FALLS_S)
        turn = self._rng.uniform
        spins = tuple((turn(-900, 900), turn(-900, 900), turn(-400, 400)) for _ in shown)
        dice = self._scattered(shown)
        self._throws.append(_Throw(held, thrown, rest, seat, dice, spins))
        back = 60.0 * self._rng.uniform(0.6, 1.2)
        out_x, out_y = _OUT[seat]
        stops = [
            Stop(held - 0.1, x, y, 34.0, 0.5),
            Stop(held, x, y, 26.0, 0.1),
            Stop(thrown, x + out_x * back, y + out_y * back, HELD_MM + 8, 0.2),
            Stop(thrown + 0.15, x + out_x * back, y + out_y * back, HELD_MM + 8, 0.8),
        ]
        left = self._arms.stage.reach(seat, stops, self._arms.scaled(0.35), 0.35)
        self.rolled.append(RolledDice(rest, shown))
        return rest, max(rest, left)

    def at(self, time_s: float) -> Iterator[Prop]:
        """Yield the dice and their dish at this time."""
        yield from self._dish
        number = bisect_right([throw.held_s for throw in self._throws], time_s)
        throw = self._throws[number - 1] if number else None
        if throw is None:
            yield from self._first
        elif time_s >= throw.rest_s:
            yield from throw.dice
        elif time_s >= throw.thrown_s:
            yield from self._falling(throw, time_s)

    def _falling(self, throw: _Throw, time_s: float) -> Iterator[Prop]:
        share = (time_s - throw.thrown_s) / (throw.rest_s - throw.thrown_s)
        left = (1 - share) ** 1.5
        out_x, out_y = _OUT[throw.seat]
        for die, (across, along, yaw) in zip(throw.dice, throw.spins_deg, strict=True):
            bounce = abs(float(np.cos(share * 2.5 * np.pi))) * left
            yield replace(
                die,
                x_mm=die.x_mm + out_x * 60.0 * left,
                y_mm=die.y_mm + out_y * 60.0 * left,
                yaw_deg=die.yaw_deg + yaw * left,
                lift_mm=die.lift_mm + HELD_MM * bounce,
                tumble_deg=(across * left, along * left),
            )

    def _scattered(self, values: Sequence[int]) -> tuple[Prop, ...]:
        """Place dice near each other, sometimes touching, never overlapping."""
        places: list[tuple[float, float, float]] = []
        while len(places) < len(values):
            turn = self._rng.uniform(0, 360)
            if places and self._rng.random() < 0.2:  # side by side
                x, y, turn = places[-1]
                angle = np.deg2rad(turn + 90 * self._rng.randrange(4))
                x += self._apart_mm * float(np.cos(angle))
                y += self._apart_mm * float(np.sin(angle))
            else:
                far = FROM_MIDDLE_MM * self._rng.random() ** 0.5
                angle = self._rng.uniform(0, 2 * np.pi)
                x = self._middle[0] + far * float(np.cos(angle))
                y = self._middle[1] + far * float(np.sin(angle))
            near = min((_far(x - u, y - v, turn, w) for u, v, w in places), default=1e9)
            if near >= self._apart_mm - 0.5:
                places.append((x, y, turn))
        return tuple(
            replace(self._die, x_mm=x, y_mm=y, yaw_deg=turn, lift_mm=self._lift_mm, upper=value)
            for value, (x, y, turn) in zip(values, places, strict=True)
        )


def _far(dx: float, dy: float, one_deg: float, other_deg: float) -> float:
    """Return the distance of two turned squares, as the side of squares that would touch."""
    reach = 0.0
    for turn in np.deg2rad([one_deg, one_deg + 90, other_deg, other_deg + 90]):
        along = abs(dx * np.cos(turn) + dy * np.sin(turn))
        off = np.deg2rad(one_deg - other_deg)
        half = 0.5 * (abs(np.cos(off)) + abs(np.sin(off)))
        reach = max(reach, float(along / (0.5 + half)))
    return reach
