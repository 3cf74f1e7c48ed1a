"""Draws, discards and claims under a rule set; unseen draws are supplied."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine import declare, play
from engine import events as ev
from engine.announce import Announcements
from engine.events import Seat
from engine.evolve import evolve
from engine.play import IllegalEvent
from engine.rules.announcements import (
    judge_claim_of_ready,
    judge_event,
    ready_announcements,
    turn_announcements,
)
from engine.state import Phase, Player, State
from engine.tiles import UNKNOWN

if TYPE_CHECKING:
    from engine.rules.base import RuleSet


def supply(rules: RuleSet, state: State, seat: Seat, *, drawing: bool = False) -> State:
    """Supply unseen draws that must have happened before this seat acts.

    In a last turn every seat draws without discarding, so several draws may be missing.
    ``drawing``: the event itself is the seat's own draw.
    """
    if state.phase is not Phase.TO_DRAW or state.players[seat].holds_extra:
        return state
    if seat in state.retired or (seat != state.turn and not rules.wall.last_turn(state)):
        return state
    while state.turn != seat:
        state, _ = draw(rules, state, ev.Draw(state.turn, UNKNOWN))
    return state if drawing else draw(rules, state, ev.Draw(seat, UNKNOWN))[0]


def _ends_due(state: State) -> tuple[str, ...]:
    """The end of the wall that the next tile comes from; both where that is unknown."""
    last = state.history.last_move
    if last is None:
        return ("wall",) if state.joined is None else ("wall", "tail")
    return ("tail",) if isinstance(last, ev.Kong) else ("wall",)


def draw(rules: RuleSet, state: State, event: ev.Draw) -> tuple[State, Announcements]:
    if state.phase is Phase.TO_DRAW and rules.wall.used_up(state):
        raise IllegalEvent("hand_over", event.seat, "wall_empty", [(ev.DrawnHand("exhausted"),)])
    last = rules.wall.last_turn(state)
    after = play.draw(state, event)
    if last:
        after = evolve(after, phase=Phase.TO_DRAW, turn=rules.turns.next_seat(after, event.seat))
    if event.end is None or event.end in _ends_due(state) or "wrong_end" not in rules.problems:
        return after, []
    return after, [rules.problem("wrong_end", event.seat)]


def flower(rules: RuleSet, state: State, event: ev.Flower) -> tuple[State, Announcements]:
    """Take a flower that is laid open, also while another seat plays, as after the deal."""
    seat, tile = event.seat, event.tile
    flowers = rules.wall.flowers(state.options)
    if tile.known and tile.suit != "f":
        raise IllegalEvent("contradicts", seat, "not_a_flower", [(replace(event, tile=UNKNOWN),)])
    if sum(len(player.flowers) for player in state.players) >= flowers:
        raise IllegalEvent("fifth_copy", seat, "misread", tile=tile, copies=flowers)
    if seat == state.turn:
        state = supply(rules, state, seat)
    replaced = not rules.wall.used_up(state)
    if not replaced and (seat != state.turn or state.phase is not Phase.TO_DISCARD):
        raise IllegalEvent("hand_over", seat, "wall_empty", [(ev.DrawnHand("exhausted"),)])
    after = play.lay_flower(state, event, drawn=replaced)
    if not replaced:
        return evolve(after, turn=rules.turns.next_seat(after, seat)), []
    return after, ready_announcements(rules, after, seat)


def discard(
    rules: RuleSet, state: State, event: ev.Discard, number: int
) -> tuple[State, Announcements]:
    if event.seat == state.turn:
        state = supply(rules, state, event.seat)
    player = state.players[event.seat]
    if state.phase is Phase.TO_DRAW and player.holds_extra:
        return _discard_in_last_turn(rules, state, event, number)
    after = play.discard(state, event, number)
    turn = rules.turns.next_seat(after, event.seat)
    after = after if turn == after.turn else evolve(after, turn=turn)
    announced = judge_event(rules, state, event, event.seat)
    # A hand that claimed ready with a chow or pung is judged by what the next discard leaves.
    settles = player.ready and player.drawn is None and player.known
    if event.ready or settles:
        after, more = judge_claim_of_ready(rules, after, event.seat, called=event.ready)
    else:
        more = ready_announcements(rules, after, event.seat, (event, number))
    return after, [*announced, *more, *turn_announcements(rules, after)]


def _discard_in_last_turn(
    rules: RuleSet, state: State, event: ev.Discard, number: int
) -> tuple[State, Announcements]:
    discarding = evolve(state, phase=Phase.TO_DISCARD, turn=event.seat)
    after = play.discard(discarding, event, number)
    after = evolve(after, last_discard=None, turn=state.turn)
    return after, [rules.problem("no_discard_now", event.seat)]


def keeps_ready_hand(player: Player, event: ev.Discard) -> bool:
    """Whether a ready player discards the tile just drawn, as far as that was seen."""
    drawn = player.drawn
    if not player.ready or drawn is None:
        return True
    other = drawn.known and event.tile.known and drawn != event.tile
    return not other and event.drawn is not False


def claim(
    rules: RuleSet, state: State, event: ev.Claim, number: int
) -> tuple[State, Announcements]:
    if isinstance(event, ev.Kong) and event.kind != "open":
        return _own_kong(rules, state, event, number)
    after = declare.claim(state, event)
    announced = judge_event(rules, state, event, event.seat)
    after = evolve(after, contested=evolve(state, contested=None))
    if not isinstance(event, ev.Kong) and event.ready:
        after, more = judge_claim_of_ready(rules, after, event.seat, called=True)
    else:
        more = ready_announcements(rules, after, event.seat, (event, number))
    return after, [*announced, *more, *turn_announcements(rules, after)]


def _own_kong(
    rules: RuleSet, state: State, event: ev.Kong, number: int
) -> tuple[State, Announcements]:
    if declare.adds_discard(state, event):
        after = declare.discard_added(state, event)
        after = evolve(after, contested=evolve(state, contested=None))
        added = rules.problem("kong_of_discard", event.seat, {"tile": event.tile})
        announced = judge_event(rules, state, event, event.seat)
        return after, [added, *announced, *turn_announcements(rules, after)]
    state = supply(rules, state, event.seat)
    before = state
    if state.phase is Phase.TO_DRAW and state.players[event.seat].holds_extra:
        before = evolve(state, phase=Phase.TO_DISCARD, turn=event.seat)
    after = declare.own_kong(before, event, number)
    announced = judge_event(rules, state, event, event.seat)
    return after, [
        *announced,
        *ready_announcements(rules, after, event.seat, (event, number)),
        *turn_announcements(rules, after),
    ]
