"""The record of a film that begins in the middle of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine import events as ev
from engine.game import replay
from engine.rules import RULE_SETS
from engine.state import EAST, State

BEFORE_PLAY: Final = (ev.HandStart, ev.Deal, ev.Indicator, ev.Dice)

ROUNDED_S: Final = 0.01


def joined_record(entries: Sequence[ev.Entry], begins_s: float) -> list[ev.Entry]:
    """Return the record that begins at this second, with times counted from there.

    A hand that is dealt and not yet played stands from its beginning. One under way becomes a
    ``Position``. One that is won or drawn is left out: nobody saw how.
    """
    at = sum((entry.t or 0.0) < begins_s + ROUNDED_S for entry in entries)
    starts = [n for n, entry in enumerate(entries) if isinstance(entry.event, ev.HandStart)]
    begun = [n for n in starts if n < at]
    kept = list(entries[1:])
    if begun and not all(isinstance(e.event, BEFORE_PLAY) for e in entries[begun[-1] : at]):
        state = replay(entries[:at]).state
        if state.hand_over:
            following = next((n for n in starts if n >= at), len(entries))
            kept = [*_start(entries, following), *entries[following + 1 :]]
        else:
            position = ev.Entry(position_of(state), t=begins_s)
            kept = [*_start(entries, begun[-1]), position, *entries[at:]]
    elif begun:
        kept = [*_start(entries, begun[-1]), *entries[begun[-1] + 1 :]]
    return [
        replace(entry, t=round(max(0.0, (entry.t or 0.0) - begins_s), 2))
        for entry in (entries[0], *kept)
    ]


def _start(entries: Sequence[ev.Entry], number: int) -> list[ev.Entry]:
    """Return the start of a hand with what the hands before it decided."""
    if number == len(entries):
        return []
    state = replay(entries[: number + 1]).state
    event = ev.HandStart(
        dealer=state.dealer,
        round=None if state.round == EAST else state.round,
        honba=state.honba or None,
        deposits=None,
        staying=None if state.staying == 1 else state.staying,
    )
    return [replace(entries[number], event=event)]


def position_of(state: State) -> ev.Position:
    """Return what lies on the table and in the hands."""
    sets: list[list[ev.Chow | ev.Pung | ev.Kong]] = [[], [], [], []]
    for _, entry in state.history.entries:
        match entry.event:
            case ev.Kong(seat=seat, kind="added", tile=tile) as kong:
                sets[seat] = [
                    replace(kong, from_seat=claim.from_seat)
                    if isinstance(claim, ev.Pung) and claim.tile.kind == tile.kind
                    else claim
                    for claim in sets[seat]
                ]
            case (ev.Chow() | ev.Pung() | ev.Kong()) as claim:
                sets[claim.seat].append(claim)
    rivers = tuple(
        tuple(
            ev.Discard(seat, lying.tile, lying.ready, lying.drawn)
            for lying in player.river
            if lying.claimed_by is None
        )
        for seat, player in enumerate(state.players)
    )
    flowers = RULE_SETS[state.rules].wall.flowers(state.options)
    return ev.Position(
        hands=tuple(player.hand for player in state.players),
        sets=tuple(tuple(claims) for claims in sets),
        rivers=rivers,
        wall_left=state.wall_left,
        turn=state.turn,
        ready=tuple(seat for seat, player in enumerate(state.players) if player.ready),
        indicators=state.indicators,
        flowers=tuple(player.flowers for player in state.players) if flowers else None,
    )
