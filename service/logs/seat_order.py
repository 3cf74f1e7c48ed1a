"""Renumbers the seats of a riichi record from the first dealer, as riichi logs do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, Final

from engine.events import Correct, Entry, Event, GameStart, Position, Seat
from engine.game import replay

_SEATS: Final = ("seat", "from_seat", "dealer", "first_dealer")
_BY_SEAT: Final = ("players", "points")


def from_first_dealer(entries: Sequence[Entry]) -> list[Entry]:
    """The events in force, with each game's first dealer as seat 0."""
    turned: list[Entry] = []
    game: list[Entry] = []
    first: Seat = 0
    for played in replay(entries).played:
        event = played.event.entry.event
        if isinstance(event, GameStart):
            turned += _turned(game, first)
            game = []
        if not isinstance(event, Correct):  # a correction without effect
            game.append(played.event.entry)
        first = played.state.first_dealer
    return turned + _turned(game, first)


def _turned(game: Sequence[Entry], first: Seat) -> list[Entry]:
    return [replace(entry, event=_event(entry.event, first)) for entry in game]


def _event(event: Event, first: Seat) -> Event:
    if not first or isinstance(event, Position):  # no log format has positions
        return event
    changed: dict[str, Any] = {}
    for field in fields(event):
        value = getattr(event, field.name)
        if value is None:
            continue
        if field.name in _SEATS:
            changed[field.name] = (value - first) % 4
        elif field.name in _BY_SEAT:
            changed[field.name] = (*value[first:], *value[:first])
    return replace(event, **changed)
