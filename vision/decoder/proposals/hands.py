"""A hand laid open: a win and the tile that it won with, or a hand that is only shown."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

import numpy as np

from engine import hands as engine_hands
from engine.events import Draw, DrawnHand, Indicator, Reveal, Win
from engine.hands.forms import HandForm
from engine.state import Phase, State
from engine.tiles import COPIES, UNKNOWN, Tile
from vision.arrays import Doubles
from vision.decoder import prices
from vision.decoder.explained import FLAWS, Explained
from vision.decoder.hypothesis import Hypothesis, some
from vision.decoder.kept import FEW, KEPT
from vision.decoder.layout import NONE_LEFT, copies_cost
from vision.decoder.likelihood import COSTS, LIMITS
from vision.decoder.names import lacking, with_copies
from vision.decoder.proposals.context import Context, after_all
from vision.decoder.proposals.readings import (
    HANDS_TRIED,
    UNLIKELY,
    Reading,
    apart_of,
    hands,
    in_order,
)
from vision.decoder.proposals.unseen import TakenTile, taken_before, with_unseen
from vision.decoder.proposals.whole_hands import whole_hands
from vision.decoder.table_evidence import sure_of
from vision.tiles.classes import FACE_INDEX, FACES, face_class

MOST_TRIED: Final = 100
"""Readings of a hand that are tried; the unlikelier ones only count if they win."""
LEFT_OUT: Final = COSTS["hand_left_out"] / COSTS["set_face"]
"""A winning hand without its faces costs at least so much more than its likeliest reading."""


COPY_PRICES: Final = (math.inf, *(-math.log(left / COPIES) for left in range(1, COPIES + 1)))
"""What one more tile costs of a face of which so many copies are left."""
WHOLE_HANDS: Final = frozenset(HandForm)
OVERLOOKED: Final = 8
"""At most so many draws were overlooked, with their discards, in a hand that is drawn."""


@dataclass(frozen=True)
class LaidRow:
    """Tiles that a seat has laid open, from its player's left to right."""

    seat: int
    tiles: tuple[int, ...]
    size: int
    """Number of undeclared tiles that the player holds while waiting."""
    apart: int | None = None
    """Place of the tile that lies apart."""

    @property
    def whole(self) -> bool:
        """Whether the tile that it won with may lie in it."""
        return len(self.tiles) == self.size + 1


def opened(c: Context, hypothesis: Hypothesis, row: LaidRow) -> Iterator[Hypothesis]:
    """Every end of a hand that this row may show, or a hand that is only shown."""
    yield from _opened(c, hypothesis, row, {})
    for others, cost in c.table.but_for_one(row.tiles):
        yield from _opened(c, hypothesis, replace(row, tiles=others), prices.of_thing(cost))


def _opened(
    c: Context, hypothesis: Hypothesis, row: LaidRow, thing: dict[str, float]
) -> Iterator[Hypothesis]:
    """``thing``: charges for a tile of the row that is none."""
    state, seat = hypothesis.state, row.seat
    if not c.limit.allows(hypothesis, thing, read_otherwise=True):
        return
    if not hypothesis.playing and state.phase is not Phase.SETTLED:
        return
    if hypothesis.playing and seat in state.retired:
        yield hypothesis.charged(thing)
        return
    if row.apart is None:
        row = replace(row, apart=apart_of(row.tiles, seat, c.table, row.whole))
    likely = hypothesis.playing and hypothesis.cost < LIMITS["unseen"]
    for taken, charges in _taken(c, hypothesis, row):
        take = taken, charges | thing
        yield from _won(c, hypothesis, row, take)
        if likely and _may_lack_one(c, hypothesis, row, taken):
            # Each tile that may be missing is less likely, the more of them there are.
            take = taken, prices.TILE_UNSEEN | thing
            lacking = list(_won(c, hypothesis, row, take, lacks_one=True))
            yield from (way.charged(prices.one_of(len(lacking))) for way in lacking)
    if not hypothesis.playing:
        yield from _reveals(c, hypothesis, row, prices.NOT_WON_TOO | thing)
        return
    if row.whole and state.turn == seat:
        yield from (way.charged(thing) for way in _called_off(c, hypothesis, row))
    if len(row.tiles) <= row.size:
        drawn = _drawn(c, hypothesis)
        if drawn is not None:
            yield from _reveals(c, drawn.charged(prices.SHOWN), row, thing)


