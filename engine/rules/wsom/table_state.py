"""What the World Series rules keep besides the tiles: rounds, and penalty tiles by seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.events import Seat
from engine.play import IllegalEvent, barred
from engine.rules.wsom import penalty_tiles
from engine.rules.wsom.penalty_tiles import Penalty
from engine.state import State
from engine.tiles import Tile


@dataclass(frozen=True)
class WsomTable:
    """What these rules keep of a game besides the tiles."""

    rounds_over: bool = False
    """The four rounds have been played."""
    penalties: tuple[Penalty, ...] = (Penalty(),) * 4
    """By seat, for the current hand."""


def kept(state: State) -> WsomTable:
    return state.kept if isinstance(state.kept, WsomTable) else WsomTable()


def with_penalty(state: State, seat: Seat, penalty: Penalty) -> State:
    """The state in which these tiles of the seat lie open."""
    now = kept(state)
    if penalty == now.penalties[seat]:
        return state
    penalties = (*now.penalties[:seat], penalty, *now.penalties[seat + 1 :])
    player = penalty_tiles.seen_in_hand(state.players[seat], penalty)
    players = (*state.players[:seat], player, *state.players[seat + 1 :])
    return replace(state, players=players, kept=replace(now, penalties=penalties))


def in_deal(state: State, seat: Seat) -> bool:
    """003: before the first move, the first tile that a seat exposes may be picked up again."""
    return state.untouched and not state.history.fouls_of(seat, "exposed_tile")


def exposed(state: State, seat: Seat, tiles: Sequence[Tile]) -> State:
    penalty = kept(state).penalties[seat]
    try:
        return with_penalty(state, seat, penalty_tiles.exposed(penalty, state.players[seat], tiles))
    except IllegalEvent as illegal:
        raise IllegalEvent(illegal.code, seat, illegal.follows, (), **illegal.values) from None


def miscounted(state: State, seat: Seat, count: int, due: int) -> State:
    """Mark a shown hand with the wrong number of tiles as long or short."""
    if count == due:
        return state
    return barred(state, seat, "long_hand" if count > due else "short_hand")
