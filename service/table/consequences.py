"""What would follow from a change of the record, before anybody writes it.

All of it is worked out on the game as everybody sees it, so that it tells nothing of a hidden hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.announce import Problem
from engine.events import Correct, Entry, GameEnd, GameStart, HandEnd, HandStart
from engine.game import Game
from engine.played import PlayedEvent
from engine.state import Phase
from service.report.public import Json, names_of, public_announcements
from service.report.said import worded
from service.table.corrections import correction, following
from service.table.page_messages import new_to_all
from service.words.events import event_json

_PLAYING: Final = (Phase.TO_DRAW, Phase.TO_DISCARD)


def leftovers(seen: Game, change: Entry) -> list[Entry]:
    """Lines that take away the ends of a hand and a game which a correction leaves contradictory.

    None where another hand follows: then people must say how this one ended.
    """
    event = change.event
    if not isinstance(event, Correct):
        return []
    after = seen.with_lines(change).played
    begun = next((at for at, one in enumerate(after) if one.event.number >= event.of), len(after))
    before = {_place(seen.played, at) for at, one in enumerate(seen.played) if _refused(one)}
    found: list[tuple[int, int]] = []
    for at in range(begun, len(after)):
        one, happened = after[at], after[at].event.entry.event
        if isinstance(happened, GameStart | HandStart) and at > begun:
            return [] if found and isinstance(happened, HandStart) else _removed(seen, found)
        stray = isinstance(happened, HandEnd) and _refused(one)
        stray = stray and _place(after, at) not in before and one.event.number != event.of
        if stray or (found and isinstance(happened, GameEnd)):
            found.append(_place(after, at))
    return _removed(seen, found)


def consequences(seen: Game, lines: Sequence[Entry], lang: str) -> Json:
    """What is announced, and what is no longer, if these lines are written."""
    after = seen.with_lines(*lines)
    before_said, after_said = seen.announcements(), after.announcements()
    state, names, rules = after.state, names_of(after.state), after.state.rules
    gone = [
        event_json(seen.played[at].event.entry.event, names, rules)
        for line in lines[1:]
        for at in range(len(seen.played))
        if isinstance(line.event, Correct) and seen.played[at].event.number == line.event.of
    ]
    said = public_announcements(new_to_all(after_said, before_said))
    unsaid = public_announcements(new_to_all(before_said, after_said))
    playing = state.phase in _PLAYING
    moved = (state.turn, state.phase) != (seen.state.turn, seen.state.phase)
    return {
        "said": worded(said, lang, names, rules=rules),
        "unsaid": worded(unsaid, lang, names, rules=rules),
        "turn": state.turn if playing and moved else None,
        "removed": gone,
    }


def _removed(seen: Game, places: Sequence[tuple[int, int]]) -> list[Entry]:
    return [
        following(correction(seen.entries, number, place, "remove", [])) for number, place in places
    ]


def _refused(one: PlayedEvent) -> bool:
    return any(isinstance(said, Problem) and said.impossible for said in one.announcements)


def _place(played: Sequence[PlayedEvent], at: int) -> tuple[int, int]:
    """Number of an event's line, and its place among the events of that line."""
    number, first = played[at].event.number, at
    while first and played[first - 1].event.number == number:
        first -= 1
    return number, at - first
