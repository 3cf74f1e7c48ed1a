"""A table as the holder of one grant sees it: the one message, whole at each change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NotRequired, TypeVar

from typing_extensions import TypedDict

from engine.announce import Announcement, private_topics, topic_of
from engine.codec import event_to_json
from engine.corrections import ruled_by
from engine.errors import NotThere
from engine.events import Chow, Discard, Event, Flower, GameStart, Kong, Pung, Seat, Win
from engine.game import Game, first_since
from engine.news import NOTHING_NEW, New, told_together
from engine.play import ordered
from engine.played import PlayedEvent
from engine.second_reading import compared
from engine.visibility import VisibleEvent, events_seen
from service.phone.seat_cameras import OwnCameraStatus
from service.report.public import (
    AnnouncementView,
    IndicatorView,
    Json,
    PublicTable,
    corrected,
    names_of,
    names_when,
    public_announcements,
    public_table,
    said_last,
    seat_names,
    unsure_row,
    withdrawn,
    worded,
)
from service.table.certificate import Standing
from service.table.notices import TroubleKind
from service.table.pictures import Pictures
from service.table.questions import QuestionView, questions_json
from service.table.trusted import CertificateView, certificate_view
from service.texts.catalogue import NamedRules, named_rules
from service.texts.events import Parts, event_json
from service.texts.second_reading import read_twice, read_twice_line, reasons
from service.web.background import MadeOnce
from service.web.grants import Grant
from vision.decoder.question import Question

REMEMBERED: Final = 60
"""Events and announcements that a page is shown."""
_BRINGS_TILES: Final = (Discard, Chow, Pung, Kong, Flower, Win)


class EventView(TypedDict):
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
    again: str | None
    """What a second reading of a win says; None where none was made."""


class CorrectableView(TypedDict):
    """Which event brought each tile, and what else a page needs to correct the record."""

    undo: bool
    redo: bool
    rivers: list[list[tuple[int, int]]]
    sets: list[list[tuple[int, int]]]
    flowers: list[list[tuple[int, int]]]
    tiles: list[str]


class RereadView(TypedDict):
    was: list[Parts]
    now: list[Parts]


class StatusView(TypedDict):
    ended: bool
    problem: str | None
    trouble_kind: TroubleKind | None


class TilesLeftView(TypedDict):
    """A tile that is good to have, and how many of it are left."""

    tile: str
    left: int


class SeatResultView(TypedDict):
    """How the hand came out for this seat, and the game where it is over."""

    won: bool
    delta: int
    points: int
    place: int | None
    place_shared: bool


class SeatView(TypedDict):
    """What one seat knows beyond the public table."""

    waits: list[TilesLeftView]
    hint: AnnouncementView | None
    why: str | None
    """Of the seat's last discard, until its next turn: why another was better, or what was good
    about it; one idea. None where the page wants no hints."""

    seat: int
    phase: str
    hand_number: int
    hand: list[str]
    apart: str | None
    indicators: list[IndicatorView]
    said: list[AnnouncementView]
    result: SeatResultView | None
    no_hint: str | None
    camera: NotRequired[OwnCameraStatus | None]
    shares: NotRequired[bool]
    """Whether this player shares with the teacher."""


class TableView(NamedRules):
    """A table as the holder of one grant sees it, whole: each takes the place of the one before."""

    type: Literal["table"]
    name: str
    """Of a table in a hall; empty for the one that this program watches."""
    title: str
    """The camera or the film, or what the hall calls its table."""
    lang: str
    record: str
    lines: int
    """Of the record: what is changed is meant for a record of this length."""
    has_next: bool
    back: bool
    watched_s: float | None
    """For how long the program has looked at the table, where it has just been started again."""
    status: StatusView
    table: PublicTable
    happened: list[EventView]
    """The last events in force of this game."""
    announced: list[AnnouncementView]
    """What was announced last in this game; to a seat, in this hand."""
    said: list[AnnouncementView]
    """What is announced anew, also of long ago; nothing in the first message."""
    also: list[RereadView]
    """What else is read otherwise now because of what a person said."""
    may_mend: bool
    acts: CorrectableView | None
    """None where no tile is tapped."""
    questions: list[QuestionView]
    """For whoever may answer them."""
    mine: SeatView | None
    """What a seat alone knows."""
    led: bool
    """Whether the host leads everybody through the hand."""
    taught: bool
    """Whether the page of a teacher is open, who sees what each player shares."""
    picture: int | None
    """The number of the picture of a moment that is shown again, where one is kept."""
    certificate: CertificateView | None
    """What the last rehearsal proved of the table, and whether that still holds."""
    read_twice: str | None
    """From which payment on payouts are read twice; None where none is."""


class CodeView(TypedDict):
    """The address of a page, and its code for a phone."""

    address: str
    qr: str


class SeatNews(TypedDict):
    """For one seat alone, while nothing happens at the table."""

    type: Literal["mine"]
    mine: SeatView
    camera_refused: NotRequired[str]
    camera_at: NotRequired[CodeView]


TableMessage = TableView | SeatNews


@dataclass(frozen=True)
class Edits:
    """Whether anything can be taken back, and brought back."""

    undo: bool = False
    redo: bool = False


@dataclass(frozen=True, kw_only=True)
class Moment:
    """A table between two changes. Whoever looks at it is shown what their grant allows."""

    game: Game
    """As it was then: nobody adds lines to it."""
    table: PublicTable
    status: StatusView
    rules: str
    title: str
    name: str = ""
    record: str = ""
    has_next: bool = False
    back: bool = False
    """Whether a hand goes on after a restart of the program, and nothing has happened since."""
    watched_s: float | None = None
    led: bool = False
    """Whether everybody is led through the hand."""
    taught: bool = False
    """Whether the page of a teacher is open."""
    edits: Edits | None = None
    """None where no tile is tapped."""
    asked: Sequence[Question] = ()
    new: New = NOTHING_NEW
    standing: Standing | None = None
    """What the last rehearsal proved."""
    read_twice: int | None = None
    """From which single payment on a payout is read twice."""
    unsure: frozenset[int] = frozenset()
    """Lines of which the payout is asked before it counts as certain."""
    missed: tuple[New, ...] = ()
    """What has become known at moments that are not shown any more, in their order."""
    since: int | None = None
    """The first line that was changed; None where lines were only added."""
    picture: int | None = None
    """The number of its picture, where it is shown again and one is kept."""
    made: MadeOnce = field(init=False, repr=False, compare=False, default_factory=MadeOnce)
    """Views of it, for all pages that are shown the same."""
    happened: dict[str, list[EventView]] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """The last events in force, in each language in which they are shown."""

    joined: dict[Hashable, Moment] = field(
        init=False, repr=False, compare=False, default_factory=dict
    )
    """It, with what pages have missed: pages that have missed the same are shown the same."""

    def after(self, before: Moment) -> Moment:
        """This moment for a page that is not shown the one before, which may not be missed."""
        if before is self:
            return self
        changed = [since for since in (before.since, self.since) if since is not None]
        earlier = tuple(new for new in (*before.missed, before.new) if new is not NOTHING_NEW)
        since, missed = min(changed, default=None), (*earlier, *self.missed)
        if (since, missed) == (self.since, self.missed):
            return self
        other = replace(self, missed=missed, since=since)
        return self.joined.setdefault((since, *map(id, missed)), other)

    def last_events(self, lang: str) -> list[EventView]:
        if lang not in self.happened:
            self.happened[lang] = events_of(self.game, lang, self._of_this_game())
        return self.happened[lang]

    def _of_this_game(self) -> int:
        """How many of the last events a page is shown: those since the game has begun."""
        played = self.game.played
        for back in range(1, min(REMEMBERED, len(played)) + 1):
            if isinstance(played[-back].event.entry.event, GameStart):
                return back
        return REMEMBERED


M = TypeVar("M")


def newest(messages: Iterable[M | Moment]) -> list[M | Moment]:
    """The messages without moments of tables of which later ones are among them.

    What was announced at these is announced with the later ones.
    """
    found: list[M | Moment] = []
    for message in messages:
        if isinstance(message, Moment):
            for at, one in enumerate(found):
                if isinstance(one, Moment) and (one.name, one.record) == (
                    message.name,
                    message.record,
                ):
                    del found[at]
                    message = message.after(one)
                    break
        found.append(message)
    return found


async def shown(moment: Moment, lang: str, grant: Grant, most: int = REMEMBERED) -> TableView:
    """What a grant shows of a table at a moment, made once for all who see the same."""
    return await moment.made.once(
        ("table", lang, grant.corrects, most),
        None,
        lambda: table_view(moment, lang, grant, most=most),
    )


def table_view(
    at: Moment, lang: str, grant: Grant, own: Game | None = None, most: int = REMEMBERED
) -> TableView:
    """What a grant shows of a table at a moment, with ``most`` of the last events.

    ``own``: on the page of a seat, the game as that seat knows it. The seat is spoken to, and what
    it is told in full among ``mine`` is not told it once more.
    """
    game, seat = at.game, None if own is None else grant.seat
    names, rules = names_of(game.state), game.state.rules
    last = said_last(game.played, most)
    if seat is not None:  # a player's page tells of the hand that is played
        lines = game.state.history.entries
        first_of_hand = lines[0][0] if lines else len(game.entries)
        last = [one for one in last if one.of >= first_of_hand]
    news = told_together((*at.missed, at.new), game) if at.missed else [at.new]
    fresh = (one for new in news for one in (*new.said, *new.gone))
    first, better = _told_apart((*last, *fresh), own, seat)

    why = reasons(game, lang) if at.unsure else {}

    def told(said: Iterable[Announcement]) -> list[AnnouncementView]:
        heard = [one for one in said if topic_of(one) not in better]
        rows = announced(heard, game, lang, seat, first)
        return [
            unsure_row(row, lang, why.get(row["of"])) if row["of"] in at.unsure else row
            for row in rows
        ]

    def said_anew(new: New) -> list[AnnouncementView]:
        """What holds no more is said first. A foul that is asked is called out to nobody."""
        gone = [withdrawn(row, lang, len(game.entries)) for row in told(new.withdrawn)]
        for one in new.said:
            mends = new.corrects(one)
            gone += [corrected(row, lang) if mends else row for row in told([one])]
        return [row for row in gone if row["kind"] != "problem" or not row.get("unsure")]

    return {
        "type": "table",
        "name": at.name,
        "title": at.title,
        **named_rules(at.rules, lang),
        "lang": lang,
        "record": at.record,
        "lines": len(game.entries),
        "has_next": at.has_next,
        "back": at.back,
        "watched_s": at.watched_s,
        "status": at.status,
        "table": at.table,
        "happened": at.last_events(lang)[-most:],
        "announced": told(last),
        "said": [row for new in news for row in said_anew(new)],
        "also": [
            {
                "was": [event_json(event, names, lang, rules) for event in was],
                "now": [event_json(event, names, lang, rules) for event in now],
            }
            for new in news
            for was, now in new.reread
        ],
        "may_mend": grant.corrects,
        "acts": None if at.edits is None or seat is not None else correctable(game, at.edits),
        "questions": questions_json(at.asked, game, lang) if grant.corrects else [],
        "mine": None,
        "led": at.led,
        "taught": at.taught,
        "picture": at.picture,
        "certificate": None if at.standing is None else certificate_view(at.standing, lang),
        "read_twice": read_twice_line(at.read_twice, lang),
    }


def moment_after(now: Moment, step: int, pictures: Pictures) -> Moment:
    """The table as it was after one event in force, counted from 0; raises ``NotThere``."""
    events = now.game.played
    if not 0 <= step < len(events):
        raise NotThere(f"the record has {len(events)} steps, counted from 0")
    played = events[step]
    state, time_s = played.state, played.event.entry.t
    picture = None if time_s is None else pictures.at(time_s)
    return replace(
        now,
        game=now.game.as_it_was(step + 1),
        table=public_table(state, names_of(state)),
        rules=state.rules or now.rules,
        back=False,
        watched_s=None,
        edits=None,
        asked=(),
        new=New(played.announcements),
        missed=(),
        since=None,
        picture=None if picture is None else picture.number,
    )


def _told_apart(
    said: Sequence[Announcement], own: Game | None, seat: Seat | None
) -> tuple[int, Collection[object]]:
    """The line since which a seat is spoken to, and the topics on which it is told more."""
    if own is None or seat is None:
        return 0, ()
    numbers = {one.of for one in said}
    first = min(numbers, default=len(own.entries))
    # To whoever sat here before, another one's hands were told.
    sits = sat_since(own.played, seat, first_since(own.played, first))
    if sits < len(own.played):
        first = max(first, own.played[sits].event.number)
    since = (one for one in own.announcements(first) if one.of in numbers)
    return first, private_topics(since, seat)


def sat_since(played: Sequence[PlayedEvent], seat: Seat, first: int = 0) -> int:
    """The index of the event, from ``first`` on, since which this seat's player sits there."""
    at = len(played)
    while at > first and played[at - 1].state.names[seat] == played[-1].state.names[seat]:
        at -= 1
    return at


