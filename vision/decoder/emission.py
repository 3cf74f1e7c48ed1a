"""Emission: what the table, as its tiles are known now, says against a hypothesis.

No step holds any of it: it is computed anew whenever hypotheses are compared. The other part of
what a hypothesis costs is the transition, what each step pays beside the state before it
(``prices.py``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

import numpy as np

from engine.events import DrawnHand, Reveal, Win
from engine.tiles import Tile
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.likelihood import CURVES, TILES, price
from vision.decoder.table_evidence import TableEvidence
from vision.tiles.classes import FACES

NO_SHARES: Final = np.zeros(len(FACES))
FEW_LOOKS: Final = 3


def charges_now(hypothesis: Hypothesis, table: TableEvidence) -> dict[str, float]:
    """Amounts of every kind of cost of this hand, as far as the table is known now."""
    total = _by_the_table(hypothesis, table)
    for step in hypothesis.hand:
        for name, amount in step.charges.items():
            total[name] = total.get(name, 0.0) + amount
    return total


def _by_the_table(hypothesis: Hypothesis, table: TableEvidence) -> dict[str, float]:
    """Amounts that no step holds: they follow from what is known of its tiles now."""
    shown, (lying, claimed) = hypothesis.shown, hypothesis.lying_apart
    lost = 0.0
    if shown.lost:
        # Somebody took it for a set or a win, or it lies there again.
        found_in = {river.track for river in hypothesis.rivers if river.claimed or river.won}
        found_in |= lying.intersection(table.present)
        found = (step for step in shown.lost if not found_in.isdisjoint(step.tiles))
        lost -= sum(step.charges["lost"] for step in found)
    face, clutter = _by_their_tiles(shown.events, table), _by_their_tiles(shown.nothing, table)
    left = hypothesis.shares_left if shown.unnamed else NO_SHARES
    for step in shown.unnamed:
        if step.tile in table.tiles and step.tile is not None and table.is_face(step.tile):
            face += table.any_face_cost(step.tile, left, step.thrown_by)
    faces: Iterable[Tile] = shown.faces
    if table.forgotten:
        events = (step for step in shown.events if step.tile in table.tiles)
        faces = (step.face for step in events if step.face.known)
    gone = lying.difference(table.present)
    last = hypothesis.last_event() if gone else None
    if last is not None and isinstance(last[1].event, Win | Reveal | DrawnHand):
        # Tiles are gathered when a hand is over.
        gone = gone.difference(table.as_of(last[1].time_s).present)
    return {
        "face": face,
        "copies": sum(map(hypothesis.copy_prices.__getitem__, faces)),
        "clutter": clutter,
        "lost": lost,
        "absent": sum(tile in table.tiles and tile not in table.taken for tile in gone),
        "still_there": sum(tile in table.tiles for tile in claimed.intersection(table.present)),
        "row_length": _row_lengths(hypothesis, table),
    }


def _row_lengths(hypothesis: Hypothesis, table: TableEvidence) -> float:
    """How much the number of tiles that stand before the players speaks against their sets."""
    total, wall = 0.0, hypothesis.rules.wall
    for player, counts in zip(hypothesis.state.players, table.rows, strict=False):
        if player.won:
            continue  # its hand lies open
        size = wall.waiting(len(player.melds))
        total += min((_off_length(count - size) for count in counts), default=0.0)
    return total


@cache
def _off_length(more: int) -> float:
    return float(np.interp(more, *CURVES["row_length"]))


def _by_their_tiles(steps: Sequence[Explained], table: TableEvidence) -> float:
    """What it costs that one tile each shows these events, or is none of the game."""
    prices = table.prices
    try:
        return sum(map(prices.__getitem__, map(id, steps)))
    except KeyError:
        for step in steps:
            if id(step) not in prices:
                prices[id(step)] = _by_its_tile(step, table)
                table.priced.append(step)
        return sum(map(prices.__getitem__, map(id, steps)))


def _by_its_tile(step: Explained, table: TableEvidence) -> float:
    assert step.tile is not None, "one tile shows the step"
    if step.tile not in table.tiles:
        table.forgotten.add(step.tile)
        return 0.0
    if step.event is None:
        return clutter_cost(step.tile, table)
    if not step.face.known and table.is_face(step.tile):
        return 0.0  # it costs by the copies that are left
    return table.face_cost(step.tile, step.face, step.thrown_by)


def evaluated(hypothesis: Hypothesis, table: TableEvidence) -> Hypothesis:
    """The hypothesis with its cost by what is known now."""
    return hypothesis.costing(seen=price(_by_the_table(hypothesis, table)))


def least_added(hypothesis: Hypothesis, table: TableEvidence) -> float:
    """What the table adds at least to the cost of all that goes on with the steps of a hypothesis.

    A discard that is gone may have been claimed, and what was laid explains a short row.
    """
    amounts = _by_the_table(hypothesis, table)
    lost = sum(step.charges["lost"] for step in hypothesis.shown.lost)
    return price(amounts | {"absent": 0.0, "lost": -lost, "row_length": 0.0})


def clutter_cost(tile: int, table: TableEvidence) -> float:
    """What it costs that a track is no tile of the game."""
    cost = table.clutter(tile)
    if tile in table.present or tile in table.taken:
        return cost
    return min(
        cost, TILES["fleeting"] if table.tiles[tile].looks < FEW_LOOKS else TILES["gone_again"]
    )
