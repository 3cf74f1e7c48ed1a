"""The patterns that a hand could become, each with the tiles that it has and those it lacks.

Each shape of hand that many games pay for is tried: the nearest finished hand of that shape is
judged by the rule set itself, so a card names only what its game knows. What a game asks of every
hand stands beside them, met or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from engine.announce import NOTE
from engine.basics import basics
from engine.events import Seat
from engine.hands.forms import HandForm
from engine.hands.goals import ANY_HAND, Goal
from engine.play import ordered
from engine.rules.base import RuleSet
from engine.rules.hints import goals_of
from engine.rules.plans import Plan, plans
from engine.rules.teaching import PLAIN_TEACHING, Teaching
from engine.state import Meld, State
from engine.tiles import Tile
from engine.visibility import concealed

MOST: Final = 10
"""Patterns that are told: more are not read at a table."""
_NO_PATTERN: Final = frozenset((NOTE, "base", "fu"))
"""Units of what is counted beside the patterns of a hand."""
_SUITS: Final = frozenset({0, 1, 2})


def _flushes() -> Iterator[Goal]:
    for suit in sorted(_SUITS):
        yield Goal(without=_SUITS - {suit})
        yield Goal(without=_SUITS - {suit}, honours="")


SHAPES: Final[tuple[Goal, ...]] = (
    ANY_HAND,
    Goal(suits="pungs"),
    *_flushes(),
    Goal(suits="middle", honours=""),
    Goal(suits="outside"),
    *(Goal(honours="", without=frozenset({suit})) for suit in sorted(_SUITS)),
)
"""Sets and a pair: any, pungs alone, one suit with and without honours, no terminals, terminals
everywhere, two suits."""
CLOSED_SHAPES: Final = tuple(Goal(form=form) for form in HandForm if form is not HandForm.SETS)
"""Hands without sets, which a declared set rules out."""


@dataclass(frozen=True)
class Card:
    """A finished hand, with the patterns of which none is nearer."""

    patterns: tuple[str, ...]
    plan: Plan

    @property
    def held(self) -> tuple[Tile, ...]:
        """What the hand has of it already."""
        opened = () if self.plan.opened is None else self.plan.opened.tiles
        lacking = Counter(wait.tile for wait in self.plan.needs)
        return ordered(tuple((Counter((*self.plan.tiles, *opened)) - lacking).elements()))


@dataclass(frozen=True)
class Condition:
    """What the rules ask of every hand that wins."""

    code: str
    met: bool
    """Whether the tiles meet it as they are."""


@dataclass(frozen=True)
class Cards:
    cards: tuple[Card, ...] = ()
    """The nearest hand first; each pattern once."""
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class _Towards(Teaching):
    """The teaching of a game whose hints work towards one shape alone."""

    game: Teaching = PLAIN_TEACHING
    shape: Goal = ANY_HAND

    @classmethod
    def of(cls, game: Teaching, shape: Goal) -> _Towards:
        own = {each.name: getattr(game, each.name) for each in fields(Teaching)}
        return cls(**own, game=game, shape=shape)

    def goals(self, state: State, seat: Seat, melds: tuple[Meld, ...]) -> tuple[Goal, ...]:
        return (self.shape,)

    def bonus(self, state: State) -> Mapping[Tile, int]:
        return self.game.bonus(state)

    def lacking(self, state: State, seat: Seat, hand: Sequence[Tile]) -> tuple[str, ...]:
        return self.game.lacking(state, seat, hand)


def cards(rules: RuleSet, state: State, seat: Seat) -> Cards:
    """The patterns within reach of this seat's hand; nothing for a hand that is hidden."""
    state = concealed(state, rules, seat)
    player = state.players[seat]
    if not player.known:
        return Cards()
    lacking = rules.teaching.lacking(state, seat, player.hand)
    needed = tuple(Condition(code, code not in lacking) for code in basics(rules).conditions)
    own = rules.judge.forms(state.options)
    closed = () if player.melds else tuple(s for s in CLOSED_SHAPES if s.form in own)
    shapes = (*goals_of(rules, state, seat, player.melds), *SHAPES, *closed)
    found = [
        plan
        for shape in dict.fromkeys(shapes)
        for plan in plans(replace(rules, teaching=_Towards.of(rules.teaching, shape)), state, seat)
    ]
    found.sort(key=_order)
    common = set.intersection(*map(set, map(_named, found))) if len(found) > 1 else set()
    nearest: dict[str, Plan] = {}
    for plan in found:
        for name in _named(plan):
            if name not in common:  # what every hand has is no kind of hand
                nearest.setdefault(name, plan)
    told = list(nearest.items())[:MOST]
    hands = {plan.tiles: plan for _, plan in reversed(told)}
    return Cards(
        tuple(
            Card(tuple(name for name, plan in told if plan.tiles == tiles), hands[tiles])
            for tiles in reversed(hands)
        ),
        needed,
    )


def _order(plan: Plan) -> tuple[int, int, int]:
    """The nearest first, then those of which more tiles are left, then those that pay more."""
    return plan.distance, -sum(wait.left for wait in plan.needs), -plan.most


def _named(plan: Plan) -> list[str]:
    return [item.name for item in plan.items if item.unit not in _NO_PATTERN and item.value]
