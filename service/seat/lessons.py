"""Lessons and a beginner's questions, as pages show them."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final, Literal, NotRequired, cast

from fastapi import Query
from typing_extensions import TypedDict

from engine.announce import Payout, Wait
from engine.answers import ClaimKind, can_claim, playing_for, what_happened, why_not
from engine.cards import cards
from engine.codec import read_record
from engine.events import Seat
from engine.game import replay
from engine.lessons import (
    TOPICS,
    Answered,
    Choice,
    Exercise,
    Lesson,
    Result,
    form_after,
    lesson,
    next_topic,
    tries_of,
)
from engine.played import PlayedEvent
from engine.rules import GAMES
from engine.rules.base import RuleSet
from engine.state import State
from engine.texts.announcements import Speaker, as_sentence, item_texts
from engine.texts.figures import plain
from engine.tiles import Tile
from service.machine.files import write_whole
from service.report.public import PublicTable, names_of, public_table
from service.table.view import TilesLeftView
from service.texts.answers import Teller, term_of
from service.texts.catalogue import rules_title, texts_for
from vision.given_files import read_given

Question = Literal["claim", "hand", "plans", "cards", "happened"]
QUESTIONS: Final[tuple[Question, ...]] = ("claim", "hand", "plans", "cards", "happened")
Mark = Literal["yes", "no", "note"]


class AnswerRow(TypedDict):
    """One line of an answer: a set or a finished hand, the tiles it wants, and a sentence."""

    mark: Mark
    shown: list[str]
    wanted: list[TilesLeftView]
    text: str
    term: NotRequired[str]
    """The term of the glossary that explains the rule."""
    patterns: NotRequired[list[str]]
    """Of which the hand could become one, by their names."""


class AnswerView(TypedDict):
    question: Question
    rows: list[AnswerRow]


def answered(
    question: Question, events: Sequence[PlayedEvent], seat: Seat, lang: str
) -> AnswerView:
    """Answer by what this seat knew after these events.

    It takes up to a fiftieth of a second, with cards up to half a second.
    """
    rows: list[AnswerRow] = []
    if events and events[-1].rules is not None:
        state, rules = events[-1].state, events[-1].rules
        asked = _Asked(rules, state, seat, lang)
        match question:
            case "claim":
                rows = list(asked.claims())
            case "hand":
                rows = list(asked.hand())
            case "plans":
                rows = list(asked.plans())
            case "cards":
                rows = list(asked.cards())
            case "happened":
                rows = list(asked.happened(events))
    return {"question": question, "rows": rows}


class _Asked:
    def __init__(self, rules: RuleSet, state: State, seat: Seat, lang: str) -> None:
        self._rules, self._state, self._seat = rules, state, seat
        self._teller = Teller(lang, names_of(state), seat, rules.id)

    def _row(
        self,
        mark: Mark,
        text: str,
        shown: Sequence[Tile] = (),
        wanted: Sequence[Wait] = (),
    ) -> AnswerRow:
        return {
            "mark": mark,
            "shown": [str(tile) for tile in shown],
            "wanted": [{"tile": str(wait.tile), "left": wait.left} for wait in wanted],
            "text": text,
        }

    def _word(self, key: str) -> AnswerRow:
        return self._row("note", self._teller.word(key))

    def _unseen(self) -> AnswerRow:
        """Why nothing is told of the hand: a flower is laid open first, or nobody has seen it."""
        if not self._state.players[self._seat].holds_flower:
            return self._word("teach.hidden")
        hint = self._rules.hint(self._state, self._seat)
        if hint.flower is None:
            return self._word("page.seat.flower_later")
        return self._row("note", as_sentence(self._teller.sentence(hint)), (hint.flower,))

    def claims(self) -> Iterator[AnswerRow]:
        told = can_claim(self._rules, self._state, self._seat)
        if told.tile is None:
            yield self._word("teach.nothing_to_claim")
            return
        for answer in told.answers:
            own = tuple(getattr(answer.claim, "own", None) or ())
            shown = (*own, told.tile) if answer.allowed else ()
            wanted = () if answer.leads_to is None else answer.leads_to.waits
            mark: Mark = "yes" if answer.allowed else "no"
            yield self._row(mark, self._teller.claim(answer), shown, wanted)
        yield self._row("note", self._teller.precedence(told))

    def hand(self) -> Iterator[AnswerRow]:
        told = why_not(self._rules, self._state, self._seat)
        if told.outlook is None:
            yield self._unseen()
            return
        if told.win is not None:
            yield self._row("yes", self._teller.may_win(told.win), (told.win.tile,))
        elif told.refused:
            tiles = () if told.tile is None else (told.tile,)
            yield self._row("no", self._teller.no_win(told), tiles)
        seen = told.outlook
        hint = self._rules.hint(self._state, self._seat)
        copies = {wait.tile: wait for wait in hint.copies}
        wanted = seen.waits or [copies[tile] for tile in seen.useful if tile in copies]
        mark: Mark = "yes" if seen.waits else "no"
        shown = () if told.discard is None else (told.discard,)
        yield self._row(mark, self._teller.stands(told), shown, wanted)
        if told.lacking:
            yield self._row("no", self._teller.lacking(told))

    def plans(self) -> Iterator[AnswerRow]:
        if not self._state.players[self._seat].known:
            yield self._unseen()
            return
        told = playing_for(self._rules, self._state, self._seat)
        for plan in told:
            tiles = (*plan.tiles, *(plan.opened.tiles if plan.opened is not None else ()))
            yield self._row("note", self._teller.plan(plan), tiles, plan.needs)
        if not told:
            yield self._word("teach.no_plan")

    def cards(self) -> Iterator[AnswerRow]:
        """What the game asks of every hand, and the patterns that this one could become."""
        if not self._state.players[self._seat].known:
            yield self._word("teach.hidden")
            return
        told = cards(self._rules, self._state, self._seat)
        for condition in told.conditions:
            mark: Mark = "yes" if condition.met else "no"
            yield self._row(mark, self._teller.condition(condition))
        for card in told.cards:
            row = self._row("note", self._teller.card(card), card.held, card.plan.needs)
            yield {**row, "patterns": list(card.patterns)}
        if not told.cards and not told.conditions:
            yield self._word("teach.no_plan")

    def happened(self, events: Sequence[PlayedEvent]) -> Iterator[AnswerRow]:
        told = what_happened(events, self._seat)
        if told is None:
            yield self._word("teach.nothing_yet")
            return
        rows = noted(self._teller.happened(told))
        term = term_of(told, self._rules.id)
        if term is not None:
            rows[-1]["term"] = term
        yield from rows


def noted(sentences: Iterable[str]) -> list[AnswerRow]:
    """Sentences as rows."""
    return [{"mark": "note", "shown": [], "wanted": [], "text": text} for text in sentences]


_RECORDS: Final = files("service") / "games"
_LARGEST: Final = 4096
EXPLAINED_BY: Final[dict[str, Question]] = {
    "distance": "hand",
    "useful": "hand",
    "discard": "hand",
    "waits": "hand",
    "claim": "claim",
    "refused": "claim",
    "first": "claim",
    "missing": "hand",
    "win": "hand",
    "dealer": "happened",
}
"""The question whose answer explains the right choice."""
SETS_TOLD: Final[Mapping[str, Sequence[ClaimKind]]] = {
    "set": ("chow",),
    "kind": ("chow", "pung", "kong"),
}
"""The sets whose meaning explains it."""


_PLAIN: Final = {"yes": "page.lessons.yes", "no": "page.lessons.no"}
_JUDGED: Final = {"yes": "page.lessons.said.yes", "no": "page.lessons.said.no"}
"""Where an answer is judged."""


NOT_OF_HAND: Final = frozenset({"set", "kind", "pattern", "points", "payer", "dealer"})
"""Topics whose questions show all the tiles that they are about, or ask about none."""
OF_HAND_ALONE: Final = frozenset(
    {"set", "kind", "distance", "useful", "discard", "waits", "missing"}
)
"""Those for which nothing else at the table counts."""


class ExerciseChoiceView(TypedDict):
    name: str
    tile: str | None
    text: str


class ExerciseView(TypedDict):
    """A question with its right answers; ``why`` explains them row by row."""

    topic: str
    asks_hand: bool
    asks_table: bool
    tries: int
    """How many times the topic was answered wrongly before."""
    said: ExerciseChoiceView | None
    """The answer that is to be judged with yes or no."""
    seat: int
    table: PublicTable
    hand: list[str]
    drawn: str | None
    shown: list[str]
    choices: list[ExerciseChoiceView]
    right: list[str]
    why: list[AnswerRow]


class LessonView(TypedDict):
    """The lesson of one game, and what it asks now."""

    rules: str
    games: dict[str, str]
    """The title of every game that has a lesson, by its rules."""
    topics: list[str]
    """Those that it asks about, in order: what the host set first, then easy ones first."""
    asked: ExerciseView | None
    """None at the end."""
    set: list[str]
    """Topics that the host set for the evening."""
    may_set: bool


def game_of(rules: str) -> str:
    """The game whose lesson suits a rule set: its own, or that of which it is a variant."""
    ids = [game.id for game in GAMES]
    alike = (game for game in ids if rules.startswith(game))
    return next(alike, ids[0])


def played_game(game: str) -> bytes:
    """The record of which the lessons of a game are made."""
    return lzma.decompress((_RECORDS / f"{game}.jsonl.xz").read_bytes())


@cache
def _lesson_played(game: str) -> tuple[Sequence[PlayedEvent], Lesson]:
    """The events of a game's record and the exercises made of them, for every language."""
    played = replay(read_record(played_game(game).decode())).played
    return played, lesson(played)


