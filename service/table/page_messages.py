"""What a table's pages are told: events, announcements, what is new, and what can be corrected."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, Literal, NotRequired

import typer
from typing_extensions import TypedDict, TypeVar

from engine.announce import Announcement, Payout
from engine.codec import event_to_json
from engine.corrections import EditHistory, ruled_by
from engine.events import Chow, Correct, Discard, Entry, Event, Kong, Pung, Seat
from engine.game import Game, announced_since, first_since
from engine.log import EventInForce
from engine.play import ordered
from engine.updates import change_of
from engine.visibility import VisibleEvent, events_seen
from service.report.public import (
    Announced,
    Json,
    PublicTable,
    corrected,
    itself,
    names_of,
    names_when,
    public_announcements,
    said_last,
    seat_names,
    worded,
)
from service.table.questions import QuestionShown
from service.texts.catalogue import NamedRules, texts_of
from service.texts.events import Parts, event_json
from vision.notice import Notice, NoticeKind

TroubleKind = Literal[NoticeKind, "unwritten"]
"""Troubles that pages have words for in every language."""


def to_terminal(notice: Notice, lang: str = "en") -> None:
    """Print a notice to standard error, with the time in the game.

    English has more to say, such as a figure; other languages have a text for each trouble.
    """
    text = notice.text
    if notice.lasts and lang != "en":
        text = texts_of(lang).get(f"page.trouble.{notice.kind}", text)
    minutes, seconds = divmod(int(notice.time_s), 60)
    typer.echo(f"{minutes}:{seconds:02}: {text}", err=True)


REMEMBERED: Final = 60
"""Events and announcements that a new page is shown."""
_BRINGS_TILES: Final = (Discard, Chow, Pung, Kong)


class EventShown(TypedDict):
    """One event as everybody may see it, as JSON and in words."""

    number: int
    place: int
    by_person: bool
    ruled_by: list[str]
    t: float | None
    confidence: float | None
    event: Json
    seat: int | None
    told: Parts


class Lately(TypedDict):
    happened: list[EventShown]
    announced: list[Announced]


class Correctable(TypedDict):
    """What a page needs to correct the record."""

    lines: int
    undo: bool
    redo: bool
    rivers: list[list[tuple[int, int]]]
    sets: list[list[tuple[int, int]]]
    tiles: list[str]


class ReadOtherwise(TypedDict):
    was: list[Parts]
    now: list[Parts]


class TableStatus(TypedDict):
    type: Literal["status"]
    ended: bool
    problem: str | None
    trouble_kind: TroubleKind | None


class TableNow(NamedRules):
    """How a table stands, apart from what happened there lately."""

    source: str
    lang: str
    record: str
    has_next: bool
    back: bool
    watched_s: float | None
    """For how long the program has looked at the table."""
    table: PublicTable
    status: TableStatus
    acts: Correctable
    questions: list[QuestionShown]


class TableSnapshot(TableNow, Lately):
    """What a page needs that opens now."""

    type: Literal["snapshot"]


class OpenedPage(TableSnapshot):
    may_mend: bool


class AfterLines(TypedDict):
    """What follows from lines that were written."""

    said: list[Announced]
    also: list[ReadOtherwise]
    table: PublicTable
    acts: Correctable
    questions: list[QuestionShown]


class EventHappened(AfterLines, EventShown):
    type: Literal["happened"]


class RecordCorrected(AfterLines, Lately):
    """All that follows a corrected event may have changed: the page begins anew."""

    type: Literal["corrected"]
    of: int


class QuestionsAsked(TypedDict):
    type: Literal["questions"]
    questions: list[QuestionShown]


class CodeShown(TypedDict):
    address: str
    qr: str


class SeatNews(TypedDict):
    """For one seat alone."""

    type: Literal["mine"]
    camera_refused: NotRequired[str]
    camera_at: NotRequired[CodeShown]


TableMessage = (
    TableSnapshot | EventHappened | RecordCorrected | QuestionsAsked | TableStatus | SeatNews
)


def lately(game: Game, lang: str) -> Lately:
    """The last events and announcements."""
    return {
        "happened": events_of(game, lang, REMEMBERED),
        "announced": announced(said_last(game.played, REMEMBERED), game, lang),
    }


def events_of(game: Game, lang: str, most: int | None = None) -> list[EventShown]:
    """The last events in force; all of them without ``most``."""
    return [_happened(event, game, lang) for event in events_seen(game, last=most)]


def announced(
    said: Iterable[Announcement], game: Game, lang: str, you: Seat | None = None
) -> list[Announced]:
    """Public announcements without turns, which the table shows."""
    return [
        row
        for announcement in public_announcements(said)
        for row in worded(
            [announcement], lang, names_when(game.played, announcement.of), you, game.state.rules
        )
    ]


def correctable(game: Game, done: EditHistory) -> Correctable:
    tiles = {} if game.rules is None else game.rules.tiles(game.state.options)
    return {
        "lines": len(game.entries),
        "undo": bool(done.undo),
        "redo": bool(done.redo),
        "rivers": _places(game, Discard),
        "sets": _places(game, Chow, Pung, Kong),
        "tiles": [*map(str, ordered(list(tiles)))],
    }


def new_to_all(said: Iterable[Announcement], before: Iterable[Announcement]) -> list[Announcement]:
    """Announcements that were not made before in the same public words."""
    said = list(said)
    about = {announcement.of for announcement in said}
    earlier = (announcement for announcement in before if announcement.of in about)
    known = Counter(repr(itself(one)) for one in public_announcements(earlier))
    fresh = []
    for announcement in said:
        (shown,) = public_announcements([announcement]) or (announcement,)
        told = repr(itself(shown))
        if known[told]:
            known[told] -= 1
        else:
            fresh.append(announcement)
    return fresh


class News:
    """Announcements that nobody has heard yet, and what the reader reads otherwise now."""

    def __init__(self, game: Callable[[], Game]) -> None:
        """``game`` returns the game as it is now."""
        self._now = game
        self.told()

    @property
    def _game(self) -> Game:
        return self._now()

    def told(self) -> None:
        """Begin anew: the pages know everything."""
        self._before = self._game.played
        self._lines = len(self._game.entries)
        self.first = self._lines
        """Number of the first line that has changed."""
        self._was: dict[int, list[VisibleEvent]] = {}
        """The events of the lines that the reader corrects because of people, as they were."""

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
            self._was.setdefault(number, _events_on(self._game, number))

    def said(self) -> list[Announcement]:
        """Announcements that were not made before in the same public words."""
        before = announced_since(self._before, self.first)
        return new_to_all(announced_since(self._game.played, self.first), before)

    def rows(self, lang: str) -> list[Announced]:
        """The same in words: a payout in place of one that is in force no more is a correction."""
        rows = announced(self.said(), self._game, lang)
        before = announced_since(self._before, self.first)
        now = announced_since(self._game.played, self.first)
        gone = any(isinstance(one, Payout) for one in new_to_all(before, now))
        return [corrected(row, lang) if gone else row for row in rows]

    def reread(self, lang: str) -> list[ReadOtherwise]:
        """What the reader reads otherwise: the events of each change as they were, and as they are.

        Events that are only added at the end are left out.
        """
        lines = sorted(self._was)
        was = self._by_change([seen for number in lines for seen in self._was[number]])
        new = [seen for number in lines for seen in _events_on(self._game, number)]
        now = self._by_change([seen for seen in new if seen.number < self._lines])
        names, rules = names_of(self._game.state), self._game.state.rules
        return [
            {
                "was": [event_json(event, names, lang, rules) for event in was.get(change, ())],
                "now": [event_json(event, names, lang, rules) for event in now.get(change, ())],
            }
            for change in was | now
            if was.get(change) != now.get(change)
        ]

    def _by_change(self, seen: Sequence[VisibleEvent]) -> dict[str, list[Event]]:
        found: dict[str, list[Event]] = {}
        for event in seen:
            change = change_of(self._game.entries, EventInForce(event.number, event.entry))
            found.setdefault(change, []).append(event.entry.event)
        return found


def _happened(seen: VisibleEvent, game: Game, lang: str) -> EventShown:
    entry, event = seen.entry, seen.entry.event
    names = seat_names(names_when(game.played, seen.number))
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
        "told": event_json(event, names, lang, rules),
    }


def _line_of(game: Game, correct: Correct) -> int:
    """The line whose events a correction changes, directly or by undoing another correction."""
    number = correct.of
    while isinstance(event := game.entries[number].event, Correct) and event.of < number:
        number = event.of
    return number


def _events_on(game: Game, number: int) -> list[VisibleEvent]:
    """The events in force of one line, as everybody may see them."""
    since = events_seen(game, last=len(game.played) - first_since(game.played, number))
    return [seen for seen in since if seen.number == number]


def _places(game: Game, *kinds: type[Event]) -> list[list[tuple[int, int]]]:
    """Line and index of the events that brought tiles before each seat in this hand."""
    found: list[list[tuple[int, int]]] = [[], [], [], []]
    count: Counter[int] = Counter()
    for number, entry in game.state.history.entries:
        event = entry.event
        # An added kong lies in the place of its pung.
        lies = not isinstance(event, Kong) or event.kind != "added"
        if lies and isinstance(event, kinds) and isinstance(event, _BRINGS_TILES):
            found[event.seat].append((number, count[number]))
        count[number] += 1
    return found


MessageT = TypeVar("MessageT", default=TableMessage)
QUEUED: Final = 200
"""Messages that may wait for a slow page; with more, it must begin anew."""


class Subscriber(Generic[MessageT]):
    """Queues messages for one page, so that no page delays another."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        """What it is told in."""
        self.messages: asyncio.Queue[MessageT] = asyncio.Queue(QUEUED)
        self.too_slow = asyncio.Event()

    def offer(self, message: MessageT) -> None:
        try:
            self.messages.put_nowait(message)
        except asyncio.QueueFull:
            self.too_slow.set()
