"""What a Harbin hand so far says: kongs after ready, calls that nobody saw."""

from __future__ import annotations

from dataclasses import replace

from engine.events import Chow, Correct, Discard, Entry, Kong, Position, Pung, Seat, Win
from engine.state import State


def closed_kongs_when_ready(state: State, seat: Seat) -> list[Kong]:
    ready = False
    kongs = []
    for _, entry in state.history:
        event = entry.event
        if isinstance(event, Position):
            ready = seat in (event.ready or ())
        elif isinstance(event, Discard | Chow | Pung) and event.seat == seat:
            ready = ready or event.ready
        elif isinstance(event, Kong) and event.seat == seat and event.kind == "closed" and ready:
            kongs.append(event)
    return kongs


def ready_claimed(state: State, win: Win) -> tuple[tuple[Entry, ...], ...]:
    """Corrections that say of the winner's last discards and claims: ready was claimed with it.

    They take the place of the win, so the win stands behind them.
    """
    ways = []
    for number, entry in reversed(state.history):
        event = entry.event
        if isinstance(event, Discard | Chow | Pung) and event.seat == win.seat:
            ready = replace(entry, event=replace(event, ready=True))
            same = tuple(
                ready if other is entry else other for at, other in state.history if at == number
            )
            ways.append((Entry(Correct(number, same)), Entry(win)))
    return tuple(ways[:3])
