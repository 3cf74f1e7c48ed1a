"""The discards of a hand as a hypothesis has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.events import Chow, Discard, Kong, Position, Pung, Seat, Win
from engine.tiles import Tile
from vision.decoder.explained import Explained

TAKES: Final = (Chow, Pung, Kong, Win)


class RiverTile(NamedTuple):
    """A discard of this hand."""

    seat: Seat
    face: Tile
    place: int | None
    """Of its step; None for one of a position."""
    track: int | None
    claimed: bool = False
    by_person: bool = False
    """A person named it."""
    won: bool = False
    """Somebody won with it: it may lie there still, or in the winner's hand."""


def river_tiles(hand: Sequence[Explained], heap: Sequence[Sequence[int]]) -> tuple[RiverTile, ...]:
    """The discards of a hand, in the order of play.

    ``heap``: tracks of the discards of a joined position.
    """
    discards: list[RiverTile] = []
    for place, step in enumerate(hand):
        if step.event is not None:
            _extend(discards, step, place, heap)
    return tuple(discards)


def extended(
    discards: tuple[RiverTile, ...], step: Explained, place: int, heap: Sequence[Sequence[int]]
) -> tuple[RiverTile, ...]:
    """The discards after one more step of the hand."""
    if step.event is None:
        return discards
    after = list(discards)
    _extend(after, step, place, heap)
    return tuple(after)


def _extend(
    discards: list[RiverTile], step: Explained, place: int, heap: Sequence[Sequence[int]]
) -> None:
    event = step.event
    if isinstance(event, Discard):
        thrown = RiverTile(event.seat, event.tile, place, step.tile, by_person=step.by_person)
        discards.append(thrown)
    elif isinstance(event, Position):
        for seat, river in enumerate(event.rivers or ()):
            known = heap[seat]
            tracks = known if len(known) == len(river) else (None,) * len(river)
            for each, track in zip(river, tracks, strict=True):
                discards.append(RiverTile(seat, each.tile, None, track))
    elif isinstance(event, TAKES) and event.seat != event.from_seat:
        if isinstance(event, Kong) and event.kind != "open":
            return
        won = isinstance(event, Win)
        for at in range(len(discards) - 1, -1, -1):
            last = discards[at]
            if last.seat == event.from_seat:
                claimed, lies = last.claimed or not won, last.won or won
                discards[at] = last._replace(claimed=claimed, won=lies)
                return
