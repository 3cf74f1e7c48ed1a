"""A face appears in the middle: a discard, an indicator, or nothing of the game."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from engine.events import Discard, Draw, Foul, Indicator, IndicatorKind, Win
from engine.state import Phase
from engine.tiles import UNKNOWN
from vision.decoder import prices
from vision.decoder.changes import FaceAppeared
from vision.decoder.explained import BEFORE
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.layout import lying
from vision.decoder.likelihood import LIMITS
from vision.decoder.names import BEYOND_DOUBT, with_copies
from vision.decoder.proposals.called_off import is_called_off, with_end
from vision.decoder.proposals.context import Context, after_all
from vision.decoder.proposals.sets import added, beside_pung
from vision.decoder.proposals.unseen import turn_of
from vision.tiles.classes import FACE_INDEX

AT_ONCE_S: Final = 8.0
"""A hand that wins is opened at most so long before the discard that it wins with is seen."""
SKIPPED_S: Final = 0.1
"""Discards that nobody saw come so long before the one that was seen."""
PUSHED: Final = 0.6
"""A track in the place of another is no farther away than this share of a tile's width."""
STACKS: Final = 6.0
"""Indicators are turned up on stacks of the wall side by side: all within so many tile widths."""
UNDER: Final = 2.0
"""The tile from under an indicator is laid beside it: within so many tile heights."""


def face_appeared(c: Context, hypothesis: Hypothesis) -> Iterator[Hypothesis]:
    change = c.change
    assert isinstance(change, FaceAppeared), "only a face in the middle is explained here"
    state, tile = hypothesis.state, change.tile
    if change.was_back:
        yield _nothing(c, hypothesis, change)
        yield from _turned_up(c, hypothesis, tile)
        return
    if not hypothesis.playing:
        under = list(_turned_under(c, hypothesis, tile))
        yield from under
        won = list(_won_with(c, hypothesis, change))
        yield from won
        if under:
            yield c.nothing(hypothesis, tile=tile)
        else:
            # A hand that goes on pays for the same face as a discard.
            soon = bool(won) or is_called_off(hypothesis)
            charges = prices.of_late_face(c.table, hypothesis, tile, soon)
            yield c.nothing(hypothesis, (tile,), charges=charges)
        return
    if _lies_again(c, hypothesis, tile):
        place, _ = hypothesis.last_event() or (0, None)
        yield hypothesis.relinked(place, replace(hypothesis.hand[place], tile=tile))
        return
    if _explains_one(hypothesis, tile):
        # It was covered for so long that it was taken to be gone.
        yield c.nothing(hypothesis, ())
        return
    # A win that no rule knows may be one by this tile.
    yield from _won_with(c, hypothesis, change)
    yield _nothing(c, hypothesis, change)
    if c.table.in_wall(tile):
        yield from _turned_up(c, hypothesis, tile, was_back=False)
    yield from _thrown_before(c, hypothesis, change)
    yield from _against_the_order(c, hypothesis, change)
    seat = beside_pung(c, hypothesis, tile)
    if seat is not None:
        yield from added(c, hypothesis, seat, tile)
    if state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD):
        for seat, score in enumerate(change.seats):
            off = max(change.seats) - score
            if seat == state.turn or off <= LIMITS["likely_seat"]:
                yield from discarded(c, hypothesis, tile, seat, off)


def _nothing(c: Context, hypothesis: Hypothesis, change: FaceAppeared) -> Hypothesis:
    """The face is no tile of the game; while tiles are dealt, many things look like one."""
    if not change.early:
        return c.nothing(hypothesis, tile=change.tile)
    charges = prices.of_thing_while_dealt(c.table, change.tile)
    return c.nothing(hypothesis, (change.tile,), charges=charges)