def _drawn(c: Context, hypothesis: Hypothesis) -> Hypothesis | None:
    """The hypothesis with the hand drawn, also where a few tiles seem to be left in the wall."""
    time_s = after_all(hypothesis, c.change.time_s - 1.0)
    drawn = c.drawn_out(hypothesis, time_s)
    left = hypothesis.rules.wall.live(hypothesis.state)
    if drawn is not None or not 0 < left <= OVERLOOKED or not c.may_be_drawn(hypothesis):
        return drawn
    drawn = hypothesis.then(c.step(DrawnHand("exhausted")).but(time_s=time_s))
    return None if drawn is None else drawn.charged(prices.of_count(left))


def lies_open(c: Context, hypothesis: Hypothesis, row: LaidRow) -> Iterator[Hypothesis]:
    """A hand that everybody could see all along: no new event, or a win that the rules allow."""
    _, cost = next(hands(row.tiles, c.table, 1))
    charges = prices.of_open_row(hypothesis, row.seat, len(row.tiles), cost)
    yield c.nothing(hypothesis, charges=charges)
    known = len(hypothesis.hand)
    for way in opened(c, hypothesis, row):
        new = way.hand[known:]
        won = any(isinstance(step.event, Win) and step.event.seat == row.seat for step in new)
        if won and not any(FLAWS & step.charges.keys() for step in new):
            yield way


def _reveals(
    c: Context, hypothesis: Hypothesis, row: LaidRow, charges: dict[str, float]
) -> Iterator[Hypothesis]:
    if row.seat in hypothesis.state.winners:
        yield hypothesis.charged(charges)
        return
    lacks = row.size - len(row.tiles)
    unseen = (UNKNOWN,) * lacks if lacks in (1, 2) else ()
    first: tuple[Explained, tuple[Tile, ...]] | None = None
    taken = False
    for faces, cost in hands(row.tiles, c.table, KEPT):
        paid = charges | prices.of_faces(cost)
        if not c.limit.allows(hypothesis, paid):
            break
        event = Reveal(row.seat, (*faces, *unseen))
        step = c.step(event, tiles=row.tiles, sure=sure_of(cost), charges=paid)
        shown = hypothesis.then(step)
        if shown is not None:
            taken = True
            yield shown
        first = first or (step, faces)
    if first is not None and not taken:
        yield from _fifth_copy(c, hypothesis, *first)


def _fifth_copy(
    c: Context, hypothesis: Hypothesis, step: Explained, faces: tuple[Tile, ...]
) -> Iterator[Hypothesis]:
    """A hand of which every reading holds a fifth copy: one of the five was misread.

    Four lie on the table, and one is its own.
    """
    yield from with_copies(hypothesis, step, faces, c.table)
    assert isinstance(step.event, Reveal), "only a hand that is shown"
    tiles, left, cost = list(step.event.tiles), hypothesis.shares_left, 0.0
    for face in lacking(hypothesis, faces):
        own = [at for at, tile in enumerate(tiles) if tile == face]
        least = max(own, key=lambda at: c.table.face_cost(step.tiles[at], face))
        tiles[least] = UNKNOWN
        track = step.tiles[least]
        cost += c.table.any_face_cost(track, left) - c.table.face_cost(track, face)
    unread = step.but(event=replace(step.event, tiles=tuple(tiles)))
    paid = prices.of_faces(cost) | prices.one_of(COPIES)
    yield from some(hypothesis.then(unread.charged(paid)))


def _called_off(c: Context, hypothesis: Hypothesis, row: LaidRow) -> Iterator[Hypothesis]:
    """A hand of the first turn that is shown because its player may call the hand off.

    The first reading with which the rules let the hand be called off is taken.
    """
    for faces, cost in hands(row.tiles, c.table):
        shown = c.step(Reveal(row.seat, faces), tiles=row.tiles, charges=prices.of_faces(cost))
        known = hypothesis.then(shown)
        if known is None or known.state.phase is not Phase.TO_DISCARD:
            return
        calls = [
            event for event in hypothesis.rules.legal(known.state) if isinstance(event, DrawnHand)
        ]
        if not calls:
            continue
        before: Hypothesis | None = hypothesis
        if hypothesis.state.phase is Phase.TO_DRAW:
            before = hypothesis.then(c.step(Draw(row.seat, UNKNOWN)))
        if before is not None:
            for event in calls:
                yield from some(before.all((c.step(event), shown)))
        return


