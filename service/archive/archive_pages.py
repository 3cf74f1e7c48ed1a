"""The pages of an archive in a hall: films and their progress, hands, questions.

The hall's administrators alone see them: films have names of people, and addresses of storage.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Final, Literal, cast

from fastapi import FastAPI, Path, Query, Response
from pydantic import Field
from sqlalchemy import Engine

from engine.rules import RULE_SETS
from service.archive.hands_table import FoundHands, HandSearch, to_csv
from service.archive.leases import STATES
from service.archive.ledger import HOUR_S, FilmAsked, Ledger
from service.archive.storage import storage_at
from service.archive.stored_names import REMOVED
from service.errors import NotThere, Refused
from service.hall.access import in_database
from service.hall.request_bodies import RulesId
from service.hall.routes import Routes, file_of
from service.outgoing import unawaited
from service.pages.api_bodies import Number, PlayerName, RequestBody
from service.pages.api_v1 import Example
from service.report.public import Json
from service.report.questions import answer_of, choices_of
from service.scoring.film import REPORT
from service.static_pages import html_page
from service.words.catalogue import rules_titles, words_for
from service.words.events import events_json
from service.words.files import LANGUAGES
from vision.given_files import read_bounded

MOST_ROWS: Final = 100
"""Rows of one answer; ``from`` asks for further ones."""
FETCH_S: Final = 15.0
"""Time limit for fetching a file from the storage of the results."""
LARGEST: Final = 20 * 1024 * 1024
_FILE: Final = re.compile(r"record\.jsonl|sheet\.csv|report\.html|evidence/[\w.-]+\.jpg")
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


_ARCHIVE: Final = Example(
    {
        "hands": 2100,
        "questions": 14,
        "films": {"waiting": 3, "running": 2, "done": 95, "quarantined": 0},
        "hours_read": 88.4,
        "left_s": 4200.0,
        "rules": [],
        "readings": [],
        "more": False,
    }
)
_FOUND: Final = Example({"hands": [], "more": False})
_PLAYED: Final = Example({"players": []})
_NAMED: Final = Example(
    {"reading": 12, "names": ["Anna", "Bo", "", "Dana"]}, {"names": ["Anna", "Bo", "", "Dana"]}
)
_ASKED: Final = Example({"films": [{"reading": 12, "film": "friday.mp4", "questions": []}]})
_ANSWERED: Final = Example(
    {"reading": 12, "answers": 1}, {"answers": [{"id": "put@51.1@130,12", "answer": 1}]}
)


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


def add_archive(app: FastAPI, engine: Engine) -> None:
    """Add the page and its addresses to a hall on the same database."""
    route, ledger, found = Routes(app), Ledger(engine), FoundHands(engine)

    @app.get("/archive", include_in_schema=False)
    def page() -> Response:
        return html_page("archive.html")

    @route("GET", "archive", admin=True, example=_ARCHIVE)
    async def archive(state: OfState = None, start: From = 0) -> Json:
        """Tell how far the archive is, and list films in the order in which they were added.

        ``state``: films in this state alone; ``from``: how many to pass over.
        """
        counts = await in_database(ledger.counts)
        films = await in_database(ledger.readings, state, start, MOST_ROWS + 1)
        played = await in_database(found.rules)
        told = {"hands": counts.hands, "questions": counts.questions, "films": counts.readings}
        left_s = await in_database(ledger.time_left_s)
        return told | {
            "hours_read": round(counts.seconds_read / HOUR_S, 2),
            "left_s": left_s,
            "rules": [{"rules": one, "rules_titles": rules_titles(one)} for one in played],
            "readings": [vars(film) for film in films[:MOST_ROWS]],
            "more": len(films) > MOST_ROWS,
        }

    _hands(route, found)
    _players(route, ledger, found)
    _questions(route, ledger)

    @route("GET", "archive/readings/{number}/files/{name:path}", admin=True)
    async def file(number: Number, name: FileName) -> Response:
        """Download a file of a finished reading: record, sheet, report, or a picture."""
        result = await in_database(ledger.result_of, number)
        if name == REPORT and await in_database(ledger.remark_of, number) == REMOVED:
            raise NotThere(f"reading {number}: {REMOVED}")
        try:
            async with asyncio.timeout(FETCH_S):
                return await unawaited(partial(_file, result, number, name))
        except TimeoutError:
            raise Refused("the storage of the results does not answer; try it later") from None


def _hands(route: Routes, found: FoundHands) -> None:
    @route("GET", "archive/hands", admin=True, example=_FOUND)
    async def hands(
        rules: RulesId | None = None,
        player: Word = None,
        pattern: Word = None,
        points: LeastPoints = None,
        doubtful: bool | None = None,
        start: From = 0,
    ) -> Json:
        """Search hands: by rule set, player, pattern, points won at least, doubts."""
        asked = HandSearch(rules, player or None, pattern or None, points, doubtful)

        def searched() -> Json:
            rows = found.search(asked, start, MOST_ROWS + 1)
            more = len(rows) > MOST_ROWS
            return {"hands": [_hand(vars(row)) for row in rows[:MOST_ROWS]], "more": more}

        return await in_database(searched)

    @route("GET", "archive/hands/csv", admin=True)
    async def download(
        rules: RulesId | None = None,
        player: Word = None,
        pattern: Word = None,
        points: LeastPoints = None,
        doubtful: bool | None = None,
    ) -> Response:
        """Download all hands of a search as comma-separated values."""
        asked = HandSearch(rules, player or None, pattern or None, points, doubtful)
        text = await in_database(lambda: to_csv(found.search(asked)))
        return file_of("hands.csv", text, "text/csv")


def _players(route: Routes, ledger: Ledger, found: FoundHands) -> None:
    @route("GET", "archive/players", admin=True, example=_PLAYED)
    async def players() -> Json:
        """List everybody who is named in a film: hands, wins and points by rule set."""
        rows = await in_database(found.players)
        return {"players": [{**vars(row), "rules_titles": rules_titles(row.rules)} for row in rows]}

    @route("POST", "archive/readings/{number}/players", admin=True, example=_NAMED)
    async def name(number: Number, given: PlayersOfFilm) -> Json:
        """Name the players of a reading's film, in every reading of it."""
        names = tuple(given.names)
        await in_database(ledger.name_players, number, names)
        return {"reading": number, "names": names}


