"""Two claims of one tile: the one with precedence is taken, whichever line comes first."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from engine import declare
from engine.announce import Announcements
from engine.events import Claim, Foul, Kong, Seat, Win
from engine.evolve import evolve
from engine.play import barred
from engine.rules import results
from engine.rules import turns_and_claims as moves
from engine.rules.verdict import Fault
from engine.state import State

if TYPE_CHECKING:
    from engine.rules.base import RuleSet


def is_contested(state: State, event: Claim | Win) -> bool:
    """Whether the event wants the tile that an earlier claim took."""
    if state.contested is None or (isinstance(event, Kong) and event.kind != "open"):
        return False
    last = state.contested.last_discard
    took = (win.seat for win in state.wins[len(state.contested.wins) :])
    out = (seat for seat in state.winners if not state.players[seat].won)
    twice = event.seat in (*took, *out, _holder(state)[1].seat)
    return (
        last is not None
        and event.seat != last.seat
        and not (twice and (_winners(state) or not isinstance(event, Win)))
        and event.from_seat in (None, last.seat)
        and (event.tile == last.tile or not last.tile.known)
    )


def contested(
    rules: RuleSet, state: State, event: Claim | Win, number: int
) -> tuple[State, Announcements]:
    """Take the better of two claims and flag the other; maybe ``state`` stays as it is."""
    pending = state.contested
    assert pending is not None, "asked for contested tiles only"
    allowed = rules.payment.winners(state).allowed
    took = state.wins[len(pending.wins) :]
    held_number, holder = _least(rules, state, pending)
    pending = _without_claims(
        state, pending, {holder.seat, *(win.seat for win in took)}, held_number
    )
    # An impossible claim is impossible whoever was first, and a refused win displaces nobody.
    if isinstance(event, Win):
        won = declare.win(pending, event)
        refused = results.refusal(rules, won, event)
        if refused is not None:
            return results.refuse(rules, state, event, refused)
        if _winners(state) in range(1, allowed):
            # Where play goes on after a win, a further win takes the same tile too.
            return results.win(rules, evolve(state, last_discard=pending.last_discard), event)
    else:
        declare.claim(pending, event)
    if _precedence(rules, pending, event) <= _precedence(rules, pending, holder):
        return state, [rules.problem("outranked", event.seat, {"event": number})]
    late = rules.claims.too_late(rules, pending, event, holder)
    if late is not None:
        fault = Fault("outranked", {"event": number}, late)
        return state, [rules.problem(fault, event.seat)]
    back = results.not_paid(state, pending.paid)
    pending = evolve(pending, points=back.points, pot=back.pot)
    if isinstance(event, Win):
        after, announced = results.win(rules, pending, event)
        for win in took:
            if win is not holder:  # several may win, and these have the tile as well
                again = evolve(after, last_discard=pending.last_discard)
                after, announced = results.win(rules, again, win)
    else:
        after, announced = moves.claim(rules, pending, event, number)
    flag = rules.problem("outranked", holder.seat, {"event": held_number})
    return after, [flag, *results.taken_back(state, pending.paid), *announced]


def _without_claims(
    state: State, pending: State, claimers: Collection[Seat], held_number: int
) -> State:
    """The state before the claims. What others showed or anybody did wrong since then stands."""
    assert pending.last_discard is not None, "only a discard is contested"
    claimed = {*claimers, pending.last_discard.seat}
    players = tuple(
        (pending if seat in claimed else state).players[seat] for seat in range(len(state.players))
    )
    told = state.history.entries[len(pending.history.entries) :]
    history = pending.history.going_on_as(state.history, held_number)
    pending = evolve(pending, players=players, history=history)
    for _, entry in told:
        if isinstance(entry.event, Foul) and entry.event.seat in claimed:
            pending = barred(pending, entry.event.seat, entry.event.offence)
    return pending


def takers(rules: RuleSet, state: State, claims: Iterable[Claim | Win]) -> tuple[Claim | Win, ...]:
    """Whose claims get the last discard: as many wins as the rules allow, or the best claim."""
    best = sorted(claims, key=lambda claim: _precedence(rules, state, claim), reverse=True)
    wins = [claim for claim in best if isinstance(claim, Win)]
    return tuple(wins[: rules.payment.winners(state).allowed] or best[:1])


def _precedence(rules: RuleSet, state: State, event: Claim | Win) -> tuple[int, int]:
    last = state.last_discard
    assert last is not None, "only a discard is contested"
    order = [last.seat]
    while len(order) < 4 and order[-1] != event.seat:
        order.append(rules.turns.next_seat(state, order[-1]))
    return rules.claims.rank(rules, state, event), -len(order)


def _winners(state: State) -> int:
    """How many have won on the contested tile."""
    return len(state.wins) - (len(state.contested.wins) if state.contested is not None else 0)


def _least(rules: RuleSet, state: State, pending: State) -> tuple[int, Claim | Win]:
    """The claim that gives way first, and its number: of several wins the one with the least
    precedence."""
    if _winners(state) < 2:
        return _holder(state)
    took = state.wins[len(pending.wins) :]
    told = [(at, win) for at, win in state.history.wins if win in took]
    return min(told, key=lambda one: _precedence(rules, pending, one[1]))


def _holder(state: State) -> tuple[int, Claim | Win]:
    """The claim that holds the tile now, and its number."""
    if _winners(state):
        return next((at, win) for at, win in reversed(state.history.wins) if win in state.wins)
    number, claim = state.history.moves[-1]
    assert isinstance(claim, Claim), "a contested tile was claimed by somebody"
    return number, claim
