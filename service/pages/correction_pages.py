"""Requests about doubts in the record: corrections, undo, fouls, questions, pictures."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from fastapi import APIRouter, Response
from typing_extensions import TypedDict

from engine.alternatives import alternatives, leftovers, problems
from engine.announce import Announcement, Payout, Problem
from engine.codec import entry_to_json, event_to_json
from engine.corrections import (
    EditKind,
    at,
    by_referee,
    correction,
    next_game,
    redone,
    refuse_stale,
    ruled_by,
    undone,
)
from engine.errors import Malformed, NotThere, Refused
from engine.events import Correct, Entry, Foul, GameStart, HandStart
from engine.game import Game
from engine.rules import RULE_SETS
from engine.state import State
from engine.texts.announcements import sentence
from engine.visibility import VisibleEvent, events_seen
from service.pages.bodies import (
    Change,
    ChosenAnswer,
    Correction,
    FoulRuling,
    NewEvent,
    NextGame,
    OneEvent,
    TableCorners,
    sent_entry,
)
from service.pages.requests import (
    RecordLengthView,
    RefusingRoute,
    file_answer,
    file_or_none,
    json_once,
)
from service.pages.settings import OpenTable, Served
from service.report.public import (
    AnnouncementView,
    Json,
    names_of,
    public_announcements,
    unsure_row,
)
from service.table.consequences import Consequences, consequences
from service.table.dispute import ReadAgain
from service.table.live_table import LiveTable
from service.table.pictures import Pictures
from service.table.questions import QuestionView, overview, upright
from service.table.view import EventView, announced, events_of
from service.texts.catalogue import RulesOffered, rule_sets
from service.texts.events import Parts, event_json, named
from service.web.language import Language
from vision.camera.address import readable
from vision.camera.pictures import Picture
from vision.decoder.question import Question
from vision.draw import jpeg

JPEG: Final = "image/jpeg"
api = APIRouter(route_class=RefusingRoute)


class EventsView(TypedDict):
    lines: int
    events: list[EventView]


class GameBegins(TypedDict, total=False):
    """What holds from the start of a game or hand on, also where its line leaves it out."""

    first_dealer: int
    offered: list[RulesOffered]
    dealer: int
    round: str
    honba: int
    staying: int


class WayToCorrect(TypedDict):
    do: EditKind
    problems: int | None
    """Problems of the record then; None where it was not tried."""
    events: list[Json]
    told: list[Parts]


class WaysToCorrect(TypedDict):
    lines: int
    event: Json
    stands: GameBegins
    problems: int
    ways: list[WayToCorrect]


class FoulView(TypedDict):
    number: int
    place: int
    foul: bool
    confirmed: bool
    told: Parts
    texts: list[str]
    """Why it is one and what it costs."""


class FoulsView(TypedDict):
    lines: int
    fouls: list[FoulView]


class LinesWritten(TypedDict):
    number: int
    """Of the first line that was written."""
    lines: int
    corrected: int | None
    said: list[AnnouncementView]


@api.get("/events", response_model=EventsView)
async def events(served: Served, lang: Language) -> Response:
    """Return the events in force, in order of play; a correction is based on ``lines``."""
    game = served.table.game.with_lines()
    lines = len(game.entries)
    return await json_once(
        served.made,
        ("events", lang),
        lines,
        lambda: {"lines": lines, "events": events_of(game, lang)},
    )


@api.get("/events/{number}/ways")
async def likely(served: Served, lang: Language, number: int, place: int = 0) -> WaysToCorrect:
    """Return ways to correct one event, the likeliest first."""
    return await asyncio.to_thread(
        _alternatives, served.table.game.with_lines(), number, place, lang
    )


@api.get("/fouls", response_model=FoulsView)
async def fouls(served: Served, lang: Language) -> Response:
    """Return fouls and other irregular events, with what they cost."""
    game = served.table.game.with_lines()
    lines = len(game.entries)
    return await json_once(
        served.made,
        ("fouls", lang),
        lines,
        lambda: {"lines": lines, "fouls": fouls_of(game, lang)},
    )


@api.post("/events")
async def append(served: Served, asked: NewEvent, lang: Language) -> LinesWritten:
    """Add one event at the end."""
    return await _changed(served.table, asked, lang, lambda: [_new_line(served.table, asked, lang)])


@api.post("/events/preview")
async def preview_event(served: Served, asked: NewEvent, lang: Language) -> Consequences:
    """Return what would follow from the same request to ``/api/events``; change nothing."""
    refuse_stale(served.table.game.entries, asked.lines)
    game, line = served.table.game.with_lines(), sent_entry(asked.event, "event")
    return await asyncio.to_thread(lambda: consequences(game.as_seen(), [line], lang))


@api.post("/corrections")
async def correct(served: Served, asked: Correction, lang: Language) -> LinesWritten:
    """Replace an event, ``insert`` others before it, ``remove`` or ``confirm`` it.

    A ruling names who ruled in ``ruled_by``. With ``leftovers``, the end of a hand or game that no
    longer fits goes too.
    """
    return await _changed(served.table, asked, lang, lambda: _corrected(served.table.game, asked))


@api.post("/corrections/preview")
async def preview_correction(served: Served, asked: Correction, lang: Language) -> Consequences:
    """Return what would follow from the same request to ``/api/corrections``; change nothing."""
    refuse_stale(served.table.game.entries, asked.lines)
    return await asyncio.to_thread(_previewed, served.table.game.with_lines(), asked, lang)


@api.post("/undo")
async def undo(served: Served, asked: Change, lang: Language) -> LinesWritten:
    """Take back what a person did last."""
    return await _changed(served.table, asked, lang, lambda: undone(served.table.record.history))


@api.post("/redo")
async def redo(served: Served, asked: Change, lang: Language) -> LinesWritten:
    """Bring back what was taken back last."""
    return await _changed(
        served.table,
        asked,
        lang,
        lambda: redone(served.table.record.history, served.table.game.entries),
    )


@api.post("/next")
async def next_one(served: Served, asked: NextGame, lang: Language) -> LinesWritten:
    """End the game and start the next one, with other ``names`` if wanted."""
    if not served.table.settings.has_next:
        raise Refused("no game is played here; begin one with tilesight serve --record FOLDER")
    time_s = served.table.reader.clock_s
    said_s = None if time_s is None else round(time_s, 2)
    return await _changed(
        served.table, asked, lang, lambda: next_game(served.table.game, asked.names, said_s)
    )


@api.post("/fouls")
async def rule(served: Served, asked: FoulRuling, lang: Language) -> LinesWritten:
    """Confirm a foul as a person's word, or cancel it."""
    return await _changed(served.table, asked, lang, lambda: _ruling(served.table, asked, lang))


