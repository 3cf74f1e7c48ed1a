"""The pages of an archive in a hall: films and their progress, hands, questions.

The hall's administrators alone see them: films have names of people, and addresses of storage.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Final, Literal, cast

from fastapi import Depends, FastAPI, Path, Query, Response
from pydantic import Field
from sqlalchemy import Engine
from typing_extensions import TypedDict

from engine.errors import NotThere, Refused
from engine.rules import RULE_SETS
from service.archive.films import storage_at
from service.archive.hands_table import FoundHands, HandRow, HandSearch, PlayerRow, to_csv
from service.archive.leases import STATES
from service.archive.ledger import HOUR_S, FilmAsked, Ledger, ReadingRow, StoredResult
from service.archive.stored_names import REMOVED, made_of, with_names
from service.film.film import REPORT
from service.film.score_folder import RECORD, SHEET
from service.hall.access import in_database
from service.hall.app import interface
from service.hall.wire import RulesId
from service.pages.bodies import Number, PlayerName, RequestBody
from service.pages.request_log import add_addresses, of_app
from service.pages.requests import DoneView, file_answer, file_of
from service.report.public import Json
from service.report.questions import answer_of, choices_of
from service.table.picture_files import EVIDENCE
from service.texts.catalogue import texts_for
from service.texts.events import events_json
from service.web.language import Language
from service.web.outgoing import unawaited
from vision.given_files import read_bounded

MOST_ROWS: Final = 100
"""Rows of one answer; ``from`` asks for further ones."""
FETCH_S: Final = 15.0
"""Time limit for fetching a file from the storage of the results."""
LARGEST: Final = 20 * 1024 * 1024
_FILE: Final = re.compile(
    rf"{'|'.join(map(re.escape, (RECORD, SHEET, REPORT)))}|{EVIDENCE}/[\w.-]+\.jpg"
)
_KINDS: Final = {
    "jpg": "image/jpeg",
    "jsonl": "application/jsonl",
    "csv": "text/csv",
    "html": "text/html",
}
_TEXT: Final = 200

OfState = Annotated[Literal["waiting", "running", "done", "quarantined"] | None, Query()]
From = Annotated[int, Query(alias="from", ge=0, le=10**9)]
Word = Annotated[str | None, Query(max_length=_TEXT)]
LeastPoints = Annotated[int | None, Query(ge=-(10**6), le=10**6)]
FileName = Annotated[str, Path(max_length=_TEXT)]
assert set(STATES) == {"waiting", "running", "done", "quarantined"}


class AnswerToQuestion(RequestBody):
    """The number of a choice, counted from 1, or a tile."""

    id: Annotated[str, Field(max_length=_TEXT)]
    answer: Annotated[int, Field(ge=1, le=9)] | Annotated[str, Field(max_length=3)]


class PlayersOfFilm(RequestBody):
    """The names of seats 0 to 3; an empty one for nobody."""

    names: Annotated[list[PlayerName], Field(min_length=4, max_length=4)]


class AnswersToFilm(RequestBody):
    """A person's answers to the questions of one reading."""

    answers: Annotated[list[AnswerToQuestion], Field(min_length=1, max_length=1000)]


class ArchiveView(TypedDict):
    """How far an archive is, and some of its films in the order in which they were added."""

    hands: int
    questions: int
    films: dict[str, int]
    hours_read: float
    left_s: float | None
    rules: list[str]
    readings: list[ReadingRow]
    more: bool


@dataclass(frozen=True, kw_only=True)
class HandOfFilm(HandRow):
    pattern_titles: dict[str, str]
    has_rounds: bool


class HandsView(TypedDict):
    hands: list[HandOfFilm]
    more: bool


class FilmQuestions(TypedDict):
    reading: int
    film: str
    questions: list[Json]
    """Each choice is ``told``, too, as at a table."""


api = interface()


def add_archive(app: FastAPI, engine: Engine) -> None:
    """Add its addresses to a hall on the same database."""
    app.state.archive = Archive(Ledger(engine), FoundHands(engine))
    add_addresses(app, api)


@dataclass(frozen=True)
class Archive:
    ledger: Ledger
    hands: FoundHands


TheArchive = Annotated[Archive, of_app("archive")]


@api.get("/archive")
async def films(archive: TheArchive, state: OfState = None, start: From = 0) -> ArchiveView:
    """Tell how far the archive is, and list films in the order in which they were added.

    ``state``: films in this state alone; ``from``: how many to pass over.
    """
    counts = await in_database(archive.ledger.counts)
    readings = await in_database(archive.ledger.readings, state, start, MOST_ROWS + 1)
    return {
        "hands": counts.hands,
        "questions": counts.questions,
        "films": dict(counts.readings),
        "hours_read": round(counts.seconds_read / HOUR_S, 2),
        "left_s": await in_database(archive.ledger.time_left_s),
        "rules": await in_database(archive.hands.rules),
        "readings": readings[:MOST_ROWS],
        "more": len(readings) > MOST_ROWS,
    }


async def hand_search(
    rules: RulesId | None = None,
    player: Word = None,
    pattern: Word = None,
    points: LeastPoints = None,
    doubtful: bool | None = None,
) -> HandSearch:
    return HandSearch(rules, player or None, pattern or None, points, doubtful)


