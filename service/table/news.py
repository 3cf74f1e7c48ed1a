"""What has changed at a table since its pages were last told."""

from __future__ import annotations

from collections.abc import Callable
from difflib import SequenceMatcher

from engine.announce import Announcement
from engine.events import Correct, Entry, Event
from engine.game import Game, announced_since, first_since
from engine.visibility import events_seen
from service.report.public import Json, names_of
from service.table.page_messages import new_to_all
from service.words.events import event_json


class News:
    """Announcements that nobody has heard yet, and what the reader reads otherwise now."""

    def __init__(self, game: Callable[[], Game]) -> None:
        """``game`` returns the game as it is now."""
        self._now = game
        self._begin()

    @property
    def _game(self) -> Game:
        return self._now()

    def _begin(self) -> None:
        self._before = self._game.played
        self._lines = len(self._game.entries)
        self.first = self._lines
        """Number of the first line that has changed."""
        self._was: dict[int, list[Event]] = {}

    @property
    def untold(self) -> bool:
        """Whether anything was written."""
        return len(self._game.entries) > self._lines

    def changes(self, entry: Entry, because: bool = False) -> None:
        """Note what the next line changes; call this before the game takes it.

        ``because``: the reader corrects it because of what a person said.
        """
        event, number = entry.event, len(self._game.entries)
        if isinstance(event, Correct):
            self.first = min(self.first, self._game.first_changed(event))
            number = _line_of(self._game, event)
        if because:
            self._was.setdefault(number, events_on(self._game, number))

    def said(self) -> list[Announcement]:
        """Announcements that were not made before in the same public words."""
        before = announced_since(self._before, self.first)
        return new_to_all(announced_since(self._game.played, self.first), before)

    def reread(self) -> list[Json]:
        """What the reader reads otherwise: events as they were, and as they are now.

        One event may have gone to the line of another. What only follows at the end is no change.
        """
        lines = sorted(self._was)
        was = [event for number in lines for event in self._was[number]]
        now = [event for number in lines for event in events_on(self._game, number)]
        found: list[tuple[list[Event], list[Event]]] = []
        matcher = SequenceMatcher(None, [*map(_about, was)], [*map(_about, now)], autojunk=False)
        for what, i, j, k, m in matcher.get_opcodes():
            if what != "insert" and j - i == m - k:
                found += (([was[i + at]], [now[k + at]]) for at in range(j - i))
            elif i < len(was):
                found.append((was[i:j], now[k:m]))
        names, rules = names_of(self._game.state), self._game.state.rules
        return [
            {
                "was": [event_json(each, names, rules) for each in before],
                "now": [event_json(each, names, rules) for each in after],
            }
            for before, after in found
            if before != after
        ]

    def told(self) -> None:
        """Begin anew: the pages know everything."""
        self._begin()


def _line_of(game: Game, correct: Correct) -> int:
    """The line whose events a correction changes, also by taking another correction back."""
    number = correct.of
    while isinstance(event := game.entries[number].event, Correct) and event.of < number:
        number = event.of
    return number


def events_on(game: Game, number: int) -> list[Event]:
    """The events in force of one line, as everybody may see them."""
    since = events_seen(game, last=len(game.played) - first_since(game.played, number))
    return [each.entry.event for each in since if each.number == number]


def _about(event: Event) -> str:
    """What stays when an event is read as that of another seat."""
    return f"{type(event).__name__} {getattr(event, 'tile', '')}"
