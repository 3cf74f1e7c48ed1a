"""Free places on the table: for Harbin's loose discards, and for a tile before the wall."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

from studio.table.layout import Measures, Spot, outline, overlap_mm, to_table

TRIES = 300
GAP_MM = 1.2
GRID_MM = 9.0


class NoRoom(ValueError):
    """The middle of the table holds no more tiles."""


def loose_spot(
    table: Measures, seat: int, lying: Iterable[Spot], rng: random.Random, aligned: float
) -> Spot:
    """Find a free place in front of ``seat``, farther away as the pile grows; may raise ``NoRoom``.

    ``lying`` are all other tiles; ``aligned`` is the share of tiles put down roughly upright for
    their player. If the middle is full, a tile goes where the wall was.
    """
    reach = math.hypot(table.width_mm, table.height_mm) / 2
    taken = [(at, outline(table, at, GAP_MM / 2)) for at in lying]
    console = table.console_mm / 2 + 5 if table.console_mm else 0.0
    inside, beyond = table.inner_mm - 5, table.hand_v - table.height_mm
    for at, limit in _candidates(table, seat, rng, aligned, console, inside, beyond):
        if max(abs(at.x_mm), abs(at.y_mm)) > limit:
            continue
        corners = outline(table, at, GAP_MM / 2)
        if any(max(abs(x), abs(y)) > limit for x, y in corners):
            continue
        if console and overlap_mm(corners, _square(console)) > 0:
            continue
        if any(
            math.hypot(other.x_mm - at.x_mm, other.y_mm - at.y_mm) < 2 * reach + GAP_MM
            and overlap_mm(corners, shape) > 0
            for other, shape in taken
        ):
            continue
        return at
    raise NoRoom(f"no room for another discard of seat {seat} among {len(taken)} tiles")


def _candidates(
    table: Measures,
    seat: int,
    rng: random.Random,
    aligned: float,
    console: float,
    inside: float,
    beyond: float,
) -> Iterator[tuple[Spot, float]]:
    """Yield places to try, each with the distance from the centre that it may reach."""
    middle = (console + inside) / 2 if console else inside * 0.4
    z = table.thickness_mm / 2
    for attempt in range(TRIES):
        spread = inside * (0.16 + 0.9 * (attempt / TRIES))
        x, y = to_table(seat, rng.gauss(0.0, spread), rng.gauss(middle, spread * 0.7))
        turn = rng.gauss(0.0, 14.0) if rng.random() < aligned else rng.uniform(-180.0, 180.0)
        yield Spot(x, y, z, (turn - 90.0 * seat) % 360, "up"), inside
    start = to_table(seat, 0.0, middle)
    steps = range(-int(beyond // GRID_MM), int(beyond // GRID_MM) + 1)
    grid = [(i * GRID_MM, j * GRID_MM) for i in steps for j in steps]
    grid.sort(key=lambda at: math.dist(at, start))
    for limit in (inside, beyond):
        for x, y in grid:
            for turn in (0.0, 90.0):
                yield Spot(x, y, z, (turn + rng.uniform(-3, 3)) % 360, "up"), limit


def _square(half: float) -> list[tuple[float, float]]:
    return [(-half, -half), (half, -half), (half, half), (-half, half)]


def before_wall(table: Measures, lying: Iterable[Spot], seat: int, at: Spot) -> Spot:
    """Find a free place on the inner side of the wall, near to the stack and to the middle."""
    others = [outline(table, spot) for spot in lying]
    inwards = -table.height_mm - 4
    free = []
    for aside in (0, 1, -1, 2, -2):
        dx, dy = to_table(seat, aside * (table.width_mm + 3), inwards)
        place = replace(at, x_mm=at.x_mm + dx, y_mm=at.y_mm + dy)
        covers = outline(table, place, 1.0)
        if all(overlap_mm(covers, other) < 0 for other in others):
            middle = math.hypot(place.x_mm, place.y_mm)
            free.append((abs(aside) + middle / table.half_mm, place))
    return min(free, key=lambda found: found[0])[1] if free else at


def nearest_seat(at: Spot) -> int:
    """Return the seat whose side of the table is nearest to a place."""
    towards = (at.y_mm, at.x_mm, -at.y_mm, -at.x_mm)
    return max(range(4), key=lambda seat: towards[seat])
