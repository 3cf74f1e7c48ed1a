"""For each change of the table, the hypotheses that explain it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.events import Chow, Discard, Draw, Event, HandStart, Indicator, Kong, Pung, Win
from vision.decoder import prices
from vision.decoder.changes import (
    Cleared,
    FaceAppeared,
    HandsStand,
    PersonAdded,
    RowShown,
    StickLaid,
    TilesBefore,
    TilesGone,
)
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.names import last_named
from vision.decoder.pin import Pin, same_act
from vision.decoder.proposals.before_seat import stick_laid, tiles_before
from vision.decoder.proposals.context import Context
from vision.decoder.proposals.hands import LaidRow, lies_open
from vision.decoder.proposals.middle import face_appeared
from vision.decoder.proposals.overlooked import overlooked
from vision.decoder.proposals.start import between_hands, cleared, hands_stand
from vision.decoder.proposals.undone import tiles_gone
from vision.decoder.proposals.unseen import with_unseen
from vision.decoder.table_evidence import TableEvidence


def propose(c: Context, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    """Every way to go on with a hypothesis so that it explains a change."""
    match c.change:
        case HandsStand():
            yield from hands_stand(c, hypothesis)
        case FaceAppeared():
            yield from face_appeared(c, hypothesis)
            yield from overlooked(c, hypothesis)
        case TilesBefore():
            yield from tiles_before(c, hypothesis)
        case RowShown(seat=seat, lying=lying):
            yield from lies_open(c, hypothesis, LaidRow(seat, lying, hypothesis.waiting(seat)))
        case TilesGone():
            yield from tiles_gone(c, hypothesis)
        case StickLaid(seat=seat):
            yield from stick_laid(c, hypothesis, seat)
        case Cleared():
            yield from cleared(c, hypothesis)
        case PersonAdded():
            yield hypothesis


def as_pinned(c: Context, pin: Pin, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    """The hypothesis with what the record says of a change.

    What the camera told after the person's words is explained anew by them. An event that cannot be
    means nothing: the record keeps and flags it. What a person took away is not told again.
    """
    if isinstance(c.change, HandsStand) and pin.removed and not pin.own:
        # That hands stand is seen: only what they mean is another thing.
        ways = [way for way in propose(c, hypothesis) if _keeps_out(pin, way, hypothesis)]
        yield from ways or [c.nothing(hypothesis)]
        return
    goes_on = bool(pin.own) and pin.fixed != pin
    if isinstance(c.change, HandsStand):  # a hand starts once
        goes_on &= not any(isinstance(event, HandStart) for event in pin.fixed.events)
    found = _with(c, pin.fixed if goes_on else pin, hypothesis, links=not goes_on)
    if goes_on:
        yield from [way for way in propose(c, found) if _keeps_out(pin, way, found)] or [found]
    else:
        yield found


def _keeps_out(pin: Pin, way: Hypothesis, before: Hypothesis) -> bool:
    """Whether a hypothesis goes on without what a person took away."""
    new = way.steps[len(before.steps) :]
    return not any(step.event is not None and pin.refuses(step.event) for step in new)


def _with(c: Context, pin: Pin, hypothesis: Hypothesis, links: bool = True) -> Hypothesis:
    """The hypothesis with these events, explained by the tracks of the change if ``links``."""
    tiles = c.known_tiles if links else []
    events = pin.events
    if not events:
        return c.nothing(hypothesis, tiles)
    found = hypothesis
    known = refused = 0
    if not isinstance(events[0], HandStart) and len(events) > 1:
        known = _known_already(events, hypothesis)
        found = _named(hypothesis, events[:known])
    alone = tiles[0] if len(tiles) == 1 else None
    for number, event in enumerate(events[known:]):
        shown = alone is not None and _shows(events[known:], number, alone, c.table)
        step = c.step(event, tile=alone if shown else None, tiles=() if alone else tiles)
        step = replace(step, by_person=known + number in pin.own)
        if isinstance(event, HandStart):
            over = between_hands(c, found)
            found = over if over is not None and _keeps_out(pin, over, found) else found
        if isinstance(event, Chow | Pung | Kong | Win):
            found = last_named(found, event, c.table)
        then = found.then(step)
        if then is None and isinstance(event, Discard):
            # Others have played before it, and nobody saw them.
            before = found.discards_until(event.seat)
            missed = with_unseen(c, before, c.change.time_s, found)
            told = missed is not None and _keeps_out(pin, missed, found)
            then = missed.then(step) if told and missed is not None else None
        found, refused = then or found, refused + (then is None)
    if refused:
        left = tiles if found is hypothesis else ()
        return c.nothing(found, left, charges=prices.of_disobedience(refused))
    return found


def _known_already(events: Sequence[Event], hypothesis: Hypothesis) -> int:
    """How many of the first events the hypothesis ends with: another change has shown them."""
    last = [step.event for step in hypothesis.hand if step.event is not None]
    last = [event for event in last if not isinstance(event, Draw)]
    for count in range(min(len(events) - 1, len(last)), 0, -1):
        if all(map(same_act, last[-count:], events[:count])):
            return count
    return 0


def _named(hypothesis: Hypothesis, events: Sequence[Event]) -> Hypothesis:
    """The hypothesis whose last events are named by a person, where they can be."""
    places = [
        at
        for at, step in enumerate(hypothesis.hand)
        if step.event is not None and not isinstance(step.event, Draw)
    ]
    found = hypothesis
    for place, event in zip(places[-len(events) :] if events else (), events, strict=True):
        step = replace(found.hand[place], event=event, by_person=True)
        found = found.with_step(place, step) or found
    return found


def _shows(events: Sequence[Event], number: int, tile: int, table: TableEvidence) -> bool:
    """Whether the one tile of a change shows this event rather than another one of it."""
    costs = {
        at: table.face_cost(tile, event.tile) - 0.01 * at
        for at, event in enumerate(events)
        if isinstance(event, Discard | Indicator)
    }
    return number in costs and min(costs, key=lambda at: costs[at]) == number
