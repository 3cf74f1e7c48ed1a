"""A hand laid open: a win, by what tile, or a hand that is shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Draw, DrawnHand, Event, Indicator, Reveal, Win
from engine.state import Phase
from engine.tiles import COPIES, UNKNOWN, Tile
from vision.decoder.explained import FLAWS
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.layout import NONE_LEFT, copies_cost
from vision.decoder.likelihood import COSTS, LIMITS
from vision.decoder.proposals.context import Context
from vision.decoder.proposals.edits import Thrown, thrown_before
from vision.decoder.proposals.faces import taken
from vision.decoder.proposals.readings import HANDS_TRIED, apart_of, hands, in_order
from vision.decoder.table_evidence import sure_of

MOST_TRIED: Final = 40
"""Readings of a hand that are tried; the unlikelier ones only count if they win."""
SHOWN_TRIED: Final = 4
SURELY: Final = 0.9
UNSEEN_TRIED: Final = 2


@dataclass(frozen=True)
class LaidRow:
    """Tiles that a seat has laid open, from its player's left to right."""

    seat: int
    tiles: tuple[int, ...]


def opened(c: Context, hypothesis: Hypothesis, row: LaidRow) -> Iterator[Hypothesis]:
    """Every end of a hand that this row may show, or a hand that is only shown."""
    yield from _opened(c, hypothesis, row)
    for others, cost in c.table.but_for_one(row.tiles):
        for way in _opened(c, hypothesis, replace(row, tiles=others)):
            yield way.charged(clutter=cost)


def _opened(c: Context, hypothesis: Hypothesis, row: LaidRow) -> Iterator[Hypothesis]:
    state, seat = hypothesis.state, row.seat
    if state.phase is Phase.SETTLED:
        yield from _won_too(c, hypothesis, row)
        for shown in _reveals(c, hypothesis, row):
            yield shown.charged(not_won_too=1)
        return
    if not hypothesis.playing:
        return
    if seat in state.retired:
        yield hypothesis
        return
    if state.contested is not None:
        yield from _won_too(c, hypothesis, row)
    size = 13 - 3 * len(state.players[seat].melds)
    whole = len(row.tiles) == size + 1
    if size - 1 <= len(row.tiles) <= size and hypothesis.cost < LIMITS["unseen"]:
        yield from _won_with_one_unseen(c, hypothesis, row, size)
    yield from _won_by_claim(c, hypothesis, row, whole)
    if whole or len(row.tiles) != size:
        yield from _won_by_draw(c, hypothesis, row, whole)
    if whole:
        skipped = hypothesis.discards_until(seat)
        before = c.missed(skipped, c.change.time_s - 1.0, hypothesis)
        if skipped and before is not None:
            yield from _won_by_draw(c, before.charged(drawn_after=len(skipped)), row, whole)
    else:
        yield from _won_by_rush(c, hypothesis, row)
    if whole and state.turn == seat:
        yield from _called_off(c, hypothesis, row)
    if len(row.tiles) <= size:
        drawn = hypothesis.drawn_out(c.change.time_s - 1.0, c.change.id)
        if drawn is not None:
            yield from _reveals(c, drawn.charged(shown=1), row)


def lies_open(c: Context, hypothesis: Hypothesis, row: LaidRow) -> Iterator[Hypothesis]:
    """The wins that the rules have in a hand which everybody could see all along, or none."""
    state = hypothesis.state
    _, cost = next(hands(row.tiles, c.table, 1))
    charges = {"set_face": cost}  # its faces cost as much as in a win: they are what they are
    if hypothesis.playing:
        size = 13 - 3 * len(state.players[row.seat].melds)
        more = len(row.tiles) > size and state.turn != row.seat
        charges["holds_more" if more else "not_won"] = 1
    yield c.nothing(hypothesis).charged(**charges)
    known = len(hypothesis.hand)
    for way in opened(c, hypothesis, row):
        new = way.hand[known:]
        won = any(isinstance(one.event, Win) and one.event.seat == row.seat for one in new)
        if won and not any(FLAWS & one.charges.keys() for one in new):
            yield way


