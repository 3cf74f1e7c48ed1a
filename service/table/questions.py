"""The reader's questions for pages, and the corrections that follow from an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol, runtime_checkable

from engine.events import Correct, Entry, Event
from engine.game import Game
from engine.log import StandingEvent, standing
from engine.visibility import event_seen
from service.report.public import Json, names_of
from service.table.correction_lines import NotThere
from service.table.reader import QuestionSource, SettlingReader
from service.words.events import events_json
from vision.decoder.question import Answer, AnswerChoice, EventPlace, Question

NEAR_S: Final = 3.0
"""Seconds within which an event lies from the time of its question."""


@runtime_checkable
class QuestionReader(QuestionSource, SettlingReader, Protocol):
    """A reader that asks where the video does not decide."""


class OpenQuestions:
    """The open questions of one table."""

    def __init__(self, reader: QuestionReader, since_s: float = 0.0) -> None:
        """``since_s`` is the start of the reader's clock in the time of the record."""
        self.reader = reader
        self._since_s = since_s
        self._answered: list[EventPlace] = []

    def open(self, game: Game) -> list[Question]:
        """The questions that everybody may see, in order of play."""
        return [
            question
            for question in self.reader.questions
            if not any(place.same(question.place) for place in self._answered)
            and all(
                event_seen(event, game.state, game.rules, None) == event
                for event in _events(question)
            )
        ]

    def told(self, game: Game) -> list[Json]:
        """The questions as JSON: likely readings in all languages, the likeliest first."""
        names, rules = names_of(game.state), game.state.rules
        return [
            {
                "id": question.id,
                "t": self.moment_s(question.place.time_s),
                "choices": [_choice(choice, names, rules) for choice in question.choices],
            }
            for question in self.open(game)
        ]

    def question(self, game: Game, name: str) -> Question:
        """Return an open question; raises ``NotThere``."""
        for question in self.open(game):
            if question.id == name:
                return question
        raise NotThere("this question is closed; look at the questions again")

    def moment_s(self, time_s: float) -> float:
        """A time of the reader in the time of the record."""
        return round(self._since_s + time_s, 2)

    def lines(self, game: Game, question: Question, choice: AnswerChoice) -> list[Entry]:
        """Corrections that make the record agree with the answer.

        Where the record does not hold the doubtful event, only the reader goes on otherwise.
        """
        if choice.events == question.choices[0].events:
            return []
        found = self._recorded(game, question)
        if not found:
            return []
        lines = []
        for place, old in enumerate(found):
            events = choice.events if place == 0 else ()
            said = tuple(
                replace(old.entry, event=event, confidence=None, source="person")
                for event in events
            )
            lines.append(Entry(Correct(old.number, said), t=old.entry.t, source="person"))
        return lines

    def settle(self, question: Question, choice: AnswerChoice, written: bool = False) -> None:
        """Close the question; pass the answer on unless the reader takes it as ``written``."""
        self._answered.append(question.place)
        if not written:
            self.reader.answer(Answer(question.place, choice.events))

    def _recorded(self, game: Game, question: Question) -> list[StandingEvent]:
        """The doubtful events, each alone on its line; empty where one is not."""
        events = standing(game.entries)
        moment_s = self.moment_s(question.place.time_s)
        found = []
        for event in question.choices[0].events:
            near = [
                each for each in events if each.entry.event == event and _is_near(each, moment_s)
            ]
            if not near or sum(each.number == near[0].number for each in events) > 1:
                return []
            found.append(min(near, key=lambda each: abs((each.entry.t or 0.0) - moment_s)))
        return found


def _events(question: Question) -> list[Event]:
    return [event for choice in question.choices for event in choice.events]


def _is_near(event: StandingEvent, moment_s: float) -> bool:
    return event.entry.t is not None and abs(event.entry.t - moment_s) <= NEAR_S


def _choice(choice: AnswerChoice, names: Sequence[str], rules: str) -> Json:
    said = events_json(choice.events, names, rules)
    return {"told": said, "share": round(choice.share, 2), "nothing": not choice.events}
