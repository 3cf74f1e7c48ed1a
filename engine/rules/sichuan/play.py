"""Sichuan mahjong, 血战到底: two suits win, kongs are paid at once, three winners end the hand.

The rules are those of ROOM and WIKI (``tables.toml``). Tiles are not exchanged before play, and no
suit is declared: a hand wins with two suits, whichever they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine import events as ev
from engine import play
from engine.announce import Announcements, HandResult, Payout, note
from engine.events import Seat
from engine.hands import HandForm
from engine.hands.goals import Goal
from engine.rules import results
from engine.rules.base import RuleSet
from engine.rules.between_hands import BetweenHands
from engine.rules.claims import ClaimRules
from engine.rules.example_hand import ExampleHand, open_pung
from engine.rules.payment import NOTHING, Payment, Winners, payout
from engine.rules.sichuan.payments import FORMS, transfers
from engine.rules.sichuan.worth import OPTIONS, PAYMENTS, PROBLEMS, suits_of
from engine.rules.teaching import Teaching
from engine.rules.turns import Turns
from engine.rules.verdict import COUNTS, How, Judge, Verdict, refused
from engine.rules.wall import Wall
from engine.state import Meld, Phase, State
from engine.tiles import COPIES, KINDS, Tile

WINNERS: Final = 3
"""WIKI: the hand ends with so many."""
SUITS: Final = "mps"
WALL: Final = Wall({tile: COPIES for tile in map(Tile, KINDS) if tile.suit != "z"})


class SichuanTeaching(Teaching):
    """Hints work towards any two suits that the declared sets leave."""

    def goals(self, state: State, seat: Seat, melds: tuple[Meld, ...]) -> tuple[Goal, ...]:
        held = suits_of((), melds)
        without = [frozenset({place}) for place, suit in enumerate(SUITS) if suit not in held]
        pairs = () if melds else (Goal(form=HandForm.PAIRS),)
        return (*(Goal(honours="", without=suits) for suits in without), *pairs)

    def shape(self, melds: tuple[Meld, ...]) -> Goal:
        return Goal(honours="")

    def barred(self, state: State, seat: Seat) -> frozenset[Tile]:
        """The third suit of a seat that has declared sets of two."""
        suits = suits_of((), state.players[seat].melds)
        return frozenset(tile for tile in WALL if len(suits) == 2 and tile.suit not in suits)

    def lacking(self, state: State, seat: Seat, hand: Sequence[Tile]) -> tuple[str, ...]:
        suits = suits_of(hand, state.players[seat].melds)
        return ("three_suits",) if len(suits) == len(SUITS) else ()


class SichuanJudge(Judge):
    forms = FORMS

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        if hand is None or not tile.known:
            return COUNTS
        verdict = super().judge(state, seat, hand, tile, how)
        suits = suits_of((*hand, tile), state.players[seat].melds)
        three = verdict.fault is None and len(suits) == len(SUITS)
        return refused("three_suits") if three else verdict


class SichuanPayment(Payment):
    rows = PAYMENTS
    wins_to_end = WINNERS

    def winners(self, state: State) -> Winners:
        return Winners(WINNERS)

    def settle(self, state: State, wins: Sequence[ev.Win]) -> Payout:
        """All payments of the hand; the items explain the newest."""
        paid = transfers(state, wins)
        deltas = [
            sum(each) for each in zip(NOTHING, *(transfer.deltas for transfer in paid), strict=True)
        ]
        if state.drawn_reason is not None:
            checks = [transfer for transfer in paid if transfer.items[0].unit in ("seat", "note")]
            items = tuple(dict.fromkeys(item for transfer in checks for item in transfer.items))
            return payout(state, None, deltas, items or (note("drawn_hand"),))
        if not paid:
            return payout(state, None, deltas, (note("drawn_hand"),))
        newest = paid[-1]
        return payout(state, None if newest.is_kong else newest.seat, deltas, newest.items)


class SichuanTurns(Turns):
    def follow(
        self, rules: RuleSet, before: State, after: State, event: ev.Event
    ) -> tuple[State, Announcements]:
        """Pay a kong with the next act, when nobody can rob it any more."""
        passes = isinstance(before.history.last_move, ev.Kong)
        if not passes or after.phase not in play.IN_PLAY or isinstance(event, ev.Win):
            return after, []
        due = rules.payment.settle(results.not_paid(after), after.wins).deltas
        return results.pay(rules, after) if due != after.paid else (after, [])

    def legal(self, state: State, events: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
        if state.phase is not Phase.SETTLED or state.drawn_reason is None:
            return events
        shown = [
            ev.Reveal(seat, play.hidden(len(player.hand)))
            for seat, player in enumerate(state.players)
            if not player.shown and seat not in state.winners
        ]
        return (*shown, ev.HandEnd())


class SichuanHands(BetweenHands):
    def next_hand(self, state: State) -> HandResult:
        """WIKI: the first winner deals next; the dealer stays where nobody won.

        Nobody knows which of several was the first who had won before a position began.
        """
        if len(state.won_before) > 1:
            return HandResult(None, state.round, 0, 0, 1)
        dealer = state.winners[0] if state.winners else state.dealer
        stay = state.staying + 1 if dealer == state.dealer else 1
        return HandResult(dealer, state.round, 0, 0, stay)


SICHUAN: Final = RuleSet(
    id="sichuan",
    texts=__package__,
    source="ROOM and WIKI",
    glossary=("two_suits", "wind_and_rain", "checks"),
    teaching=SichuanTeaching(
        odds="sichuan", example=ExampleHand("222m 888m 555p 33p", Tile("5p"), 3, open_pung("9p"))
    ),
    options=OPTIONS,
    problems=PROBLEMS,
    wall=WALL,
    turns=SichuanTurns(),
    claims=ClaimRules(chows=False),
    judge=SichuanJudge(),
    payment=SichuanPayment(),
    hands=SichuanHands(),
)
"""The game; what is agreed on are options."""