def discarded(
    c: Context, hypothesis: Hypothesis, tile: int, seat: int, off: float
) -> Iterator[Hypothesis]:
    """A tile as this seat's discard, after discards that were missed where it has no turn yet.

    ``off``: how much likelier, in nats, another seat has put it there.
    """
    table = c.table
    before = turn_of(c, seat, hypothesis, SKIPPED_S)
    if before is None:
        return
    player = before.state.players[seat]
    signs = table.layout.ready_sign == "sideways" and not player.ready
    turned = signs and table.sideways(tile, seat)
    face = table.name(tile, by=(seat, c.change.time_s))
    for ready in (True, False) if turned else (False,):
        charges = prices.of_discard(table, before, tile, seat, off, c.change.time_s, ready)
        step = c.step(Discard(seat, face, ready), tile=tile, charges=charges)
        if c.limit.allows(before, step.charges, read_otherwise=True):
            for way in with_copies(before, step, (face,), table):
                yield from with_end(c, way)


def _won_with(c: Context, hypothesis: Hypothesis, change: FaceAppeared) -> Iterator[Hypothesis]:
    """The win that was just explained, by this discard: the hand was opened before it was seen."""
    last = hypothesis.last_event()
    if last is None:
        return
    place, step = last
    won, before = step.event, hypothesis.before[place]
    if not isinstance(won, Win) or before.phase is not Phase.TO_DRAW or before.turn == won.seat:
        return
    if won.from_seat == won.seat or change.time_s - step.time_s > AT_ONCE_S:
        return
    seat = before.turn
    played = hypothesis.until(place)
    # It was put down before that, under an arm.
    thrown_s = min(change.time_s, step.time_s)
    for face, cost in c.table.candidate_faces(change.tile, by=(seat, change.time_s)):
        thrown = c.step(
            Discard(seat, face),
            tile=change.tile,
            time_s=thrown_s,
            sure=math.exp(-cost),
            charges=prices.of_late_win(change, seat),
        )
        claim = replace(step, event=replace(won, from_seat=seat, tile=face), change=c.change.id)
        yield from some(played.all((thrown, claim)))


def _lies_again(c: Context, hypothesis: Hypothesis, tile: int) -> bool:
    """Whether the last discard was covered, or put back after somebody had claimed it."""
    last = hypothesis.last_event()
    if last is None or not isinstance(last[1].event, Discard):
        return False
    step = last[1]
    if step.tile == tile:
        return True
    was = None if step.tile is None else c.table.tiles.get(step.tile)
    gone = hypothesis.undone > 0 and step.tile not in c.table.present
    return gone and was is not None and c.table.tiles[tile].tile == was.tile


def _explains_one(hypothesis: Hypothesis, tile: int) -> bool:
    """Whether a track shows a discard that still lies there: it has one life."""
    return any(discard.track == tile for discard in lying(hypothesis))


def _thrown_before(
    c: Context, hypothesis: Hypothesis, change: FaceAppeared
) -> Iterator[Hypothesis]:
    """The tile is a discard that no track shows, or whose track is gone from this very place."""
    tile, table = change.tile, c.table
    for discard in lying(hypothesis):
        if discard.place is None or discard.track == tile or discard.track in table.present:
            continue  # it lay there when the hand was joined, or lies there still
        step = hypothesis.hand[discard.place]
        assert isinstance(step.event, Discard), "rivers are made of discards"
        charges, faces = prices.READ_AGAIN, dict(table.candidate_faces(tile))
        if discard.track is not None:
            was = table.tiles.get(discard.track)
            if was is None:
                continue
            if math.dist(was.xy_mm, table.tiles[tile].xy_mm) > PUSHED * table.tile_mm:
                continue
            # Two readings of one tile.
            both = -np.log(table.shares(tile) + 1e-6) - np.log(table.shares(discard.track) + 1e-6)
            known = [face for face in (discard.face, *faces) if face.known]
            faces = {face: float(both[FACE_INDEX[str(face)]]) for face in known}
        elif discard.face.known and not step.by_person and step.change > BEFORE:
            continue  # it was seen: only its track is forgotten, as the hand seemed to be over
        elif step.change > BEFORE:  # else it lay covered when the program began
            charges = prices.of_late_tile(table, hypothesis, change, discard.seat, discard.place)
            if not c.limit.allows(hypothesis, charges):
                continue  # before the hand is played again
        face = min(faces, key=lambda face: faces[face])
        if discard.track is None:
            face = table.name(tile)
        new = replace(step, tile=tile).charged(charges)
        if step.by_person or face == discard.face or (discard.track is None and discard.face.known):
            if discard.track is not None and table.surely(
                discard.track, discard.face, BEYOND_DOUBT
            ):
                # What was read so well is not read again where it lies now.
                new = replace(new, tile=None, tiles=(tile,))
            yield hypothesis.relinked(discard.place, new)
        else:
            event = replace(step.event, tile=face)
            new = replace(new, event=event, sure=math.exp(-faces[face]))
            yield from some(hypothesis.with_step(discard.place, new))


