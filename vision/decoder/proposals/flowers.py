"""Flowers and seasons laid open before a player, in games that are played with them.

One class stands for all of them, because every set draws its own: which flower it is stays unknown
until a person says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.events import Flower, Seat
from engine.tiles import UNKNOWN, Tile
from vision.decoder import prices
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.likelihood import LIMITS
from vision.decoder.proposals.context import Context
from vision.decoder.proposals.unseen import PACE_S, turn_of
from vision.decoder.table_evidence import TableEvidence, sure_of
from vision.tiles.classes import ANY_FLOWER

A_FLOWER: Final = Tile(ANY_FLOWER)


def flowers_laid(
    c: Context, hypothesis: Hypothesis, seat: Seat, tiles: Sequence[int]
) -> Iterator[Hypothesis]:
    """These tiles as flowers of a seat, in its turn or, as after the deal, in another's."""
    if not tiles or not plays_with_flowers(hypothesis):
        return
    costs = [flower_cost(tile, c.table) for tile in tiles]
    if max(costs) > LIMITS["a_set"]:
        return
    ways = {id(way): way for way in (hypothesis, turn_of(c, seat, hypothesis, PACE_S)) if way}
    for way in ways.values():
        state = way.state
        late = seat != state.turn and bool(state.history.acts)
        found: Hypothesis | None = way
        for tile, cost in zip(tiles, costs, strict=True):
            charges = prices.of_flower(cost, late and tile == tiles[0])
            step = c.step(Flower(seat, UNKNOWN), tiles=(tile,), sure=sure_of(cost), charges=charges)
            found = None if found is None else found.then(step)
        if found is not None:
            yield found


def flower_cost(tile: int, table: TableEvidence) -> float:
    """What it costs that a tile shows a flower."""
    return table.face_cost(tile, A_FLOWER) if table.is_face(tile) else LIMITS["no_set"]


def plays_with_flowers(hypothesis: Hypothesis) -> bool:
    return hypothesis.rules.wall.flowers(hypothesis.state.options) > 0
