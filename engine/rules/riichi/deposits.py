"""Riichi deposits: due with the discard that declares riichi, paid once nobody wins on it."""

from __future__ import annotations

from engine.announce import Item
from engine.events import Seat
from engine.evolve import evolve
from engine.rules.base import Said
from engine.rules.payouts import payout
from engine.rules.riichi.pay import DEPOSIT, Won
from engine.rules.riichi.table_state import RiichiTable, table_of
from engine.state import State


def settle_deposit(
    base: State, before: State, after: State, table: RiichiTable, *, pays: bool
) -> tuple[State, RiichiTable, Said]:
    """Pay the deposit that is due, or take it back where a win displaced a claim."""
    seat = table.due
    assert seat is not None, "asked for a deposit that is due"
    paid_already = base is not before and table_of(before).due is None
    if paid_already == pays:
        return after, _settled(table, seat, deposited=pays), []
    amount = DEPOSIT if pays else -DEPOSIT
    deltas = tuple(-amount if other == seat else 0 for other in range(4))
    name = "riichi_deposit" if pays else "riichi_deposit_back"
    paid = payout(after, None, deltas, [Item(name, DEPOSIT, "points")], amount)
    after = evolve(after, points=paid.points, pot=after.pot + amount)
    return after, _settled(table, seat, deposited=pays), [paid]


def _settled(table: RiichiTable, seat: Seat, *, deposited: bool) -> RiichiTable:
    return evolve(table.with_place(seat, deposited=deposited), due=None)


def deposits_for(state: State, win: Won) -> int:
    """Deposits that the winner collects.

    A deposit counts even if the record has no draw that let the declaring discard pass. One in the
    pot does not count if this win displaced a claim of that discard.
    """
    table = table_of(state)
    due = table.due is not None and table.due != win.from_seat
    paid = sum(place.deposited for place in table.places)
    return table.pot_before + DEPOSIT * (paid + due)
