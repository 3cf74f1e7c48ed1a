"""What a seat has let pass since its last own draw: it may not be claimed before the next one.

WIKI, Miss Win; Gameplay, Pung. The hand does not change in between but by own claims, so it is
known what could have been claimed (Sichuan: AYXZ, 6).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.declare import own_tiles
from engine.events import Chow, Discard, Kong, Pung, Seat
from engine.state import State
from engine.tiles import Tile


@dataclass(frozen=True)
class LetPass:
    """A tile that another seat gave."""

    tile: Tile
    gone: tuple[Tile, ...] = ()
    """Tiles that have left the hand since, with own claims."""
    sets: int = 0
    """Sets that were claimed since."""


def let_pass(state: State, seat: Seat) -> Iterator[LetPass]:
    """The tiles since the last draw of this seat, without the one that lies there now."""
    last = state.last_discard
    backwards = (
        move for at, move in reversed(state.history.moves) if last is None or at < last.number
    )
    gone: tuple[Tile, ...] = ()
    sets = 0
    for move in backwards:
        if move.seat != seat:
            if isinstance(move, Discard) or (isinstance(move, Kong) and move.kind == "added"):
                yield LetPass(move.tile, gone, sets)
            continue
        claim = next(backwards, None) if isinstance(move, Discard) else None
        if not isinstance(claim, Chow | Pung) or claim.seat != seat:
            return  # it drew for that turn
        gone, sets = (*gone, move.tile, *own_tiles(claim)), sets + 1
