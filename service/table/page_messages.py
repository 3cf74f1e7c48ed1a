"""What a table's pages are told: events, announcements, and what can be corrected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from engine.announce import Announcement
from engine.codec import event_to_json
from engine.events import Chow, Discard, Event, Kong, Pung
from engine.game import Game
from engine.play import ordered
from engine.visibility import VisibleEvent, events_seen
from service.report.public import Json, names_of, public_announcements
from service.report.rulings import ruled_by
from service.report.said import said_last, worded
from service.table.edit_history import EditHistory
from service.words.events import event_json, event_parts, parts_json

REMEMBERED: Final = 60
"""Events and announcements that a new page is shown."""
_BRINGS_TILES: Final = (Discard, Chow, Pung, Kong)


def lately(game: Game, lang: str) -> Json:
    """The last events and announcements."""
    return {
        "happened": events_of(game, REMEMBERED),
        "announced": words(said_last(game.played, REMEMBERED), game, lang),
    }


def events_of(game: Game, most: int | None = None) -> list[Json]:
    """The last events in force; all of them without ``most``."""
    return [_happened(event, game) for event in events_seen(game, last=most)]


def _happened(seen: VisibleEvent, game: Game) -> Json:
    """One event as everybody may see it, as JSON and in words."""
    entry, event, names = seen.entry, seen.entry.event, names_of(game.state)
    rules = game.state.rules
    by_person = entry.source == "person"
    return {
        "number": seen.number,
        "place": seen.place,
        "by_person": by_person,
        "ruled_by": ruled_by(game.entries, seen.number) if by_person else [],
        "t": entry.t,
        "confidence": entry.confidence,
        "event": event_to_json(event),
        "seat": getattr(event, "seat", None),
        "parts": parts_json(event_parts(event, names, rules=rules)),
        "told": event_json(event, names, rules),
    }


def words(said: Iterable[Announcement], game: Game, lang: str) -> list[Json]:
    """Public announcements without turns, which the table shows."""
    return worded(public_announcements(said), lang, game.state.names, rules=game.state.rules)


def correctable(game: Game, done: EditHistory) -> Json:
    """What a page needs to correct the record."""
    tiles = {} if game.rules is None else game.rules.tiles(game.state.options)
    return {
        "lines": len(game.entries),
        "undo": bool(done.undo),
        "redo": bool(done.redo),
        "rivers": _places(game, Discard),
        "sets": _places(game, Chow, Pung, Kong),
        "tiles": ordered(list(tiles)),
    }


def new_to_all(said: Iterable[Announcement], before: Iterable[Announcement]) -> list[Announcement]:
    """Announcements that were not made before in the same public words."""
    said = list(said)
    about = {one.of for one in said}
    known = Counter(map(repr, public_announcements(one for one in before if one.of in about)))
    fresh = []
    for one in said:
        (shown,) = public_announcements([one]) or (one,)
        if known[repr(shown)]:
            known[repr(shown)] -= 1
        else:
            fresh.append(one)
    return fresh


def _places(game: Game, *kinds: type[Event]) -> list[list[tuple[int, int]]]:
    """Line and index of the events that brought tiles before each seat in this hand."""
    found: list[list[tuple[int, int]]] = [[], [], [], []]
    count: Counter[int] = Counter()
    for number, entry in game.state.history:
        event = entry.event
        # An added kong lies in the place of its pung.
        lies = not isinstance(event, Kong) or event.kind != "added"
        if lies and isinstance(event, kinds) and isinstance(event, _BRINGS_TILES):
            found[event.seat].append((number, count[number]))
        count[number] += 1
    return found
