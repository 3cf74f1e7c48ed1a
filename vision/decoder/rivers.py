"""The discards of a hand as a hypothesis has them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Chow, Discard, Kong, Position, Pung, Seat, Win
from engine.tiles import Tile
from vision.decoder.explained import Explained

TAKES: Final = (Chow, Pung, Kong, Win)


@dataclass(frozen=True)
class RiverTile:
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
        event = step.event
        if isinstance(event, Discard):
            discards.append(
                RiverTile(event.seat, event.tile, place, step.tile, by_person=step.by_person)
            )
        elif isinstance(event, Position):
            for seat, river in enumerate(event.rivers or ()):
                known = heap[seat]
                tracks = known if len(known) == len(river) else (None,) * len(river)
                for thrown, track in zip(river, tracks, strict=True):
                    discards.append(RiverTile(seat, thrown.tile, None, track))
        elif isinstance(event, TAKES) and event.seat != event.from_seat:
            if isinstance(event, Kong) and event.kind != "open":
                continue
            won = isinstance(event, Win)
            theirs = [at for at, discard in enumerate(discards) if discard.seat == event.from_seat]
            for at in theirs[-1:]:
                last = discards[at]
                discards[at] = replace(last, claimed=last.claimed or not won, won=last.won or won)
    return tuple(discards)
