"""The exchange of three tiles after the deal: each hand is told once more, as it is then.

ROOM, Special rules: everybody gives three tiles of one suit, all in one direction or across.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from engine import opening
from engine.events import Deal, Seat
from engine.evolve import evolve
from engine.play import IllegalEvent, hidden, ordered, with_player
from engine.state import State
from engine.tiles import Tile

EXCHANGED: Final = 3


@dataclass(frozen=True)
class Exchange:
    """What is kept of a hand while it is told what everybody holds after the exchange."""

    before: tuple[tuple[Tile, ...], ...]
    """The hands as they were dealt."""
    told: tuple[Seat, ...] = ()
    """Seats whose hands were told anew."""


def exchanged(state: State, deal: Deal) -> tuple[State, bool]:
    """The hand of this seat after the exchange, and whether the tiles given are of one suit.

    The other hands are hidden until they are told too: nobody knows yet what they were given.
    """
    seat, kept = deal.seat, state.kept
    if not isinstance(kept, Exchange):
        kept = Exchange(tuple(player.hand for player in state.players))
        for each, player in enumerate(state.players):
            state = with_player(state, each, hand=hidden(len(player.hand)))
    if seat in kept.told:
        raise IllegalEvent("contradicts", seat, "already_dealt", [()])
    before = kept.before[seat]
    if len(deal.tiles) != len(before):
        ways = [(Deal(seat, hidden(len(before))),)]
        raise IllegalEvent(
            "contradicts", seat, "deal_of_other_size", ways,
            count=len(deal.tiles), expected=len(before),
        )  # fmt: skip
    given = _given(before, deal.tiles)
    if len(given) > EXCHANGED:
        ways = [(Deal(seat, hidden(len(before))),)]
        raise IllegalEvent("contradicts", seat, "exchange_of_three", ways, count=len(given))
    state = with_player(state, seat, hand=ordered(deal.tiles))
    told = replace(kept, told=(*kept.told, seat))
    return evolve(state, kept=told), len({tile.suit for tile in given}) <= 1


def dealt_late(state: State, deal: Deal, hand_size: int) -> State:
    """A hand as it was dealt, told after other hands were told anew: it has changed since."""
    kept = state.kept
    assert isinstance(kept, Exchange), "a hand was told anew"
    state = opening.deal(state, deal, hand_size)
    before = list(kept.before)
    before[deal.seat] = state.players[deal.seat].hand
    state = with_player(state, deal.seat, hand=hidden(len(deal.tiles)))
    return evolve(state, kept=replace(kept, before=tuple(before)))


def _given(before: tuple[Tile, ...], after: tuple[Tile, ...]) -> list[Tile]:
    """The tiles that a hand has no more; none where a face of it is hidden."""
    if not all(tile.known for tile in (*before, *after)):
        return []
    return list((Counter(before) - Counter(after)).elements())