async def _changed(
    table: LiveTable, asked: Change, lang: str, lines: Callable[[], list[Entry]]
) -> LinesWritten:
    """Write the lines that a person asked for, and return what they changed."""
    async with table.writing:
        before = len(table.game.entries)
        refuse_stale(table.game.entries, asked.lines)
        first, *rest = await asyncio.to_thread(lines)
        entry = by_referee(first, asked.ruled_by)
        announcements = await table.submit(entry, *rest)
    return {
        "number": before,
        "lines": len(table.game.entries),
        "corrected": entry.event.of if isinstance(entry.event, Correct) else None,
        "said": [
            unsure_row(row, lang) if row["of"] in table.unsure else row
            for row in announced(announcements, table.game, lang)
        ],
    }


def _alternatives(game: Game, number: int, place: int, lang: str) -> WaysToCorrect:
    seen = game.as_seen(number)
    found = alternatives(seen, number, place)
    names, rules = names_of(game.state), game.state.rules
    _, old = at(seen.entries, number, place)
    return {
        "lines": len(game.entries),
        "event": event_to_json(old.entry.event),
        "stands": _as_begun(seen, number),
        "problems": problems(seen),
        "ways": [
            {
                "do": way.how,
                "problems": way.problems,
                "events": [entry_to_json(entry) for entry in way.entries],
                "told": [event_json(entry.event, names, lang, rules) for entry in way.entries],
            }
            for way in found
        ],
    }


def _as_begun(game: Game, number: int) -> GameBegins:
    one = next(played for played in game.played if played.event.number == number)
    state = one.state
    match one.event.entry.event:
        case GameStart():
            return {"first_dealer": state.first_dealer, "offered": rule_sets()}
        case HandStart():
            return {
                "dealer": state.dealer,
                "round": str(state.round),
                "honba": state.honba,
                "staying": state.staying,
            }
        case _:
            return {}


