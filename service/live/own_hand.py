"""What a seat's own camera adds to the record for that seat alone: its deal and its draws.

The public record stays as it is. What one seat knows beyond it is written as corrections of it,
in the record's own words, and kept apart: only that seat's page and file are made with them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.events import (
    Chow,
    Correct,
    Deal,
    Discard,
    Draw,
    Entry,
    Event,
    HandStart,
    Kong,
    Pung,
    Seat,
)
from engine.game import Game
from engine.log import Standing as InForce
from engine.log import standing
from engine.seen import told
from engine.state import Phase, State
from engine.tiles import UNKNOWN, Tile
from vision.reading.classes import FACE_INDEX, FACES, face_class
from vision.second.standing import Standing
from vision.second.witness import COMES_S

HAND: Final = 13
LEAST_SURE: Final = 0.4
"""A face that is less likely stays unknown."""
LEAST_NEW: Final = 0.4
"""So much of a tile must be missing from the hand before for it to be the one that came."""
SOONER_S: Final = 0.3
"""A hand that begins to stand so shortly before an act belongs to what follows."""


@dataclass
class _Act:
    """One act of the seat by which tiles left its hand; the first stands for the deal."""

    at: int
    """Place among the events in force."""
    time_s: float
    size: int
    """Tiles that it holds afterwards."""
    gone: tuple[Tile, ...] = ()
    drew: bool = False
    """It drew a tile before."""
    draw_at: int | None = None
    """Place of that draw, where the record has it."""
    rest: Standing | None = None
    """The hand that was seen to wait after it."""
    full: Standing | None = None
    """The same with the next tile drawn."""


@dataclass(frozen=True)
class _Traced:
    """Where the tiles of a hand came from."""

    dealt: tuple[Tile, ...]
    draws: tuple[Tile, ...]
    """Of each act, what was drawn before it; ``?`` where nothing was, or nobody knows."""
    pending: Tile = UNKNOWN
    """Drawn after the last act."""


def private_game(game: Game, seat: Seat, stood: Sequence[Standing]) -> Game:
    """The game as this seat knows it whose hand stood so, by the record's clock.

    Where what the camera read cannot be, the game as everybody knows it.
    """
    lines = private_lines(game, seat, stood)
    if not lines:
        return game
    mine = game.with_lines(*lines)
    return mine if _agree(game.state, mine.state, seat) else game


def private_lines(game: Game, seat: Seat, stood: Sequence[Standing]) -> list[Entry]:
    """Corrections, and the draw that is not put down yet, that only this seat may know."""
    events = standing(game.entries)
    added: dict[int, list[Event]] = defaultdict(list)
    """Events to add before the one at each place among those in force."""
    put: dict[int, Event] = {}
    """Events to put in the place of those that are there."""
    pending = UNKNOWN
    starts = [at for at, one in enumerate(events) if isinstance(one.entry.event, HandStart)]
    for start, end in zip(starts, [*starts[1:], len(events)], strict=False):
        acts = _acts(events, start, end, seat)
        if acts is None:
            continue
        over = end < len(events)
        _see(acts, stood, events[end].entry.t if over else None)
        traced = _traced(acts, _left(game, seat, over))
        if traced is None:
            continue
        added[start + 1].append(Deal(seat, traced.dealt))
        for act, drawn in zip(acts, traced.draws, strict=True):
            if not drawn.known:
                continue
            if act.draw_at is not None:
                put[act.draw_at] = Draw(seat, drawn)
            else:
                added[act.at].append(Draw(seat, drawn))
        pending = UNKNOWN if over else traced.pending
    lines = [
        Entry(Correct(number, entries), source="camera")
        for number, entries in _rewritten(events, added, put)
    ]
    state = game.state
    if pending.known and state.turn == seat and state.phase is Phase.TO_DRAW:
        lines.append(Entry(Draw(seat, pending), source="camera"))
    return lines


def _acts(events: Sequence[InForce], start: int, end: int, seat: Seat) -> list[_Act] | None:
    """The seat's acts of one hand; None where its hand is known to everybody anyway."""
    begun = events[start].entry
    played = [(at, events[at].entry) for at in range(start + 1, end)]
    if any(isinstance(one.event, Deal) and one.event.seat == seat for _, one in played):
        return None
    first = next(
        (one.event for _, one in played if isinstance(one.event, Draw | Discard | Kong)), None
    )
    # The dealer's first turn needs no draw: fourteen tiles were dealt.
    deals = isinstance(first, Discard | Kong) and first.seat == seat
    acts = [_Act(start, begun.t or 0.0, HAND + deals)]
    draws, draw_at = not deals, None
    for at, entry in played:
        event = entry.event
        if isinstance(event, Draw) and event.seat == seat:
            draw_at, draws = at, True
        if not isinstance(event, Discard | Chow | Pung | Kong) or event.seat != seat:
            continue
        gone, claims = _gone(event)
        drew = draws and not claims
        time_s = acts[-1].time_s if entry.t is None else entry.t
        size = acts[-1].size + drew - len(gone)
        acts.append(_Act(at, time_s, size, gone, drew, draw_at))
        # Who claims a chow or a pung discards without a draw.
        draws, draw_at = not isinstance(event, Chow | Pung), None
    return acts