_Take = tuple[TakenTile, dict[str, float]]
"""A tile that a hand may have won with, and what it costs that it lies where it does."""


def _taken(c: Context, hypothesis: Hypothesis, row: LaidRow) -> Iterator[_Take]:
    """Every tile that a hand may have won with."""
    state, seat, whole = hypothesis.state, row.seat, row.whole
    if state.phase is Phase.SETTLED or state.contested is not None:
        # Several may win on the same tile.
        first = next((win for win in reversed(state.wins) if win.from_seat != win.seat), None)
        others = () if first is None else (*state.winners, first.from_seat)
        if first is not None and seat not in others and len(row.tiles) == row.size:
            yield TakenTile(hypothesis, first.from_seat, first.tile), {}
    if not hypothesis.playing:
        return
    for thrown in taken_before(c, hypothesis, seat, state.turn):
        track = thrown.lies_there
        if thrown.but and track is not None and c.table.surely(track, thrown.but):
            continue  # a hand has many readings: surely read tiles are not doubted
        yield thrown, prices.of_taken_tile(c.table, track, whole, row.apart is not None)
    if whole or len(row.tiles) != row.size or (row.apart is not None and state.turn == seat):
        yield TakenTile(hypothesis, seat, drawn=True), prices.of_own_draw(c.table, hypothesis)
    skipped = hypothesis.discards_until(seat) if whole else []
    before = with_unseen(c, skipped, c.change.time_s - 1.0, hypothesis)
    if skipped and before is not None:
        drew = before.charged(prices.of_draw_after(len(skipped)))
        yield TakenTile(drew, seat, drawn=True), {}
    last = hypothesis.last_event()
    if last is not None and isinstance(last[1].event, Indicator) and not whole:
        # A tile that was only looked at wins without a draw.
        for event in hypothesis.rules.legal(state):
            if isinstance(event, Win) and event.seat == event.from_seat == seat:
                yield TakenTile(hypothesis, seat, event.tile), {}


def _may_lack_one(c: Context, hypothesis: Hypothesis, row: LaidRow, taken: TakenTile) -> bool:
    """Whether one tile may be missing, of the hand or the tile that it won with."""
    there = taken.lies_there in c.table.present
    if len(row.tiles) == row.size:
        # Or nobody saw the tile that it won with, then or now.
        return taken.unseen or (row.apart is not None and not there)
    return len(row.tiles) == row.size - 1 and there and taken.hypothesis is hypothesis