def _tell(
    c: Context, hypothesis: Hypothesis, event: Event, row: LaidRow, cost: float, **charges: float
) -> Iterator[Hypothesis]:
    sure = sure_of(cost)
    step = c.step(event, tiles=row.tiles, sure=sure, set_face=cost).charged(charges)
    yield from some(hypothesis.then(step))


def _reveals(c: Context, hypothesis: Hypothesis, row: LaidRow) -> Iterator[Hypothesis]:
    if row.seat in hypothesis.state.winners:
        yield hypothesis
        return
    lacks = 13 - 3 * len(hypothesis.state.players[row.seat].melds) - len(row.tiles)
    unseen = (UNKNOWN,) * lacks if lacks in (1, 2) else ()
    for faces, cost in hands(row.tiles, c.table, SHOWN_TRIED):
        yield from _tell(c, hypothesis, Reveal(row.seat, (*faces, *unseen)), row, cost)


def _won_too(c: Context, hypothesis: Hypothesis, row: LaidRow) -> Iterator[Hypothesis]:
    """A second hand that is opened may win on the same tile, where several may win."""
    state = hypothesis.state
    first = next((win for win in reversed(state.wins) if win.from_seat != win.seat), None)
    if first is None or row.seat in (*state.winners, first.from_seat):
        return
    if len(row.tiles) != 13 - 3 * len(state.players[row.seat].melds):
        return
    for faces, cost in hands(row.tiles, c.table, SHOWN_TRIED):
        event = Win(row.seat, first.from_seat, first.tile, in_order(faces))
        yield from _tell(c, hypothesis, event, row, cost)


def _won_by_rush(c: Context, hypothesis: Hypothesis, row: LaidRow) -> Iterator[Hypothesis]:
    """A hand that wins without a draw: with a tile that was only looked at."""
    last = hypothesis.last_event()
    if last is None or not isinstance(last[1].event, Indicator):
        return
    for event in hypothesis.rules.legal(hypothesis.state):
        if isinstance(event, Win) and event.seat == event.from_seat == row.seat:
            for faces, cost in hands(row.tiles, c.table, SHOWN_TRIED):
                won = replace(event, hand=in_order(faces))
                yield from _win(c, hypothesis, won, row, cost, {})


def _called_off(c: Context, hypothesis: Hypothesis, row: LaidRow) -> Iterator[Hypothesis]:
    """A hand of the first turn that is shown because its player may call the hand off."""
    faces, cost = next(hands(row.tiles, c.table, 1))
    shown = c.step(Reveal(row.seat, faces), tiles=row.tiles, set_face=cost)
    known = hypothesis.then(shown)
    if known is None or known.state.phase is not Phase.TO_DISCARD:
        return
    for event in hypothesis.rules.legal(known.state):
        if isinstance(event, DrawnHand):
            before: Hypothesis | None = hypothesis
            if hypothesis.state.phase is Phase.TO_DRAW:
                before = hypothesis.then(c.step(Draw(row.seat, UNKNOWN)))
            if before is not None:
                yield from some(before.all((c.step(event), shown)))


def _won_by_claim(
    c: Context, hypothesis: Hypothesis, row: LaidRow, whole: bool
) -> Iterator[Hypothesis]:
    """Wins with a tile that another seat has discarded, whether or not it was seen or read."""
    apart = apart_of(row.tiles, row.seat, c.table, whole)
    for thrown in _thrown(c, hypothesis, row.seat):
        if thrown.face is None and not whole:
            continue  # nothing tells what it was
        gone = thrown.lies_there not in c.table.present
        charges = {} if gone == whole else {"not_found" if gone else "lies_there": 1.0}
        if not whole and apart is not None:
            charges["apart_in_hand"] = 1.0
        most = MOST_TRIED if apart is not None or thrown.face is not None else HANDS_TRIED
        for tried, (faces, cost) in enumerate(_readings(c, hypothesis, row, most)):
            for tile, hand, more in _claimed_tiles(thrown.face, faces, apart, whole):
                before = thrown.read_as(tile)
                if before is not None:
                    event = Win(row.seat, thrown.seat, tile, in_order(hand))
                    ways = _win(c, before, event, row, cost, charges | more)
                    yield from ways if tried < HANDS_TRIED else _by_the_rules(ways)


