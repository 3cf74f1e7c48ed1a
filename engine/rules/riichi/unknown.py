"""What nobody told and a win of riichi depends on: said with the payout, never assumed."""

from __future__ import annotations

from collections.abc import Iterator

from engine import opening
from engine.announce import Item, note
from engine.events import Discard, Position, Win
from engine.rules.riichi.table_state import table_of
from engine.rules.riichi.wins import DORA_KINDS, in_riichi, indicators
from engine.state import State


def unknown_items(state: State, win: Win, kongs: int) -> Iterator[Item]:
    """``state`` is the one that the win led to; ``kongs``: declared in this hand."""
    turned = len(indicators(state, *DORA_KINDS))
    if turned < 1 + kongs - table_of(state).kongs_to_turn:
        yield note("dora_unknown")
    if in_riichi(state, win.seat):
        if len(indicators(state, "ura_dora")) < turned:
            yield note("riichi_ura_unknown")
        if _declared_unseen(state, win):
            yield note("riichi_turn_unknown")
    if win.from_seat != win.seat and _river_unknown(state, win):
        yield note("furiten_unknown")
    if not opening.wall_counted(state):
        yield note("wall_unknown")


def _declared_unseen(state: State, win: Win) -> bool:
    """Riichi was declared before the record began: double riichi and ippatsu cannot be told."""
    return not any(
        isinstance(entry.event, Discard) and entry.event.seat == win.seat and entry.event.ready
        for _, entry in state.history
    )


def _river_unknown(state: State, win: Win) -> bool:
    """Own discards were not told, or not all could be read (004, 3.4.5)."""
    left_out = any(
        isinstance(entry.event, Position) and entry.event.rivers is None
        for _, entry in state.history
    )
    return left_out or any(not one.tile.known for one in state.players[win.seat].river)
