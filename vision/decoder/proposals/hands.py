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
from vision.decoder.proposals.edits import TakenTile, taken_before
from vision.decoder.proposals.faces import with_copies
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
    if not hypothesis.playing and state.phase is not Phase.SETTLED:
        return
    if hypothesis.playing and seat in state.retired:
        yield hypothesis
        return
    size = 13 - 3 * len(state.players[seat].melds)
    apart = apart_of(row.tiles, seat, c.table, len(row.tiles) == size + 1)
    takes = list(_taken(c, hypothesis, row, size, apart))
    likely = hypothesis.playing and hypothesis.cost < LIMITS["unseen"]
    if likely and size - 1 <= len(row.tiles) <= size:
        yield from _won_with_one_unseen(c, hypothesis, row, size, apart, takes)
    for take in takes:
        yield from _won(c, hypothesis, row, size, apart, take)
    if not hypothesis.playing:
        for shown in _reveals(c, hypothesis, row):
            yield shown.charged(not_won_too=1)
        return
    if len(row.tiles) == size + 1 and state.turn == seat:
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


_Take = tuple[TakenTile, dict[str, float]]
"""A tile that a hand may have won with, and what it costs that it lies where it does."""


def _taken(
    c: Context, hypothesis: Hypothesis, row: LaidRow, size: int, apart: int | None
) -> Iterator[_Take]:
    """Every tile that a hand beside ``size`` tiles may have won with."""
    state, seat, whole = hypothesis.state, row.seat, len(row.tiles) == size + 1
    if state.phase is Phase.SETTLED or state.contested is not None:
        # Several may win on the same tile.
        first = next((win for win in reversed(state.wins) if win.from_seat != win.seat), None)
        others = () if first is None else (*state.winners, first.from_seat)
        if first is not None and seat not in others and len(row.tiles) == size:
            yield TakenTile(hypothesis, first.from_seat, first.tile), {}
    if not hypothesis.playing:
        return
    for thrown in taken_before(c, hypothesis, seat, state.turn):
        track = thrown.lies_there
        if thrown.but and track is not None and c.table.surely(track, thrown.but, SURELY):
            continue  # hands have so many readings that what is surely read is so
        gone = track not in c.table.present
        charges = {} if gone == whole else {"not_found" if gone else "lies_there": 1.0}
        yield thrown, charges | {"apart_in_hand": float(not whole and apart is not None)}
    if whole or len(row.tiles) != size or (apart is not None and state.turn == seat):
        track = hypothesis.last_tile
        gone = track is not None and track not in c.table.present
        dealt = not any(player.river or player.melds for player in state.players)
        charges = {"vanished": float(gone), "as_dealt": float(dealt)}
        yield TakenTile(hypothesis, seat, drawn=True), charges
    skipped = hypothesis.discards_until(seat) if whole else []
    before = c.missed(skipped, c.change.time_s - 1.0, hypothesis)
    if skipped and before is not None:
        yield TakenTile(before.charged(drawn_after=len(skipped)), seat, drawn=True), {}
    last = hypothesis.last_event()
    if last is not None and isinstance(last[1].event, Indicator) and not whole:
        # A tile that was only looked at wins without a draw.
        for event in hypothesis.rules.legal(state):
            if isinstance(event, Win) and event.seat == event.from_seat == seat:
                yield TakenTile(hypothesis, seat, event.tile), {}


def _won(
    c: Context, hypothesis: Hypothesis, row: LaidRow, size: int, apart: int | None, take: _Take
) -> Iterator[Hypothesis]:
    """Wins with one tile, for every reading of the hand."""
    taken, charges = take
    most = MOST_TRIED if apart is not None or taken.face is not None else HANDS_TRIED
    for tried, (faces, cost) in enumerate(_readings(c, hypothesis, row, most)):
        for tile, hand, more in _parted(taken, faces, apart, size):
            before = taken.read_as(tile)
            if before is not None:
                event = Win(row.seat, taken.seat, tile, in_order(hand))
                ways = _win(c, before, event, row, cost, charges | more)
                yield from ways if tried < HANDS_TRIED else _by_the_rules(ways)


def _parted(
    taken: TakenTile, faces: tuple[Tile, ...], apart: int | None, size: int
) -> Iterator[tuple[Tile, tuple[Tile, ...], dict[str, float]]]:
    """What a hand may have been won with, the hand beside it, and what that costs."""
    whole = len(faces) == size + 1
    if taken.face is not None and not whole:
        yield taken.face, faces, {}
    elif taken.face is not None:
        for at in [faces.index(taken.face)] if taken.face in faces else []:
            yield taken.face, faces[:at] + faces[at + 1 :], {}
    elif whole or (taken.drawn and len(faces) != size):
        places = list(_winning_places(faces, apart))
        for at, charges in places:
            # Nothing else tells which tile nobody saw.
            more = {} if taken.drawn else {"copies": math.log(len(places))}
            yield faces[at], faces[:at] + faces[at + 1 :], charges | more


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
    yield from with_copies(c, hypothesis, step, (*(event.hand or ()), *drawn))
    won = hypothesis.then(step)
    flaws = FLAWS & won.hand[-1].charges.keys() if won is not None else FLAWS
    size = 13 - 3 * len(hypothesis.state.players[row.seat].melds)
    too_many = flaws == {"wrong_tile_count"} and len(row.tiles) > size + 1
    if flaws and not too_many:
        # What the rules say of the hand speaks against its faces, or it is no win at all.
        left_out = {"hand_left_out": 1.0}
        if won is not None and len(event.hand or ()) >= size:  # else its other tiles were not found
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
    c: Context, hypothesis: Hypothesis, row: LaidRow, size: int, apart: int | None,
    takes: Sequence[_Take],
) -> Iterator[Hypothesis]:  # fmt: skip
    """Wins of a hand of ``size`` tiles and the one that it won with, of which one is missing."""
    for taken, _ in takes:
        there = taken.lies_there in c.table.present
        for faces, cost in hands(row.tiles, c.table, UNSEEN_TRIED):
            tile, hand = taken.face, faces
            if len(faces) == size:
                if apart is None or there:
                    continue
                tile, hand = faces[apart], (*faces[:apart], *faces[apart + 1 :])
            elif not there or taken.hypothesis is not hypothesis:
                continue
            before = None if tile is None else taken.read_as(tile)
            if tile is not None and before is not None:
                event = Win(row.seat, taken.seat, tile)
                charges = {"tile_unseen": 1.0, "set_face": cost}
                yield from _filled(c, before, event, hand, row, charges)


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