@cache
def lesson_of(game: str, lang: str) -> Mapping[str, tuple[ExerciseView, ...]]:
    """The exercises of each topic of a game in a language; made once."""
    played, exercises = _lesson_played(game)
    return {
        topic: tuple(_shown(exercise, played, lang) for exercise in forms)
        for topic, forms in exercises.items()
    }


def games(lang: str, *others: str) -> dict[str, str]:
    """The title of each game that has a lesson, and of these others, by its rules."""
    return {rules: rules_title(rules, lang) for rules in (*(game.id for game in GAMES), *others)}


LONGEST_GIVEN: Final = 16_000
"""Letters: a thousand answers."""
Given = Annotated[
    str,
    Query(pattern=r"^([a-z]+:(right|wrong|passed)(,|$))*$", max_length=LONGEST_GIVEN),
]
"""What was answered in a lesson, in order: ``set:right,kind:wrong``."""


def lesson_view(
    game: str,
    lang: str,
    given: str = "",
    topic: str = "",
    *,
    topics: Sequence[str] = (),
    may_set: bool = False,
) -> LessonView:
    """The lesson of a game after these answers; with a topic it asks about that one."""
    forms = lesson_of(game, lang)
    order = sorted(forms, key=lambda each: each not in topics)
    pairs = (pair.split(":") for pair in given.split(",") if pair)
    answers = [Answered(of, cast(Result, result)) for of, result in pairs]
    now = topic if topic in forms else next_topic(order, answers)
    question: ExerciseView | None = None
    if now is not None:
        tries = tries_of(now, answers)
        question = {**form_after(forms[now], tries), "tries": tries}
    return {
        "rules": game,
        "games": games(lang),
        "topics": order,
        "asked": question,
        "set": list(topics),
        "may_set": may_set,
    }


