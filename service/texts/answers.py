"""The answers to a beginner's questions as sentences, row by row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.announce import (
    Announcement,
    GameResult,
    HandResult,
    Hint,
    NotReady,
    Payout,
    Problem,
    Ready,
)
from engine.answers import CanClaim, ClaimAnswer, ClaimKind, Happened, Refusal, WhyNot
from engine.cards import Card, Condition
from engine.events import Seat, Win
from engine.rules import RULE_SETS
from engine.rules.plans import Plan
from engine.texts.announcements import Speaker, as_sentence
from engine.texts.figures import signed
from service.texts.catalogue import texts_for
from service.texts.events import event_sentence, named
from service.texts.pages import terms_of

_KINDS: Final[Mapping[type, str]] = {
    Ready: "ready",
    NotReady: "not_ready",
    Payout: "payout",
    Problem: "problem",
    HandResult: "hand_result",
    GameResult: "game_result",
}
_ALIKE: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("not_ready", "no_ready_call", "ready_hand_fixed", "no_wait", "false_ready"), "ready"
    ),
    "hand_result": "dealer",
    "Chow": "chow",
    "Pung": "pung",
    "Kong": "kong",
}
"""What is explained like something else in every game: by the term of that name, unless a rule set
has another one for it (``RuleSet.explains``)."""
MOST_SAID: Final = 3
"""Announcements of one event that are said again."""


class Teller(Speaker):
    """Tells one seat what the rules say of its own hand."""

    def __init__(self, lang: str, names: Sequence[str], seat: Seat, rules: str) -> None:
        called = named(names, lang)
        super().__init__(lang, called, seat, rules)
        self._texts = texts_for(rules, lang)
        self._lang, self._seats, self._seat, self._rules = lang, called, seat, rules

    def word(self, key: str) -> str:
        """A sentence that names nothing."""
        return self._texts[key]

    def may_win(self, win: Win) -> str:
        return as_sentence(self._hint_win(win))

    def set_kind(self, kind: ClaimKind) -> str:
        """What a set is called, and what it is."""
        name = self._word(f"learn.sets.{kind}.name")
        return self._word("learn.sets.called", name=name, what=self._word(f"learn.sets.{kind}"))

    # --- Can I claim this? ---

    def claim(self, answer: ClaimAnswer) -> str:
        kind = self._word(f"page.drill.offer.{answer.kind}")
        if not answer.allowed:
            return self._word("teach.may_not", kind=kind, why=self._refusals(answer.refused))
        if answer.leads_to is None:
            return self._word("teach.may_yes", kind=kind)
        lost = self._some("teach.lost", "patterns", map(self._pattern, answer.lost))
        row = as_sentence(self._hint_claim(answer.leads_to))
        return self._word("teach.may", kind=row, what=lost)

    def precedence(self, told: CanClaim) -> str:
        kinds = (
            self._list(self._texts[f"teach.first.{kind}"] for kind in alike) for alike in told.first
        )
        order = self._texts["teach.then"].join(kinds)
        return self._word("teach.first", order=order, equal=self._several(told))

    def _several(self, told: CanClaim) -> str:
        """What happens where several players want the tile."""
        if told.winners < 2:
            return self._word("teach.equal.one")
        if told.called_off_at is not None:
            off = told.called_off_at
            return self._word("teach.equal.called_off", count=told.winners, off=off)
        return self._word("teach.equal.several", count=told.winners)

    # --- Why is my hand not ready, or no win? ---

    def no_win(self, told: WhyNot) -> str:
        why = self._refusals(told.refused)
        if told.tile is None:
            return self._word("teach.no_win", why=why)
        return self._word("teach.no_win_with", tile=self.tile(told.tile), why=why)

    def stands(self, told: WhyNot) -> str:
        assert told.outlook is not None, "asked for known hands only"
        if told.discard is not None:
            tile = self.tile(told.discard)
            row = self._outlook("discard", told.outlook, self._seat, tile=tile)
            return self._word("teach.best_discard", row=row)
        now = Hint(self._seat, (), self._seat, now=told.outlook)
        return as_sentence(self._hint_rows(now)[0])

    def lacking(self, told: WhyNot) -> str:
        return self._word("teach.lacking", conditions=self._list(map(self._needed, told.lacking)))

    def _needed(self, code: str) -> str:
        """A condition as what the hand still needs."""
        return self._texts.get(f"needed.{code}", code.replace("_", " "))

    # --- What am I playing for? ---

    def plan(self, plan: Plan) -> str:
        far = "teach.plan.away" if plan.distance > 0 else "teach.plan.ready"
        items = self.items(plan.items)
        opened = "" if plan.opened is None else self._word("teach.plan.opened")
        return self._word(
            "teach.plan",
            far=self._word(far, distance=plan.distance),
            patterns=self._list(items) or self._word("teach.plan.plain"),
            pays=self._pays(plan),
            opened=opened,
        )

    # --- What could my hand become? ---

    def condition(self, condition: Condition) -> str:
        key = "teach.condition.met" if condition.met else "teach.condition.lacking"
        return as_sentence(self._word(key, condition=self._needed(condition.code)))

    def card(self, card: Card) -> str:
        count = len(card.plan.needs)
        patterns = self._list(map(self._pattern, card.patterns))
        return as_sentence(self._word("teach.card", patterns=patterns, count=count))

    def _pays(self, plan: Plan) -> str:
        draw, discard = plan.by_draw, plan.by_discard
        if draw is None or discard is None:
            key = "teach.pays.draw" if discard is None else "teach.pays.discard"
            return self._word(key, points=signed(draw or discard or 0))
        return self._word("teach.pays.both", draw=signed(draw), discard=signed(discard))

    def _pattern(self, name: str) -> str:
        return self._texts.get(f"item.{name}", name.replace("_", " "))

    # --- What just happened? ---

    def happened(self, told: Happened) -> list[str]:
        event = event_sentence(told.event, self._lang, self._rules, self._seats)
        return [
            event,
            *(self.say(announcement) for announcement in told.said[-MOST_SAID:]),
            self._rule(told),
        ]

    def _rule(self, told: Happened) -> str:
        """Which rule stands behind the last announcement."""
        last = told.said[-1]
        source = last.source if isinstance(last, Problem) else RULE_SETS[self._rules].source
        kind = _kind_of(last)
        title = self._texts.get(f"rules.{self._rules}.title", self._rules)
        rule = self._texts[f"teach.rule.{kind}"]
        return self._word("teach.rule", rule=rule, title=title, source=self._source(source))

    # --- rules that forbid ---

    def _refusals(self, refused: Sequence[Refusal]) -> str:
        return self._list(map(self._refusal, refused))

    def _refusal(self, refusal: Refusal) -> str:
        values = {name: self._value(name, value) for name, value in (refusal.values or {}).items()}
        code = refusal.code
        own, missing = self._texts.get(f"refusal.{code}"), self._texts.get(f"missing.{code}")
        if own is not None:
            said = self._word(f"refusal.{code}", **values)
        elif missing is not None:
            said = missing
        else:
            said = self._happened(code, {**values, "seat": self.seat(self._seat)})
        if not refusal.source:
            return said
        return self._word("teach.by_rule", said=said, source=self._source(refusal.source))


def term_of(told: Happened, rules: str) -> str | None:
    """The term of the glossary that explains the rule behind the last announcement, if one does."""
    last = told.said[-1]
    keys: tuple[str, ...] = (_kind_of(last),)
    if isinstance(last, Problem):
        keys = () if last.impossible else (last.code, type(told.event).__name__)
    own, has = RULE_SETS[rules].explains, terms_of(RULE_SETS[rules])
    alike = (_ALIKE.get(key, key) for key in keys)
    wanted = (own.get(key) or own.get(same, same) for key, same in zip(keys, alike, strict=True))
    return next((term for term in wanted if term in has), None)


def _kind_of(said: Announcement) -> str:
    return next(name for kind, name in _KINDS.items() if isinstance(said, kind))
