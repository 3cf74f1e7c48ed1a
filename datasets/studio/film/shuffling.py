"""Between two hands: tiles are turned over, mixed and built into walls again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from studio.film.arms import Arms
from studio.scene import Pose
from studio.table.layout import Spot

MIX_S = 7.0
UNDER_MM = 90.0


def wash_by_hand(arms: Arms, order: Sequence[int], places: Sequence[Spot], begin: float) -> float:
    """Mix the tiles and build the walls; return when the hands have left."""
    return _push_up(arms, order, places, _mix(arms, order, begin)) + 0.9


def wash_by_machine(
    arms: Arms, order: Sequence[int], places: Sequence[Spot], begin: float
) -> float:
    """Push the tiles into the hole in the middle; new walls rise from below."""
    stage, rng, table = arms.stage, arms.rng, arms.table
    arms.wander(begin, begin + 3.2, (60, -90), (table.inner_mm * 0.2, table.inner_mm * 0.9), 12)
    for tile in order:
        start = begin + rng.uniform(0.3, 1.9)
        low = Spot(
            rng.gauss(0, 45), rng.gauss(0, 45), table.thickness_mm, rng.uniform(0, 360), "down"
        )
        stage.move(tile, start, start + rng.uniform(0.7, 1.3), low, 6.0)
        stage.move(tile, begin + 3.3, begin + 3.9, replace(low, z_mm=-UNDER_MM), 0.0)
    return walls_rise(arms, order, places, begin + 4.5)


def walls_rise(arms: Arms, order: Sequence[int], places: Sequence[Spot], begin: float) -> float:
    """Lift built walls out of the table; return when they stand."""
    stage = arms.stage
    for tile, place in zip(order, places, strict=True):
        stage.move(tile, begin - 0.06, begin, below(place), 0.0)
        stage.move(tile, begin + 0.3, begin + 1.9, place, 0.0)
    return begin + 2.6


def below(place: Spot) -> Spot:
    """Return the place in the machine from which a tile rises."""
    return replace(place, z_mm=place.z_mm - UNDER_MM)


def _mix(arms: Arms, order: Sequence[int], begin: float) -> float:
    stage, rng, table = arms.stage, arms.rng, arms.table
    lasts = MIX_S * min(1.0, arms.pace)
    reach = table.inner_mm * 0.95
    arms.wander(begin, begin + lasts, (60, -90), (reach * 0.25, reach), 12.0)
    swings = max(3, round(lasts / 1.1))
    step = lasts / swings
    for tile in order:
        for swing in range(swings):
            radius, angle = reach * math.sqrt(rng.random()), rng.uniform(-math.pi, math.pi)
            pose: Pose = "up" if rng.random() < 0.35 and swing < swings - 1 else "down"
            target = Spot(
                radius * math.cos(angle),
                radius * math.sin(angle),
                table.thickness_mm * (0.5 + 0.8 * rng.random()),
                rng.uniform(0, 360),
                pose,
            )
            start = begin + swing * step + rng.uniform(0, 0.5 * step)
            stage.move(tile, start, start + 0.9 * step, target, 3.0)
    return begin + lasts


def _push_up(arms: Arms, order: Sequence[int], places: Sequence[Spot], begin: float) -> float:
    """Line up two rows for each player and lift one onto the other."""
    stage, rng, table = arms.stage, arms.rng, arms.table
    lasts = 5.0 * min(1.0, arms.pace) + 1.0
    rows: dict[tuple[int, bool], list[int]] = {}
    for index, place in enumerate(places):
        upper = place.z_mm > table.thickness_mm
        rows.setdefault((round(place.yaw_deg) % 360, upper), []).append(index)
    for (_, upper), indices in rows.items():
        first = begin + (lasts / 2 if upper else 0.0)
        rng.shuffle(indices)
        for rank, index in enumerate(indices):
            start = first + rank / len(indices) * lasts * 0.36
            place = stage.jittered(places[index], 0.15, 0.3)
            lift = 30.0 if upper else 8.0
            stage.move(order[index], start, start + rng.uniform(0.4, 0.6), place, lift)
    arms.wander(begin, begin + lasts * 0.9, (110, -110), (table.wall_v - 80, table.wall_v), 25.0)
    return begin + lasts
