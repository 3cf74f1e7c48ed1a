"""What has changed at a table since its pages were last told."""

from __future__ import annotations

from engine.announce import Announcement
from engine.events import Correct, Entry
from engine.game import Game, first_since, said_since
from engine.visibility import events_seen
from service.report.public import Json, names_of
from service.table.page_messages import new_to_all
from service.words.events import event_json


class News:
    """Announcements that nobody has heard yet, and what the reader reads otherwise now."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._begin()

    def _begin(self) -> None:
        self._before = self._game.played
        self._lines = len(self._game.entries)
        self.first = self._lines
        """Number of the first line that has changed."""
        self._was: dict[int, list[Json]] = {}

    @property
    def untold(self) -> bool:
        """Whether anything was written."""
        return len(self._game.entries) > self._lines

    def changes(self, entry: Entry, because: bool = False) -> None:
        """Note what the next line changes; call this before the game takes it.

        ``because``: the reader corrects it because of what a person said.
        """
        event = entry.event
        if not isinstance(event, Correct):
            return
        self.first = min(self.first, self._game.first_changed(event))
        if because:
            self._was.setdefault(event.of, told_on(self._game, event.of))

    def said(self) -> list[Announcement]:
        """Announcements that were not made before in the same public words."""
        before = said_since(self._before, self.first)
        return new_to_all(said_since(self._game.played, self.first), before)

    def reread(self) -> list[Json]:
        """Lines that the reader changed: what each said, and what it says now."""
        changed = [(was, told_on(self._game, number)) for number, was in sorted(self._was.items())]
        return [{"was": was, "now": now} for was, now in changed if was != now]

    def told(self) -> None:
        """Begin anew: the pages know everything."""
        self._begin()


def told_on(game: Game, number: int) -> list[Json]:
    """The events in force of one line, in words of every language."""
    names = names_of(game.state)
    since = events_seen(game, last=len(game.played) - first_since(game.played, number))
    return [dict(event_json(each.entry.event, names)) for each in since if each.number == number]
