"""A rehearsal: people do what cards say, and what was told of it is compared with the cards.

It is a short game with an ordinary record. The figures say no more than its own counts carry: of a
share that was seen so many times, the least that it is with 95 % confidence.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.resources import files
from statistics import median
from typing import Any, Final

from engine.events import (
    Chow,
    Claim,
    Discard,
    DrawnHand,
    Entry,
    Event,
    Flower,
    Foul,
    HandEnd,
    Kong,
    Pung,
    Reveal,
    Win,
)
from engine.log import in_force, last_correction
from engine.rules.base import RuleSet
from engine.tiles import UNKNOWN, Tile

COMMON: Final = "engine"
FILE: Final = "rehearsal.toml"
CONFIDENCE: Final = 0.95
LONGEST_S: Final = 600.0
"""The longest time that a card may ask for."""
MOST_ASKED: Final = 99
"""Events of one kind that a card may ask for."""
_KINDS: Final[Sequence[tuple[str, tuple[type[Event], ...]]]] = (
    ("discard", (Discard,)),
    ("chow", (Chow,)),
    ("pung", (Pung,)),
    ("kong", (Kong,)),
    ("flower", (Flower,)),
    ("open_hand", (Win, Reveal)),
    ("drawn_hand", (DrawnHand,)),
    ("foul", (Foul,)),
    ("hand_end", (HandEnd,)),
)
"""What is counted; a deal, a draw, dice and indicators follow from what people do."""
READY: Final = "ready"
"""Readiness that is called with a discard or a claim; it is counted beside that."""
KINDS: Final = frozenset((READY, *(name for name, _ in _KINDS)))

BY_CHANCE: Final = frozenset(("flower",))
"""Kinds that come with the tiles: whoever draws a flower lays it, whatever a card says."""
OF_NO_SEAT: Final = frozenset(("drawn_hand", "hand_end"))
"""Kinds that the whole table does."""


class NotACard(ValueError):
    """A file of cards cannot be read."""


@dataclass(frozen=True)
class RehearsalCard:
    """What people are asked to do, and what is to be told of it."""

    id: str
    say: Mapping[str, str]
    """By language; one that is missing is said in English."""
    each: Mapping[str, int] = field(default_factory=dict)
    """By kind, how often it is told of every seat."""
    told: Mapping[str, int] = field(default_factory=dict)
    """By kind, how often it is told in all."""
    may: frozenset[str] = frozenset()
    """Kinds that may be told besides, and are not counted."""
    last: bool = False
    """It ends the hand, so cards that are added come before it."""
    lasts_s: float = 0.0
    """It was done if it took so long: where nothing is to be told, nothing else shows it."""

    @property
    def asks(self) -> frozenset[str]:
        """The kinds that are to be told."""
        return frozenset((*self.each, *self.told))

    def text(self, lang: str) -> str:
        """A variant of a language, such as ``en-native``, says it as the language does."""
        return self.say.get(lang) or self.say.get(lang.partition("-")[0]) or self.say["en"]


def cards_of(rules: RuleSet, *added: RehearsalCard) -> tuple[RehearsalCard, ...]:
    """The cards of one game: the common ones, its own, and those of a club.

    A later card takes the place of an earlier one of the same id. Raises ``NotACard`` for one that
    asks for what the game does not have: it could never be told.
    """
    found = {card.id: card for card in _cards_in(COMMON)}
    for card in (*_cards_in(rules.texts), *added):
        found[card.id] = card
    lacking = _lacking(rules)
    for card in found.values():
        if strange := sorted(card.asks & lacking):
            raise NotACard(
                f"card {card.id!r} asks for {strange[0]}, which {rules.id} does not have"
            )
    chance = BY_CHANCE - lacking
    cards = (_with_chance(card, chance) for card in found.values())
    return tuple(sorted(cards, key=lambda card: card.last))


def _with_chance(card: RehearsalCard, chance: frozenset[str]) -> RehearsalCard:
    """What comes with the tiles may be told wherever tiles are drawn and discarded."""
    played = "discard" in card.asks | card.may
    return replace(card, may=card.may | (chance - card.asks)) if played else card


def _lacking(rules: RuleSet) -> frozenset[str]:
    """The kinds that no hand of a game can have, whatever its house rules."""
    told = ({}, *({one.name: value} for one in rules.options for value in one.values))
    has = {
        "chow": rules.claims.chows,
        "flower": any(rules.wall.flowers(rules.all_options(one)) for one in told),
        READY: bool(rules.judge.ready_calls),
    }
    return frozenset(kind for kind, there in has.items() if not there)


def _cards_in(package: str) -> tuple[RehearsalCard, ...]:
    file = files(package).joinpath(FILE)
    return read_cards(file.read_text("utf-8"), f"{package}/{FILE}") if file.is_file() else ()


def read_cards(text: str, name: str) -> tuple[RehearsalCard, ...]:
    """Read a file of cards; raises ``NotACard``, which names the file and the card."""
    try:
        rows = tomllib.loads(text).get("card", [])
    except (ValueError, RecursionError) as error:  # a number may be too long, a list too deep
        raise NotACard(f"{name} is no file of cards: {error}") from None
    if not isinstance(rows, list) or not rows:
        raise NotACard(f"{name} has no [[card]]")
    cards = [_card(row, f"{name}, card {number}") for number, row in enumerate(rows, 1)]
    twice = [one for one, count in Counter(card.id for card in cards).items() if count > 1]
    if twice:
        raise NotACard(f"{name} has two cards {twice[0]!r}")
    return tuple(cards)


def _card(row: Any, name: str) -> RehearsalCard:
    known = {"id", "say", "each", "told", "may", "last", "lasts_s"}
    if not isinstance(row, dict) or not isinstance(row.get("id"), str) or not row["id"]:
        raise NotACard(f"{name} has no id")
    if strange := sorted(row.keys() - known):
        raise NotACard(f"{name} has an unknown key {strange[0]!r}; known are {sorted(known)}")
    say = row.get("say")
    if not isinstance(say, dict) or not all(isinstance(one, str) for one in say.values()):
        raise NotACard(f'{name} needs texts by language, such as say.en = "..."')
    if not say.get("en"):
        raise NotACard(f'{name} needs a text in English: say.en = "..."')
    may, last = row.get("may", []), row.get("last", False)
    if not isinstance(may, list) or not isinstance(last, bool):
        raise NotACard(f"{name}: may is a list of kinds, last is true or false")
    each, told = (_counts(row.get(key, {}), f"{name}, {key}") for key in ("each", "told"))
    for kind in may:
        _known_kind(kind, f"{name}, may")
    if twice := sorted(each.keys() & told.keys()):
        raise NotACard(f"{name} asks for {twice[0]} of every seat and in all; expected one of them")
    if nobody := sorted(each.keys() & OF_NO_SEAT):
        raise NotACard(f"{name}: no seat does {nobody[0]}; expected it in told")
    lasts_s = row.get("lasts_s", 0)
    if type(lasts_s) not in (int, float) or not 0 <= lasts_s <= LONGEST_S:
        raise NotACard(f"{name}: lasts_s is 0 to {LONGEST_S:g} seconds")
    return RehearsalCard(row["id"], say, each, told, frozenset(may), last, float(lasts_s))


def _counts(given: Any, name: str) -> Mapping[str, int]:
    if not isinstance(given, dict):
        raise NotACard(f"{name} expects numbers by kind, such as {{ discard = 3 }}")
    for kind, count in given.items():
        _known_kind(kind, name)
        if type(count) is not int or not 1 <= count <= MOST_ASKED:
            raise NotACard(f"{name}: expected 1 to {MOST_ASKED} of {kind}, got {count!r}")
    return given


def _known_kind(kind: object, name: str) -> None:
    if not isinstance(kind, str) or kind not in KINDS:
        raise NotACard(f"{name}: there is no kind {kind!r}; known are {', '.join(sorted(KINDS))}")


# --- what was told ---


@dataclass(frozen=True)
class CardDone:
    """When people did what a card says, in seconds of the record."""

    card: str
    from_s: float
    until_s: float


@dataclass(frozen=True)
class CardResult:
    """One card beside what was told while it was done."""

    card: str
    expected: int
    right: int
    """How many of the expected events were told."""
    missing: Mapping[str, int]
    """By kind, what was not told."""
    extra: Mapping[str, int]
    """By kind, what was told and did not happen."""

    @property
    def of(self) -> int:
        """How many things could be told right or wrong: silence, where it is right, is one."""
        return max(1, self.expected + sum(self.extra.values()))

    @property
    def good(self) -> int:
        return self.right if self.expected else int(not self.extra)


@dataclass(frozen=True)
class Share:
    """How many of how many were right."""

    right: int
    of: int

    @property
    def at_least(self) -> float:
        """The share that is right at least, with 95 % confidence (Clopper and Pearson)."""
        return at_least(self.right, self.of)


@cache
def at_least(right: int, of: int, confidence: float = CONFIDENCE) -> float:
    """The one-sided lower bound of a share, by which ``right`` or more of ``of`` are seen with a
    probability of 5 % or what else the confidence leaves; 0 where nothing was seen."""
    if right <= 0:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(50):
        share = (low + high) / 2
        low, high = (share, high) if _tail(right, of, share) < 1 - confidence else (low, share)
    return low


def _tail(right: int, of: int, share: float) -> float:
    """The probability of ``right`` or more of ``of``, each with this share.

    In logarithms: what so many can be chosen in is larger than any float.
    """
    if share * (of + 1) > right:  # not on the far side of the largest term: not small
        return 1.0 - _tail(of - right + 1, of, 1.0 - share) if right else 1.0
    choices = math.lgamma(of + 1) - math.lgamma(right + 1) - math.lgamma(of - right + 1)
    term = math.exp(choices + right * math.log(share) + (of - right) * math.log1p(-share))
    total, odds = term, share / (1 - share)
    for k in range(right, of):
        term *= (of - k) / (k + 1) * odds
        total += term
        if term < total * 1e-17:  # each further one is smaller
            break
    return total


@dataclass(frozen=True)
class Grade:
    """What a table is good for, and what its rehearsal must have shown for that."""

    name: str
    events: float
    """The least share of events that are told right, with 95 % confidence."""
    faces: float
    """The same of the kinds of the set."""
    delay_s: float
    """The longest time in which half of what happens is told."""


GOLD: Final = Grade("gold", 0.83, 0.88, 5.0)
"""Payouts may be announced without a look."""
SILVER: Final = Grade("silver", 0.65, 0.75, 15.0)
"""... once the questions of their hand are answered."""
BRONZE: Final = Grade("bronze", 0.4, 0.5, 60.0)
"""For teaching: every payout is asked."""
GRADES: Final = (GOLD, SILVER, BRONZE)


def grade_of(events: Share, faces: Share, delay_s: float | None) -> Grade | None:
    """The best grade that these carry; None for no grade."""
    return next((one for one in GRADES if _reach(one, events, faces, delay_s)), None)


def _reach(grade: Grade, events: Share, faces: Share, delay_s: float | None) -> bool:
    return (
        events.at_least >= grade.events
        and faces.at_least >= grade.faces
        and delay_s is not None
        and 0 <= delay_s <= grade.delay_s
    )


@dataclass(frozen=True)
class Change:
    """What is to be changed at the table."""

    kind: str
    """``picture``: a measurement; ``faces``; or ``card``."""
    name: str = ""
    """Of the measurement or the card."""


@dataclass(frozen=True)
class Rehearsed:
    """What a rehearsal has shown."""

    cards: tuple[CardResult, ...]
    missing: tuple[str, ...]
    """Cards that were not done."""
    faces: Mapping[Tile, bool]
    """Whether the reader alone names the kind right, of each that was laid out."""
    delays_s: tuple[float, ...]
    """From when a tile lay there until it was told."""
    margins: Mapping[str, float] = field(default_factory=dict)
    """Where each measurement of the picture lies between what is bad (0) and good (1)."""

    @cached_property
    def events_share(self) -> Share:
        return Share(sum(one.good for one in self.cards), sum(one.of for one in self.cards))

    @cached_property
    def faces_share(self) -> Share:
        return Share(sum(self.faces.values()), len(self.faces))

    @property
    def delay_s(self) -> float | None:
        """Half of what happened was told within this time; None where nothing was told."""
        return median(self.delays_s) if self.delays_s else None

    @property
    def whole(self) -> bool:
        """Whether everything was done: what was stopped half way has no grade."""
        return not self.missing and bool(self.faces)

    @cached_property
    def grade(self) -> Grade | None:
        """The best grade of which everything holds; None for no grade."""
        if not self.whole or not all(one >= 0 for one in self.margins.values()):
            return None
        return grade_of(self.events_share, self.faces_share, self.delay_s)

    def changes(self, most: int = 3) -> tuple[Change, ...]:
        """What to change first: bad pictures, misread faces, wrong cards, poor pictures."""
        by_margin = sorted(self.margins, key=lambda name: self.margins[name])
        wrong = sorted(
            (one for one in self.cards if one.good < one.of), key=lambda one: one.good - one.of
        )
        found = (
            *(Change("picture", name) for name in by_margin if self.margins[name] < 0),
            *(Change("faces") for _ in range(not all(self.faces.values()))),
            *(Change("card", one.card) for one in wrong),
            *(Change("picture", name) for name in by_margin if 0 <= self.margins[name] < 1),
        )
        return found[:most]


def compare(
    cards: Sequence[RehearsalCard],
    done: Sequence[CardDone],
    entries: Sequence[Entry],
    told_s: Sequence[float | None] = (),
    faces: Mapping[Tile, bool] = {},
    margins: Mapping[str, float] = {},
) -> Rehearsed:
    """Compare what a record tells with what its cards expect.

    A card that took less time than it lasts was not done. ``told_s``: when each line of the record
    was written, in the time of the record. What people
    wrote is not counted: the reader did not tell it.
    """
    events = [
        (one.number, one.entry)
        for one in in_force(entries)
        if one.entry.source != "person" and one.entry.t is not None
    ]
    least_s = {card.id: card.lasts_s for card in cards}
    times = {
        one.card: one for one in done if one.until_s - one.from_s >= least_s.get(one.card, 0.0)
    }
    results = tuple(
        _result(card, [entry for _, entry in events if _during(times[card.id], entry)])
        for card in cards
        if card.id in times
    )
    delays = []
    for number, entry in events:
        at = last_correction(entries, number)
        line = number if at is None else at
        written_s = told_s[line] if line < len(told_s) else None
        counts = kinds_of(entry.event) and any(_during(one, entry) for one in done)
        if counts and written_s is not None and entry.t is not None:
            delays.append(max(0.0, written_s - entry.t))
    missing = tuple(card.id for card in cards if card.id not in times)
    return Rehearsed(results, missing, dict(faces), tuple(delays), dict(margins))


def kinds_of(event: Event) -> tuple[str, ...]:
    """The kinds by which an event is counted; none for what follows from others, and none where
    nobody could read its tile."""
    if getattr(event, "tile", None) == UNKNOWN:
        return ()
    kinds = tuple(name for name, types in _KINDS if isinstance(event, types))
    ready = isinstance(event, Discard | Claim) and getattr(event, READY, False)
    return (*kinds, READY) if ready else kinds


def _during(done: CardDone, entry: Entry) -> bool:
    return entry.t is not None and done.from_s <= entry.t < done.until_s


def _result(card: RehearsalCard, entries: Sequence[Entry]) -> CardResult:
    """Each seat is counted for itself where each is to do something."""
    by_seat = Counter(
        (kind, getattr(entry.event, "seat", None))
        for entry in entries
        for kind in kinds_of(entry.event)
    )
    in_all = Counter[str]()
    for (kind, _), count in by_seat.items():
        in_all[kind] += count
    missing, extra = Counter[str](), Counter[str]()
    for kind, count in card.each.items():
        for seat in range(4):
            off = by_seat[kind, seat] - count
            missing[kind] += max(0, -off)
            extra[kind] += max(0, off)
    for kind, count in card.told.items():
        missing[kind] += max(0, count - in_all[kind])
        extra[kind] += max(0, in_all[kind] - count)
    asked = card.each.keys() | card.told.keys()
    for kind, count in in_all.items():
        if kind not in asked | card.may:
            extra[kind] += count
    expected = 4 * sum(card.each.values()) + sum(card.told.values())
    for kind in card.may:
        extra.pop(kind, None)
    right = expected - missing.total()
    return CardResult(card.id, expected, right, dict(+missing), dict(+extra))
