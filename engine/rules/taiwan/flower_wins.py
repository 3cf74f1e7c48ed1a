"""Wins by flowers alone: all eight, or seven when another lays the eighth (CLUB, Flowers).

They are declared at once, whatever the hand holds, and nothing else counts.
"""

from __future__ import annotations

from typing import Final

from engine.events import Flower, Seat, Win
from engine.evolve import evolve
from engine.rules.patterns import Pattern, Worth
from engine.state import Phase, State

EIGHT: Final = Pattern("9.1", "eight_flowers", 30, lambda hand: 0)
SEVEN: Final = Pattern("9.2", "flower_robbed", 20, lambda hand: 0)
ALL: Final = 8


def pattern_of(state: State, seat: Seat, giver: Seat) -> Pattern | None:
    """The pattern that a seat has by the flower that was laid just now; ``giver`` laid it."""
    last = state.history.entries[-1][1].event if state.history.entries else None
    if not state.options["flower_wins"] or not isinstance(last, Flower) or last.seat != giver:
        return None
    laid = [len(player.flowers) for player in state.players]
    if seat == giver:
        return EIGHT if laid[seat] == ALL else None
    return SEVEN if laid[seat] == ALL - 1 and sum(laid) == ALL else None


def won_by_flowers(state: State, win: Win) -> State | None:
    """The settled state after such a win; None where it is none."""
    if win.tile.suit != "f" or pattern_of(state, win.seat, win.from_seat) is None:
        return None
    return evolve(state, phase=Phase.SETTLED, winners=(win.seat,), wins=(win,), contested=None)


def wins_now(state: State) -> tuple[Win, ...]:
    """Every such win, where the face of the last flower is known."""
    last = state.history.entries[-1][1].event if state.history.entries else None
    if not isinstance(last, Flower) or last.tile.suit != "f":
        return ()
    return tuple(
        Win(seat, last.seat, last.tile)
        for seat in range(4)
        if pattern_of(state, seat, last.seat) is not None
    )


def worth_of_flowers(win: Win, most: int) -> Worth:
    pattern = EIGHT if win.seat == win.from_seat else SEVEN
    return Worth(((pattern.name, pattern.points),), pattern.points, min(pattern.points, most))
