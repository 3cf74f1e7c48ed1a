"""What may have been wrong about the last steps, whatever is done now."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Chow, Discard, Position, Pung, Seat
from engine.tiles import UNKNOWN, Tile
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.names import with_face
from vision.decoder.proposals.context import Context

TAKEN_S: Final = 0.5
"""Whoever takes a tile lays it down so long after it was discarded."""


@dataclass(frozen=True)
class TakenTile:
    """A tile that somebody takes, and the hypothesis before that."""

    hypothesis: Hypothesis
    seat: Seat
    """Who discarded it, or draws it."""
    face: Tile | None = None
    """None where what is done with it tells what it is."""
    but: Tile | None = None
    """What it was read as, where it was something else."""
    unseen: bool = False
    """It was taken before anybody could see it lie there."""
    drawn: bool = False

    @property
    def lies_there(self) -> int | None:
        """Track of the discard, if it was seen."""
        return None if self.drawn else self.hypothesis.last_tile

    def read_as(self, face: Tile) -> Hypothesis | None:
        """The hypothesis in which the tile shows this face; None where it cannot be."""
        if self.face is not None:
            return self.hypothesis if self.face in (face, UNKNOWN) else None
        if self.drawn:
            return self.hypothesis
        last = self.hypothesis.last_event()
        assert last is not None, "the last event is the discard"
        return None if face == self.but else with_face(self.hypothesis, last[0], face)


def taken_before(
    c: Context, hypothesis: Hypothesis, seat: Seat, giver: Seat | None = None
) -> Iterator[TakenTile]:
    """Every tile that a seat may take now: the last discard, and what nobody saw last.

    ``giver``: who discarded it if nobody saw it; by default any other seat.
    """
    state, event = hypothesis.state, hypothesis.last_event()
    last = state.last_discard
    if last is not None and last.seat != seat:
        thrown = event is not None and isinstance(event[1].event, Discard)
        if last.tile.known or not thrown:
            yield TakenTile(hypothesis, last.seat, last.tile)
        elif event is not None and event[1].tile in c.table.tiles and event[1].tile is not None:
            for face, _ in c.table.candidate_faces(event[1].tile):
                for named in some(with_face(hypothesis, event[0], face)):
                    yield TakenTile(named, last.seat, face)
        if thrown:
            yield TakenTile(hypothesis, last.seat, but=last.tile)
    givers = [giver] if giver is not None else list(range(4))
    givers = [at for at in givers if at != seat]
    yield from _of_heap(c, hypothesis, givers)
    for at in givers:
        acts, time_s = c.turn_of(at, hypothesis, TAKEN_S), c.change.time_s - TAKEN_S
        charge = "taken_at_once" if c.supplied else "missed"
        before = None if acts is None else c.missed([Discard(at, UNKNOWN)], time_s, acts, charge)
        if before is not None and before.state.last_discard is not None:
            yield TakenTile(before, at, unseen=True)


def _of_heap(c: Context, hypothesis: Hypothesis, givers: list[Seat]) -> Iterator[TakenTile]:
    """A hand was joined a moment ago: which of its loose discards was the last shows only now."""
    if c.table.layout.river != "loose":
        return
    for tile in (tile for river in hypothesis.found.rivers for tile in river):
        for giver in givers if tile not in c.table.present else ():
            before = _last_of_heap(tile, giver, hypothesis)
            last = None if before is None else before.state.last_discard
            if before is not None and last is not None:
                yield TakenTile(before, giver, last.tile)


def _last_of_heap(tile: int, giver: int, hypothesis: Hypothesis) -> Hypothesis | None:
    """A hand that was just joined, with the tile that is taken now as the last discard of all.

    Loose discards have no order, and lie before anybody. None where the hand has gone on already.
    """
    last = hypothesis.last_event()
    position = last[1].event if last is not None else None
    if last is None or not isinstance(position, Position) or position.rivers is None:
        return None
    snapshot, rivers = hypothesis.found, [list(river) for river in position.rivers]
    heap = [list(river) for river in snapshot.rivers]
    row = next(row for row, tracks in enumerate(heap) if tile in tracks)
    at = heap[row].index(tile)
    thrown = rivers[row].pop(at)
    heap[giver].append(heap[row].pop(at))
    rivers[giver].append(replace(thrown, seat=giver))
    turn = (giver + 1) % 4
    other = position.turn != turn
    moved = replace(
        position,
        rivers=tuple(map(tuple, rivers)),
        turn=turn,
        hands=None if other else position.hands,
    )
    step = replace(last[1], event=moved).charged({"other_turn": float(other)})
    after = hypothesis.with_step(last[0], step)
    thrown_so = replace(snapshot, rivers=tuple(map(tuple, heap)))
    return None if after is None else replace(after, found=thrown_so)


def with_ready(
    hypothesis: Hypothesis, place: int, signed_s: float = -math.inf
) -> Hypothesis | None:
    """The hypothesis in which ready was claimed with a discard or a set.

    ``signed_s``: when that was seen, where it was later.
    """
    step = hypothesis.hand[place]
    assert isinstance(step.event, Discard | Chow | Pung), "ready is claimed with these"
    event, time_s = replace(step.event, ready=True), max(step.time_s, signed_s)
    return hypothesis.with_step(place, step.but(event=event, time_s=time_s))