def _thrown(c: Context, hypothesis: Hypothesis, seat: int) -> Iterator[Thrown]:
    """What a seat may win with; hands have so many readings that what is surely read is so."""
    for thrown in thrown_before(c, hypothesis, seat, hypothesis.state.turn):
        track = thrown.lies_there
        if thrown.but is None or track is None or not c.table.surely(track, thrown.but, SURELY):
            yield thrown


def _claimed_tiles(
    face: Tile | None, faces: tuple[Tile, ...], apart: int | None, whole: bool
) -> Iterator[tuple[Tile, tuple[Tile, ...], dict[str, float]]]:
    """What a hand may have been won with by a claim, the hand beside it, and what that costs."""
    if face is not None and not whole:
        yield face, faces, {}
    elif face is not None and face in faces:
        at = faces.index(face)
        yield face, faces[:at] + faces[at + 1 :], {}
    elif face is None:
        places = list(_winning_places(faces, apart))
        for at, charges in places:
            more = charges | {"copies": math.log(len(places))}
            yield faces[at], faces[:at] + faces[at + 1 :], more


def _won_by_draw(
    c: Context, hypothesis: Hypothesis, row: LaidRow, whole: bool
) -> Iterator[Hypothesis]:
    apart = apart_of(row.tiles, row.seat, c.table, whole)
    track = hypothesis.last_tile
    gone = float(track is not None and track not in c.table.present)
    most = HANDS_TRIED if apart is None else MOST_TRIED
    for tried, (faces, cost) in enumerate(_readings(c, hypothesis, row, most)):
        for place, charges in _winning_places(faces, apart):
            hand = faces[:place] + faces[place + 1 :]
            event = Win(row.seat, row.seat, faces[place], in_order(hand))
            ways = _win(c, hypothesis, event, row, cost, charges | {"vanished": gone})
            yield from ways if tried < HANDS_TRIED else _by_the_rules(ways)


def _winning_places(
    faces: Sequence[Tile], apart: int | None
) -> Iterator[tuple[int, dict[str, float]]]:
    """Where in a row the tile that it won with may lie, each face once, and what that costs."""
    if apart is not None:
        yield apart, {}
        return
    tried = set()
    for place, face in reversed(list(enumerate(faces))):
        if face not in tried:
            tried.add(face)
            yield place, {"not_apart": 1.0}


def _readings(
    c: Context, hypothesis: Hypothesis, row: LaidRow, most: int
) -> Iterator[tuple[tuple[Tile, ...], float]]:
    """Readings of a row with their costs; of faces with fewer copies left, fewer lie in a hand."""
    wall = hypothesis.rules.tiles(hypothesis.state.options)
    named = hypothesis.named
    first: float | None = None
    for faces, cost in hands(row.tiles, c.table, most):
        copies, left = 0.0, {face: wall.get(face, 0) - named[face] for face in faces}
        for face in faces:
            copies -= math.log(max(1, left[face]) / COPIES)
            left[face] -= 1
        first = copies if first is None else first
        yield faces, cost + COSTS["copies"] * (copies - first)


