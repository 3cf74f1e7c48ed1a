"""A win announced by mistake: the caller pays, and the hand is over (002, False win)."""

from __future__ import annotations

from dataclasses import replace

from engine import declare, play
from engine.announce import Announcements, Payout, note
from engine.events import Dice, Foul, Indicator, Reveal, Seat, Win
from engine.evolve import evolve
from engine.play import IllegalEvent
from engine.rules import results
from engine.rules.hangzhou.pay import Owed, chips_left, owed_for, paid_to, within_chips
from engine.rules.hangzhou.score import best_reading
from engine.state import Phase, State
from engine.tiles import UNKNOWN


def false_win(state: State, seat: Seat) -> tuple[State, Announcements]:
    """Make the caller pay, and end the hand (002, False win)."""
    if state.phase not in (*play.IN_PLAY, Phase.SETTLED):
        return state, []
    announced: Announcements = []
    goes_on = state
    if seat in state.winners:
        announced = results.taken_back(state)
        state = evolve(results.not_paid(state), wins=(), winners=())
        by_draw = evolve(state, phase=Phase.TO_DISCARD, turn=seat)
        goes_on = evolve(state.contested or by_draw, history=state.history)
    win = _called(state, seat)
    try:
        called = declare.win(state, win)
    except IllegalEvent:  # the tile can no longer be won on
        called = state
    payout = _payout_of(called, win)
    if state.options["false_win_ends_hand"]:
        goes_on = evolve(state, phase=Phase.SETTLED, contested=None)
    return evolve(goes_on, points=payout.points), [*announced, payout]


def is_paid(state: State, seat: Seat) -> bool:
    """Whether this seat has paid for its last announced win; then nothing was played since."""
    for _, entry in reversed(state.history.entries):
        match entry.event:
            case Foul(seat=other, offence="false_win") if other == seat:
                return True
            case Foul() | Reveal() | Indicator() | Dice():
                continue
            case _:
                return False
    return False


def _called(state: State, seat: Seat) -> Win:
    """The announced win: the last one recorded, or the one that is possible now."""
    for _, win in reversed(state.history.wins):
        if win.seat == seat:
            return win
    last = state.last_discard
    if last is not None and last.seat != seat and not state.players[seat].holds_extra:
        return Win(seat, last.seat, last.tile)
    return Win(seat, seat, state.players[seat].drawn or UNKNOWN)


def _payout_of(state: State, win: Win) -> Payout:
    """002, False win: the caller pays each player what that player would have paid.

    ``state`` is the one that the win would have led to. If the caller's chips run out, the players
    are paid in turn order after the caller (002 is silent).
    """
    reading, _ = best_reading(state, win)
    owed, _ = owed_for(state, win, reading)
    owed, _ = within_chips(state, owed)
    left = chips_left(state, win.seat)
    paid: Owed = {}
    for step in (1, 2, 3):
        seat = (win.seat + step) % 4
        due = owed.get(seat, 0)
        paid[seat] = due if left is None else min(due, left - sum(paid.values()))
    items = [note("false_win")]
    if paid != {seat: owed.get(seat, 0) for seat in paid}:
        items.append(note("chips_gone"))
    back = {seat: -amount for seat, amount in paid.items()}
    return replace(paid_to(state, win.seat, back, tuple(items)), seat=None)
