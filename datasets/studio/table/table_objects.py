"""Objects on and beside a table besides tiles: dice, a cup, a phone, counters."""

from __future__ import annotations

import random
from collections.abc import Sequence

from studio.scene import Prop
from studio.table.layout import Measures, Spot

WHITE = (0.85, 0.85, 0.85)
BESIDE_MM = (170.0, 320.0)


def draw_things(rng: random.Random, table: Measures) -> tuple[Prop, ...]:
    """Draw dice in the middle of a table without a console, and things on stools beside it."""
    things: list[Prop] = []
    if not table.console_mm and rng.random() < 0.7:
        x, y = rng.uniform(-30, 30), rng.uniform(-30, 30)
        for side in (-1, 1):
            things.append(Prop("die", x + side * rng.uniform(9, 13), y, rng.uniform(0, 90), WHITE))
    for kind in ("cup", "phone", "chip", "chip"):
        if rng.random() < 0.35:
            far = table.half_mm + rng.uniform(*BESIDE_MM)
            along = rng.choice((-1, 1)) * rng.uniform(0.75, 1.0) * table.half_mm
            x, y = rng.choice(((far, along), (-far, along)))
            colour = (rng.uniform(0.02, 0.8), rng.uniform(0.02, 0.8), rng.uniform(0.02, 0.8))
            things.append(Prop(kind, x, y, rng.uniform(0, 360), colour))
    return tuple(things)


def in_the_way(things: Sequence[Prop], table: Measures) -> list[Spot]:
    """Return places that no discard may cover: each object takes the room of a tile."""
    return [
        Spot(thing.x_mm, thing.y_mm, table.thickness_mm / 2, thing.yaw_deg, "up")
        for thing in things
        if max(abs(thing.x_mm), abs(thing.y_mm)) < table.half_mm
    ]
