"""Adds what a seat's own camera sees to the record, for that seat alone: its deal and draws.

The public record stays as it is. What one seat knows beyond it is written as corrections of it,
in the record's own words, and kept apart: only that seat's page and file are made with them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engine.events import Correct, Deal, Draw, Entry, Event, HandStart, Seat
from engine.game import Game
from engine.log import EventInForce, in_force
from engine.state import Phase, State
from engine.tile_counts import copies_named
from engine.tiles import UNKNOWN, Tile
from engine.visibility import indicators_seen
from vision.seat_camera.origins import acts, see, traced
from vision.seat_camera.standing_hand import StandingHand


def private_game(game: Game, seat: Seat, stood: Sequence[StandingHand]) -> Game:
    """Return the game as the seat knows it whose hand was seen so.

    Where what the camera read cannot be, the game as everybody knows it.
    """
    lines = private_lines(game, seat, stood)
    if not lines:
        return game
    mine = game.with_lines(*lines)
    return mine if _agree(game.state, mine.state, seat) else game


def private_lines(game: Game, seat: Seat, stood: Sequence[StandingHand]) -> list[Entry]:
    """Corrections, and a draw that is not discarded yet, that only this seat may know."""
    events = in_force(game.entries)
    timed = [(event.entry.event, event.entry.t) for event in events]
    added: dict[int, list[Event]] = defaultdict(list)
    """Events to insert before each index."""
    put: dict[int, Event] = {}
    """Events to replace by index."""
    pending = UNKNOWN
    starts = [at for at, event in enumerate(events) if isinstance(event.entry.event, HandStart)]
    for start, end in zip(starts, [*starts[1:], len(events)], strict=False):
        done = acts(timed, start, end, seat)
        if done is None:
            continue
        over = end < len(events)
        see(done, stood, events[end].entry.t if over else None)
        found = traced(done, _left(game, seat, over))
        if found is None:
            continue
        added[start + 1].append(Deal(seat, found.dealt))
        for act, drawn in zip(done, found.draws, strict=True):
            if not drawn.known:
                continue
            if act.draw_at is not None:
                put[act.draw_at] = Draw(seat, drawn)
            else:
                added[act.at].append(Draw(seat, drawn))
        pending = UNKNOWN if over else found.pending
    lines = [
        Entry(Correct(number, entries), source="camera")
        for number, entries in _rewritten(events, added, put)
    ]
    state = game.state
    if pending.known and state.turn == seat and state.phase is Phase.TO_DRAW:
        lines.append(Entry(Draw(seat, pending), source="camera"))
    return lines


def _left(game: Game, seat: Seat, over: bool) -> Counter[Tile]:
    """How many copies of each tile this seat's hand may hold."""
    state, rules = game.state, game.rules
    assert rules is not None, "a hand is played by rules"
    wall = Counter(rules.tiles(state.options))
    if over:
        return wall
    # Tiles that lie open are gone; what its own hand is known to hold it may hold, and what only
    # another seat may know tells this one nothing.
    named = copies_named(state)
    for other, player in enumerate(state.players):
        if other == seat or not player.shown:
            named.subtract(tile for tile in player.hand if tile.known)
    for turned, seen in zip(state.indicators, indicators_seen(state, rules, seat), strict=True):
        if turned != seen:
            named[turned.tile] -= 1
    wall.subtract(named)
    return wall


def _rewritten(
    events: Sequence[EventInForce], added: Mapping[int, list[Event]], put: Mapping[int, Event]
) -> Iterator[tuple[int, tuple[Entry, ...]]]:
    """The numbers of changed lines, with their new events."""
    lines: dict[int, list[Entry]] = defaultdict(list)
    touched = set()
    for at, happened in enumerate(events):
        for event in added.get(at, ()):
            # A deal must directly follow its hand's start.
            number = events[at - 1].number if isinstance(event, Deal) else happened.number
            time_s = events[at - 1].entry.t if isinstance(event, Deal) else happened.entry.t
            lines[number].append(Entry(event, time_s, source="camera"))
            touched.add(number)
        if at in put:
            touched.add(happened.number)
        lines[happened.number].append(
            replace(happened.entry, event=put.get(at, happened.entry.event))
        )
    at = len(events)
    for event in added.get(at, ()):
        lines[events[-1].number].append(Entry(event, events[-1].entry.t, source="camera"))
        touched.add(events[-1].number)
    for number in sorted(touched):
        yield number, tuple(lines[number])


def _agree(public: State, mine: State, seat: Seat) -> bool:
    """Whether nothing that everybody knows has changed."""
    return all(
        (player.river, player.melds, player.ready) == (other.river, other.melds, other.ready)
        for player, other in zip(public.players, mine.players, strict=True)
    ) and (public.points, public.hand_number) == (mine.points, mine.hand_number)