def events_of(game: Game, lang: str, most: int | None = None) -> list[EventView]:
    """The last events in force; all of them without ``most``."""
    again = {one.win.number: read_twice(one, lang) for one in compared(game)}
    return [_happened(event, game, lang, again) for event in events_seen(game, last=most)]


def announced(
    said: Iterable[Announcement],
    game: Game,
    lang: str,
    you: Seat | None = None,
    first: int = 0,
) -> list[AnnouncementView]:
    """Public announcements without turns, which the table shows.

    Those since line ``first`` are spoken to ``you``.
    """
    return [
        row
        for one in public_announcements(said)
        for row in worded(
            [one],
            lang,
            names_when(game.played, one.of),
            you if one.of >= first else None,
            game.state.rules,
        )
    ]


def correctable(game: Game, edits: Edits) -> CorrectableView:
    tiles = {} if game.rules is None else game.rules.wall.under(game.state.options)
    return {
        "undo": edits.undo,
        "redo": edits.redo,
        "rivers": _places(game, Discard),
        "sets": _places(game, Chow, Pung, Kong),
        "flowers": _places(game, Flower, Win),
        "tiles": [*map(str, ordered(list(tiles)))],
    }


def _happened(seen: VisibleEvent, game: Game, lang: str, again: Mapping[int, str]) -> EventView:
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
        "again": again.get(seen.number) if isinstance(event, Win) else None,
    }


def _places(game: Game, *kinds: type[Event]) -> list[list[tuple[int, int]]]:
    """Line and index of the events that brought tiles before each seat in this hand."""
    found: list[list[tuple[int, int]]] = [[], [], [], []]
    count: Counter[int] = Counter()
    state = game.state
    in_force = state.history.places_of(state.wins)
    for place, (number, entry) in enumerate(state.history.entries):
        event = entry.event
        match event:
            case Kong():  # an added one lies in the place of its pung
                lies = event.kind != "added"
            case Win():  # its tile lies apart where the winner plays on
                lies = place in in_force and bool(state.players[event.seat].won)
            case _:
                lies = True
        if lies and isinstance(event, kinds) and isinstance(event, _BRINGS_TILES):
            found[event.seat].append((number, count[number]))
        count[number] += 1
    return found
