"""The reader's questions for pages, their pictures, and what follows from an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from typing_extensions import TypedDict

from engine.errors import NotThere
from engine.events import Correct, Discard, Entry, Event, GameStart, HandStart
from engine.game import Game
from engine.log import EventInForce, in_force
from engine.updates import change_of
from engine.visibility import event_seen
from service.report.public import names_of
from service.texts.events import Parts, events_json, question_text
from service.texts.second_reading import reasons
from vision.camera.pictures import Picture
from vision.decoder.pin import Pins
from vision.decoder.question import (
    AnswerChoice,
    EventPlace,
    Question,
    as_read,
    told_as,
)
from vision.decoder.questions import SURE
from vision.draw import around, resized, with_rings
from vision.tiles.rectify import rectify


def open_questions(questions: Sequence[Question], game: Game, pins: Pins) -> list[Question]:
    """The questions that everybody may see and nobody has answered, in order of play."""
    return [
        question
        for question in questions
        if not pins.settle(question.place)
        and all(
            event_seen(event, game.state, game.rules, None) == event
            for choice in question.choices
            for event in choice.events
        )
    ]


def swapped(game: Game, since: int, pins: Pins, asked: Sequence[Question]) -> list[Question]:
    """A question for each discard of this hand that was read surely, and later as surely as another
    tile: somebody may have swapped it, and no camera sees under an arm.

    The record tells what lies there now. What the reader asks itself is not asked twice, nor what
    stands before line ``since``.
    """
    places = {one.place.happening.id for one in asked}
    found = []
    for played in reversed(game.played):
        one = played.event
        if one.number < since or isinstance(one.entry.event, HandStart):
            break
        was, now = _surely(game.entries[one.number]), _surely(one.entry)
        if was is None or now is None or was == now or replace(was, tile=now.tile) != now:
            continue
        place = EventPlace.of_id(change_of(game.entries, one))
        if place is not None and place.happening.id not in places and not pins.settle(place):
            choices = tuple(AnswerChoice((event,), 0.5) for event in (now, was))
            found.append(Question(place, choices, one.number))
    return found[::-1]


def _surely(entry: Entry) -> Discard | None:
    """The discard that the reader told by this line, surer of it than of what it asks."""
    event = as_read(entry.event)
    sure = entry.source == "camera" and (entry.confidence or 0.0) > SURE
    return event if sure and isinstance(event, Discard) and event.tile.known else None


def question_of(questions: Sequence[Question], name: str) -> Question:
    """Return an open question; raises ``NotThere``."""
    for question in questions:
        if question.id == name:
            return question
    raise NotThere("this question is closed; look at the questions again")


class ChoiceView(TypedDict):
    told: Parts
    share: float
    nothing: bool
    """Whether it says that nothing happened."""
    deltas: list[int] | None
    """What the hand changes for each seat if it was so; None where no choice changes that, and
    before the hand is over."""


class QuestionView(TypedDict):
    id: str
    t: float
    of: tuple[int, int] | None
    """Line and place of the doubtful event: what is no choice is entered there. None where the
    record does not hold it."""
    choices: list[ChoiceView]
    opens: bool
    """Whether it is asked at once: about this game, and much hangs on it. What is doubtful of
    earlier ones, or moves little, waits until somebody looks."""
    asks: str
    why: str | None
    """What else was read when the payout was read a second time; None where nothing was."""
    spoken: str
    """How it is asked aloud, with its answers."""


def questions_json(questions: Sequence[Question], game: Game, lang: str) -> list[QuestionView]:
    """The questions as JSON: likely readings, the likeliest first."""
    why = reasons(game, lang) if questions else {}
    return [_shown(question, game, lang, why) for question in questions]


def _shown(question: Question, game: Game, lang: str, why: Mapping[int, str]) -> QuestionView:
    names, rules = names_of(game.state), game.state.rules
    choices = [choice.events for choice in question.choices]
    asks, spoken = question_text(choices, names, lang, rules)
    at = _place_of(question, game.entries)
    paid = _paid_by_choice(question, game, at)
    told = [events_json(choice, names, lang, rules) for choice in choices]
    reason = None if at is None else why.get(at[0])
    return {
        "id": question.id,
        "t": question.place.time_s,
        "of": at,
        "choices": [
            {
                "told": said,
                "share": round(choice.share, 2),
                "nothing": not choice.events,
                "deltas": None if paid is None else paid[number],
            }
            for number, (choice, said) in enumerate(zip(question.choices, told, strict=True))
        ],
        "opens": question.interrupts and _is_of_last_game(question, at, game.entries),
        "asks": asks,
        "why": reason,
        "spoken": spoken if reason is None else f"{reason} {spoken}",
    }


def answer_lines(entries: Sequence[Entry], question: Question, choice: AnswerChoice) -> list[Entry]:
    """Corrections by which the record holds an answer, also one that it agreed with before.

    None if the record does not hold the doubtful events.
    """
    confirmed = choice.events == question.choices[0].events
    events, asked = in_force(entries), _recorded(entries, question)
    lines = []
    for number in dict.fromkeys(event.number for event in asked):
        written: list[Entry] = []
        for event in (event for event in events if event.number == number):
            old = event.entry
            said: Sequence[Event] = (old.event,) if confirmed else ()
            if event == asked[0] and not confirmed:
                said = [told_as(one, old.event) for one in choice.events]
            person = (replace(old, event=one, confidence=None, source="person") for one in said)
            written += person if event in asked else (old,)
        time_s = next(event.entry.t for event in asked if event.number == number)
        lines.append(Entry(Correct(number, tuple(written)), t=time_s, source="person"))
    return lines


def _recorded(entries: Sequence[Entry], question: Question) -> list[EventInForce]:
    """The doubtful events in the record; empty where it lacks one."""
    change = question.place.happening.id
    here = [event for event in in_force(entries) if change_of(entries, event) == change]
    found: list[EventInForce] = []
    for asked in question.choices[0].events:
        alike = (
            event for event in here if as_read(event.entry.event) == asked and event not in found
        )
        one = next(alike, None)
        if one is None:
            return []
        found.append(one)
    return found


def _place_of(question: Question, entries: Sequence[Entry]) -> tuple[int, int] | None:
    recorded = _recorded(entries, question)
    if not recorded:
        return None
    number = recorded[0].number
    line = [event for event in in_force(entries) if event.number == number]
    return number, line.index(recorded[0])


def _is_of_last_game(
    question: Question, at: tuple[int, int] | None, entries: Sequence[Entry]
) -> bool:
    """Whether a question is about the last game of a record. What the record does not hold, since
    likely nothing happened, is of the game that was played then."""
    starts = (event for event in in_force(entries) if isinstance(event.entry.event, GameStart))
    last = max(starts, key=lambda event: event.number, default=None)
    if last is None:
        return True
    if at is not None:
        return at[0] >= last.number
    return last.entry.t is None or question.place.time_s >= last.entry.t


def _paid_by_choice(
    question: Question, game: Game, at: tuple[int, int] | None
) -> list[list[int]] | None:
    """What the hand that is over changes for each seat by each choice; None where all choices pay
    the same."""
    lines = game.state.history.entries
    if not game.state.hand_over or at is None or not lines or at[0] < lines[0][0]:
        return None
    paid = [
        game.with_lines(*answer_lines(game.entries, question, choice)).state.paid
        for choice in question.choices
    ]
    return None if all(one == paid[0] for one in paid) else [list(one) for one in paid]


UPRIGHT_PX: Final = (124, 165)
"""Width and height of one tile with what lies beside it; the tile itself is 100 wide."""
BESIDE: Final = 0.12
"""What is shown on each side of a tile, in sides of the tile."""
IN_A_ROW: Final = 4
"""More tiles, such as a whole hand, fill rows of seven."""
GAP_PX: Final = 8
GROUND_BGR: Final = (40, 40, 40)
MARGIN_TILES: Final = 3.0
"""Margin around the ringed tiles, in tile widths: their neighbours tell how they lie."""
RING_TILES: Final = 0.9
"""Radius of a ring, in tile widths."""
OVERVIEW_PX: Final = 480


def upright(image_bgr: Picture, question: Question) -> Picture | None:
    """The tiles that a question is about, side by side; None where none shows its face."""
    tiles = [
        rectify(image_bgr, tile.corners_px(image_bgr), UPRIGHT_PX, BESIDE, cv2.INTER_LANCZOS4)
        for tile in question.tiles
        if tile.face_up
    ]
    if not tiles:
        return None
    columns = len(tiles) if len(tiles) <= IN_A_ROW else min(len(tiles), 7)
    rows = -(-len(tiles) // columns)
    width, height = (side + GAP_PX for side in UPRIGHT_PX)
    sheet = np.full((rows * height - GAP_PX, columns * width - GAP_PX, 3), GROUND_BGR, np.uint8)
    for place, tile in enumerate(tiles):
        row, column = divmod(place, columns)
        y, x = row * height, column * width
        sheet[y : y + UPRIGHT_PX[1], x : x + UPRIGHT_PX[0]] = tile
    return sheet


def overview(image_bgr: Picture, question: Question) -> Picture:
    """Where the tiles lie, each in a ring; the whole picture where no tile shows it."""
    drawn = image_bgr
    if question.tiles:
        corners = [tile.corners_px(image_bgr) for tile in question.tiles]
        middles = np.array([outline.mean(axis=0) for outline in corners])
        tile_px = float(np.median([np.linalg.norm(corner[1] - corner[0]) for corner in corners]))
        drawn = with_rings(drawn, middles, RING_TILES * tile_px)
        drawn = around(drawn, [middles], MARGIN_TILES * tile_px)
    return resized(drawn, OVERVIEW_PX / drawn.shape[1])
