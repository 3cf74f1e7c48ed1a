"""Makes payouts with the totals after them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.announce import Item, Payout, note
from engine.events import Seat
from engine.state import State

NOTHING: Final = (0, 0, 0, 0)


def payout(
    state: State, seat: Seat | None, deltas: Sequence[int], items: Sequence[Item], pot: int = 0
) -> Payout:
    """Make a payout; ``state`` has the points before it."""
    points = tuple(own + delta for own, delta in zip(state.points, deltas, strict=True))
    return Payout(seat, tuple(deltas), points, tuple(items), pot)


def nobody_wins(state: State) -> Payout:
    return payout(state, None, NOTHING, [note("drawn_hand")])
