"""One table as its hall knows it: its lines so far, and the game and the fouls that they tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from engine.announce import Problem
from engine.events import Correct, Entry, Foul, GameEnd
from engine.game import Game, first_since
from engine.played import PlayedEvent
from engine.state import Phase
from service.hall.records import TableRow, Taken
from service.hall.wire import HallTableView, Need, TableCondition
from service.report.public import (
    names_of,
    page_needs,
    public_announcements,
    public_table,
    said_last,
    unsure_row,
)
from service.table.view import Moment, announced
from service.texts.catalogue import named_rules

SILENT_S: Final = 60
"""A table in mid-hand needs somebody after this much silence."""
STILL_S: Final = 300
"""A table in mid-hand needs somebody after this long without a new line."""
_PLAYING: Final = (Phase.TO_DRAW, Phase.TO_DISCARD)


class RemoteTable:
    """A table whose lines come from elsewhere; used by one task at a time."""

    def __init__(self, table: TableRow, now_s: float) -> None:
        self.table = table
        self.record: tuple[str, int] | None = None
        """Name and id of the current record."""
        self.game: Game = Game()
        self.condition = TableCondition()
        self.last_line_s: float | None = None
        """When the newest line came."""
        self.heard_s = now_s
        """When the table last reported anything."""
        self.is_outdated = False
        """Whether the game is to be read anew: it may have a forgotten name, or was unreadable."""
        self._fouls = OpenFouls()
        self._moment: Moment | None = None
        self._over_at = -1
        """The line that ended the last finished game; -1 before there is one."""

    def begin(self, record: tuple[str, int], game: Game, came_s: float) -> None:
        """Start over with this record."""
        self.record, self.game, self.last_line_s = record, game, came_s
        self._fouls = OpenFouls()
        self._fouls.changed((), self.game.played, 0)
        ends = (at for at, entry in enumerate(game.entries) if _may_end(entry))
        self._over_at = max(ends, default=-1)

    def add(self, entries: Sequence[Entry], now_s: float) -> bool:
        """Add lines; return whether the result of a finished game may have changed.

        It may run in another thread: until it is done, everybody sees the game as it was.
        """
        results, game = False, self.game.with_lines()
        for entry in entries:
            number, before, event = len(game.entries), game.played, entry.event
            first = game.first_changed(event) if isinstance(event, Correct) else number
            game.submit(entry)
            self._fouls.changed(before, game.played, first)
            if _may_end(entry):
                self._over_at, results = number, True
            results |= first <= self._over_at
        self.game, self.last_line_s = game, now_s
        return results

    def is_behind(self, held: Taken) -> bool:
        """Whether lines are stored that are not shown yet."""
        shown = -1 if self.record is None else self.record[1]
        return (shown, len(self.game.entries)) < (held.record_id, held.lines)

    def row(self, now_s: float, lang: str) -> HallTableView:
        """The table's row in the hall, without anything private to one seat."""
        state = self.game.state
        announcements = said_last(self.game.played, 1)
        since = None if self.last_line_s is None else round(now_s - self.last_line_s, 1)
        return {
            "name": self.table.name,
            "title": self.table.title,
            "league": self.table.league_id,
            "record": None if self.record is None else self.record[0],
            "lines": len(self.game.entries),
            **named_rules(state.rules, lang),
            "phase": state.phase.value,
            "hand": state.hand_number,
            "round": str(state.round),
            "shows": page_needs(state.rules),
            "dealer": state.dealer,
            "names": list(names_of(state)),
            "points": list(state.points_now),
            "said": [
                unsure_row(row, lang) if row["of"] in self.unsure else row
                for row in announced(announcements, self.game, lang)
            ],
            "since_line_s": since,
            "needs": self.needs(now_s),
        }

    @property
    def unsure(self) -> frozenset[int]:
        """Lines of which the payout is asked at the table."""
        told = self.condition.unsure
        here = told is not None and self.record is not None and told.record == self.record[0]
        return frozenset(told.lines) if told is not None and here else frozenset()

    def needs(self, now_s: float) -> list[Need]:
        """Reasons why somebody should go there, the most urgent first."""
        found: list[Need] = []
        if self.condition.trouble is not None:
            kind = self.condition.trouble_kind
            found.append({"what": "trouble", "text": self.condition.trouble, "kind": kind})
        if self.game.state.phase in _PLAYING:
            if now_s - self.heard_s > SILENT_S:
                found.append({"what": "silent"})
            elif self.last_line_s is not None and now_s - self.last_line_s > STILL_S:
                found.append({"what": "still"})
        if self.condition.questions:
            found.append({"what": "questions", "count": self.condition.questions})
        if self._fouls:
            found.append({"what": "fouls", "count": len(self._fouls)})
        return found

    @property
    def moment(self) -> Moment:
        """The table as it is now; one for all who look until the next line."""
        kept, title = self._moment, self.table.title
        known = None if kept is None else (kept.game, kept.title, kept.unsure)
        if kept is None or known != (self.game, title, self.unsure):
            state = self.game.state
            kept = self._moment = Moment(
                game=self.game,
                table=public_table(state, names_of(state)),
                # What troubles a table is told to those who look after the hall.
                status={"ended": False, "problem": None, "trouble_kind": None},
                rules=state.rules,
                title=title,
                name=self.table.name,
                unsure=self.unsure,
            )
        return kept


def _may_end(entry: Entry) -> bool:
    """Whether a game may end with this line."""
    event = entry.event
    if isinstance(event, Correct):
        return any(_may_end(inner) for inner in event.events)
    return isinstance(event, GameEnd)


_NO_FOUL: Final = "outranked"
"""Losing a tile to a better claim is no foul that needs confirming."""


class OpenFouls:
    """The count for one record; a new line only recounts what it changed."""

    def __init__(self) -> None:
        self._irregular: Counter[int] = Counter()
        """Number of irregularities announced for each event."""
        self._open: Counter[int] = Counter()
        """Open fouls by line number."""

    def __len__(self) -> int:
        return self._open.total()

    def changed(
        self, before: Sequence[PlayedEvent], after: Sequence[PlayedEvent], since: int
    ) -> None:
        """Update the count from one state of the record to the next, which differ from ``since``
        on.
        """
        old, new = before[first_since(before, since) :], after[first_since(after, since) :]
        gone, come = Counter(_irregular(old)), Counter(_irregular(new))
        self._irregular.subtract(gone)
        self._irregular.update(come)
        for number in {played.event.number for played in (*old, *new)} | set(gone) | set(come):
            self._open[number] = self._at(after, number)

    def _at(self, played: Sequence[PlayedEvent], number: int) -> int:
        here = played[first_since(played, number) : first_since(played, number + 1)]
        entries = [played.event.entry for played in here]
        return sum(
            entry.source != "person"
            and (isinstance(entry.event, Foul) or self._irregular[number] > 0)
            for entry in entries
        )


def _irregular(played: Iterable[PlayedEvent]) -> list[int]:
    announcements = public_announcements(
        announcement for event in played for announcement in event.announcements
    )
    return [
        announcement.of
        for announcement in announcements
        if isinstance(announcement, Problem)
        and not announcement.impossible
        and announcement.code != _NO_FOUL
        and announcement.certain
    ]
