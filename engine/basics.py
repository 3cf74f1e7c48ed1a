"""What somebody who knows nothing is told of a game: facts for which its rule set is asked.

Nothing here says by itself what a game allows: each fact is read from the rule set, or is the
engine's answer in a position that is made for the question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.announce import Payout
from engine.answers import KINDS, CanClaim, ClaimKind, WhyNot, can_claim, why_not
from engine.events import (
    Chow,
    Claim,
    Discard,
    GameStart,
    HandEnd,
    HandStart,
    Indicator,
    Kong,
    Position,
    Pung,
    Reveal,
    Seat,
    Win,
)
from engine.game import Game
from engine.hands.forms import HandForm
from engine.rules.base import RuleSet
from engine.rules.teaching import LEARNER, LEFT, ExampleHand, tiles_of
from engine.rules.verdict import ReadyCalls
from engine.rules.waits import whole_with
from engine.state import State
from engine.tiles import KINDS as TILE_KINDS
from engine.tiles import Tile

OTHERS: Final[tuple[Seat, ...]] = (0, 3, 2)
"""The left neighbour, the player opposite, the right neighbour."""
Told = tuple[tuple[str, object], ...]
"""Options of a game that somebody chose, with their values; the others are as usual."""
_WALL_LEFT: Final = 60
_INDICATED: Final = Tile("1z")
_TYPES: Final[Mapping[ClaimKind, type[Claim] | type[Win]]] = {
    "win": Win,
    "kong": Kong,
    "pung": Pung,
    "chow": Chow,
}
_PLAIN: Final = ("123m", "567m", "234p", "55s", "789s", "678p")
OTHER_FORMS: Final[Mapping[HandForm, ExampleHand]] = {
    HandForm.PAIRS: ExampleHand("11m 33m 55m 77m 11p 33p 55p", Tile("5p")),
    HandForm.ORPHANS: ExampleHand("119m 19p 19s 1234567z", Tile("1m")),
}
"""Whole hands of these forms, and of no other."""
_POOR: Final = (
    tiles_of("22446688m 33557m 799m"),
    tiles_of("25m 258p 258s 37m 37p 4s 9p 9s 9m"),
)
"""Tiles that meet hardly any condition, as many as a hand may have: of one suit, and of three."""


def chosen(options: Mapping[str, object]) -> Told:
    """The same in a form that can be kept beside the rules."""
    return tuple(
        (name, tuple(value) if isinstance(value, list) else value)
        for name, value in options.items()
    )


def plain_hand(rules: RuleSet) -> ExampleHand:
    """Sets and a pair by a discard, and nothing else: in many games this does not win."""
    groups = rules.wall.hand_size // 3 + 1
    return ExampleHand(" ".join(_PLAIN[:groups]), Tile("8s"), LEFT)


@dataclass(frozen=True)
class Basics:
    """One game, under its options."""

    kinds: tuple[Tile, ...]
    left_out: tuple[Tile, ...]
    """Kinds that other games have."""
    red: tuple[Tile, ...]
    flowers: tuple[Tile, ...]
    total: int
    """Tiles in play beside flowers."""
    hand_size: int
    kept_back: int
    """Tiles of the wall that nobody draws."""
    forms: tuple[HandForm, ...]
    """Other winning hands than sets and a pair."""
    claimed_from: Mapping[ClaimKind, tuple[Seat, ...]]
    """From whom the learner may claim a discard for this; nobody where it is empty."""
    ready_chow_from: tuple[Seat, ...]
    """From whom a chow may be claimed together with a call of ready."""
    can: CanClaim
    """About the discard of the plain hand: who goes first, and how many may win."""
    least: Mapping[str, object]
    """Options that say how much a hand must be worth."""
    conditions: tuple[str, ...]
    """Codes of what else a hand needs besides its form."""
    plain: WhyNot
    """Whether the plain hand wins, and why not."""


@cache
def basics(rules: RuleSet, told: Told = ()) -> Basics:
    options = rules.all_options(dict(told))
    wall = rules.wall.under(options)
    least = {name: value for name, value in options.items() if name.startswith("minimum_")}
    kinds = tuple(tile for tile in map(Tile, TILE_KINDS) if tile in wall)
    flowers = tuple(tile for tile in wall if tile.suit == "f")
    fresh = _position(rules, LEARNER, told=told).state
    plain = _discarded(rules, plain_hand(rules), told)
    return Basics(
        kinds,
        tuple(tile for tile in map(Tile, TILE_KINDS) if tile not in wall),
        tuple(tile for tile in wall if tile.kind != tile),
        flowers,
        sum(wall.values()) - len(flowers),
        rules.wall.hand_size,
        _WALL_LEFT - rules.wall.live(fresh),
        tuple(
            form
            for form, hand in OTHER_FORMS.items()
            if whole_with(rules, fresh, LEARNER, hand.held)
        ),
        {kind: tuple(seat for seat in OTHERS if _may(rules, kind, seat, told)) for kind in KINDS},
        tuple(seat for seat in OTHERS if _may(rules, "chow", seat, told, ready=True)),
        can_claim(rules, plain, LEARNER),
        least,
        _conditions(rules, fresh, bool(least)),
        why_not(rules, plain, LEARNER),
    )


@cache
def paid(rules: RuleSet, told: Told = ()) -> Payout:
    """What the rules pay for the example of a game; it must have one."""
    example = rules.teaching.example
    assert example is not None, "the game has an example"
    sets = tuple(example.sets if seat == LEARNER else () for seat in range(4))
    game = _position(rules, example.from_seat, sets, told=told, called=True)
    if example.from_seat != LEARNER:
        game.submit(Discard(example.from_seat, example.tile))
    said = [*game.submit(Win(LEARNER, example.from_seat, example.tile, example.held))]
    if not any(isinstance(one, Payout) for one in said):  # others may still win on it, too
        said += game.submit(HandEnd())
    return next(one for one in said if isinstance(one, Payout))


def _position(
    rules: RuleSet,
    turn: Seat,
    sets: tuple[tuple[Pung, ...], ...] | None = None,
    *,
    told: Told = (),
    called: bool = False,
) -> Game:
    """In mid-hand; ``called``: the learner has called ready, where that is needed to win."""
    layout = rules.layout
    options = rules.all_options(dict(told))
    shown = layout.indicator_kinds[:1] if layout.indicator_at == "wall" else ()
    situation = Position(
        sets=sets,
        rivers=((), (), (), ()),
        flowers=((), (), (), ()) if rules.wall.flowers(options) else None,
        wall_left=_WALL_LEFT,
        turn=turn,
        ready=(LEARNER,) if called and rules.judge.ready_calls is ReadyCalls.NEEDED else (),
        indicators=tuple(Indicator(_INDICATED, kind) for kind in shown),
    )
    game = Game()
    for event in (GameStart(rules.id, options=dict(told)), HandStart(), situation):
        game.submit(event)
    return game


def _discarded(rules: RuleSet, hand: ExampleHand, told: Told) -> State:
    """The learner holds this hand, and its last tile was just discarded."""
    game = _position(rules, hand.from_seat, told=told)
    game.submit(Discard(hand.from_seat, hand.tile))
    game.submit(Reveal(LEARNER, hand.held))
    return game.state


def _may(rules: RuleSet, kind: ClaimKind, seat: Seat, told: Told, *, ready: bool = False) -> bool:
    """Whether the learner, with some hand or other, may claim a discard of this seat."""
    game = _position(rules, seat, told=told, called=kind == "win")
    game.submit(Discard(seat, plain_hand(rules).tile))
    return any(
        isinstance(event, _TYPES[kind]) and getattr(event, "ready", False) is ready
        for event in game.legal(LEARNER)
    )


def _conditions(rules: RuleSet, fresh: State, least: bool) -> tuple[str, ...]:
    """What poor hands lack. ``least``: what a hand must be worth is told by an option."""
    poor = (rules.teaching.lacking(fresh, LEARNER, hand[: rules.wall.hand_size]) for hand in _POOR)
    worth = rules.teaching.lacks_worth
    codes = [code for lacking in poor for code in lacking if code != worth]
    return tuple(dict.fromkeys(codes if worth is None or least else (worth, *codes)))
