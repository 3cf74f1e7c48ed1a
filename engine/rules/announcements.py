"""Announcements of problems, readiness and turns, the same in every rule set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.announce import Announcements, NotReady, Problem, Ready, Turn
from engine.events import Claim, Event, Seat
from engine.play import barred
from engine.rules.legal_events import regular_claims
from engine.rules.waits import whole_with
from engine.state import State
from engine.visibility import concealed

if TYPE_CHECKING:
    from engine.rules.base import RuleSet


def judge_event(rules: RuleSet, state: State, event: Event, seat: Seat | None) -> Announcements:
    """Problems of an event that is taken though the rules forbid it."""
    return [rules.problem(fault, seat) for fault in rules.faults(state, event)]


def without_repeats(announced: Announcements) -> Announcements:
    """Leave out problems that repeat an earlier one of the same seat."""
    if len(announced) < 2:
        return announced
    problems = [problem for problem in announced if isinstance(problem, Problem)]
    if len(problems) < 2:
        return announced
    repeats = [
        problem
        for place, problem in enumerate(problems)
        if any(
            (earlier.code, earlier.seat) == (problem.code, problem.seat)
            and problem.values in (None, earlier.values)
            for earlier in problems[:place]
        )
    ]
    if not repeats:
        return announced
    return [
        announcement
        for announcement in announced
        if all(announcement is not repeat for repeat in repeats)
    ]


def judge_claim_of_ready(
    rules: RuleSet, state: State, seat: Seat, *, called: bool
) -> tuple[State, Announcements]:
    """Judge a claim of being ready.

    ``called``: it was made with this very event. Everybody heard it, so everybody is told that the
    hand is ready, without the waits.
    """
    player = state.players[seat]
    if "false_ready" in player.irregular:
        return state, []
    missing = rules.judge.missing(state, seat)
    if not missing:
        own = seat if player.known else None
        public: Announcements = [Ready(seat, unknown=True, not_to=own)]
        public = public if called and not player.shown else []
        return state, [*ready_announcements(rules, state, seat), *public]
    faults = [rules.problem(code, seat) for code in missing]
    if not player.known or player.shown:
        return barred(state, seat, "false_ready"), [NotReady(seat, missing), *faults]
    # A fault that only a hidden hand shows bars nobody yet. It is judged again when the hand is
    # shown.
    if rules.judge.missing(concealed(state, rules), seat):
        state = barred(state, seat, "false_ready")
    return state, [NotReady(seat, missing, audience=seat), *faults]


def judge_earlier_claim(rules: RuleSet, state: State, seat: Seat) -> tuple[State, Announcements]:
    """Judge an earlier claim of being ready by a hand that was hidden until now."""
    player = state.players[seat]
    if not player.ready or "false_ready" in player.irregular:
        return state, []
    missing = rules.judge.missing(state, seat)
    if not missing:
        return state, []
    problem = rules.problem("false_ready", seat, {"missing": missing})
    return barred(state, seat, "false_ready"), [NotReady(seat, missing), problem]


def ready_announcements(
    rules: RuleSet, state: State, seat: Seat, led: tuple[Event, int] | None = None
) -> Announcements:
    """What a known hand waits for; nothing unless it is ready.

    ``led``: the event that led to this state, with its number, where its history lacks it.
    """
    player = state.players[seat]
    if not rules.tells or player.holds_extra or not player.known:
        return []
    if not whole_with(rules, state, seat, player.hand):
        return []  # as most hands
    waits = rules.waits(state if led is None else state.noted(*led), seat)
    if not waits or all(wait.refused and not wait.by_draw_only for wait in waits):
        return []
    on_draw = rules.indicators.wins_if_drawn(state, seat)
    if not player.shown:
        return [Ready(seat, waits, on_draw=on_draw, audience=seat)]
    private = [Ready(seat, waits, on_draw=on_draw, audience=seat)] if on_draw else []
    return [Ready(seat, waits), *private]


def turn_announcements(rules: RuleSet, state: State) -> list[Turn]:
    """Whose turn it is. Possible claims of a concealed hand are told to its own seat only."""
    if not rules.tells:
        return []
    public: list[Claim] = []
    private: list[Turn] = []
    for seat in state.claimant_seats:
        may = regular_claims(rules, state, seat)
        if may == () or not state.players[seat].known:
            continue
        claims = tuple(may)
        if state.players[seat].shown:
            public += claims
        elif claims:
            private.append(Turn(state.turn, state.wall_left, claims, seat))
    return [Turn(state.turn, state.wall_left, tuple(public)), *private]