def _shown(exercise: Exercise, played: Sequence[PlayedEvent], lang: str) -> ExerciseView:
    state, seat = played[exercise.at].state, exercise.seat
    player = state.players[seat]
    return {
        "topic": exercise.topic,
        "asks_hand": exercise.topic not in NOT_OF_HAND,
        "asks_table": exercise.topic not in OF_HAND_ALONE,
        "tries": 0,
        "said": None if exercise.said is None else _said(exercise.said, state, lang),
        "seat": seat,
        "table": public_table(state, names_of(state)),
        "hand": [str(tile) for tile in player.hand],
        "drawn": None if player.drawn is None else str(player.drawn),
        "shown": [str(tile) for tile in exercise.shown],
        "choices": [
            _choice(choice, state, lang, exercise.said is not None) for choice in exercise.choices
        ],
        "right": list(exercise.right),
        "why": _why(exercise, played, lang),
    }


def _choice(choice: Choice, state: State, lang: str, judges: bool = False) -> ExerciseChoiceView:
    if choice.seat is not None:
        text = names_of(state)[choice.seat]
    elif choice.number is not None:
        text = plain(choice.number)
    else:
        plain_words = _JUDGED if judges else _PLAIN
        key = plain_words.get(choice.name, choice.text)
        text = texts_for(state.rules, lang).get(key, choice.name.replace("_", " "))
    tile = None if choice.tile is None else str(choice.tile)
    return {"name": choice.name, "tile": tile, "text": text}


def _said(choice: Choice, state: State, lang: str) -> ExerciseChoiceView:
    """An answer in words, a tile too."""
    shown = _choice(choice, state, lang)
    if choice.tile is not None:
        shown["text"] = Speaker(lang, names_of(state), rules=state.rules).tile(choice.tile)
    return shown


def _why(exercise: Exercise, played: Sequence[PlayedEvent], lang: str) -> list[AnswerRow]:
    question = EXPLAINED_BY.get(exercise.topic)
    if question is not None:
        return answered(question, played[: exercise.at + 1], exercise.seat, lang)["rows"]
    step = played[exercise.at]
    state = step.state
    teller = Teller(lang, names_of(state), exercise.seat, state.rules)
    if exercise.topic in SETS_TOLD:
        return noted(map(teller.set_kind, SETS_TOLD[exercise.topic]))
    payouts = [each for each in step.announcements if isinstance(each, Payout)]
    if exercise.topic == "payer":
        return noted(line for payout in payouts for line in teller.explained(payout))
    names = step.state.names
    told = (item_texts(payout.items, lang, state.rules, names) for payout in payouts)
    return noted(line for lines in told for line in lines)


class SetLesson:
    """What the host set for the evening: topics, kept in the folder of the records."""

    def __init__(self, folder: Path | None) -> None:
        self._file = None if folder is None else folder / ".lesson.json"

    @property
    def topics(self) -> list[str]:
        if self._file is None or not self._file.is_file():
            return []
        try:
            kept = json.loads(read_given(self._file, _LARGEST))
        except (OSError, ValueError):
            return []
        return known_topics(kept if isinstance(kept, list) else ())

    def change(self, topics: Iterable[str]) -> list[str]:
        """Keep these topics; raises ``OSError``."""
        kept = known_topics(topics)
        if self._file is not None:
            write_whole(self._file, json.dumps(kept))
        return kept


def known_topics(named: Iterable[object]) -> list[str]:
    """Those that there are, in order."""
    wanted = set(map(str, named))
    return [topic for topic, _, _ in TOPICS if topic in wanted]
