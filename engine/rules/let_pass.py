"""What a seat has let pass since its last own draw or discard: it may not win before the next.

WIKI, Miss Win; Gameplay, Pung; WINDS, 4.1. The hand changes in between by own claims and kongs
alone, so it is known what could have been claimed (Sichuan: AYXZ, 6).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.declare import own_tiles
from engine.events import Chow, Discard, Draw, Kong, Pung, Seat
from engine.state import Phase, State, TileMove
from engine.tiles import Tile


@dataclass(frozen=True)
class LetPass:
    """A tile that another seat gave."""

    tile: Tile
    hand: tuple[Tile, ...] = ()
    """The waiting hand of that moment."""
    sets: int = 0
    """Sets that were declared since."""


def let_pass(
    state: State, seat: Seat, hand: Sequence[Tile], *, until_discard: bool = False
) -> Iterator[LetPass]:
    """The tiles since the last draw of this seat, without the one that lies there now.

    ``hand``: the waiting hand of now. ``until_discard``: own draws do not end it, but the next own
    discard does; a seat that is to discard is told what holds after that.
    """
    if until_discard and state.phase is Phase.TO_DISCARD and state.turn == seat:
        return
    then, sets = list(hand), 0
    extra = False  # the tile that the seat got for its turn is among them
    for move in _backwards(state, seat):
        own = move.seat == seat
        if extra and not (own and isinstance(move, Draw | Chow | Pung)):
            return  # nobody saw the tile that it drew for that turn
        if not own:
            if isinstance(move, Discard) or (isinstance(move, Kong) and move.kind == "added"):
                yield LetPass(move.tile, tuple(then), sets)
            continue
        if isinstance(move, Discard if until_discard else Draw | Kong):
            return
        match move:
            case Draw(tile=tile) if extra:
                if tile not in then:
                    return  # its face was not seen
                then.remove(tile)
                extra = False
            case Discard(tile=tile):
                then.append(tile)
                extra = True
            case Chow() | Pung():
                then += own_tiles(move)
                sets += 1
                extra = False
            case Kong(kind=kind):
                then += own_tiles(move)
                sets += kind != "added"
                extra = kind != "open"
            case _:
                pass


def _backwards(state: State, seat: Seat) -> Iterator[TileMove]:
    """The moves of the hand, the last one first, without those that the seat has won on, and
    without what another seat gives now."""
    last = state.last_discard
    given = None if last is None or last.seat == seat else last.number
    won = _won_on(state, seat) if state.players[seat].won else ()
    return (move for at, move in reversed(state.history.moves) if at != given and at not in won)


def _won_on(state: State, seat: Seat) -> frozenset[int]:
    """The numbers of the moves that the seat has won on."""
    history = state.history
    places = zip(state.wins, history.places_of(state.wins), strict=True)
    given = [history.won_on(win, place) for win, place in places if win.seat == seat]
    return frozenset(last.number for last in given if last is not None)