def _new_line(table: LiveTable, asked: NewEvent, lang: str) -> Entry:
    entry = sent_entry(asked.event, "event")
    if isinstance(entry.event, Correct):
        raise Malformed("send a correction to /api/corrections")
    # Only what everybody can see is refused. A line that a hidden hand alone shows to be wrong is
    # written and flagged: whoever tries what a hand holds leaves a line for everybody to read.
    for problem in table.game.as_seen().preview([entry]).announcements:
        if isinstance(problem, Problem) and problem.impossible:
            state = table.game.state
            text = sentence(problem, lang, named(names_of(state), lang), rules=state.rules)
            raise Refused(f"that cannot be: {text}")
    seconds = table.reader.clock_s
    return replace(
        entry, t=None if seconds is None else round(seconds, 2), source="person", confidence=None
    )


def _corrected(game: Game, asked: Correction) -> list[Entry]:
    """The correction, and what it leaves that goes with it."""
    change = _correction(game, asked)
    return [change, *(leftovers(game.as_seen(asked.of), change) if asked.leftovers else ())]


def _previewed(game: Game, asked: Correction, lang: str) -> Consequences:
    seen = game.as_seen(asked.of)
    return consequences(seen, _corrected(seen, asked), lang)


def _correction(game: Game, asked: Correction) -> Entry:
    if bool(asked.events) is (asked.do in ("remove", "confirm")):
        raise Malformed(f"expected {'no' if asked.events else 'at least one'} event to {asked.do}")
    entries = [sent_entry(value, f"events[{place}]") for place, value in enumerate(asked.events)]
    if any(isinstance(entry.event, Correct) for entry in entries):
        raise Malformed("a correction inside a correction; correct the other event by itself")
    return correction(game.entries, asked.of, asked.place, asked.do, entries)


def _ruling(table: LiveTable, asked: FoulRuling, lang: str) -> list[Entry]:
    """Confirm what was seen as a person's word, or cancel a foul."""
    entries, number, place = table.game.entries, asked.of, asked.place
    _, old = at(entries, number, place)
    if not any(
        foul["number"] == number and foul["place"] == place for foul in fouls_of(table.game, lang)
    ):
        raise NotThere(f"event {number} is no foul; list them and choose one")
    if asked.do == "confirm":
        return [correction(entries, number, place, "confirm", [])]
    if isinstance(old.entry.event, Foul):
        return [correction(entries, number, place, "remove", [])]
    raise Refused(f"event {number} is a move; correct what happened there instead")


def fouls_of(game: Game, lang: str) -> list[FoulView]:
    events = events_seen(game)
    said, paid = _by_event(game)
    found: list[FoulView] = []
    for here, event in enumerate(events):
        why: list[Announcement] = [*said[event.number]]
        foul = isinstance(event.entry.event, Foul)
        if foul:
            why += paid[event.number]
        last = here + 1 == len(events) or events[here + 1].number != event.number
        # Where several events replace one, the last is the original.
        if foul or (why and last):
            found.append(_foul(game.state, lang, event, foul, why))
    return found


def _by_event(game: Game) -> tuple[defaultdict[int, list[Problem]], defaultdict[int, list[Payout]]]:
    """Irregularities and payouts by event number."""
    said: defaultdict[int, list[Problem]] = defaultdict(list)
    paid: defaultdict[int, list[Payout]] = defaultdict(list)
    for announcement in public_announcements(game.announcements()):
        if isinstance(announcement, Problem) and not announcement.impossible:
            said[announcement.of].append(announcement)
        elif isinstance(announcement, Payout):
            paid[announcement.of].append(announcement)
    return said, paid


def _foul(
    state: State, lang: str, event: VisibleEvent, foul: bool, why: Sequence[Announcement]
) -> FoulView:
    shown, names, rules = event.entry.event, names_of(state), state.rules
    return {
        "number": event.number,
        "place": event.place,
        "foul": foul,
        "confirmed": event.entry.source == "person",
        "told": event_json(shown, names, lang, rules),
        "texts": [sentence(one, lang, named(names, lang), rules=rules) for one in why],
    }


DrawQuestion = Callable[[Picture, Question], Picture | None]


class OpenQuestions(TypedDict):
    lines: int
    questions: list[QuestionView]


def _length(table: LiveTable) -> RecordLengthView:
    name = readable(table.settings.record_name)
    return {"record": name, "lines": len(table.game.entries)}


