"""Bloody mahjong, in short: 108 suit tiles, no chow, and play goes on until three have won.

A drawn win is paid 2 by each player who has not won yet, a claimed one 1 by the discarder. The
first winner deals next; after a hand that nobody won the dealer stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.announce import HandResult, Item, Payout, note
from engine.events import Chow, Event, Kong, Win
from engine.rules.base import Option
from engine.rules.flow import Flow
from engine.rules.layout import TableLayout
from engine.rules.results import NOTHING, nobody_wins, payout
from engine.rules.verdict import Fault, Ruling
from engine.state import State
from engine.tiles import COPIES, KINDS, Tile

HOUSE: Final = "house rules"
WINNERS: Final = 3
"""The hand ends with so many."""


class Bloody(Flow):
    """The game; the size of a payment is an option."""

    id = "bloody"
    texts = __name__
    glossary = ("out_of_play",)
    source = HOUSE
    wall: Mapping[Tile, int] = {tile: COPIES for tile in map(Tile, KINDS) if tile.suit != "z"}
    layout = TableLayout(river="rows")
    options: Sequence[Option] = (Option("ante", 1, (1, 2, 5), HOUSE),)
    problems: Mapping[str, Ruling] = {
        "claim_forbidden": Ruling(HOUSE, "claim_returned"),
        "no_kong_now": Ruling(HOUSE, "claim_returned"),
        "not_a_win": Ruling(HOUSE, "win_refused"),
        "wrong_tile_count": Ruling(HOUSE, "cannot_win"),
        "outranked": Ruling(HOUSE, "other_claim_stands"),
        "no_ready_call": Ruling(HOUSE, "people_decide"),
        "wall_not_used_up": Ruling(HOUSE, "play_on"),
    }
    payments: Sequence[str] = ("drawn_win", "claimed_win")
    most_winners = WINNERS
    wins_to_end = WINNERS

    def faults(self, state: State, event: Event) -> tuple[Fault, ...]:
        if isinstance(event, Chow):
            return (Fault("claim_forbidden"),)
        if isinstance(event, Kong) and self.wall_used_up(state):
            return (Fault("no_kong_now"),)
        return ()

    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        """Every win of the hand; who has won before pays for none that comes later."""
        if not wins:
            return nobody_wins(state)
        stake = int(str(state.options["ante"]))
        deltas = list(NOTHING)
        for place, win in enumerate(wins):
            out = {earlier.seat for earlier in wins[:place]}
            drawn = win.seat == win.from_seat
            payers = set(range(4)) - out - {win.seat} if drawn else {win.from_seat}
            for seat in payers:
                deltas[seat] -= stake * (2 if drawn else 1)
                deltas[win.seat] += stake * (2 if drawn else 1)
        if state.drawn_reason is not None:
            return payout(state, None, deltas, (note("drawn_hand"),))
        row = "drawn_win" if wins[-1].seat == wins[-1].from_seat else "claimed_win"
        items = (Item(row, stake * (2 if row == "drawn_win" else 1), "points"),)
        return payout(state, wins[-1].seat, deltas, items)

    def next_hand(self, state: State) -> HandResult:
        dealer = state.winners[0] if state.winners else state.dealer
        return HandResult(dealer, state.round, 0, 0, 1)


BLOODY: Final = Bloody()
