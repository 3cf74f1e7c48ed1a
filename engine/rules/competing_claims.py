"""Two claims of one tile: the one with precedence is taken, in whichever order they stand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine import declare
from engine.events import Chow, Claim, Kong, Pung, Win
from engine.rules import moves, results
from engine.rules.announcements import fault
from engine.rules.base import Said
from engine.state import State

if TYPE_CHECKING:
    from engine.rules.hooks import Hooks


def is_contested(state: State, event: Claim | Win) -> bool:
    """Whether the event claims the tile that the claim before it took."""
    if state.contested is None or (isinstance(event, Kong) and event.kind != "open"):
        return False
    last = state.contested.last_discard
    again = event.seat in (*state.winners, _holder(state)[1].seat)
    return (
        last is not None
        and event.seat != last.seat
        and not (again and (state.winners or not isinstance(event, Win)))
        and event.from_seat in (None, last.seat)
        and (event.tile == last.tile or not last.tile.known)
    )


def contested(rules: Hooks, state: State, event: Claim | Win, number: int) -> tuple[State, Said]:
    """Take the better claim of the two and flag the other; ``state`` itself when nothing moves."""
    pending = state.contested
    assert pending is not None, "asked for contested tiles only"
    held_number, holder = _holder(state)
    # What cannot be is impossible, whoever was first, and a refused win displaces nobody.
    if isinstance(event, Win):
        won = declare.win(pending, event)
        refused = rules.problems_of_win(won, event)
        if refused:
            return results.refuse(rules, state, event, refused)
        if len(state.winners) in range(1, rules.winners_allowed(state)):
            return results.win(rules, state, event)
    else:
        declare.claim(pending, event)
    if _precedence(rules, pending, event) <= _precedence(rules, pending, holder):
        return state, [fault(rules, "outranked", event.seat, {"event": number})]
    points = tuple(own - moved for own, moved in zip(state.points, state.paid, strict=True))
    pending = replace(pending, points=points, pot=state.pot + sum(state.paid))
    if isinstance(event, Win):
        after, said = results.win(rules, pending, event)
    else:
        after, said = moves.claim(rules, pending, event, number)
    flag = fault(rules, "outranked", holder.seat, {"event": held_number})
    return after, [flag, *results.taken_back(state), *said]


def _precedence(rules: Hooks, state: State, event: Claim | Win) -> tuple[int, int]:
    last = state.last_discard
    assert last is not None, "only a discard is contested"
    return rules.claim_rank(state, event), -((event.seat - last.seat) % 4)


def _holder(state: State) -> tuple[int, Claim | Win]:
    """The claim that is taken now, and its number."""
    for number, entry in reversed(state.history):
        match entry.event:
            case Win(seat=seat) as event if state.winners and seat == state.winners[-1]:
                return number, event
            case (Chow(seat=seat) | Pung(seat=seat) | Kong(seat=seat)) as event if (
                not state.winners and seat == state.turn
            ):
                return number, event
            case _:
                continue
    raise AssertionError("a contested tile was claimed by somebody")
