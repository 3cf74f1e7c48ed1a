"""A beginner's questions and the answers of the rules, as pages show them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, Literal, NotRequired

from typing_extensions import TypedDict

from engine.announce import Wait
from engine.answers import ClaimAnswer, can_claim, playing_for, what_happened, why_not
from engine.events import Seat
from engine.played import PlayedEvent
from engine.rules.base import RuleSet
from engine.rules.plans import Plan
from engine.state import State
from engine.tiles import Tile
from service.drill import TileCount
from service.report.public import names_of
from service.texts.answers import Teller, term_of
from service.texts.files import LANGUAGES

Question = Literal["claim", "hand", "plans", "happened"]
QUESTIONS: Final[tuple[Question, ...]] = ("claim", "hand", "plans", "happened")
Mark = Literal["yes", "no", "note"]


class AnswerRow(TypedDict):
    """One line of an answer: a set or a finished hand, the tiles it wants, and a sentence."""

    mark: Mark
    shown: list[str]
    wanted: list[TileCount]
    texts: dict[str, str]
    term: NotRequired[str]
    """The term of the glossary that explains the rule."""


class AnswerShown(TypedDict):
    question: Question
    rows: list[AnswerRow]


def answered(question: Question, events: Sequence[PlayedEvent], seat: Seat) -> AnswerShown:
    """Answer by what this seat knew after these events; takes up to a fiftieth of a second."""
    rows: list[AnswerRow] = []
    if events and events[-1].rules is not None:
        state, rules = events[-1].state, events[-1].rules
        asked = _Asked(rules, state, seat)
        match question:
            case "claim":
                rows = list(asked.claims())
            case "hand":
                rows = list(asked.hand())
            case "plans":
                rows = list(asked.plans())
            case "happened":
                rows = list(asked.happened(events))
    return {"question": question, "rows": rows}


class _Asked:
    def __init__(self, rules: RuleSet, state: State, seat: Seat) -> None:
        self._rules, self._state, self._seat = rules, state, seat
        names = names_of(state)
        self._tellers = {lang: Teller(lang, names, seat, rules.id) for lang in LANGUAGES}

    def _row(
        self,
        mark: Mark,
        say: Callable[[Teller], str],
        shown: Sequence[Tile] = (),
        wanted: Sequence[Wait] = (),
    ) -> AnswerRow:
        return {
            "mark": mark,
            "shown": [str(tile) for tile in shown],
            "wanted": [{"tile": str(wait.tile), "left": wait.left} for wait in wanted],
            "texts": {lang: say(teller) for lang, teller in self._tellers.items()},
        }

    def _word(self, key: str) -> AnswerRow:
        return self._row("note", lambda teller: teller.word(key))

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
            yield self._row(mark, partial(_claim, answer), shown, wanted)
        yield self._row("note", lambda teller: teller.precedence(told))

    def hand(self) -> Iterator[AnswerRow]:
        told = why_not(self._rules, self._state, self._seat)
        if told.outlook is None:
            yield self._word("teach.hidden")
            return
        if told.win is not None:
            win = told.win
            yield self._row("yes", lambda teller: teller.may_win(win), (win.tile,))
        elif told.refused:
            tiles = () if told.tile is None else (told.tile,)
            yield self._row("no", lambda teller: teller.no_win(told), tiles)
        seen = told.outlook
        hint = self._rules.hint(self._state, self._seat)
        copies = {wait.tile: wait for wait in hint.copies}
        wanted = seen.waits or [copies[tile] for tile in seen.useful if tile in copies]
        mark: Mark = "yes" if seen.waits else "no"
        shown = () if told.discard is None else (told.discard,)
        yield self._row(mark, lambda teller: teller.stands(told), shown, wanted)
        if told.lacking:
            yield self._row("no", lambda teller: teller.lacking(told))

    def plans(self) -> Iterator[AnswerRow]:
        if not self._state.players[self._seat].known:
            yield self._word("teach.hidden")
            return
        told = playing_for(self._rules, self._state, self._seat)
        for plan in told:
            tiles = (*plan.tiles, *(plan.opened.tiles if plan.opened is not None else ()))
            yield self._row("note", partial(_plan, plan), tiles, plan.needs)
        if not told:
            yield self._word("teach.no_plan")

    def happened(self, events: Sequence[PlayedEvent]) -> Iterator[AnswerRow]:
        told = what_happened(events, self._seat)
        if told is None:
            yield self._word("teach.nothing_yet")
            return
        said = {lang: teller.happened(told) for lang, teller in self._tellers.items()}
        rows = list(noted(said))
        term = term_of(told, self._rules.id)
        if term is not None:
            rows[-1]["term"] = term
        yield from rows


def noted(said: Mapping[str, Sequence[str]]) -> Iterator[AnswerRow]:
    """Sentences as rows; ``said`` has them by language."""
    for at in range(len(said["en"])):
        texts = {lang: rows[at] for lang, rows in said.items()}
        yield {"mark": "note", "shown": [], "wanted": [], "texts": texts}


def _claim(answer: ClaimAnswer, teller: Teller) -> str:
    return teller.claim(answer)


def _plan(plan: Plan, teller: Teller) -> str:
    return teller.plan(plan)
