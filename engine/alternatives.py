"""Ways to correct an event, likely ones first, and what a correction leaves contradictory.

All of it is worked out on the game as everybody sees it, so that it tells nothing of a hidden hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.announce import Problem
from engine.corrections import EditKind, at, correction, following
from engine.events import (
    Chow,
    Correct,
    Discard,
    Draw,
    Entry,
    Event,
    Flower,
    GameEnd,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Pung,
    Win,
)
from engine.game import Game
from engine.played import PlayedEvent
from engine.rules.suggest import similar
from engine.tiles import UNKNOWN, Tile

FACES: Final = 6
"""Other faces proposed for a tile."""
TRIED: Final = 300
"""With more lines after the event, alternatives are not tried out: it would take too long."""


@dataclass(frozen=True)
class Alternative:
    """One way to correct an event."""

    how: EditKind
    entries: tuple[Entry, ...]
    problems: int | None
    """Problems of the record with this alternative; None where it was not tried."""


def alternatives(game: Game, number: int, place: int = 0) -> list[Alternative]:
    """Ways to correct one event, the engine's suggestions first; raises ``NotThere``.

    They depend on everything that ``game`` knows: give it ``as_seen``, for what everybody may see.
    """
    _, old = at(game.entries, number, place)
    given = {repr(way): way for way in _suggested(game, number, old.entry)}
    readings = [(event,) for event in _readings(game, old.entry.event)]
    other = [tuple(replace(old.entry, event=event) for event in events) for events in readings]
    tried = len(game.entries) - number <= TRIED
    first = [_alternative(game, number, place, way, tried) for way in given.values()]
    rest = [
        _alternative(game, number, place, way, tried) for way in other if repr(way) not in given
    ]
    rest.sort(key=lambda way: way.problems or 0)
    removed = _alternative(game, number, place, (), tried)
    return [*first, *rest, removed]


def problems(game: Game) -> int:
    """The number of public problems."""
    return sum(
        isinstance(problem, Problem) and problem.audience is None
        for problem in game.announcements()
    )


def _alternative(
    game: Game, number: int, place: int, entries: tuple[Entry, ...], tried: bool
) -> Alternative:
    how: EditKind = "replace" if entries else "remove"
    if not tried:
        return Alternative(how, entries, None)
    line = correction(game.entries, number, place, how, entries)
    return Alternative(how, entries, problems(game.with_lines(line)))


def _suggested(game: Game, number: int, old: Entry) -> Iterator[tuple[Entry, ...]]:
    for problem in game.announcements():
        if isinstance(problem, Problem) and problem.of == number:
            for way in problem.suggestions:
                # A suggestion that also corrects another event does not replace this one.
                if not any(isinstance(entry.event, Correct) for entry in way):
                    yield tuple(replace(entry, t=old.t, evidence=old.evidence) for entry in way)


def _readings(game: Game, event: Event) -> Iterator[Event]:
    if game.rules is None:
        return
    wall = game.rules.wall.under(game.state.options)
    match event:
        case Discard():
            yield from _faces(event, event.tile, wall)
            yield replace(event, ready=not event.ready)
            yield from (replace(event, seat=seat) for seat in range(4) if seat != event.seat)
        case Indicator(tile=tile) if not tile.known:
            return  # it is a secret, and any other tile would be as likely
        case Indicator() | Win() | Flower():
            yield from _faces(event, event.tile, wall)
        case Pung() | Kong() | Chow():
            others = (seat for seat in range(4) if seat not in (event.seat, event.from_seat))
            yield from (replace(event, seat=seat) for seat in others)
        case Draw():
            yield from (Draw(seat, UNKNOWN) for seat in range(4) if seat != event.seat)
        case _:
            return


def _faces(
    event: Discard | Flower | Indicator | Win, tile: Tile, wall: Mapping[Tile, int]
) -> Iterator[Discard | Flower | Indicator | Win]:
    for other in similar(tile, wall)[:FACES]:
        yield replace(event, tile=other)
    if tile.known:
        yield replace(event, tile=UNKNOWN)


def leftovers(seen: Game, change: Entry) -> list[Entry]:
    """Lines that take away the ends of a hand and a game which a correction leaves contradictory.

    None where another hand follows: then people must say how this one ended.
    """
    event = change.event
    if not isinstance(event, Correct):
        return []
    after = seen.with_lines(change).played
    begun = next(
        (at for at, played in enumerate(after) if played.event.number >= event.of), len(after)
    )
    before = {_place(seen.played, at) for at, played in enumerate(seen.played) if _refused(played)}
    found: list[tuple[int, int]] = []
    for index in range(begun, len(after)):
        one, happened = after[index], after[index].event.entry.event
        if isinstance(happened, GameStart | HandStart) and index > begun:
            return [] if found and isinstance(happened, HandStart) else _removed(seen, found)
        stray = isinstance(happened, HandEnd) and _refused(one)
        stray = stray and _place(after, index) not in before and one.event.number != event.of
        if stray or (found and isinstance(happened, GameEnd)):
            found.append(_place(after, index))
    return _removed(seen, found)


def _removed(seen: Game, places: Sequence[tuple[int, int]]) -> list[Entry]:
    return [
        following(correction(seen.entries, number, place, "remove", [])) for number, place in places
    ]


def _refused(one: PlayedEvent) -> bool:
    return any(isinstance(problem, Problem) and problem.impossible for problem in one.announcements)


def _place(played: Sequence[PlayedEvent], at: int) -> tuple[int, int]:
    """Number of an event's line, and its place among the events of that line."""
    number, first = played[at].event.number, at
    while first and played[first - 1].event.number == number:
        first -= 1
    return number, at - first
