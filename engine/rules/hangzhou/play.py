"""Hangzhou mahjong: fortune tiles, and a banker whose hands pay more the longer the stay (002)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine import events as ev
from engine import play
from engine.announce import Announcements, HandResult, Payout, Reason
from engine.events import Seat
from engine.evolve import evolve
from engine.hands import HandForm
from engine.rules.announcements import ready_announcements
from engine.rules.base import PageNeeds, RuleSet
from engine.rules.between_hands import BetweenHands
from engine.rules.claims import ClaimRules
from engine.rules.hangzhou import claims
from engine.rules.hangzhou.pay import (
    false_win,
    honours_now,
    is_paid,
    longest_stay,
    payout_of_win,
    staying,
    won_by_honours,
)
from engine.rules.hangzhou.score import FORMS, FortuneIndicators, fortune_of
from engine.rules.hangzhou.tables import (
    OPTIONS,
    PAYMENTS,
    PROBLEMS,
    UNUSED,
)
from engine.rules.layout import TableLayout
from engine.rules.payment import Payment, nobody_wins
from engine.rules.teaching import ExampleHand, Teaching
from engine.rules.turns import Turns
from engine.rules.verdict import COUNTS, UNPROVEN, Fault, How, Judge, Verdict, no_win, refused
from engine.rules.wall import ALL_KINDS, Wall
from engine.state import Phase, State
from engine.tiles import Tile


class HangzhouTeaching(Teaching):
    def price_of_claim(self, state: State, claim: ev.Claim) -> tuple[Reason, ...]:
        return () if state.players[claim.seat].melds else (Reason("no_pairs"),)


class HangzhouHands(BetweenHands):
    def expected(self, state: State) -> Mapping[str, object]:
        follows = super().expected(state)
        # the dice of the hand may have raised the staying count
        if state.options["immediate_third_time"]:
            return follows
        return {**follows, "staying": state.staying}

    def next_hand(self, state: State) -> HandResult:
        """002, Banker: the winner deals next; after a drawn hand the banker stays."""
        dealer = state.winners[0] if state.winners else state.dealer
        stay = min(staying(state) + 1, longest_stay(state)) if dealer == state.dealer else 1
        return HandResult(dealer, state.round, 0, 0, stay)


class HangzhouClaims(ClaimRules):
    def faults(self, state: State, claim: ev.Claim, *, ended: bool) -> tuple[Fault, ...]:
        """The last discard may be claimed for a chow or pung."""
        ended = ended and isinstance(claim, ev.Kong)
        return (
            *claims.barred_claim(state, claim),
            *(
                claims.late_kong(state) if fault.code == "no_kong_now" else fault
                for fault in super().faults(state, claim, ended=ended)
            ),
        )


class HangzhouTurns(Turns):
    def follow(
        self, rules: RuleSet, before: State, after: State, event: ev.Event
    ) -> tuple[State, Announcements]:
        match event:
            case ev.Indicator() if before.wild != after.wild:
                return after, _announced_of_fortune(rules, after)
            case ev.Win(seat=seat, hand=hand) if hand is not None and seat not in after.winners:
                due = rules.wall.waiting(len(after.players[seat].melds))
                wrong = len(hand) != due  # the hand stays miscounted for the rest of the hand
                return play.barred(after, seat, "wrong_tile_count") if wrong else after, []
            case ev.Foul(seat=seat, offence="false_win") if not is_paid(before, seat):
                return false_win(after, seat)
            case _:
                return after, []

    def ruled(self, rules: RuleSet, state: State, event: ev.Foul) -> tuple[State, Announcements]:
        after, announced = super().ruled(rules, state, event)
        if event.offence == "false_win" and is_paid(state, event.seat):
            # People and the camera may both report the same call.
            problem = rules.problem(event.offence, event.seat)
            return after, [replace(problem, follows="false_win_was_paid")]
        return after, announced


def _announced_of_fortune(rules: RuleSet, state: State) -> Announcements:
    """Problems and ready hands that follow from the indicator, for tiles already known."""
    in_sets = [
        rules.problem("fortune_in_set", seat)
        for seat, player in enumerate(state.players)
        if any(tile in state.wild for meld in player.melds for tile in meld.tiles)
    ]
    return [
        *in_sets,
        *(ready for seat in range(4) for ready in ready_announcements(rules, state, seat)),
    ]


class HangzhouJudge(Judge):
    waits_when_barred = True

    def forms(self, options: Mapping[str, object]) -> frozenset[HandForm]:
        return FORMS

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        fortune, win, player = fortune_of(state), how.win, state.players[seat]
        if win is None:
            why = None if how.drawn else claims.by_draw_only(state, seat, hand, tile)
            return Verdict(Fault(why), draws_win=True) if why else COUNTS
        forbidden = claims.refusal(state, win)
        if forbidden is not None:
            return Verdict(forbidden)
        if fortune is None:
            return UNPROVEN if player.known else COUNTS
        if how.drawn and won_by_honours(state, seat):
            return COUNTS
        if any(held == fortune.kind for meld in player.melds for held in meld.tiles):
            return refused("fortune_in_set")
        if player.undeclared is None or not tile.known or fortune.wins(player.hand):
            return COUNTS
        return no_win(tile)

    def granted(self, state: State, win: ev.Win) -> State | None:
        """002, Ten honours: with the tenth discard, whatever the hand holds."""
        if not honours_now(state, win):
            return None
        won = evolve(state, phase=Phase.SETTLED, winners=(win.seat,), wins=(win,))
        return evolve(won, contested=None)


class HangzhouPayment(Payment):
    rows = PAYMENTS

    def settle(self, state: State, wins: Sequence[ev.Win]) -> Payout:
        return payout_of_win(state, wins[0]) if wins else nobody_wins(state)


HANGZHOU: Final = RuleSet(
    id="hangzhou",
    texts=__package__,
    source="002",
    glossary=(
        "fortune",
        "white_dragon",
        "wild_eye",
        "fortune_float",
        "staying_count",
        "liability",
    ),
    pictures={
        "fortune": "7m",
        "white_dragon": "5z 7m",
        "wild_eye": "7m 2s",
        "fortune_float": "7m 2s 7m",
        "staying_count": "1z",
        "liability": "222m 555p 888s",
    },
    explains={"Win": "fortune", "payout": "staying_count", "hand_result": "staying_count"},
    layout=TableLayout(
        river="rows",
        sets_at="left",
        opposite_turned=False,
        turned_by_rule="002, Pung",
        closed_kong_down=frozenset(range(4)),
        tail_top_first=False,
        indicator_at="wall",
        indicator_kinds=("fortune",),
        indicator_stack_out=True,
    ),
    page=PageNeeds(staying_from=1),
    teaching=HangzhouTeaching(
        odds="hangzhou",
        example=ExampleHand("234m 567m 456p 678s 88s", Tile("8s")),
    ),
    options=OPTIONS,
    problems=PROBLEMS,
    wall=Wall(ALL_KINDS, never_drawn=UNUSED),
    turns=HangzhouTurns(),
    claims=HangzhouClaims(),
    judge=HangzhouJudge(),
    indicators=FortuneIndicators(),
    payment=HangzhouPayment(),
    hands=HangzhouHands(),
)
"""The Hangzhou game; its house rules are options."""
