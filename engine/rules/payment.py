"""What a rule set says of payments: who may win, and what everybody pays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from engine.announce import Item, Payout, note
from engine.events import Seat, Win
from engine.state import State

NOTHING: Final = (0, 0, 0, 0)


def payout(
    state: State, seat: Seat | None, deltas: Sequence[int], items: Sequence[Item], pot: int = 0
) -> Payout:
    """Make a payout; ``state`` has the points before it."""
    points = tuple(own + delta for own, delta in zip(state.points, deltas, strict=True))
    return Payout(seat, tuple(deltas), points, tuple(items), pot)


def share(win: Win, each: int, discarder: int = 0, out: Collection[Seat] = ()) -> dict[Seat, int]:
    """What every loser owes for a win: who gave the tile ``discarder``, all others ``each``.

    ``out``: seats that pay nothing, because they have won before.
    """
    losers = (seat for seat in range(4) if seat != win.seat and seat not in out)
    return {seat: discarder if seat == win.from_seat else each for seat in losers}


def moved_to(seat: Seat, owed: Mapping[Seat, int]) -> tuple[int, ...]:
    """What each seat gets where these pay what they owe to this one."""
    deltas = [-owed.get(other, 0) for other in range(4)]
    deltas[seat] += sum(owed.values())
    return tuple(deltas)


def nobody_wins(state: State) -> Payout:
    return payout(state, None, NOTHING, [note("drawn_hand")])


class Winners(NamedTuple):
    """How many may win on one discard, and which of them are paid."""

    allowed: int = 1
    """With more than one, ``hand_end`` settles."""
    paid: int | None = None
    """How many of them are paid. None: all."""
    called_off_at: int | None = None
    """With how many wins on one discard the hand is drawn and nobody is paid. None: never."""
    first_at_once: bool = False
    """Where several may win, pay the first winner at once. A second winner cancels that payment."""


class Payment(ABC):
    """The payments of one game."""

    rows: Sequence[str]
    """Names of the rows of the payment table, as payout items carry them."""
    wins_to_end: int | None = 1
    """How many wins end the hand. If more than one, each is paid at once, and its winner leaves.
    None: winners stay, with the hand that won, and may win again until the wall is used up. They
    lay each tile that they have won with beside their sets."""

    @property
    def most_out(self) -> int:
        """How many may have left a hand that goes on."""
        return 0 if self.wins_to_end is None else self.wins_to_end - 1

    def winners(self, state: State) -> Winners:
        """Who may win on one discard under the options of this game."""
        return ONE_WINNER

    @abstractmethod
    def settle(self, state: State, wins: Sequence[Win]) -> Payout:
        """Payments for these wins (none: a drawn hand), with deposits and liabilities.

        ``state`` is the one that the wins led to. Several wins are one payout, and ``state.pot`` is
        part of it.
        """


ONE_WINNER: Final = Winners()