def _gone(event: Discard | Chow | Pung | Kong) -> tuple[tuple[Tile, ...], bool]:
    """The tiles that left the hand, and whether another one was claimed with them."""
    match event:
        case Discard(tile=tile):
            return (tile,), False
        case Chow(own=own) | Pung(own=own):
            return own, True
        case Kong(kind="open", tile=tile, own=own):
            return own or (tile.kind,) * 3, True
        case Kong(kind="added", tile=tile, own=own):
            return own or (tile,), False
        case Kong(tile=tile, own=own):
            return own or (tile.kind,) * 4, False


def _see(acts: Sequence[_Act], stood: Sequence[Standing], end_s: float | None) -> None:
    """Give every act the hands that were seen between it and the next one."""
    ends = [act.time_s for act in acts[1:]] + [float("inf") if end_s is None else end_s]
    for act, until_s in zip(acts, ends, strict=True):
        for one in stood:
            if act.time_s - COMES_S <= one.from_s < until_s - SOONER_S:
                if len(one) == act.size:
                    act.rest, act.full = one, None
                elif len(one) == act.size + 1 and act.size % 3 == 1:
                    act.full = one


def _traced(acts: Sequence[_Act], left: Counter[Tile]) -> _Traced | None:
    """Where the tiles came from that were seen; None where the hand was not seen.

    It goes back from the hand that was seen last: what it holds and what left it was dealt or
    drawn. A turn before which the hand was not seen put down what it had drawn, for want of better.
    """
    seen = [place for place, act in enumerate(acts) if act.rest is not None or act.full is not None]
    if not seen:
        return None
    last = acts[seen[-1]]
    newest = last.full or last.rest
    assert newest is not None, "it was seen"
    hand = _named(newest, left)
    draws = [UNKNOWN] * len(acts)
    pending = UNKNOWN
    if last.full is not None:
        drawn = _newcomer(hand, last.rest, hand[-1])
        hand.remove(drawn)
        if seen[-1] + 1 < len(acts):
            draws[seen[-1] + 1] = drawn
        else:
            pending = drawn
    for place in range(seen[-1], 0, -1):
        act = acts[place]
        hand += act.gone
        if act.drew:
            draws[place] = _newcomer(hand, acts[place - 1].rest, act.gone[0])
            hand.remove(draws[place])
    if len(hand) != acts[0].size:
        return None
    return _Traced(tuple(hand), tuple(draws), pending)


def _newcomer(hand: Sequence[Tile], before: Standing | None, usual: Tile) -> Tile:
    """The tile of a hand that was not there before; ``usual`` where nothing tells."""
    if before is None:
        return usual
    missing = np.zeros(len(FACES))
    for tile in hand:
        if tile.known:
            missing[_face(tile)] += 1
    missing -= before.counts
    best = max((float(missing[_face(tile)]) for tile in hand if tile.known), default=0.0)
    if usual.known and missing[_face(usual)] > best - 0.2:
        return usual
    new = [tile for tile in hand if tile.known and missing[_face(tile)] == best]
    return new[0] if new and best > LEAST_NEW else usual


def _named(seen: Standing, left: Counter[Tile]) -> list[Tile]:
    """The tiles of a hand, the surest first to be named; no more copies than there can be."""
    names = [UNKNOWN] * len(seen)
    left = left.copy()
    for row in np.argsort(-seen.probabilities.max(axis=1)):
        for face in np.argsort(-seen.probabilities[row]):
            tile, share = Tile(FACES[face]), float(seen.probabilities[row][face])
            if share < LEAST_SURE:
                break
            if left[tile] > 0:
                names[row] = tile
                left[tile] -= 1
                break
    return names


def _left(game: Game, seat: Seat, over: bool) -> Counter[Tile]:
    """How many copies of each tile may be in this seat's hand."""
    state, rules = game.state, game.rules
    assert rules is not None, "a hand is played by rules"
    wall = Counter(rules.tiles(state.options))
    if over:
        return wall
    # Whoever is shown to have them has them; what this seat's hand is known to hold it may hold.
    named = told(state)
    named.subtract(tile for tile in state.players[seat].hand if tile.known)
    wall.subtract(named)
    return wall


def _rewritten(
    events: Sequence[InForce], added: Mapping[int, list[Event]], put: Mapping[int, Event]
) -> Iterator[tuple[int, tuple[Entry, ...]]]:
    """The numbers of lines that read otherwise, with what they read."""
    lines: dict[int, list[Entry]] = defaultdict(list)
    touched = set()
    for at, one in enumerate(events):
        for event in added.get(at, ()):
            # A deal follows the line of its hand's start, which it must not be parted from.
            number = events[at - 1].number if isinstance(event, Deal) else one.number
            time_s = events[at - 1].entry.t if isinstance(event, Deal) else one.entry.t
            lines[number].append(Entry(event, time_s, source="camera"))
            touched.add(number)
        if at in put:
            touched.add(one.number)
        lines[one.number].append(replace(one.entry, event=put.get(at, one.entry.event)))
    at = len(events)
    for event in added.get(at, ()):
        lines[events[-1].number].append(Entry(event, events[-1].entry.t, source="camera"))
        touched.add(events[-1].number)
    for number in sorted(touched):
        yield number, tuple(lines[number])


def _agree(public: State, mine: State, seat: Seat) -> bool:
    """Whether nothing that everybody knows has become otherwise."""
    return all(
        (one.river, one.melds, one.ready) == (other.river, other.melds, other.ready)
        for one, other in zip(public.players, mine.players, strict=True)
    ) and (public.points, public.hand_number) == (mine.points, mine.hand_number)


def _face(tile: Tile) -> int:
    return FACE_INDEX[face_class(tile) or str(tile)]
