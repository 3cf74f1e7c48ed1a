"""Where things go that have no place of their own, and who sits nearest."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from studio.table.layout import Measures, Spot, outline, overlap_mm, to_table


def before_wall(table: Measures, lying: Iterable[Spot], seat: int, at: Spot) -> Spot:
    """A free place on the inner side of the wall, near to the stack and to the middle."""
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
    """The seat whose side of the table a place is nearest to."""
    towards = (at.y_mm, at.x_mm, -at.y_mm, -at.x_mm)
    return max(range(4), key=lambda seat: towards[seat])
