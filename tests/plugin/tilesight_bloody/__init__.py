"""Bloody mahjong, in short: 108 suit tiles, no chow, and play goes on until three have won.

A drawn win is paid 2 by each player who has not won yet, a claimed one 1 by the discarder. The
first winner deals next; after a hand that nobody won the dealer stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.announce import HandResult, Item, Payout, note
from engine.events import Chow, Claim, Kong, Win
from engine.rules.base import Option, RuleSet
from engine.rules.between_hands import BetweenHands
from engine.rules.claims import ClaimRules
from engine.rules.layout import TableLayout
from engine.rules.payment import Payment, Winners, moved_to, nobody_wins, payout, share
from engine.rules.verdict import Fault, Ruling
from engine.rules.wall import Wall
from engine.state import State
from engine.tiles import COPIES, KINDS, Tile

HOUSE: Final = "house rules"
WINNERS: Final = 3
"""The hand ends with so many."""


class BloodyClaims(ClaimRules):
    def faults(self, state: State, claim: Claim, *, ended: bool) -> tuple[Fault, ...]:
        if isinstance(claim, Chow):
            return (Fault("claim_forbidden"),)
        if isinstance(claim, Kong) and ended:
            return (Fault("no_kong_now"),)
        return ()


class BloodyPayment(Payment):
    rows = ("drawn_win", "claimed_win")
    wins_to_end = WINNERS

    def winners(self, state: State) -> Winners:
        return Winners(WINNERS)

    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        """Every win of the hand; who has won before pays for none that comes later."""
        if not wins:
            return nobody_wins(state)
        stake = int(str(state.options["ante"]))
        moved = []
        for place, win in enumerate(wins):
            out = [earlier.seat for earlier in wins[:place]]
            each = 2 * stake if win.seat == win.from_seat else 0
            moved.append(moved_to(win.seat, share(win, each, stake, out)))
        deltas = [sum(each) for each in zip(*moved, strict=True)]
        if state.drawn_reason is not None:
            return payout(state, None, deltas, (note("drawn_hand"),))
        row = "drawn_win" if wins[-1].seat == wins[-1].from_seat else "claimed_win"
        items = (Item(row, stake * (2 if row == "drawn_win" else 1), "points"),)
        return payout(state, wins[-1].seat, deltas, items)


class BloodyHands(BetweenHands):
    def next_hand(self, state: State) -> HandResult:
        dealer = state.winners[0] if state.winners else state.dealer
        return HandResult(dealer, state.round, 0, 0, 1)


BLOODY: Final = RuleSet(
    id="bloody",
    texts=__name__,
    glossary=("out_of_play",),
    source=HOUSE,
    layout=TableLayout(river="rows"),
    options=(Option("ante", 1, (1, 2, 5), HOUSE),),
    problems={
        "claim_forbidden": Ruling(HOUSE, "claim_returned"),
        "no_kong_now": Ruling(HOUSE, "claim_returned"),
        "not_a_win": Ruling(HOUSE, "win_refused"),
        "wrong_tile_count": Ruling(HOUSE, "cannot_win"),
        "outranked": Ruling(HOUSE, "other_claim_stands"),
        "no_ready_call": Ruling(HOUSE, "people_decide"),
        "wall_not_used_up": Ruling(HOUSE, "play_on"),
    },
    wall=Wall({tile: COPIES for tile in map(Tile, KINDS) if tile.suit != "z"}),
    claims=BloodyClaims(),
    payment=BloodyPayment(),
    hands=BloodyHands(),
)
"""The game; the size of a payment is an option."""
