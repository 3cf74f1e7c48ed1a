"""What would be announced if some lines were written, worked out on what everybody sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from typing_extensions import TypedDict

from engine.events import Correct, Entry
from engine.game import Game
from engine.news import new_to_all
from engine.state import Phase
from service.report.public import AnnouncementView, names_of, public_announcements, worded
from service.texts.events import Parts, event_json

_PLAYING: Final = (Phase.TO_DRAW, Phase.TO_DISCARD)


class Consequences(TypedDict):
    said: list[AnnouncementView]
    """What is announced anew."""
    unsaid: list[AnnouncementView]
    """What is announced no longer."""
    turn: int | None
    """Who is to play, where that changes."""
    removed: list[Parts]
    """The events that go too."""


def consequences(seen: Game, lines: Sequence[Entry], lang: str) -> Consequences:
    """What is announced, and what is no longer, if these lines are written."""
    after = seen.with_lines(*lines)
    before_said, after_said = seen.announcements(), after.announcements()
    state, names, rules = after.state, names_of(after.state), after.state.rules
    gone = [
        event_json(seen.played[at].event.entry.event, names, lang, rules)
        for line in lines[1:]
        for at in range(len(seen.played))
        if isinstance(line.event, Correct) and seen.played[at].event.number == line.event.of
    ]
    announcements = public_announcements(new_to_all(after_said, before_said))
    unsaid = public_announcements(new_to_all(before_said, after_said))
    playing = state.phase in _PLAYING
    moved = (state.turn, state.phase) != (seen.state.turn, seen.state.phase)
    return {
        "said": worded(announcements, lang, names, rules=rules),
        "unsaid": worded(unsaid, lang, names, rules=rules),
        "turn": state.turn if playing and moved else None,
        "removed": gone,
    }