def _against_the_order(
    c: Context, hypothesis: Hypothesis, change: FaceAppeared
) -> Iterator[Hypothesis]:
    """A tile put down by a seat whose turn it is not: out of turn, or a second one."""
    seat = max(range(4), key=lambda at: change.seats[at])
    last = hypothesis.last_event()
    if seat == hypothesis.state.turn or last is None:
        return
    face, cost = c.table.candidate_faces(change.tile, 1)[0]
    twice = isinstance(last[1].event, Discard) and last[1].event.seat == seat
    foul = Foul(seat, "two_discards" if twice else "discard_out_of_turn", (face,))
    charges = prices.of_foul(hypothesis, face, cost)
    if c.limit.allows(hypothesis, charges):
        yield from some(hypothesis.then(c.step(foul, tiles=(change.tile,), charges=charges)))


# --- indicators ---


def _turned_up(
    c: Context, hypothesis: Hypothesis, tile: int, was_back: bool = True
) -> Iterator[Hypothesis]:
    kind = hypothesis.rules.layout.indicator_kind(len(hypothesis.state.indicators))
    if kind is None:
        return
    again = hypothesis.rules.layout.indicator_at == "wall" and hypothesis.state.indicators
    far = again and _beside_indicators(c, hypothesis, tile, STACKS * c.table.tile_mm) is False
    ways, late = [hypothesis], False
    if hypothesis.state.phase is Phase.TO_DRAW:
        # It is turned up after the last draws, too, when nobody has won.
        over_s = after_all(hypothesis, c.change.time_s - 0.5)
        drawn = c.drawn_out(hypothesis, over_s)
        if drawn is not None:
            ways, late = [hypothesis, drawn], True
        elif hypothesis.state.players[hypothesis.state.turn].ready:
            # Who turns it up in play has drawn a tile that wins with it.
            draw = Draw(hypothesis.state.turn, UNKNOWN)
            ways = [hypothesis, *some(hypothesis.then(c.step(draw)))]
    for way in ways:
        for turned in indicated(c, way, tile, kind):
            # When the hand is over, one is turned up only if it is due.
            if not again or hypothesis.playing or not turned.hand[-1].flawed:
                charges = prices.of_indicator(was_back, bool(far), late and way is hypothesis)
                yield turned.charged(charges)


def _turned_under(c: Context, hypothesis: Hypothesis, tile: int) -> Iterator[Hypothesis]:
    """A ready winner turns up the tiles that lie under the indicators."""
    kind, state = hypothesis.rules.layout.under_kind, hypothesis.state
    under = sum(indicator.kind == kind for indicator in state.indicators)
    ready = any(state.players[seat].ready for seat in state.winners)
    if kind is None or not ready or 2 * under >= len(state.indicators):
        return
    if _beside_indicators(c, hypothesis, tile, UNDER * 1.33 * c.table.tile_mm):
        yield from indicated(c, hypothesis, tile, kind)


def _beside_indicators(
    c: Context, hypothesis: Hypothesis, tile: int, reach_mm: float
) -> bool | None:
    """Whether an indicator lies within reach of this tile; None where none is seen."""
    at = c.table.tiles[tile].xy_mm
    turned = [c.table.tiles[track] for track in hypothesis.turned_up() if track in c.table.tiles]
    return any(math.dist(at, one.xy_mm) < reach_mm for one in turned) if turned else None


def indicated(
    c: Context, hypothesis: Hypothesis, tile: int, kind: IndicatorKind
) -> Iterator[Hypothesis]:
    name = c.table.name(tile)
    for face, cost in c.table.candidate_faces(tile):
        step = c.step(Indicator(face, kind), tile=tile, sure=math.exp(-cost))
        turned = list(with_copies(hypothesis, step, (face,), c.table))
        yield from turned
        if face == name and turned:
            return
