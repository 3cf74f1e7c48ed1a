"""Whose discard a tile in the middle is, by its place and by whose hands moved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from vision.decoder.likelihood import SEATS
from vision.table.placed_tile import PlacedTile
from vision.table.view import to_seat
from vision.tracking.zones import Zones

BUSY_BEFORE_S: Final = 1.4
BUSY_AFTER_S: Final = 0.4
"""A discard comes with a movement so long before and after it is first seen."""

BusyAt = Callable[[int, float, float], bool]
"""Whether something moved near a seat's hand from one moment to another."""


def put_down_by(tile: PlacedTile, zones: Zones, busy_at: BusyAt) -> tuple[float, ...]:
    """(4,) log-likelihood of each seat to have put the tile down."""
    scores = []
    for seat in range(4):
        u, v = to_seat(tile.xy_mm, seat) / zones.half[seat]
        if zones.layout.river == "rows":
            # Everybody's river lies in a quarter of the middle.
            near = SEATS["own_river"] * (1 if v > abs(u) else -1)
        else:
            near = float(np.clip(SEATS["nearer"] * v, -SEATS["nearest"], SEATS["nearest"]))
        came = busy_at(seat, tile.first_s - BUSY_BEFORE_S, tile.first_s + BUSY_AFTER_S)
        scores.append(near + SEATS["hand_came"] * (1 if came else -1))
    return tuple(scores)