def _win(
    c: Context,
    hypothesis: Hypothesis,
    event: Win,
    row: LaidRow,
    cost: float,
    charges: dict[str, float],
) -> Iterator[Hypothesis]:
    """The win with the hand as it was read, and with the hand left out where that is doubtful."""
    held = c.table.witness.held(row.seat, c.change.time_s, event.hand or ())
    step = c.step(event, tiles=row.tiles, sure=sure_of(cost), set_face=cost, held=held)
    step = step.charged(charges)
    drawn = (event.tile,) if event.seat == event.from_seat else ()
    yield from taken(c, hypothesis, step, (*(event.hand or ()), *drawn))
    won = hypothesis.then(step)
    flaws = FLAWS & won.hand[-1].charges.keys() if won is not None else FLAWS
    size = 13 - 3 * len(hypothesis.state.players[row.seat].melds)
    too_many = flaws == {"wrong_tile_count"} and len(row.tiles) > size + 1
    if flaws and not too_many:
        # What the rules say of the hand speaks against its faces, or it is no win at all.
        left_out = {"hand_left_out": 1.0}
        if won is not None:
            left_out["sure_of_hand"] = max(0.0, 1.0 - next(hands(row.tiles, c.table, 1))[1])
        ends = event.seat != event.from_seat and hypothesis.may_be_drawn_out
        left_out["no_more_draws"] = float(ends)
        bare = c.step(
            replace(event, hand=None),
            tiles=row.tiles,
            sure=0.3,
            set_face=cost,
        )
        yield from some(hypothesis.then(bare.charged(charges | left_out)))


def _by_the_rules(ways: Iterator[Hypothesis]) -> Iterator[Hypothesis]:
    """Those wins whose hand is known and breaks no rule."""
    for way in ways:
        step = way.hand[-1]
        known = isinstance(step.event, Win) and step.event.hand is not None
        if known and not FLAWS & step.charges.keys():
            yield way


# --- one tile was not found ---


def _won_with_one_unseen(
    c: Context, hypothesis: Hypothesis, row: LaidRow, size: int
) -> Iterator[Hypothesis]:
    """Wins of a hand of ``size`` tiles and the one that it won with, of which one is missing."""
    apart = apart_of(row.tiles, row.seat, c.table, whole=False)
    last, track = hypothesis.state.last_discard, hypothesis.last_tile
    for faces, cost in hands(row.tiles, c.table, UNSEEN_TRIED):
        charges = {"tile_unseen": 1.0, "set_face": cost}
        if len(faces) < size:
            if last is not None and last.seat != row.seat and track in c.table.present:
                event = Win(row.seat, last.seat, last.tile)
                yield from _filled(c, hypothesis, event, faces, row, charges)
        elif apart is not None:
            hand = (*faces[:apart], *faces[apart + 1 :])
            for way, event in _with_tile_apart(c, hypothesis, row, faces[apart]):
                yield from _filled(c, way, event, hand, row, charges)


def _with_tile_apart(
    c: Context, hypothesis: Hypothesis, row: LaidRow, tile: Tile
) -> Iterator[tuple[Hypothesis, Win]]:
    """How the tile that lies apart may have come: drawn, or claimed."""
    seat, turn = row.seat, hypothesis.state.turn
    if turn == seat:
        yield hypothesis, Win(seat, seat, tile)
    for thrown in _thrown(c, hypothesis, seat):
        if thrown.lies_there not in c.table.present:
            for before in some(thrown.read_as(tile)):
                yield before, Win(seat, thrown.seat, tile)
                if thrown.face is not None:
                    return


def _filled(
    c: Context, hypothesis: Hypothesis, event: Win, hand: Sequence[Tile], row: LaidRow,
    charges: dict[str, float],
) -> Iterator[Hypothesis]:  # fmt: skip
    """The win with each tile in the place of the missing one with which the rules have a win."""
    found: list[Hypothesis] = []
    for face in hypothesis.rules.tiles(hypothesis.state.options):
        cost = copies_cost(hypothesis, face)
        if cost >= NONE_LEFT:
            continue
        won = replace(event, hand=in_order((*hand, face)))
        step = c.step(won, tiles=row.tiles, sure=0.5, copies=cost).charged(charges)
        way = hypothesis.then(step)
        if way is not None and not FLAWS & way.hand[-1].charges.keys():
            found.append(way)
    # One of so many tiles: each is the less likely, the more there are.
    for way in found:
        yield way.charged(copies=math.log(len(found)))