@api.get("/questions")
async def questions(served: Served, lang: Language) -> OpenQuestions:
    """Return the open questions: two or three likely readings each, the recorded one first."""
    return {"lines": len(served.table.game.entries), "questions": served.table.questions(lang)}


@api.get("/questions/{name}/picture", **file_answer(JPEG, may_be_none=True))
async def question_picture(served: Served, name: str) -> Response:
    """Return where the doubtful tiles lie, each in a ring, as a JPEG file.

    204 where no picture shows them, and once the question is closed: a page may ask late. 404
    where the picture's file is gone or damaged.
    """
    return await _drawn(served, name, overview)


@api.get("/questions/{name}/tiles", **file_answer(JPEG, may_be_none=True))
async def question_tiles(served: Served, name: str) -> Response:
    """Return the doubtful tiles, turned upright, as a JPEG file; 204 and 404 as there."""
    return await _drawn(served, name, upright)


@api.post("/answers")
async def answer(served: Served, asked: ChosenAnswer) -> RecordLengthView:
    """Choose one of the readings of a question."""
    await served.table.answer(asked.id, asked.choice)
    return _length(served.table)


async def _drawn(served: OpenTable, name: str, draw: DrawQuestion) -> Response:
    question = next((asked for asked in served.table.asked() if asked.id == name), None)
    if question is None:
        return Response(status_code=204)
    data = await asyncio.to_thread(_picture, served.table.pictures, question, draw)
    return file_or_none(data, JPEG)


def _picture(pictures: Pictures, question: Question, draw: DrawQuestion) -> bytes | None:
    """The picture that shows a question; raises ``NotThere`` where its file is gone or damaged."""
    if draw is upright and (asked := pictures.asked(question.id)) is not None:
        return asked
    shot = pictures.at(question.shown_s)
    drawn = None if shot is None else draw(pictures.image(shot.number), question)
    return None if drawn is None else jpeg(drawn)


class PictureView(TypedDict):
    number: int
    t: float


class EventPictures(TypedDict):
    """The pictures of a few seconds around an event, and who has ruled on it."""

    t: float | None
    pictures: list[PictureView]
    ruled_by: list[str]


@api.get("/events/{number}/pictures")
async def clip(served: Served, number: int, place: int = 0) -> EventPictures:
    """Return the pictures of a few seconds around an event, and who has ruled on it."""
    entries, dispute = served.table.game.entries, served.dispute
    _, old = at(entries, number, place)
    shots = () if dispute is None else dispute.clip(old.entry)
    return {
        "t": old.entry.t,
        "pictures": [{"number": shot.number, "t": shot.time_s} for shot in shots],
        "ruled_by": ruled_by(entries, number),
    }


@api.get("/events/{number}/crop", **file_answer(JPEG, may_be_none=True))
async def crop(served: Served, number: int, place: int = 0) -> Response:
    """Return the tiles of an event, enlarged and ringed, as a JPEG file; 204 where none is
    seen. They may be read anew, so it is for whoever may correct the record."""
    _, old = at(served.table.game.entries, number, place)
    dispute = served.dispute
    data = None if dispute is None else await asyncio.to_thread(dispute.crop, old.entry)
    return file_or_none(data, JPEG)


@api.get("/pictures/{number}", **file_answer(JPEG))
async def picture(served: Served, number: int) -> Response:
    """Return one picture of the table as a JPEG file."""
    data = await asyncio.to_thread(served.table.pictures.picture, number)
    return file_or_none(data, JPEG)


@api.post("/corners")
async def corners(served: Served, asked: TableCorners) -> RecordLengthView:
    """Show where the table lies in the newest picture, after its camera was moved."""
    served.table.reader.show_table(tuple((x, y) for x, y in asked.corners))
    return _length(served.table)


@api.post("/reread")
async def reread(served: Served, asked: OneEvent) -> ReadAgain:
    """Return what the detector sees in an event's pictures when it looks again."""
    table, dispute = served.table, served.dispute
    _, old = at(table.game.entries, asked.of, asked.place)
    if dispute is None:
        raise Refused("no pictures of this table are kept")
    game = table.game
    plain = RULE_SETS[table.settings.rules].wall
    faces = plain if game.rules is None else game.rules.wall.under(game.state.options)
    return await asyncio.to_thread(dispute.reread, old.entry, faces)
