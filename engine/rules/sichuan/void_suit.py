"""The suit that each player goes without: it is told by the first discard (AUSTRALIA, 2).

Of a hand that was joined nobody knows which discard was the first.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.events import Seat
from engine.state import State
from engine.tiles import Tile


def void_suit(state: State, seat: Seat) -> str | None:
    """The suit; None where none is declared yet, nobody knows it, or the game has none."""
    river = state.players[seat].river
    if not state.options.get("void_suit") or state.joined is not None or not river:
        return None
    first = river[0].tile
    return first.suit if first.known else None


def holds_void(state: State, seat: Seat, tiles: Iterable[Tile] = ()) -> bool:
    """Whether tiles of that suit are known to be among these or in the declared sets."""
    suit = void_suit(state, seat)
    sets = (tile for meld in state.players[seat].melds for tile in meld.tiles)
    return suit is not None and any(tile.suit == suit for tile in (*tiles, *sets))
