"""Answers the decoder's questions as a witness of the game would, and checks what is left."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from games.recorded import RecordedDecoder

from engine.events import Chow, Discard, Entry, Event, Indicator, Kong, Pung
from vision.compare import compare
from vision.decoder.question import Answer, Question

ROUNDS: Final = 12  # most questions that are answered: an answer may raise another one
NEAR_S: Final = 4.0  # a question is about true events within this time of it


def answered(decoder: RecordedDecoder, true: Sequence[Entry]) -> bool:
    """Return whether nothing is left to correct after every question has been answered rightly.

    ``decoder`` is not changed.
    """
    helped = copy.deepcopy(decoder)
    asked: set[str] = set()
    for _ in range(ROUNDS):
        question = next((one for one in helped.questions() if one.id not in asked), None)
        if question is None:
            break
        asked.add(question.id)
        events = right_choice(question, true)
        if events is not None:
            helped.answer(Answer(question.place, events))
    helped.close()
    report = compare(true, helped.entries)
    right = report.paid_right == len(report.hands)
    return right and not report.missing and not report.extra


def right_choice(question: Question, true: Sequence[Entry]) -> tuple[Event, ...] | None:
    """Return the right choice of a question, or a named tile; None if neither answers it."""
    near = [
        plain(entry.event)
        for entry in true
        if entry.t is not None and abs(entry.t - question.place.time_s) < NEAR_S
    ]
    right = [
        choice.events
        for choice in question.choices
        if choice.events and all(plain(event) in near for event in choice.events)
    ]
    # The choice with more true events is better: a discard with a claim of readiness.
    return max(right, key=len, default=None) or _with_tile_named(question, near)


def _with_tile_named(question: Question, near: Sequence[Event]) -> tuple[Event, ...] | None:
    """Return the first choice with its one wrong tile named, as a person may answer."""
    first = question.choices[0].events
    wrong = [at for at, event in enumerate(first) if plain(event) not in near]
    if len(wrong) != 1:
        return None
    place, event = wrong[0], first[wrong[0]]
    if not isinstance(event, Discard | Indicator):
        return None
    alike = [choice.events for choice in question.choices if len(choice.events) == len(first)]
    if all(events[place] == event for events in alike):
        return None  # the question is not about the tile
    others = [plain(other) for other in first]
    for true in near:
        if isinstance(true, Discard | Indicator) and true not in others:
            named = replace(event, tile=true.tile)
            if plain(named) == true:
                return (*first[:place], named, *first[place + 1 :])
    return None


def plain(event: Event) -> Event:
    """Return the event without what no camera sees."""
    match event:
        case Discard():
            return replace(event, drawn=None)
        case Chow(own=own) | Pung(own=own):
            return replace(event, own=(min(own), max(own)))
        case Kong():
            return replace(event, own=None)
        case _:
            return event
