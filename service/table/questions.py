"""The reader's questions for pages, and the corrections that follow from an answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from engine.events import Correct, Entry
from engine.game import Game
from engine.log import StandingEvent, standing
from engine.visibility import event_seen
from service.errors import NotThere
from service.report.public import Json, names_of
from service.words.events import events_json
from vision.decoder.question import AnswerChoice, Question


def open_questions(
    questions: Sequence[Question], game: Game, answered: Collection[str]
) -> list[Question]:
    """The questions that everybody may see and nobody has answered, in order of play."""
    return [
        question
        for question in questions
        if question.id not in answered
        and all(
            event_seen(event, game.state, game.rules, None) == event
            for choice in question.choices
            for event in choice.events
        )
    ]


def question_of(questions: Sequence[Question], name: str) -> Question:
    """Return an open question; raises ``NotThere``."""
    for question in questions:
        if question.id == name:
            return question
    raise NotThere("this question is closed; look at the questions again")


def questions_json(questions: Sequence[Question], game: Game) -> list[Json]:
    """The questions as JSON: likely readings in all languages, the likeliest first."""
    names, rules = names_of(game.state), game.state.rules
    return [
        {
            "id": question.id,
            "t": question.place.time_s,
            "choices": [_choice(choice, names, rules) for choice in question.choices],
        }
        for question in questions
    ]


def answer_lines(entries: Sequence[Entry], question: Question, choice: AnswerChoice) -> list[Entry]:
    """Corrections that make the record agree with an answer.

    None where it agrees already, and where it does not hold the doubtful events.
    """
    if choice.events == question.choices[0].events:
        return []
    lines = []
    for place, old in enumerate(_recorded(entries, question)):
        events = choice.events if place == 0 else ()
        said = tuple(
            replace(old.entry, event=event, confidence=None, source="person") for event in events
        )
        lines.append(Entry(Correct(old.number, said), t=old.entry.t, source="person"))
    return lines


def _recorded(entries: Sequence[Entry], question: Question) -> list[StandingEvent]:
    """The doubtful events, each alone on its line; empty where one is not."""
    events = standing(entries)
    change = question.place.happening.id
    asked = [one for one in events if one.entry.change == change]
    found: list[StandingEvent] = []
    for event in question.choices[0].events:
        here = next((one for one in asked if one.entry.event == event and one not in found), None)
        if here is None or sum(one.number == here.number for one in events) > 1:
            return []
        found.append(here)
    return found


def _choice(choice: AnswerChoice, names: Sequence[str], rules: str) -> Json:
    said = events_json(choice.events, names, rules)
    return {"told": said, "share": round(choice.share, 2), "nothing": not choice.events}
