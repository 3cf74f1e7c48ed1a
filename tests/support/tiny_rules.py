"""A rule set of five lines, so that tests of the record need no game of mahjong.

Seats discard in turn, and every discard is announced; a discard out of turn is impossible; a win
ends the hand and pays a point from everybody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

from engine.announce import HandResult, Hint, Payout, Problem, Turn
from engine.events import Discard, Draw, Entry, Event, GameStart, IndicatorKind, Seat, Win
from engine.rules.base import Option, RuleSet
from engine.rules.between_hands import BetweenHands
from engine.rules.flow import Step
from engine.rules.layout import TableLayout
from engine.rules.payment import Payment
from engine.rules.wall import Wall
from engine.state import Phase, State
from engine.tiles import CODES, Tile


class TinyPayment(Payment):
    rows = ()

    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        deltas = tuple(3 if seat == wins[0].seat else -1 for seat in range(4))
        points = tuple(a + b for a, b in zip(state.points, deltas, strict=True))
        return Payout(wins[0].seat, deltas, points)


class TinyHands(BetweenHands):
    def next_hand(self, state: State) -> HandResult:
        return HandResult(0, Tile("1z"), 0, 0, 1)


class Tiny(RuleSet):
    def apply(self, state: State, entry: Entry, number: int) -> Step:
        match entry.event:
            case GameStart():
                return Step(State(rules=self.id, phase=Phase.TO_DISCARD))
            case Discard(seat) if seat != state.turn:
                wrong = Problem("out_of_turn", seat, True, "this file", "correct_earlier")
                return Step(state, (wrong,), taken=False)
            case Discard(seat):
                after = replace(state, turn=(seat + 1) % 4, hand_number=state.hand_number + 1)
                return Step(after, (Turn(after.turn, after.hand_number),))
            case Win() as win:
                payout = self.payment.settle(state, (win,))
                return Step(replace(state, points=payout.points), (payout,))
            case _:
                return Step(state)

    def attempt(
        self, state: State, entry: Entry, number: int, *, tells: bool = True
    ) -> Step | None:
        step = self.apply(state, entry, number)
        return step if step.taken else None

    def legal(self, state: State) -> tuple[Event, ...]:
        return (Draw(state.turn, Tile("?")),)

    def hint(self, state: State, seat: Seat) -> Hint:
        return Hint(seat, (), audience=seat)


def tiny(kind: type[Tiny] = Tiny) -> Tiny:
    return kind(
        id="tiny",
        texts="",
        source="this file",
        options=(
            Option("stake", 1, (1, 2), "this file"),
            Option("loud", False, (), "this file"),
            Option("ends", ("wall",), ("wall", "tail"), "this file"),
            Option("uma", (9, -9), (), "this file", zero_sum=True),
        ),
        problems={},
        wall=Wall({Tile(code): 4 for code in CODES}, hand_size=1),
        layout=TableLayout(indicator_at="wall", indicator_kinds=get_args(IndicatorKind)),
        payment=TinyPayment(),
        hands=TinyHands(),
    )


TINY: Mapping[str, RuleSet] = {"tiny": tiny()}