def _hand(row: Mapping[str, Any]) -> Json:
    rules = row["rules"]
    titles = {name: _pattern_titles(rules, name) for name in row["patterns"].split()}
    known = RULE_SETS.get(rules)
    return {
        **row,
        "rules_titles": rules_titles(rules),
        "pattern_titles": titles,
        "has_rounds": known is None or known.page.round,
    }


def _pattern_titles(rules: str, name: str) -> Json:
    """What a pattern is called in every language."""
    said = {lang: words_for(rules, lang).get(f"item.{name}", name) for lang in LANGUAGES}
    return {lang: text.replace("_", " ") for lang, text in said.items()}


def _questions(route: Routes, ledger: Ledger) -> None:
    @route("GET", "archive/questions", admin=True, example=_ASKED)
    async def questions() -> Json:
        """List open questions, film by film."""
        films = await in_database(lambda: [*map(_asked, ledger.questions(MOST_ROWS))])
        return {"films": films}

    @route("POST", "archive/readings/{number}/answers", admin=True, example=_ANSWERED)
    async def answer(number: Number, given: AnswersToFilm) -> Json:
        """Answer questions of a finished reading: the film is read again with the answers."""
        await in_database(_answer, ledger, number, given.answers)
        return {"reading": number, "answers": len(given.answers)}


def _asked(film: FilmAsked) -> Json:
    """Each choice is ``told`` in every language, too, as at a table."""
    return {
        "reading": film.reading,
        "film": film.film,
        "questions": [
            {**question, "choices": [*_choices(question, film)]} for question in film.questions
        ],
    }


def _choices(question: Json, film: FilmAsked) -> Iterator[Json]:
    events_of_each = choices_of(question, f"reading {film.reading}")
    given: list[Json] = cast(list[Json], question["choices"])
    for choice, events in zip(given, events_of_each, strict=True):
        yield {**choice, "told": events_json(events, film.players, film.rules)}


def _answer(ledger: Ledger, reading: int, given: list[AnswerToQuestion]) -> None:
    asked = {one["id"]: one for one in ledger.questions_of(reading)}
    answered = []
    for one in given:
        if one.id not in asked:
            raise NotThere(f"reading {reading} has no question {one.id!r}")
        told = {**asked[one.id], "answer": one.answer}
        answer_of(told, f"question {one.id}")
        answered.append(told)
    ledger.answer(reading, answered)


def _file(result: str | None, reading: int, name: str) -> Response:
    if result is None or not _FILE.fullmatch(name):
        raise NotThere(f"reading {reading} has no file {name!r}")
    storage = storage_at(result)
    if storage.size(name) > LARGEST:
        raise Refused(f"{name} is larger than {LARGEST} bytes; open it in {result}")
    with storage.open(name) as source:
        content = read_bounded(source, LARGEST, name)
    kind = _KINDS[name.rpartition(".")[2]]
    # A report has scripts of its own, which no page of a hall may run: it is opened as a file.
    headers = {} if kind == "image/jpeg" else {"Content-Disposition": "attachment"}
    return Response(content, media_type=kind, headers=headers)
