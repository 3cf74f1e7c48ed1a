"""Sichuan mahjong, 血战到底: two suits win, kongs are paid at once, three winners end the hand.

The rules are those of ROOM and WIKI (``tables.toml``); what tables add to them are options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine import events as ev
from engine import play
from engine.announce import Announcements, HandResult, Payout, note
from engine.events import Seat
from engine.evolve import evolve
from engine.hands import HandForm
from engine.hands.goals import Goal
from engine.rules import results
from engine.rules.announcements import ready_announcements
from engine.rules.base import RuleSet
from engine.rules.between_hands import BetweenHands
from engine.rules.claims import ClaimRules
from engine.rules.let_pass import let_pass
from engine.rules.payment import NOTHING, Payment, Winners, payout
from engine.rules.sichuan.exchange import Exchange, dealt_late, exchanged
from engine.rules.sichuan.payments import FORMS, transfers
from engine.rules.sichuan.worth import (
    OPTIONS,
    PAYMENTS,
    PROBLEMS,
    best_times,
    holds_void,
    suits_of,
    void_suit,
)
from engine.rules.teaching import ExampleHand, Teaching, open_pung
from engine.rules.turns import Turns
from engine.rules.verdict import COUNTS, Fault, How, Judge, Verdict, refused
from engine.rules.wall import Wall
from engine.state import Meld, Phase, State, TileMove
from engine.tiles import COPIES, KINDS, Tile

WINNERS: Final = 3
"""WIKI: the hand ends with so many."""
SUITS: Final = "mps"
WALL: Final = Wall({tile: COPIES for tile in map(Tile, KINDS) if tile.suit != "z"})


class SichuanTeaching(Teaching):
    """Hints work towards any two suits that the declared sets leave."""

    def goals(self, state: State, seat: Seat, melds: tuple[Meld, ...]) -> tuple[Goal, ...]:
        held = suits_of((), melds)
        void = void_suit(state, seat)
        without = [
            frozenset({place})
            for place, suit in enumerate(SUITS)
            if suit not in held and void in (None, suit)
        ]
        pairs = () if melds else (Goal(form=HandForm.PAIRS),)
        return (*(Goal(honours="", without=suits) for suits in without), *pairs)

    def lacking(self, state: State, seat: Seat, hand: Sequence[Tile]) -> tuple[str, ...]:
        suits = suits_of(hand, state.players[seat].melds)
        if holds_void(state, seat, hand):
            return ("void_suit_held",)
        return ("three_suits",) if len(suits) == len(SUITS) else ()


class SichuanJudge(Judge):
    def forms(self, options: Mapping[str, object]) -> frozenset[HandForm]:
        return FORMS

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        if hand is None and how.win is None and not how.drawn:
            return COUNTS if _may_win_on(state, seat, tile) else refused("three_suits")
        if hand is None or not tile.known:
            return COUNTS
        verdict = super().judge(state, seat, hand, tile, how)
        suits = suits_of((*hand, tile), state.players[seat].melds)
        if verdict.fault is not None:
            return verdict
        if len(suits) == len(SUITS):
            return refused("three_suits")
        if holds_void(state, seat, (*hand, tile)):
            return refused("void_suit_held")
        missed = not how.drawn and _missed(state, seat, hand, tile)
        return refused("passed_win", {"tile": tile}) if missed else verdict


def _may_win_on(state: State, seat: Seat, tile: Tile) -> bool:
    """Whether a hidden hand may: not on the third suit beside sets of two, or on that it lacks."""
    suits = suits_of((), state.players[seat].melds)
    return not (len(suits) == 2 and tile.suit not in suits) and tile.suit != void_suit(state, seat)


def _missed(state: State, seat: Seat, hand: Sequence[Tile], tile: Tile) -> bool:
    """AYXZ, 6: the hand could have won for as much since its last own draw."""
    if not state.options["passed_win_locks"]:
        return False
    now = _times(state, seat, hand, tile)
    return any(
        now <= _times(state, seat, passed.hand, passed.tile, passed.sets)
        for passed in let_pass(state, seat, hand)
        if passed.tile.known
    )


def _times(state: State, seat: Seat, hand: Sequence[Tile], tile: Tile, fewer: int = 0) -> int:
    """What a discard of this tile pays a hand, which had so many fewer sets; 0 if it wins not."""
    melds, whole = state.players[seat].melds, (*hand, tile)
    melds = melds[: len(melds) - fewer]
    if len(suits_of(whole, melds)) == len(SUITS) or holds_void(state, seat, whole):
        return 0
    times = best_times(whole, melds, tile, state.options, claimed=True)
    return 0 if times is None else times.value


class SichuanPayment(Payment):
    rows = PAYMENTS
    wins_to_end: int | None = WINNERS

    def winners(self, state: State) -> Winners:
        return Winners(WINNERS)

    def settle(self, state: State, wins: Sequence[ev.Win]) -> Payout:
        """All payments of the hand; the items explain the newest."""
        paid = transfers(state, wins, winners_stay=self.wins_to_end is None)
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


class SichuanClaims(ClaimRules):
    def faults(self, state: State, claim: ev.Claim, *, ended: bool) -> tuple[Fault, ...]:
        faults = super().faults(state, claim, ended=ended)
        void = claim.tile.known and claim.tile.suit == void_suit(state, claim.seat)
        chow = isinstance(claim, ev.Chow)
        return (*faults, Fault("void_suit_claimed")) if void and not chow else faults


class SichuanTurns(Turns):
    def faults(self, state: State, discard: ev.Discard) -> tuple[Fault, ...]:
        """KK: while tiles of that suit are held, one of them is discarded."""
        void = void_suit(state, discard.seat)
        if void is None or not discard.tile.known or discard.tile.suit == void:
            return ()
        held = any(tile.suit == void for tile in state.players[discard.seat].hand)
        return (Fault("void_suit_first"),) if held else ()

    def deals_again(
        self, rules: RuleSet, state: State, deal: ev.Deal
    ) -> tuple[State, Announcements] | None:
        """Three tiles are exchanged after the deal: the hands are told anew."""
        if not state.options["exchange"]:
            return None
        if not state.players[deal.seat].dealt:
            late = isinstance(state.kept, Exchange)
            return (dealt_late(state, deal, rules.wall.hand_size), []) if late else None
        after, of_one_suit = exchanged(state, deal)
        faults = [] if of_one_suit else [rules.problem("exchange_mixed", deal.seat)]
        return after, [*faults, *ready_announcements(rules, after, deal.seat)]

    def follow(
        self, rules: RuleSet, before: State, after: State, event: ev.Event
    ) -> tuple[State, Announcements]:
        """Pay a kong with the next act, when nobody can rob it any more."""
        if isinstance(event, ev.HandStart):
            return evolve(after, kept=None), []
        passes = isinstance(before.history.last_move, ev.Kong)
        if not passes or after.phase not in play.IN_PLAY or isinstance(event, (ev.Win, ev.HandEnd)):
            return after, []
        due = rules.payment.settle(results.not_paid(after), after.wins).deltas
        return results.pay(rules, after) if due != after.paid else (after, [])

    def legal(self, state: State, events: tuple[ev.Event, ...]) -> tuple[ev.Event, ...]:
        if state.phase is not Phase.SETTLED or state.drawn_reason is None:
            return events
        shown = [
            ev.Reveal(seat, play.hidden(len(player.hand)))
            for seat, player in enumerate(state.players)
            if not player.shown and (player.won or seat not in state.winners)
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
        if state.options["dealer_after_two"] == "feeder" and _two_on_first_tile(state):
            dealer = state.wins[0].from_seat  # AYXZ, 1
        stay = state.staying + 1 if dealer == state.dealer else 1
        return HandResult(dealer, state.round, 0, 0, stay)


def _two_on_first_tile(state: State) -> bool:
    """Whether the first tile that was won on had several winners."""
    if state.won_before or len(state.wins) < 2:
        return False
    first, second = state.wins[:2]
    if first.from_seat == first.seat or first.from_seat != second.from_seat:
        return False
    if first.seat == second.seat:
        return False
    history = state.history
    places = sorted(place for place in history.places_of(state.wins)[:2] if place is not None)
    between = history.entries[slice(*places)]
    return not any(isinstance(entry.event, TileMove) for _, entry in between)


SICHUAN: Final = RuleSet(
    id="sichuan",
    texts=__package__,
    source="ROOM and WIKI",
    glossary=("two_suits", "void_suit", "wind_and_rain", "passing_on", "checks"),
    pictures={
        "two_suits": "222m 888m 345p 555p 33p",
        "void_suit": "1s 4s 9s",
        "wind_and_rain": "5555m 8888p",
        "passing_on": "5555m 3p",
        "checks": "12m 45p 78s",
        "winners_play_on": "222m 888m 345p 55p 6p",
    },
    explains={"Win": "two_suits", "payout": "wind_and_rain"},
    teaching=SichuanTeaching(
        odds="sichuan", example=ExampleHand("222m 888m 555p 33p", Tile("5p"), 3, open_pung("9p"))
    ),
    options=OPTIONS,
    problems=PROBLEMS,
    wall=WALL,
    turns=SichuanTurns(),
    claims=SichuanClaims(chows=False),
    judge=SichuanJudge(),
    payment=SichuanPayment(),
    hands=SichuanHands(),
)
"""The game; what is agreed on are options."""
