"""Whose discard a tile in the middle is, by its place and by whose hands moved."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Final, TypeVar

import numpy as np

from engine.tiles import Tile
from vision.decoder.likelihood import SEATS
from vision.table.placed_tile import PlacedTile
from vision.table.view import to_seat
from vision.tracking.zones import Zones

BUSY_BEFORE_S: Final = 1.4
BUSY_AFTER_S: Final = 0.4
"""A discard comes with a movement so long before and after it is first seen."""

MOST_TOGETHER: Final = 6
"""Tiles of one moment whose order of play is looked for."""

T = TypeVar("T")
Scores = Sequence[float]
"""Log-likelihood of each seat to have put a tile down."""
BusyAt = Callable[[int, float, float], bool]
"""Whether something moved near a seat's hand from one moment to another."""


def put_down_by(tile: PlacedTile, zones: Zones, busy_at: BusyAt) -> tuple[float, ...]:
    """(4,) log-likelihood of each seat to have put the tile down."""
    scores, came = [], hands_came(tile, busy_at)
    for seat in range(4):
        u, v = to_seat(tile.xy_mm, seat) / zones.half[seat]
        if zones.layout.river == "rows":
            # Everybody's river lies in a quarter of the middle.
            near = SEATS["own_river"] * (1 if v > abs(u) else -1)
        else:
            near = float(np.clip(SEATS["nearer"] * v, -SEATS["nearest"], SEATS["nearest"]))
        scores.append(near + SEATS["hand_came"] * (1 if seat in came else -1))
    return tuple(scores)


def hands_came(tile: PlacedTile, busy_at: BusyAt) -> tuple[int, ...]:
    """Seats near whose hands something moved when the tile came."""
    from_s, to_s = tile.first_s - BUSY_BEFORE_S, tile.first_s + BUSY_AFTER_S
    return tuple(seat for seat in range(4) if busy_at(seat, from_s, to_s))


def in_turn(tiles: Sequence[T], seats_of: Callable[[T], Sequence[float]]) -> Sequence[T]:
    """Tiles that came at one moment, in the likeliest order if one player after another put one."""
    if not 1 < len(tiles) <= MOST_TOGETHER:
        return tiles

    def score(order: Sequence[T]) -> float:
        return max(
            sum(seats_of(tile)[(first + at) % 4] for at, tile in enumerate(order))
            for first in range(4)
        )

    return max(permutations(tiles), key=score)  # of equals, as they were given


def share_of_place(at: int, seats: Sequence[int], tiles: Sequence[tuple[Tile, Scores]]) -> float:
    """How likely it was the face in this place of tiles that came at one moment.

    ``seats``: who is told to have put each of them, in order; any of them may have been any's.
    """
    if len(tiles) > MOST_TOGETHER:
        return 1.0
    total = same = 0.0
    for order in permutations(tiles):
        weight = math.exp(sum(scores[seat] for seat, (_, scores) in zip(seats, order, strict=True)))
        total += weight
        same += weight if order[at][0] == tiles[at][0] else 0.0
    return same / total
