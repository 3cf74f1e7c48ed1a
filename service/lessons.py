"""Lessons: short exercises of each game, of hands that ship with the program."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from typing_extensions import TypedDict

from engine.announce import Payout
from engine.codec import read_record
from engine.game import replay
from engine.lessons import TOPICS, Choice, Exercise, exercises
from engine.played import PlayedEvent
from engine.rules import GAMES
from service.files import write_whole
from service.report.public import PublicTable, names_of, public_table, seat_names
from service.teacher import AnswerRow, Question, answered, noted
from service.texts.announcements import item_texts
from service.texts.catalogue import rules_titles, texts_for
from service.texts.figures import plain
from service.texts.files import LANGUAGES
from vision.given_files import read_given

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
}
"""The question whose answer explains the right choice."""


_PLAIN: Final = {"yes": "page.lessons.yes", "no": "page.lessons.no"}


class ChoiceShown(TypedDict):
    name: str
    tile: str | None
    texts: dict[str, str]


class ExerciseShown(TypedDict):
    """A question with its right answers; ``why`` explains them row by row."""

    topic: str
    seat: int
    table: PublicTable
    hand: list[str]
    drawn: str | None
    shown: list[str]
    choices: list[ChoiceShown]
    right: list[str]
    why: list[AnswerRow]


class GameTitled(TypedDict):
    rules: str
    titles: dict[str, str]


class LessonShown(TypedDict):
    """The exercises of one game, easy ones first."""

    rules: str
    games: list[GameTitled]
    """Every game that has a lesson, with its titles."""
    exercises: list[ExerciseShown]
    set: list[str]
    """Topics that the host set for the evening."""
    may_set: bool


def game_of(rules: str) -> str:
    """The game whose lesson suits a rule set: its own, or that of which it is a variant."""
    ids = [game.id for game in GAMES]
    alike = (game for game in ids if rules.startswith(game))
    return next(alike, ids[0])


@cache
def lesson_of(game: str) -> tuple[ExerciseShown, ...]:
    """The exercises of a game; made once, in half a second."""
    written = lzma.decompress((_RECORDS / f"{game}.jsonl.xz").read_bytes()).decode()
    played = replay(read_record(written)).played
    return tuple(_shown(exercise, played) for exercise in exercises(played))


def games() -> list[GameTitled]:
    return [{"rules": game.id, "titles": rules_titles(game.id)} for game in GAMES]


def _shown(exercise: Exercise, played: Sequence[PlayedEvent]) -> ExerciseShown:
    state, seat = played[exercise.at].state, exercise.seat
    player = state.players[seat]
    return {
        "topic": exercise.topic,
        "seat": seat,
        "table": public_table(state, names_of(state)),
        "hand": [str(tile) for tile in player.hand],
        "drawn": None if player.drawn is None else str(player.drawn),
        "shown": [str(tile) for tile in exercise.shown],
        "choices": [_choice(choice, state.rules, state.names) for choice in exercise.choices],
        "right": list(exercise.right),
        "why": _why(exercise, played),
    }


def _choice(choice: Choice, rules: str, names: Sequence[str]) -> ChoiceShown:
    def text(lang: str) -> str:
        if choice.seat is not None:
            return seat_names(names)[choice.seat]
        if choice.number is not None:
            return plain(choice.number)
        key = _PLAIN.get(choice.name, choice.text)
        return texts_for(rules, lang).get(key, choice.name.replace("_", " "))

    tile = None if choice.tile is None else str(choice.tile)
    return {"name": choice.name, "tile": tile, "texts": {lang: text(lang) for lang in LANGUAGES}}


def _why(exercise: Exercise, played: Sequence[PlayedEvent]) -> list[AnswerRow]:
    question = EXPLAINED_BY.get(exercise.topic)
    if question is not None:
        return answered(question, played[: exercise.at + 1], exercise.seat)["rows"]
    step = played[exercise.at]
    rules, names = step.state.rules, step.state.names
    rows: list[AnswerRow] = []
    for payout in step.announcements:
        if isinstance(payout, Payout):
            rows += noted(
                {lang: item_texts(payout.items, lang, rules, names) for lang in LANGUAGES}
            )
    return rows


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
