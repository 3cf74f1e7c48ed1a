"""Ten honours: ten honours discarded in a row from the start win as an own draw (002, option)."""

from __future__ import annotations

from engine.events import Seat, Win
from engine.rules.hangzhou.tables import HONOURS_TO_WIN
from engine.state import Phase, State


def won_by_honours(state: State, seat: Seat) -> bool:
    """Whether the first ten discards of this seat were honours."""
    first = state.players[seat].river[:HONOURS_TO_WIN]
    return (
        bool(state.options["ten_honours"])
        and len(first) == HONOURS_TO_WIN
        and all(thrown.tile.suit == "z" for thrown in first)
    )


def honours_now(state: State, win: Win) -> bool:
    """Whether the tenth one was just discarded, and nobody has drawn since."""
    last = state.last_discard
    own = last is not None and not last.added_kong and last.seat == win.seat == win.from_seat
    return own and state.phase is Phase.TO_DRAW and won_by_honours(state, win.seat)
