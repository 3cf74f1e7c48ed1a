"""Chombo: which offences are one, what it costs, and when it is paid (004, 3.4.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.announce import Announcements, Item, Payout
from engine.events import Foul, Seat
from engine.play import barred
from engine.rules import results
from engine.rules.base import RuleSet
from engine.rules.payment import NOTHING, payout
from engine.rules.riichi.draws import SHOWN
from engine.rules.riichi.pay import DEPOSIT, reverse_mangan
from engine.rules.riichi.table_state import table_of
from engine.rules.riichi.waits import is_ready
from engine.rules.riichi.wins import false_kongs
from engine.state import Phase, State

USUAL_POINTS: Final = 20_000
"""What a chombo costs after the placement bonus, unless the option ``chombo_points`` says more."""
_ITEMS: Final = {
    "mangan": "riichi_chombo",
    "after_uma": "riichi_chombo_at_end",
    "none": "riichi_chombo_unpaid",
}
"""What the payout names, with the seat that committed it, by the option."""
ENDS_HAND: Final = frozenset({"chombo", "false_win", "dead_claim"})
"""Offences that end the hand with a chombo, unless play went on or somebody won."""
OVER_FIVE: Final = 5
"""Showing more tiles than this is a chombo."""


def chombo_seats(state: State) -> list[Seat]:
    """Who commits a chombo in this hand as it stands; a win annuls it (004, 3.4.6).

    An offence that should have ended the hand no longer counts once people played on to the end.
    """
    if state.wins:
        return []
    codes = ENDS_HAND if state.drawn_reason is None else frozenset({"chombo"})
    seats = {seat for seat, player in enumerate(state.players) if player.irregular & codes}
    if state.drawn_reason in SHOWN and state.options["chombo"] != "none":
        seats.update(_found_at_end(state))
    return sorted(seats)


def chombo_paid(state: State, seats: Sequence[Seat]) -> Payout:
    """Pay chombos. Deposits of this hand go back; those of earlier hands stay on the table."""
    deltas = [0, 0, 0, 0]
    items = []
    name = _ITEMS[str(state.options["chombo"])]
    if name == _ITEMS["after_uma"] and state.options["chombo_points"] != USUAL_POINTS:
        name = "riichi_chombo_off"
    for seat in seats:
        if state.options["chombo"] == "mangan":
            for other, amount in enumerate(reverse_mangan(seat, state.dealer)):
                deltas[other] += amount
        items.append(Item(name, seat, "seat"))
    back = [seat for seat, place in enumerate(table_of(state).places) if place.deposited]
    for seat in back:
        deltas[seat] += DEPOSIT
    if back:
        items.append(Item("riichi_deposit_back", DEPOSIT * len(back), "points"))
    return payout(state, None, deltas, items, -DEPOSIT * len(back))


def _found_at_end(state: State) -> list[Seat]:
    """Players in riichi whose shown hand is not tenpai, or was changed by a kong."""
    seats = []
    for seat, player in enumerate(state.players):
        hand = player.waiting
        if player.ready and hand is not None:
            noten = not is_ready(hand, player.melds, state.options)
            if noten or false_kongs(state, seat, hand):
                seats.append(seat)
    return seats


def pay_ruled_chombo(rules: RuleSet, after: State, event: Foul) -> tuple[State, Announcements]:
    """Pay at once for a chombo that people rule."""
    if after.phase not in (Phase.TO_DRAW, Phase.TO_DISCARD, Phase.SETTLED):
        return after, []
    shown = event.offence == "exposed_tile" and _shown_tiles(after, event.seat) > OVER_FIVE
    if event.offence not in ("chombo", "false_win") and not shown:
        return after, []
    after = barred(after, event.seat, "chombo")
    paid, announced = results.pay(rules, after)
    stays = paid.paid == after.paid != NOTHING
    return (after, []) if stays else (paid, announced)


def _shown_tiles(state: State, seat: Seat) -> int:
    return sum(len(foul.tiles or ()) for foul in state.history.fouls_of(seat, "exposed_tile"))
