"""What an event that was misread may have been: likely readings first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.announce import Problem
from engine.events import (
    Chow,
    Correct,
    Deal,
    Discard,
    Draw,
    Entry,
    Event,
    Indicator,
    Kong,
    Pung,
    Win,
)
from engine.game import Game
from engine.log import standing
from engine.rules.suggest import similar
from engine.tiles import UNKNOWN, Tile
from service.live.mending import How, at, correction
from service.telling.public import public_event

FACES: Final = 6
"""Other faces that are proposed for a tile."""
TRIED: Final = 300
"""An event with more lines after it is not tried out: the answer would take too long."""


@dataclass(frozen=True)
class Way:
    """One way to mend an event."""

    how: How
    entries: tuple[Entry, ...]
    problems: int | None
    """Problems of the record if this is what happened; None where that was not tried."""


def ways(game: Game, number: int, place: int = 0) -> list[Way]:
    """Ways to mend one event, the engine's own suggestions first; raises ``NotThere``.

    Nothing here depends on what only one seat may know.
    """
    _, old = at(game.entries, number, place)
    known = [] if _is_private(game, old.entry.event) else [*_suggested(game, number, old.entry)]
    given = {repr(way): way for way in known}
    readings = [(event,) for event in _readings(game, old.entry.event)]
    other = [tuple(replace(old.entry, event=event) for event in events) for events in readings]
    tried = len(game.entries) - number <= TRIED and not _knows_a_hand(game, old.entry.event)
    first = [_way(game, number, place, way, tried) for way in given.values()]
    rest = [_way(game, number, place, way, tried) for way in other if repr(way) not in given]
    rest.sort(key=lambda way: way.problems or 0)
    removed = _way(game, number, place, (), tried)
    return [*first, *rest, removed]


def problems(game: Game) -> int:
    return sum(isinstance(said, Problem) for said in game.announcements())


def _way(game: Game, number: int, place: int, entries: tuple[Entry, ...], tried: bool) -> Way:
    how: How = "replace" if entries else "remove"
    if not tried:
        return Way(how, entries, None)
    line = correction(game.entries, number, place, how, entries)
    return Way(how, entries, problems(game.with_lines(line)))


def _suggested(game: Game, number: int, old: Entry) -> Iterator[tuple[Entry, ...]]:
    if _knows_a_hand(game, old.event):
        return  # a suggestion may name a tile of the hand
    for said in game.announcements():
        if isinstance(said, Problem) and said.of == number:
            for way in said.suggestions:
                # One that corrects another event too is not one that takes the place of this one.
                if not any(isinstance(entry.event, Correct) for entry in way):
                    yield tuple(replace(entry, t=old.t, evidence=old.evidence) for entry in way)


def _readings(game: Game, event: Event) -> Iterator[Event]:
    if _is_private(game, event) or game.rules is None:
        return
    wall = game.rules.tiles(game.state.options)
    match event:
        case Discard():
            yield from _faces(event, event.tile, wall)
            yield replace(event, ready=not event.ready)
            yield from (replace(event, seat=seat) for seat in range(4) if seat != event.seat)
        case Indicator() | Win():
            yield from _faces(event, event.tile, wall)
        case Pung() | Kong() | Chow():
            others = (seat for seat in range(4) if seat not in (event.seat, event.from_seat))
            yield from (replace(event, seat=seat) for seat in others)
        case Draw():
            yield from (Draw(seat, UNKNOWN) for seat in range(4) if seat != event.seat)
        case _:
            return


def _faces(
    event: Discard | Indicator | Win, tile: Tile, wall: Mapping[Tile, int]
) -> Iterator[Discard | Indicator | Win]:
    for other in similar(tile, wall)[:FACES]:
        yield replace(event, tile=other)
    if tile.known:
        yield replace(event, tile=UNKNOWN)


def _is_private(game: Game, event: Event) -> bool:
    """Not everybody saw all of it."""
    return isinstance(event, Deal) or public_event(event, game.state) != event


def _knows_a_hand(game: Game, event: Event) -> bool:
    """Whether what is possible tells of a hand that is not shown."""
    seat = getattr(event, "seat", None)
    if not isinstance(seat, int):
        return False
    return any(
        isinstance(line.event, Deal | Draw)
        and line.event.seat == seat
        and public_event(line.event, game.state) != line.event
        for line in (each.entry for each in standing(game.entries))
    )
