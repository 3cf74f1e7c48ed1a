"""How claimed sets lie: which of their tiles is turned sideways, as far as that is beyond doubt.

This is never asked when a claim is explained: who threw the claimed tile, the record says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from engine.events import Chow, Pung
from engine.first_deal import LaidSet
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import Side
from vision.tracking.observe import Observation

THREE: Final = 3
DOUBTFUL: Final = 6.0
"""A hypothesis that costs less than so many nats more than the best one is a doubt: one in 400."""
LEAST_LOOKS: Final = 2
"""One look may take the long side of a tile for its short one. More come only when something moves
near it: what lies still is not read again."""
SURELY_TURNED_DEG: Final = 25.0
"""A tile lies sideways or upright if it is turned by no more than this from there."""
APART: Final = (0.7, 1.6)
"""Widths between the middles of neighbours in a set: nearer, one may be read twice; farther, one
does not lie in the row."""
ALIGNED: Final = 0.6
"""Widths by which the middles of a set's tiles may lie nearer to the player or farther."""


def laid_sets(
    best: Hypothesis, ways: Sequence[Hypothesis], seen: Observation, tile_mm: float
) -> Iterator[LaidSet]:
    """The chows and pungs of this hand that are seen whole and alone, with their sideways tile.

    ``ways``: all hypotheses, the cheapest first. A set that another likely one explains otherwise
    is doubtful.
    """
    others = [way for way in ways if way.cost - ways[0].cost < DOUBTFUL]
    placed = {tile.id: tile for tile in seen.placed}
    for step, before in zip(best.hand, best.before, strict=True):
        event = step.event
        if not isinstance(event, Chow | Pung) or event.seat in seen.busy:
            continue
        tiles = [placed[tile] for tile in step.tiles if tile in placed]
        if len(tiles) < THREE or len(step.tiles) != THREE or not _agree(step, others):
            continue
        turned = _turned(tiles, event.seat, tile_mm)
        if turned is not None:
            index = len(before.players[event.seat].melds)
            yield LaidSet(event.seat, index, next(iter(turned), None))


def _agree(step: Explained, others: Sequence[Hypothesis]) -> bool:
    event = step.event
    assert isinstance(event, Chow | Pung), "only sets that three tiles make"
    for other in others:
        claims = other.by_change.get(step.change, ())
        if not any(
            type(claim) is type(event)
            and isinstance(claim, Chow | Pung)
            and (claim.seat, claim.from_seat) == (event.seat, event.from_seat)
            for claim in claims
        ):
            return False
    return True


def _turned(tiles: Sequence[PlacedTile], seat: int, tile_mm: float) -> tuple[int, ...] | None:
    """The place of the sideways tile, if there is one; None where it cannot be told."""
    row = sorted(tiles, key=lambda tile: tile.own_places[seat][0])
    if any(tile.side is not Side.FACE or tile.looks < LEAST_LOOKS for tile in row):
        return None
    places = [tile.own_places[seat] for tile in row]
    out = [v for _, v in places]
    if max(out) - min(out) > ALIGNED * tile_mm:
        return None
    near, far = APART
    gaps = [(right[0] - left[0]) / tile_mm for left, right in pairwise(places)]
    if not all(near < gap < far for gap in gaps):
        return None
    found = []
    for place, tile in enumerate(row):
        off = abs((tile.turn_deg + 90.0 * seat + 90.0) % 180 - 90.0)  # 0 upright, 90 sideways
        if SURELY_TURNED_DEG < off < 90.0 - SURELY_TURNED_DEG:
            return None
        if off >= 90.0 - SURELY_TURNED_DEG:
            found.append(place)
    return tuple(found) if len(found) < 2 else None