def _won(
    c: Context, hypothesis: Hypothesis, row: LaidRow, take: _Take, lacks_one: bool = False
) -> Iterator[Hypothesis]:
    """Wins with one tile: for every reading that is tried, and one without faces for all other
    readings."""
    taken, charges = take
    otherwise = taken.face is None
    if not c.limit.allows(taken.hypothesis, charges, read_otherwise=otherwise):
        return
    most = MOST_TRIED if row.apart is not None or taken.face is not None else HANDS_TRIED
    likely = c.readings.get((row.tiles, most))
    if likely is None:
        likely = c.readings[row.tiles, most] = list(hands(row.tiles, c.table, most))
    tried = _readings(c, hypothesis, likely)
    plain = HANDS_TRIED
    if lacks_one:
        tried, plain = _filled(c, hypothesis, row), 0
        row = replace(row, apart=row.size) if taken.unseen else row
    # So many tiles were not found that no reading is a whole hand.
    short = len(row.tiles) < row.size - 1
    if short:
        tried, likely = tried[:1], likely[:1]
    first, untried = tried[0][1], tried[-1][1] - tried[0][1]
    if len(tried) < most:
        # All likely readings were tried, so a tile was misread. That is less likely, the surer the
        # tiles were read.
        read = [tile for tile in row.tiles if not c.table.doubtful(tile)]
        off = sum(c.table.candidate_faces(tile, 1)[0][1] for tile in read)
        untried = LIMITS["not_tried"] * max(0.0, 1.0 - off)
    unread: dict[Tile, tuple[Hypothesis, Win, dict[str, float]]] = {}
    wins, refused = set[Tile](), set[Tile]()
    befores: dict[Tile, Hypothesis | None] = {}

    def others() -> Iterator[Reading]:
        if not wins and not lacks_one and not short:
            yield from _readings(c, hypothesis, [likely[0], *_whole_hands(c, row, taken, first)])[
                1:
            ]

    for number, (faces, cost) in enumerate(chain(tried, others())):
        for tile, hand, more in _parted(taken, faces, row):
            paid = charges | more
            # Whether a reading wins tells whether one without faces is tried, too.
            least = cost if tile in wins and number >= plain else min(cost, first + LEFT_OUT)
            spent = {**paid, **prices.of_faces(least)}
            allowed = c.limit.allows(taken.hypothesis, spent, read_otherwise=otherwise)
            if not lacks_one and not allowed:
                continue
            if tile not in befores:
                befores[tile] = taken.read_as(tile)
            before = befores[tile]
            if before is None:
                continue
            key = row.seat, taken.seat, tile, hand
            event = c.wins.get(key) or Win(row.seat, taken.seat, tile, in_order(hand))
            c.wins[key] = event
            # What the rules refuse is one win, however its hand is read.
            told = number >= plain or tile in refused
            state = before.state
            known = key, state.players[row.seat].melds, state.indicators
            if told and (known in c.no_wins or not _is_whole(c, state, (*hand, tile))):
                continue
            if short:
                unread.setdefault(tile, (before, event, paid))
                continue
            shapes = set[bool]()
            flaw = _miscounted(before, event)
            if flaw and not c.limit.allows(before, {**paid, **prices.of_faces(cost), **flaw}):
                refused.add(tile)
                shapes.add(True)
            else:
                for way in _win(c, before, event, row, cost, paid):
                    regular = not way.hand[-1].flawed
                    if regular or not told:
                        yield way
                    (wins if regular else refused).add(tile)
                    shapes.add("not_a_win" not in way.hand[-1].charges)
            # Whether a drawn tile wins may depend on all that happened before.
            if shapes == {False} and event.seat != event.from_seat:
                c.no_wins.add(known)
            if number < plain:
                unread.setdefault(tile, (before, event, paid))
    for tile, (before, event, paid) in unread.items() if len(row.tiles) <= row.size + 1 else ():
        if tile not in wins:
            # The hand has other faces than those tried, or some of its tiles were not found.
            whole = len(event.hand or ()) >= row.size
            cost = first + min(untried, LIMITS["not_tried"]) if whole else first
            ends = event.seat != event.from_seat and before.may_be_drawn_out
            left_out = prices.of_unread_hand(cost, ends)
            bare = c.step(replace(event, hand=None), tiles=row.tiles, sure=0.3)
            yield from some(before.then(bare.charged(paid | left_out)))


def _miscounted(before: Hypothesis, event: Win) -> dict[str, float]:
    """The charge for a win with so many tiles that no game has such a hand."""
    if len(event.hand or ()) % 3 == 1 or before.rules.judge.granted(before.state, event):
        return {}
    return prices.MISCOUNTED_HAND


def _is_whole(c: Context, state: State, tiles: tuple[Tile, ...]) -> bool:
    """Whether these tiles are a whole hand in any game, with those that are wild now."""
    if not all(tile.known for tile in tiles):
        return True
    plain = [state.read_as(tile) for tile in tiles if tile.kind not in state.wild]
    key = tuple(sorted(plain)), len(tiles)
    if key not in c.whole:
        c.whole[key] = engine_hands.wins(plain, len(tiles) - len(plain), WHOLE_HANDS)
    return c.whole[key]


def _parted(
    taken: TakenTile, faces: tuple[Tile, ...], row: LaidRow
) -> Iterator[tuple[Tile, tuple[Tile, ...], dict[str, float]]]:
    """Each tile that a hand may have been won with, the rest of the hand, and the charges."""
    whole = len(faces) == row.size + 1
    if taken.face is not None and not whole:
        yield taken.face, faces, {}
    elif taken.face is not None:
        for at in [faces.index(taken.face)] if taken.face in faces else []:
            yield taken.face, faces[:at] + faces[at + 1 :], {}
    elif whole or (taken.drawn and len(faces) != row.size):
        places = list(_winning_places(faces, row.apart))
        for at, charges in places:
            # Nothing else tells which of the tiles was the discard that nobody saw.
            more = {} if taken.drawn else prices.one_of(len(places))
            yield faces[at], faces[:at] + faces[at + 1 :], charges | more


