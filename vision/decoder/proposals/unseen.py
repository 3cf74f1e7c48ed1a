"""What nobody saw: discards before a change, and which tile is taken now.

Every explanation asks here for the hypothesis in which it is a seat's turn, or in which a tile lies
there to be taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Discard, Position, Seat, Win
from engine.state import Phase
from engine.tiles import UNKNOWN, Tile
from vision.decoder import prices
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.names import with_face
from vision.decoder.proposals.context import Context, after_all
from vision.decoder.table_evidence import SURELY

PACE_S: Final = 0.5  # halved, doubled: other times in two films of nine, no other event
"""One act follows another at least so long after it: whoever takes a tile, or discards after a
discard that nobody saw."""
FELL_WITH_S: Final = 1.0
"""A row falls so long before or after its tile lies there: 0.2 s in one film."""
UNSURE: Final = 0.2
"""How sure it is how a hand ended that nobody saw end."""


def turn_of(c: Context, seat: Seat, hypothesis: Hypothesis, lead_s: float) -> Hypothesis | None:
    """The hypothesis in which a seat is to act so long before the change."""
    unseen = hypothesis.discards_until(seat)
    return with_unseen(c, unseen, c.change.time_s - lead_s, hypothesis)


def with_unseen(
    c: Context,
    discards: Sequence[Discard],
    before_s: float,
    hypothesis: Hypothesis,
    taken: bool = False,
) -> Hypothesis | None:
    """The hypothesis with discards that nobody saw, the last of them at a moment.

    None if the engine holds one for impossible. ``taken``: somebody takes the last one.
    """
    found: Hypothesis | None = hypothesis
    next_s = before_s - PACE_S
    for discard in discards:
        if found is None:
            return None
        since_s = after_all(found, 0.0)
        held = found.waiting(discard.seat) + 1
        fell_s = c.table.falls.fell(discard.seat, held, since_s, next_s)
        stands = not c.supplied and c.table.falls.whole_since(discard.seat, held, next_s)
        fell = fell_s is not None and not _put_down(c, found, fell_s)
        charges = prices.of_unseen_discard(fell, taken and c.supplied, stands)
        time_s = after_all(found, before_s if fell_s is None else fell_s)
        found = found.then(c.step(discard, time_s=time_s, charges=charges))
    return found


def _put_down(c: Context, hypothesis: Hypothesis, fell_s: float) -> bool:
    """Whether the tile that a row lost then was seen to be put down, and is told as nothing.

    A row that falls speaks for one discard; it cannot speak for another one that nobody saw.
    """
    return any(
        step.event is None
        and step.tile in c.table.tiles
        and abs(step.time_s - fell_s) < FELL_WITH_S
        and c.table.tiles[step.tile].confidence > SURELY
        for step in reversed(hypothesis.hand)
        if step.tile is not None
    )


def with_unseen_win(c: Context, hypothesis: Hypothesis, seat: Seat) -> Iterator[Hypothesis]:
    """The hypothesis with a win by a seat while nobody looked, of whatever hand.

    With the last discard, if it was seen, or with a tile that the seat has drawn, where needed
    after discards of the seats before it.
    """
    state, before = hypothesis.state, hypothesis
    last = state.last_discard if state.phase is Phase.TO_DRAW else None
    charges = {**prices.NO_SIGN, **prices.of_unread_hand(0.0, ends_with_wall=False)}
    if last is not None and last.seat != seat:
        lies_there = prices.of_taken_tile(c.table, before.last_tile, in_row=True, apart=False)
        won = c.step(Win(seat, last.seat, last.tile), sure=UNSURE, charges=charges | lies_there)
        yield from some(before.then(won))
        if state.turn != seat:
            return
    for acts in some(turn_of(c, seat, before, 0.0)):
        yield from some(acts.then(c.step(Win(seat, seat, UNKNOWN), sure=UNSURE, charges=charges)))


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
        discarded = event is not None and isinstance(event[1].event, Discard)
        if last.tile.known or not discarded:
            yield TakenTile(hypothesis, last.seat, last.tile)
        elif event is not None and event[1].tile in c.table.tiles and event[1].tile is not None:
            for face, _ in c.table.candidate_faces(event[1].tile):
                for named in some(with_face(hypothesis, event[0], face)):
                    yield TakenTile(named, last.seat, face)
        if discarded:
            yield TakenTile(hypothesis, last.seat, but=last.tile)
    givers = [giver] if giver is not None else list(range(4))
    givers = [at for at in givers if at != seat]
    yield from _of_heap(c, hypothesis, givers)
    for at in givers:
        acts, time_s = turn_of(c, at, hypothesis, PACE_S), c.change.time_s - PACE_S
        thrown = [Discard(at, UNKNOWN)]
        before = None if acts is None else with_unseen(c, thrown, time_s, acts, taken=True)
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
    step = replace(last[1], event=moved).charged(prices.of_other_turn(other))
    after = hypothesis.with_step(last[0], step)
    thrown_so = replace(snapshot, rivers=tuple(map(tuple, heap)))
    return None if after is None else replace(after, found=thrown_so)
