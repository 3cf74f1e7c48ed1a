"""A row of tiles laid open: what it may read, and which tile of it lies apart."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from engine.tiles import Tile
from vision.decoder.likelihood import COSTS, LIMITS
from vision.decoder.table_evidence import FACES_TRIED, TableEvidence
from vision.table.view import to_seat

APART_SHARE: Final = 0.25
"""A winning tile lies apart from its hand by more than this share of a tile's width."""
NEW_SHARE: Final = 0.2
"""A tile that was seen in less than this share of the looks that the others have came later."""
LONG_LOOKS: Final = 40
HOLE: Final = 1.75
"""Between two tiles that lie so many times as far apart as usual, one was not found."""
HANDS_TRIED: Final = 10
DOUBTFUL_TRIED: Final = 34
"""Faces that a doubtful tile of a hand may show: the rules know better which one it is."""
UNLIKELY: Final = COSTS["hand_left_out"] + LIMITS["not_tried"]
"""A reading that costs so much more than the likeliest is beaten by one without faces."""


Reading = tuple[tuple[Tile, ...], float]
"""The faces of a row, and what they cost."""


def apart_of(row: Sequence[int], seat: int, table: TableEvidence, whole: bool) -> int | None:
    """Place of the tile that lies apart, or across, or came last; None where none does.

    ``whole``: every tile of the hand and the one that it won with was found.
    """
    tiles = [table.tiles[tile] for tile in row]
    places = [float(to_seat(tile.xy_mm, seat)[0]) for tile in tiles]
    gaps = [later - sooner for sooner, later in pairwise(places)]
    turned = [place for place, tile in enumerate(row) if table.sideways(tile, seat)]
    if not gaps:
        return turned[0] if turned else None
    usual = float(np.median(gaps))
    if not whole:
        # Where a tile was not found, nothing lies apart.
        gaps = [gap if gap < HOLE * usual else usual for gap in gaps]
    widest = int(np.argmax(gaps))
    apart = gaps[widest] - usual >= APART_SHARE * table.tile_mm
    if apart and widest in (0, len(gaps) - 1):
        # How a tile lies is misread more often than where.
        return 0 if widest == 0 and len(gaps) > 1 else len(tiles) - 1
    if len(turned) == 1:
        return turned[0]
    return None if apart else _newcomer([tile.looks for tile in tiles])


def _newcomer(looks: Sequence[int]) -> int | None:
    """Place of the one tile that came to a hand which had been standing there for long."""
    usual = float(np.median(looks))
    new = [place for place, count in enumerate(looks) if count < NEW_SHARE * usual]
    return new[0] if len(new) == 1 and usual >= LONG_LOOKS else None


def hands(tiles: Sequence[int], table: TableEvidence, most: int = HANDS_TRIED) -> Iterator[Reading]:
    """Readings of a row of tiles with their costs, likeliest first."""
    options = [
        table.candidate_faces(tile, DOUBTFUL_TRIED if table.doubtful(tile) else FACES_TRIED)
        for tile in tiles
    ]
    start = (sum(option[0][1] for option in options), (0,) * len(options))
    heap, known = [start], {start[1]}
    while heap and most:
        cost, places = heapq.heappop(heap)
        if cost > start[0] + UNLIKELY:
            return
        yield tuple(option[place][0] for option, place in zip(options, places, strict=True)), cost
        most -= 1
        for at, option in enumerate(options):
            if places[at] + 1 < len(option):
                other = (*places[:at], places[at] + 1, *places[at + 1 :])
                if other not in known:
                    known.add(other)
                    more = option[places[at] + 1][1] - option[places[at]][1]
                    heapq.heappush(heap, (cost + more, other))


def in_order(tiles: Sequence[Tile]) -> tuple[Tile, ...]:
    return tuple(sorted(tiles, key=lambda tile: (tile.suit, tile.rank, tile)))