def _winning_places(
    faces: Sequence[Tile], apart: int | None
) -> Iterator[tuple[int, dict[str, float]]]:
    """The places in a row where the tile that it won with may lie, one for each face, with their
    charges."""
    if apart is not None:
        yield apart, {}
        return
    tried = set()
    for place, face in reversed(list(enumerate(faces))):
        if face not in tried:
            tried.add(face)
            yield place, prices.NOT_APART


def _whole_hands(c: Context, row: LaidRow, taken: TakenTile, first: float) -> list[Reading]:
    """The likeliest readings of a row that win; empty if a win without known faces is likelier.

    ``first``: what the likeliest reading costs.
    """
    face = None if taken.face is None else face_class(taken.face)
    if len(row.tiles) + (not row.whole) != row.size + 1 or not (row.whole or face):
        return []
    key = row.tiles, row.whole, face, row.apart
    if key not in c.whole_hands:
        costs = np.array([c.table.costs(tile) for tile in row.tiles])
        if not row.whole:
            costs = np.vstack([costs, np.zeros(len(FACES))])
        found: list[Reading] = []
        for place in _places_of(face, costs, row):
            shown = costs.copy()
            if face is not None:
                shown[place, np.arange(len(FACES)) != FACE_INDEX[face]] = NONE_LEFT
            found += whole_hands(shown)
        c.whole_hands[key] = [(faces[: len(row.tiles)], cost) for faces, cost in found]
    return [way for way in c.whole_hands[key] if way[1] <= first + UNLIKELY]


def _places_of(face: str | None, costs: Doubles, row: LaidRow) -> Sequence[int]:
    """The places in a row where the tile that the hand won with may lie, showing this face."""
    if not row.whole:
        return [len(row.tiles)]
    if row.apart is not None or face is None:
        return [row.apart or 0]
    return [int(at) for at in np.argsort(costs[:, FACE_INDEX[face]])[:FEW]]


def _readings(c: Context, hypothesis: Hypothesis, ways: Sequence[Reading]) -> list[Reading]:
    """The readings of a row, with a cost for faces of which few copies are left.

    The first reading pays nothing for its copies; the others pay the difference to it.
    """
    key = id(ways), id(hypothesis.state)
    known = c.priced.get(key)
    if known is not None:
        return known[-1]
    wall, named = hypothesis.rules.wall.under(hypothesis.state.options), hypothesis.named
    left = {face: wall.get(face, 0) - named[face] for faces, _ in ways for face in faces}
    priced = []
    for faces, cost in ways:
        copies, used = 0.0, dict[Tile, int]()
        for face in faces:
            before = used.get(face, 0)
            copies += COPY_PRICES[max(1, left[face] - before)]
            used[face] = before + 1
        priced.append((faces, cost + COSTS["copies"] * copies))
    base = priced[0][1] - ways[0][1]
    found = [(faces, cost - base) for faces, cost in priced]
    c.priced[key] = ways, hypothesis.state, found
    return found


def _win(
    c: Context,
    hypothesis: Hypothesis,
    event: Win,
    row: LaidRow,
    cost: float,
    charges: dict[str, float],
) -> Iterator[Hypothesis]:
    """The win with the hand as it was read."""
    held = prices.of_held(c.table, row.seat, c.change.time_s, event.hand or ())
    paid = {**charges, **held, **prices.of_faces(cost)}
    step = c.step(event, tiles=row.tiles, sure=sure_of(cost), charges=paid)
    drawn = (event.tile,) if event.seat == event.from_seat else ()
    own = (*(event.hand or ()), *drawn)
    yield from with_copies(hypothesis, step, own, c.table)


def _filled(
    c: Context, hypothesis: Hypothesis, row: LaidRow
) -> list[tuple[tuple[Tile, ...], float]]:
    """Readings of a row in which one tile was not found: one for each face that it may have."""
    wall = hypothesis.rules.wall.under(hypothesis.state.options)
    held = (face for face in wall if face.suit != "f")
    copies = {face: COSTS["copies"] * copies_cost(hypothesis, face) for face in held}
    return [
        ((*faces, face), cost + more)
        for faces, cost in hands(row.tiles, c.table, FEW)
        for face, more in copies.items()
        if more < NONE_LEFT
    ]
