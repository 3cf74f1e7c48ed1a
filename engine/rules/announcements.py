"""Announcements of problems, readiness and turns, the same in every rule set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from engine.announce import NotReady, Problem, Ready, Turn
from engine.events import Claim, Entry, Event, Seat
from engine.play import barred
from engine.rules.base import Announcements, Ruling
from engine.rules.hooks import Hooks
from engine.rules.legal_events import regular_claims
from engine.state import State
from engine.tile_counts import seen_by
from engine.tiles import Tile
from engine.visibility import concealed

PEOPLE_DECIDE: Final = Ruling("record, codes of problems", "people_decide")
"""For offences that people rule on and the rule set does not mention."""


def fault(
    rules: Hooks, code: str, seat: Seat | None, values: Mapping[str, object] | None = None
) -> Problem:
    """Make the problem of an irregular event."""
    ruling = rules.ruling(code, values or {}) or PEOPLE_DECIDE
    return Problem(code, seat, False, ruling.source, ruling.follows, values=values or None)


def judge_event(rules: Hooks, state: State, event: Event, seat: Seat | None) -> Announcements:
    """Problems of an event that is taken though the rules forbid it."""
    announced: Announcements = []
    for code, values in rules.faults(state, event):
        ways = tuple((Entry(other),) for other in rules.regular_readings(state, event, code))
        announced.append(replace(fault(rules, code, seat, values), suggestions=ways))
    return announced


def without_repeats(announced: Announcements) -> Announcements:
    """Leave out problems that repeat an earlier one of the same seat."""
    problems = [problem for problem in announced if isinstance(problem, Problem)]
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
    rules: Hooks, state: State, seat: Seat, *, called: bool
) -> tuple[State, Announcements]:
    """Judge a claim of being ready.

    ``called``: it was made with this very event. Everybody heard it, so everybody is told that the
    hand is ready, without the waits.
    """
    player = state.players[seat]
    if "false_ready" in player.irregular:
        return state, []
    missing = rules.missing(state, seat)
    if not missing:
        own = seat if player.known else None
        public: Announcements = [Ready(seat, unknown=True, not_to=own)]
        public = public if called and not player.shown else []
        return state, [*ready_announcements(rules, state, seat), *public]
    faults = [fault(rules, code, seat) for code in missing]
    if not player.known or player.shown:
        return barred(state, seat, "false_ready"), [NotReady(seat, missing), *faults]
    # What only a hidden hand shows bars nobody until the hand is shown and judged again.
    if rules.missing(concealed(state, rules), seat):
        state = barred(state, seat, "false_ready")
    return state, [NotReady(seat, missing, audience=seat), *faults]


def judge_earlier_claim(rules: Hooks, state: State, seat: Seat) -> tuple[State, Announcements]:
    """Judge an earlier claim of being ready by a hand that was hidden until now."""
    player = state.players[seat]
    if not player.ready or "false_ready" in player.irregular:
        return state, []
    missing = rules.missing(state, seat)
    if not missing:
        return state, []
    problem = fault(rules, "false_ready", seat, {"missing": missing})
    return barred(state, seat, "false_ready"), [NotReady(seat, missing), problem]


def ready_announcements(rules: Hooks, state: State, seat: Seat) -> Announcements:
    """What a known hand waits for; nothing unless it is ready."""
    player = state.players[seat]
    if not player.known or player.holds_extra:
        return []
    waits = rules.waits(state, seat)
    if not waits or all(wait.refused and not wait.by_draw_only for wait in waits):
        return []
    on_draw = rules.wins_if_drawn(state, seat)
    if not player.shown:
        return [Ready(seat, waits, on_draw=on_draw, audience=seat)]
    private = [Ready(seat, waits, on_draw=on_draw, audience=seat)] if on_draw else []
    return [Ready(seat, waits), *private]


def turn_announcements(rules: Hooks, state: State) -> Iterator[Turn]:
    """Whose turn it is. Possible claims of a concealed hand are told to its own seat only."""
    public: list[Claim] = []
    private: list[Turn] = []
    for seat in state.claimant_seats:
        player = state.players[seat]
        if not player.known:
            continue
        claims = tuple(regular_claims(rules, state, seat))
        if player.shown:
            public += claims
        elif claims:
            private.append(Turn(state.turn, state.wall_left, claims, seat))
    yield Turn(state.turn, state.wall_left, tuple(public))
    yield from private


def copies_left(rules: Hooks, state: State, seat: Seat) -> Counter[Tile]:
    """Copies by kind that whoever hears of this seat's hand cannot see."""
    viewer = None if state.players[seat].shown else seat
    hidden = [
        kind
        for kind in rules.indicator_kinds
        if not rules.indicator_visible_to(state, kind, viewer)
    ]
    left: Counter[Tile] = Counter()
    for tile, copies in rules.tiles(state.options).items():
        left[tile.kind] += copies
    return left - seen_by(state, viewer, hidden)
