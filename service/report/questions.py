"""The questions of a scored game: in its report, and in a file that a person answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from reprlib import repr as short
from typing import Any, Final, TypeGuard

from engine.codec import entry_from_json, event_to_json
from engine.errors import Refused
from engine.events import Correct, Discard, Entry, Event, Indicator
from engine.fields import Unreadable
from engine.game import Game, replay
from engine.play import ordered
from engine.texts.figures import clock
from engine.tiles import UNKNOWN, NotATile, Tile
from service.report.pages import jpeg_address
from service.report.public import Json
from service.report.saved_views import SavedQuestion
from service.texts.catalogue import texts_of
from service.texts.events import event_text, events_json
from service.texts.second_reading import reasons
from vision.decoder.question import Answer, AnswerChoice, EventPlace, Question, as_read
from vision.given_files import read_given

NOTHING: Final = "page.questions.nothing_happened"
_LARGEST: Final = 4 * 1024 * 1024
_FORM: Final = (
    'expected the questions.json of a scored game with its "answer" fields filled in: '
    "the number of a choice, a tile, or a list of events"
)


def asked_of(
    rows: Sequence[Json],
    video: str,
    made_with: Mapping[str, str] = {},
    answers: Sequence[Answer] = (),
) -> Json:
    """The content of the file: every question with its choices, and a place for the answer.

    ``made_with``: fingerprints of the film and the options. ``answers``: those that were given
    before; who scores again needs them too.
    """
    before = [
        {"id": answer.place.id, "answer": [event_to_json(event) for event in answer.events]}
        for answer in answers
    ]
    return {
        "video": video,
        "made_with": dict(made_with),
        "answered": before,
        "questions": list(rows),
    }


def question_rows(
    questions: Sequence[Question],
    entries: Sequence[Entry],
    lang: str = "en",
    upright: Mapping[str, str] = {},
) -> list[Json]:
    """Each question as the file has it; ``upright`` names pictures of its tiles, by its id."""
    game = replay(entries)
    state, why = game.state, reasons(game, lang)
    rows = [
        _question(question, entries, state.names, lang, state.rules)
        | {"tiles": upright.get(question.id)}
        for question in questions
    ]
    return [row | _reason(row, why) for row in rows]


def _reason(row: Json, why: Mapping[int, str]) -> Json:
    number = row["number"]
    assert isinstance(number, int), "rows name their event"
    return {"why": why[number]} if number in why else {}


def wordless(asked: Json) -> Json:
    """A question without its texts, which may hold names of people."""
    choices = asked.get("choices", [])
    assert isinstance(choices, list)
    bare = [{key: choice[key] for key in choice if key != "text"} for choice in choices]
    return {**asked, "choices": bare}


def worded(asked: Json, names: Sequence[str], lang: str, rules: str) -> Json:
    """A question with its texts, as ``question_rows`` gives it; raises ``Refused``."""
    events = choices_of(asked, f"question {asked.get('id')}")
    bare = wordless(asked)["choices"]
    assert isinstance(bare, list)
    choices = [
        {**one, "text": choice_text(each, names, lang, rules)}
        for one, each in zip(bare, events, strict=True)
    ]
    return {**asked, "choices": choices}


def choice_text(
    events: Sequence[Event], names: Sequence[str], lang: str = "en", rules: str = ""
) -> str:
    """The text of a choice."""
    texts = (event_text(event, names, lang, rules) for event in events)
    return "; ".join(texts) or texts_of(lang)[NOTHING]


def _question(
    question: Question, entries: Sequence[Entry], names: Sequence[str], lang: str, rules: str
) -> Json:
    number = event_number(question, entries)
    # An unseen event has no picture: the next event's shows the table at that time.
    said = (entry.evidence for entry in entries[number:])
    # Of an event that nobody saw, or of which no picture was kept, it names none.
    shown = (name for name in said if isinstance(name, str) and name.endswith(".jpg"))
    return {
        "id": question.id,
        "number": number,
        "t": question.place.time_s,
        "picture": next(shown, None),
        "choices": [
            {
                "events": [event_to_json(event) for event in choice.events],
                "text": choice_text(choice.events, names, lang, rules),
                "share": round(choice.share, 3),
            }
            for choice in question.choices
        ],
        "answer": None,
    }


def event_number(question: Question, entries: Sequence[Entry]) -> int:
    """Which of the events is doubtful: those before it may have become more or fewer.

    As in ``Question.number`` the first discard whose face is unknown, else the last event.
    """
    change, likely = question.place.happening.id, question.choices[0].events
    here = [at for at, entry in enumerate(entries) if entry.change == change]
    asked = [at for at in here if as_read(entries[at].event) in likely]
    for at in asked:
        event = entries[at].event
        if isinstance(event, Discard) and event.tile == UNKNOWN:
            return at
    return max(asked or here, default=question.number)


def question_of_row(asked: Mapping[str, Any]) -> Question:
    """A question of the file as it was asked, without where its tiles lie; raises ``Refused``."""
    name, where = str(asked.get("id")), f"question {asked.get('id')}"
    place = EventPlace.of_id(name)
    events = choices_of(asked, where)
    if place is None or not events:
        raise Refused(f"{where}: {_FORM}")
    change = name if place.seat is None else name.rpartition("@")[0]
    shares = [float(choice.get("share", 0.0)) for choice in asked["choices"]]
    choices = tuple(map(AnswerChoice, events, shares))
    return Question(replace(place, change=change), choices, int(asked.get("number", 0)))


@dataclass(frozen=True)
class AnswersFile:
    """A file of questions, some of them answered."""

    asked: tuple[Json, ...]
    """The questions."""
    rows: tuple[tuple[Json, Answer], ...]
    """The answered ones, and those that were answered before, each as it stands there too."""
    made_with: Mapping[str, str]
    """Fingerprints of the film and the options; none in files of other programs."""

    @classmethod
    def read(cls, path: Path) -> AnswersFile:
        """Raises ``Refused``."""
        try:
            given = json.loads(read_given(path, _LARGEST))
        except FileNotFoundError:
            raise Refused(f"there is no file of answers {path}") from None
        except (ValueError, RecursionError):
            raise Refused(f"{path} is no file of answers: {_FORM}") from None
        given = given if isinstance(given, dict) else {}
        before, asked = given.get("answered", []), given.get("questions")
        made_with = given.get("made_with", {})
        if not (_are_rows(before) and _are_rows(asked) and isinstance(made_with, dict)):
            raise Refused(f"{path} is no file of answers: {_FORM}")
        rows = [
            (one, answer_of(one, f"{path}: question {number}"))
            for number, one in enumerate([*asked, *before], start=1)
            if one.get("answer") is not None
        ]
        return cls(tuple(asked), tuple(rows), made_with)

    @property
    def answers(self) -> tuple[Answer, ...]:
        return tuple(answer for _, answer in self.rows)


def _are_rows(value: object) -> TypeGuard[list[Json]]:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def answer_of(asked: Mapping[str, object], where: str) -> Answer:
    """Read one answer with its choices; raises ``Refused``."""
    name = asked.get("id")
    place = EventPlace.of_id(name) if isinstance(name, str) else None
    if place is None:
        raise Refused(f"{where}: expected the id of a question, got {short(name)}")
    return Answer(place, _events(asked, where))


def _events(asked: Mapping[str, object], where: str) -> tuple[Event, ...]:
    answer = asked.get("answer")
    choices = choices_of(asked, where)
    match answer:
        case bool():
            pass
        case int() if 1 <= answer <= len(choices):
            return choices[answer - 1]
        case str() if choices:
            return _with_tile(choices, answer, where)
        case list():
            return _read(answer, where)
        case _:
            pass
    raise Refused(f"{where}: {short(answer)} answers nothing: {_FORM}")


def choices_of(asked: Mapping[str, object], where: str) -> list[tuple[Event, ...]]:
    """The events of each choice of a question; raises ``Refused``."""
    choices = asked.get("choices", [])
    if not isinstance(choices, list) or not all(isinstance(choice, dict) for choice in choices):
        raise Refused(f'{where}: expected "choices" to be a list of objects')
    return [_read(choice.get("events"), where) for choice in choices]


def _read(value: object, where: str) -> tuple[Event, ...]:
    if not isinstance(value, list):
        raise Refused(f"{where}: expected a list of events, got {short(value)}")
    try:
        events = tuple(entry_from_json(one).event for one in value)
    except Unreadable as error:
        raise Refused(f"{where}: {error}") from None
    if any(isinstance(event, Correct) for event in events):
        raise Refused(f"{where}: a correction is no answer")
    return events


@dataclass(frozen=True)
class DoubtfulTile:
    """The one event of a choice whose tile is asked."""

    place: int
    event: Discard | Indicator


def _with_tile(choices: Sequence[tuple[Event, ...]], name: str, where: str) -> tuple[Event, ...]:
    """The first choice with another tile in the doubtful event."""
    try:
        tile = Tile(name)
    except NotATile as error:
        raise Refused(f"{where}: {error}") from None
    found = doubtful_tile(choices)
    if found is None:
        raise Refused(f"{where}: more than a tile is asked; give the number of a choice")
    first = choices[0]
    said = replace(found.event, tile=tile)
    return (*first[: found.place], said, *first[found.place + 1 :])


def doubtful_tile(choices: Sequence[tuple[Event, ...]]) -> DoubtfulTile | None:
    """The one tile in which the choices differ; None where they differ in more."""
    first = choices[0]
    for place, event in enumerate(first):
        others = [other[place] for other in choices[1:] if len(other) == len(first)]
        if isinstance(event, Discard | Indicator) and any(other != event for other in others):
            return DoubtfulTile(place, event)
    return None


def report_questions(
    asked: Json,
    pictures: Mapping[int, bytes],
    tiles: Mapping[str, bytes],
    game: Game,
    lang: str,
) -> list[SavedQuestion]:
    """The questions of a file; ``pictures`` are JPEG files by the number of their event.

    ``tiles``: pictures of the tiles that are asked, by the question's id.
    """
    questions = asked.get("questions", [])
    assert isinstance(questions, list), "a file of questions holds a list of them"
    return [
        _question_view(question, pictures, tiles.get(question["id"]), game, lang)
        for question in questions
    ]


def _question_view(
    one: Mapping[str, Any],
    pictures: Mapping[int, bytes],
    upright: bytes | None,
    game: Game,
    lang: str,
) -> SavedQuestion:
    choices = choices_of(one, "questions")
    shares = [choice["share"] for choice in one["choices"]]
    shown = next((pictures[at] for at in sorted(pictures) if at >= one["number"]), None)
    tiles = {} if game.rules is None else game.rules.wall.under(game.state.options)
    names, rules = game.state.names, game.state.rules
    return {
        "number": one["number"],
        "time": clock(one["t"]),
        "picture": jpeg_address(shown),
        "upright": jpeg_address(upright),
        "why": one.get("why"),
        "choices": [
            {
                "told": events_json(events, names, lang, rules) or [texts_of(lang)[NOTHING]],
                "percent": round(100 * share),
            }
            for events, share in zip(choices, shares, strict=True)
        ],
        "tiles": [] if doubtful_tile(choices) is None else list(map(str, ordered(list(tiles)))),
    }
