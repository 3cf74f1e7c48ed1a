"""Hangzhou mahjong: fortune tiles, and a banker whose hands pay more the longer the stay (002)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine import events as ev
from engine import play
from engine.announce import HandResult, Hint, Payout, Reason
from engine.events import Seat
from engine.hands import HandForm
from engine.hands.goals import ANY_HAND, Goal
from engine.rules.announcements import ready_announcements
from engine.rules.base import Announcements, BetweenHands, Option, PageNeeds, Teaching
from engine.rules.claims import ClaimRules
from engine.rules.flow import Flow
from engine.rules.hangzhou import claims
from engine.rules.hangzhou.false_win import false_win, is_paid
from engine.rules.hangzhou.fortune import FortuneIndicators, fortune_of
from engine.rules.hangzhou.pay import (
    honours_now,
    longest_stay,
    payout_of_win,
    staying,
    won_by_honours,
)
from engine.rules.hangzhou.tables import (
    OPTIONS,
    PAYMENTS,
    PROBLEMS,
    UNUSED,
)
from engine.rules.layout import TableLayout
from engine.rules.results import nobody_wins
from engine.rules.verdict import COUNTS, UNPROVEN, Fault, How, Ruling, Verdict, no_win, refused
from engine.rules.walls import ALL_KINDS
from engine.state import State
from engine.tiles import Tile


class HangzhouTeaching(Teaching):
    def price_of_claim(self, state: State, claim: ev.Claim) -> tuple[Reason, ...]:
        return () if state.players[claim.seat].melds else (Reason("no_pairs"),)

    def barred(self, state: State, seat: Seat) -> frozenset[Tile]:
        """All kinds where this seat may not win from the one in turn; else the fortune."""
        free = claims.may_win_from(state, seat, state.turn, robbed=False)
        return state.wild if free else frozenset(ALL_KINDS)


class HangzhouHands(BetweenHands):
    def expected(self, state: State) -> Mapping[str, object]:
        follows = super().expected(state)
        # the dice of the hand may have raised the staying count
        if state.options["immediate_third_time"]:
            return follows
        return {**follows, "staying": state.staying}


class Hangzhou(Flow):
    """The Hangzhou game; its house rules are options."""

    id = "hangzhou"
    texts = __package__
    glossary = (
        "fortune",
        "white_dragon",
        "wild_eye",
        "fortune_float",
        "staying_count",
        "liability",
    )
    source = "002"
    wall: Mapping[Tile, int] = ALL_KINDS
    options: Sequence[Option] = OPTIONS
    problems: Mapping[str, Ruling] = PROBLEMS
    payments: Sequence[str] = PAYMENTS
    teaching = HangzhouTeaching((ANY_HAND, Goal(form=HandForm.PAIRS)), odds="hangzhou")
    layout = TableLayout(
        river="rows",
        sets_at="left",
        opposite_turned=False,
        closed_kong_down=frozenset(range(4)),
        tail_top_first=False,
        indicator_at="wall",
        indicator_kinds=("fortune",),
        indicator_stack_out=True,
    )
    page = PageNeeds(staying_from=1)
    between_hands = HangzhouHands()
    indicators = FortuneIndicators()
    points_option = "chips"
    never_drawn = UNUSED
    waits_when_barred = True
    draws_win = True
    claims = ClaimRules(last_discard=True)

    # --- turns and claims ---

    def faults(self, state: State, event: ev.Event) -> tuple[Fault, ...]:
        if not isinstance(event, ev.Chow | ev.Pung | ev.Kong):
            return ()
        return (
            *claims.barred_claim(state, event),
            *(
                claims.late_kong(state) if fault.code == "no_kong_now" else fault
                for fault in super().faults(state, event)
            ),
        )

    def follow(self, before: State, after: State, event: ev.Event) -> tuple[State, Announcements]:
        match event:
            case ev.Indicator() if before.wild != after.wild:
                return after, self._announced_of_fortune(after)
            case ev.Win(seat=seat, hand=hand) if hand is not None and seat not in after.winners:
                due = self.hand_size - 3 * len(after.players[seat].melds)
                wrong = len(hand) != due  # the hand stays miscounted for the rest of the hand
                return play.barred(after, seat, "wrong_tile_count") if wrong else after, []
            case ev.Foul(seat=seat, offence="false_win") if not is_paid(before, seat):
                return false_win(after, seat)
            case _:
                return after, []

    def ruled(self, state: State, event: ev.Foul) -> tuple[State, Announcements]:
        after, announced = super().ruled(state, event)
        if event.offence == "false_win" and is_paid(state, event.seat):
            # People and the camera may both report the same call.
            problem = self.problem(event.offence, event.seat)
            return after, [replace(problem, follows="false_win_was_paid")]
        return after, announced

    def _announced_of_fortune(self, state: State) -> Announcements:
        """Problems and ready hands that follow from the indicator, for tiles already known."""
        in_sets = [
            self.problem("fortune_in_set", seat)
            for seat, player in enumerate(state.players)
            if any(tile in state.wild for meld in player.melds for tile in meld.tiles)
        ]
        return [
            *in_sets,
            *(ready for seat in range(4) for ready in ready_announcements(self, state, seat)),
        ]

    # --- readiness ---

    def completing(
        self, state: State, seat: Seat, hand: tuple[Tile, ...]
    ) -> tuple[Tile, ...] | None:
        fortune = fortune_of(state)
        if fortune is None:
            return None
        declared = [tile for meld in state.players[seat].melds for tile in meld.tiles]
        return fortune.waits(hand, declared)

    # --- teaching ---

    def hint(self, state: State, seat: Seat) -> Hint:
        """No hint is possible while the wild kind is unknown."""
        known = fortune_of(state) is not None
        return super().hint(state, seat) if known else Hint(seat, (), audience=seat)

    # --- wins ---

    def judge(
        self, state: State, seat: Seat, hand: tuple[Tile, ...] | None, tile: Tile, how: How
    ) -> Verdict:
        fortune, win, player = fortune_of(state), how.win, state.players[seat]
        if win is None:
            why = None if how.drawn or hand is None else claims.by_draw_only(state, hand, tile)
            return refused(why) if why else COUNTS
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

    # --- payment ---

    def settle(self, state: State, wins: Sequence[ev.Win]) -> Payout:
        if not wins:
            return nobody_wins(state)
        return payout_of_win(state, wins[0])

    def outright(self, state: State, win: ev.Win) -> bool:
        """002, Ten honours: with the tenth discard."""
        return honours_now(state, win)

    def more_wins(self, state: State) -> tuple[ev.Win, ...]:
        last = state.last_discard
        if last is None:
            return ()
        win = ev.Win(last.seat, last.seat, last.tile)
        return (win,) if honours_now(state, win) else ()

    # --- the next hand ---

    def next_hand(self, state: State) -> HandResult:
        """002, Banker: the winner deals next; after a drawn hand the banker stays."""
        dealer = state.winners[0] if state.winners else state.dealer
        stay = min(staying(state) + 1, longest_stay(state)) if dealer == state.dealer else 1
        return HandResult(dealer, state.round, 0, 0, stay)


HANGZHOU: Final = Hangzhou()