Wanted = Annotated[HandSearch, Depends(hand_search)]


@api.get("/archive/hands")
async def hands(archive: TheArchive, wanted: Wanted, lang: Language, start: From = 0) -> HandsView:
    """Search hands: by rule set, player, pattern, points won at least, doubts."""

    def searched() -> HandsView:
        rows = archive.hands.search(wanted, start, MOST_ROWS + 1)
        shown = [_hand(row, lang) for row in rows[:MOST_ROWS]]
        return {"hands": shown, "more": len(rows) > MOST_ROWS}

    return await in_database(searched)


@api.get("/archive/hands/csv", **file_answer("text/csv"))
async def download_hands(archive: TheArchive, wanted: Wanted) -> Response:
    """Download all hands of a search as comma-separated values."""
    text = await in_database(lambda: to_csv(archive.hands.search(wanted)))
    return file_of("hands.csv", text, "text/csv")


@api.get("/archive/players")
async def players(archive: TheArchive) -> list[PlayerRow]:
    """List everybody who is named in a film: hands, wins and points by rule set."""
    return await in_database(archive.hands.players)


@api.post("/archive/readings/{number}/players")
async def name_players(archive: TheArchive, number: Number, given: PlayersOfFilm) -> DoneView:
    """Name the players of a reading's film, in every reading of it."""
    await in_database(archive.ledger.name_players, number, tuple(given.names))
    return {}


@api.get("/archive/readings/{number}/files/{name:path}", **file_answer("application/octet-stream"))
async def file(archive: TheArchive, number: Number, name: FileName) -> Response:
    """Download a file of a finished reading: record, sheet, report, or a picture.

    Names are those that the film has now.
    """
    stored = await in_database(archive.ledger.stored, number)
    if stored is None or not _FILE.fullmatch(name):
        raise NotThere(f"reading {number} has no file {name!r}")
    if name == REPORT and (stored.names_stale or stored.remark == REMOVED):
        raise NotThere(f"reading {number}: {REMOVED}")
    try:
        async with asyncio.timeout(FETCH_S):
            return await unawaited(partial(_file, stored, name))
    except TimeoutError:
        raise Refused("the storage of the results does not answer; try it later") from None


@api.get("/archive/questions")
async def questions(archive: TheArchive, lang: Language) -> list[FilmQuestions]:
    """List open questions, film by film."""
    asked = archive.ledger.questions
    return await in_database(lambda: [_asked(film, lang) for film in asked(MOST_ROWS)])


@api.post("/archive/readings/{number}/answers")
async def answer(archive: TheArchive, number: Number, given: AnswersToFilm) -> DoneView:
    """Answer questions of a finished reading: the film is read again with the answers."""
    await in_database(_answer, archive.ledger, number, given.answers)
    return {}


def _hand(row: HandRow, lang: str) -> HandOfFilm:
    known = RULE_SETS.get(row.rules)
    return HandOfFilm(
        **vars(row),
        pattern_titles={name: _title(row.rules, name, lang) for name in row.patterns.split()},
        has_rounds=known is None or known.page.round,
    )


def _title(rules: str, pattern: str, lang: str) -> str:
    """What a pattern is called."""
    return texts_for(rules, lang).get(f"item.{pattern}", pattern).replace("_", " ")


def _asked(film: FilmAsked, lang: str) -> FilmQuestions:
    asked = [{**one, "choices": [*_choices(one, film, lang)]} for one in film.questions]
    return {"reading": film.reading, "film": film.film, "questions": asked}


def _choices(question: Json, film: FilmAsked, lang: str) -> Iterator[Json]:
    events_of_each = choices_of(question, f"reading {film.reading}")
    given: list[Json] = cast(list[Json], question["choices"])
    for choice, events in zip(given, events_of_each, strict=True):
        yield {**choice, "told": events_json(events, film.players, lang, film.rules)}


def _answer(ledger: Ledger, reading: int, given: list[AnswerToQuestion]) -> None:
    asked = {one["id"]: one for one in ledger.questions_of(reading)}
    answered = []
    for answer in given:
        if answer.id not in asked:
            raise NotThere(f"reading {reading} has no question {answer.id!r}")
        told = {**asked[answer.id], "answer": answer.answer}
        answer_of(told, f"question {answer.id}")
        answered.append(told)
    ledger.answer(reading, answered)


def _file(stored: StoredResult, name: str) -> Response:
    storage, source_name = storage_at(stored.address), made_of(name)
    if storage.size(source_name) > LARGEST:
        raise Refused(f"{name} is larger than {LARGEST} bytes; open it in {stored.address}")
    with storage.open(source_name) as source:
        kept = read_bounded(source, LARGEST, name)
    content = with_names(name, kept, stored.players, stored.lang)
    kind = _KINDS[name.rpartition(".")[2]]
    # A report has scripts of its own, which no page of a hall may run: it is opened as a file.
    headers = {} if kind == "image/jpeg" else {"Content-Disposition": "attachment"}
    return Response(content, media_type=kind, headers=headers)
