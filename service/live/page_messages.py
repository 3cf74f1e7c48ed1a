"""What the pages of a table are told of its game: events, announcements, what may be mended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from engine.announce import Announcement, Turn
from engine.events import Chow, Discard, Entry, Event, Kong, Pung
from engine.game import Game
from service.live.mending import acts, placed
from service.telling.event_languages import drawable, drawn
from service.telling.event_words import event_parts
from service.telling.public import Json, names_of, public_announcements, public_event
from service.telling.said import worded

REMEMBERED: Final = 60
"""Events and announcements that a page which opens now is shown."""
_BRINGS_TILES: Final = (Discard, Chow, Pung, Kong)


def lately(game: Game, lang: str) -> Json:
    """The last events and announcements of the record as it stands."""
    return {
        "happened": events_of(game, REMEMBERED),
        "announced": words(_said_last(game), game, lang),
    }


def _said_last(game: Game) -> list[Announcement]:
    """What everybody heard last: to put a whole evening into words would hold up every page."""
    found: list[Announcement] = []
    for one in reversed(game.announcements()):
        if len(found) == REMEMBERED:
            break
        if not isinstance(one, Turn):
            found += public_announcements([one])
    return found[::-1]


def events_of(game: Game, most: int | None = None) -> list[Json]:
    """The last events in force, all of them without ``most``."""
    return [
        happened(game, event.number, event.entry, place)
        for event, place in placed(game.entries)[-most if most else 0 :]
    ]


def happened(game: Game, number: int, entry: Entry, place: int = 0) -> Json:
    """One event as everybody may see it; ``place`` is that within its line."""
    event, names = public_event(entry.event, game.state), names_of(game.state)
    return {
        "number": number,
        "place": place,
        "by_person": entry.source == "person",
        "t": entry.t,
        "confidence": entry.confidence,
        "event": type(event).__name__,
        "seat": getattr(event, "seat", None),
        "parts": drawable(event_parts(event, names)),
        "told": drawn(event, names),
    }


def words(said: Iterable[Announcement], game: Game, lang: str) -> list[Json]:
    """What everybody may hear; whose turn it is is seen on the table."""
    return worded(public_announcements(said), lang, game.state.names)


def what_may_be_mended(game: Game) -> Json:
    """What a page needs to know for putting things right."""
    done = acts(game.entries)
    return {
        "lines": len(game.entries),
        "undo": bool(done.undo),
        "redo": bool(done.redo),
        "rivers": _places(game, Discard),
        "sets": _places(game, Chow, Pung, Kong),
    }


def new_to_all(said: Iterable[Announcement], before: Iterable[Announcement]) -> list[Announcement]:
    """What was not said before in the same public words: a proposal for one seat is no news."""
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
    """Number and place of the events of this hand that brought tiles before each seat."""
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
