"""Answering the reader's questions from the truth."""

from __future__ import annotations

import pytest
from games.answers import right_choice

from engine.events import Discard, Entry, Event
from engine.tiles import Tile
from vision.decoder.question import AnswerChoice, EventPlace, Question

FIVE, SIX, NINE = (Discard(1, Tile(tile)) for tile in ("5m", "6m", "9m"))
TRUE = [Entry(Discard(1, Tile("6m"), drawn=True), t=20.0), Entry(NINE, t=40.0)]


def asked(*choices: tuple[Event, ...], time_s: float = 21.0) -> Question:
    place = EventPlace("put", time_s, 10.0, 20.0)
    return Question(place, tuple(AnswerChoice(events, 0.4) for events in choices), 3)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (asked((FIVE,), (SIX,)), (SIX,)),
        (asked((FIVE,), (NINE,)), (SIX,)),  # nine happened, but not then: the tile is named
        (asked((FIVE,), ()), None),
        (asked((SIX, NINE), (SIX,), time_s=38.0), None),
        (asked((SIX,), (NINE,), time_s=38.0), (NINE,)),
    ],
)
def test_the_choice_that_happened_is_the_answer(
    question: Question, answer: tuple[Event, ...] | None
) -> None:
    assert right_choice(question, TRUE) == answer
