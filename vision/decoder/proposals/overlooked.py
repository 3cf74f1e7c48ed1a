"""A discard that lay there when the table was found, and was overlooked then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.events import Discard, Position
from vision.decoder import prices
from vision.decoder.changes import FaceAppeared, HandsStand
from vision.decoder.explained import FLAWS, Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.kept import FEW
from vision.decoder.layout import lies_before
from vision.decoder.likelihood import LIMITS
from vision.decoder.proposals.context import Context
from vision.decoder.proposals.start import join
from vision.decoder.snapshot import Snapshot, rivers_of

FOUND_S: Final = 30.0
"""So long after the table was found a tile may come to be seen that lay there."""
FEWER: Final = 2
"""Players who had acted since are played again: so many steps at most."""


def overlooked(c: Context, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    """The hand joined anew with the tile among what lay there, then what was played since."""
    change = c.change
    assert isinstance(change, FaceAppeared), "only a face in the middle is explained here"
    found = _joined(hypothesis)
    if found is None or change.was_back or not hypothesis.playing:
        return
    place, snapshot = found
    joined = hypothesis.hand[place]
    since = [step for step in hypothesis.hand[place + 1 :] if step.change != joined.change]
    if change.time_s - joined.time_s > FOUND_S or len(since) > FEWER:
        return
    things = [
        step.tile
        for step in hypothesis.hand[place + 1 :]
        if step.change == joined.change and step.event is None and step.tile is not None
    ]
    # Others may have been overlooked, too.
    others = [step for step in hypothesis.hand if "overlooked" in step.charges]
    before = hypothesis.until(0).costing(seen=0.0)
    again = replace(c, change=HandsStand(joined.change, joined.time_s, snapshot.held, snapshot))
    for seat, off in enumerate(change.seats):
        off = max(change.seats) - off
        if off > LIMITS["likely_seat"]:
            continue
        if _lies_after(c, change.tile, seat, since):
            continue
        lay = _with(c, snapshot, change.tile, seat)
        late = (change.time_s - joined.time_s) / FOUND_S
        for way in join(again, before, lay, things, FEW):
            face, cost = c.table.candidate_faces(change.tile, 1)[0]
            charges = prices.of_overlooked(way, face, cost, off, late, seat in change.moved)
            fewer = prices.of_fewer_found(snapshot, lay)
            found_late = again.step(None, tiles=(change.tile,), charges=charges).charged(fewer)
            played = _as_charged(way, joined).all((*others, found_late, *since))
            if played is not None:
                yield played


def _as_charged(way: Hypothesis, joined: Explained) -> Hypothesis:
    """The hand joined anew, with what spoke against it as it was joined first."""
    place = next(at for at, step in enumerate(way.hand) if isinstance(step.event, Position))
    step = way.hand[place]
    known = step.charges.keys() | FLAWS
    more = {name: amount for name, amount in joined.charges.items() if name not in known}
    return way.relinked(place, step.charged(more))


def _joined(hypothesis: Hypothesis) -> tuple[int, Snapshot] | None:
    """The place of the step by which a hand was joined, and the table as it was found."""
    for place, step in enumerate(hypothesis.hand[:2]):
        if isinstance(step.event, Position) and step.tiles and not step.by_person:
            return place, hypothesis.found
    return None


def _lies_after(c: Context, tile: int, seat: int, since: Sequence[Explained]) -> bool:
    """Whether a tile lies behind one in its row that was discarded since then."""
    return c.table.layout.river == "rows" and any(
        isinstance(step.event, Discard)
        and step.event.seat == seat
        and step.tile in c.table.present
        and step.tile is not None
        and not lies_before(tile, step.tile, seat, c.table)
        for step in since
    )


def _with(c: Context, found: Snapshot, tile: int, seat: int) -> Snapshot:
    """The table with one more discard of a seat, in its place where they lie in rows."""
    row = [*found.rivers[seat], tile]
    lying = [c.table.tiles[one] for one in row if one in c.table.tiles]
    if c.table.layout.river == "rows" and len(lying) == len(row):
        rows = rivers_of(lying, c.table.tile_mm, c.table.layout)
        row = [one.id for one in rows[seat]] if len(rows[seat]) == len(row) else row
    rivers = list(found.rivers)
    rivers[seat] = tuple(row)
    return replace(found, rivers=tuple(rivers))
