"""Hands that lie face up from the deal on: their deals and draws, added to the events.

The hypotheses hold what everybody did. From the rows of an open hand, one after the other, its deal
and its draws follow. The hand that a seat's own camera sees is traced in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Deal, Discard, Draw, Entry, Event, HandEnd, HandStart, Reveal, Win
from engine.rules.base import RuleSet
from engine.state import Phase, State
from engine.tile_counts import copies_named
from engine.tiles import UNKNOWN, Tile
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis
from vision.seat_camera.origins import TracedHand, acts, see, traced, with_drawn
from vision.seat_camera.standing_hand import StandingHand

Rows = Mapping[int, tuple[StandingHand, ...]]
"""The rows that lay before each seat whose hand lies open, in order of time."""
NOT_A_HAND: Final = 4
"""At most so many tiles of a hand may be unknown, or the hand is left out."""


@dataclass(frozen=True)
class _Filled:
    """One hand with what its open hands show."""

    before: tuple[Explained, ...]
    rows: Rows
    """What was known of its open hands."""
    filled: tuple[Explained, ...]


class OpenHands:
    """Fills in deals and draws; hands that have been filled in are kept."""

    def __init__(self) -> None:
        self._known: dict[int, _Filled] = {}
        """By the place of the hand's start among the events of the game."""

    def fill(
        self, steps: tuple[Explained, ...], best: Hypothesis, rows: Rows
    ) -> tuple[Explained, ...]:
        """The first events of a hypothesis with the deals and draws of the hands that lie open."""
        if not rows and not self._known:
            return steps
        rules, states = best.rules, [state for step, state in best.played if step.event is not None]
        states.append(best.state)
        starts = [at for at, step in enumerate(steps) if isinstance(step.event, HandStart)]
        found = list(steps[: starts[0]]) if starts else list(steps)
        for start, end in zip(starts, [*starts[1:], len(steps)], strict=False):
            over = end < len(steps)
            found += self._hand(steps[start:end], start, over, states[start : end + 1], rules, rows)
        return tuple(found)

    def _hand(
        self, hand: tuple[Explained, ...], start: int, over: bool, states: Sequence[State],
        rules: RuleSet, rows: Rows,
    ) -> tuple[Explained, ...]:  # fmt: skip
        known = self._known.get(start)
        if over and known is not None and known.before == hand:
            return known.filled
        if over:
            # What lies open now belongs to the hand that is played now.
            rows = known.rows if known is not None else {}
        elif known is not None and known.before == hand and _same(known.rows, rows):
            return known.filled
        new = _filled(hand, states[0], states[1:], rows, rules)
        self._known[start] = _Filled(hand, rows, new)
        return new


def _same(one: Rows, other: Rows) -> bool:
    """Whether no new row is there. A row that still lies as before tells nothing new."""
    return _begun(one) == _begun(other)


def _begun(rows: Rows) -> dict[int, list[float]]:
    """When each row began to lie there."""
    return {seat: [row.from_s for row in stood] for seat, stood in rows.items()}


def _filled(
    hand: tuple[Explained, ...],
    before: State,
    states: Sequence[State],
    rows: Rows,
    rules: RuleSet,
) -> tuple[Explained, ...]:
    """One hand with what its rows show, without the rows that the rules refuse."""
    rows = dict(rows)
    while rows:
        steps = _with_rows(hand, states, rows, rules)
        wrong = None if steps is None else _refused(steps, before, rules)
        if steps is None or wrong is None:
            return hand if steps is None else steps
        seat = wrong if wrong in rows else next(iter(rows))
        del rows[seat]
    return hand


def _with_rows(
    hand: tuple[Explained, ...], states: Sequence[State], rows: Rows, rules: RuleSet
) -> tuple[Explained, ...] | None:
    timed = [(step.event, step.time_s) for step in hand if step.event is not None]
    over = next((at for at, step in enumerate(hand) if isinstance(step.event, Win | HandEnd)), None)
    end = len(hand) if over is None else over
    last = states[end - 1]
    left = Counter(rules.wall.under(last.options))
    left.subtract(copies_named(last))
    won = {step.event.seat: step.event.hand or () for step in hand if isinstance(step.event, Win)}
    left.subtract(tile for tiles in won.values() for tile in tiles if tile.known)
    deals: list[Explained] = []
    draws: dict[int, Explained] = {}
    dealer = states[0].dealer
    for seat, stood in sorted(rows.items(), key=lambda one: (one[0] - dealer) % 4):
        done = acts(timed, 0, end, seat, rules.wall.hand_size, dealer)
        if done is None:
            continue
        see(done, stood, None if over is None else hand[over].time_s)
        found = traced(done, left + Counter(won.get(seat, ())))
        if found is None or found.dealt.count(UNKNOWN) > NOT_A_HAND:
            continue
        if seat not in won:
            left.subtract(_held(found, [tile for act in done for tile in act.gone]))
        first = stood[0]
        sure = float(first.probabilities.max(axis=1).min())
        dealt = Explained(
            first.from_s, hand[0].change, Deal(seat, found.dealt), sure=sure, read_in_row=True
        )
        deals += [dealt, replace(dealt, event=Reveal(seat, found.dealt))]
        for act, tile in zip(done, found.draws, strict=True):
            if tile.known and act.drew:
                place = act.at if act.draw_at is None else act.draw_at
                draws[place] = _drawn(seat, tile, act.at, place, hand)
        if found.pending.known and _draws_next(seat, hand, over, last):
            time_s = stood[-1].from_s if over is None else hand[over].time_s
            draws[end] = Explained(
                time_s, hand[-1].change, Draw(seat, found.pending), read_in_row=True
            )
    if not deals:
        return None
    return _together(hand, deals, draws, set(rows))


def _held(found: TracedHand, gone: Sequence[Tile]) -> Counter[Tile]:
    """What is in the hand now."""
    held = Counter((*found.dealt, *found.draws, found.pending))
    held.subtract(gone)
    return Counter({tile: count for tile, count in held.items() if tile.known and count > 0})


def _drawn(seat: int, tile: Tile, act: int, place: int, hand: Sequence[Explained]) -> Explained:
    """A draw right before an act, at the same time or earlier."""
    known = hand[place] if place != act else None
    if known is not None:
        return replace(known, event=with_drawn(known.told, seat, tile), read_in_row=True)
    return Explained(hand[act].time_s, hand[act].change, Draw(seat, tile), read_in_row=True)


def _draws_next(seat: int, hand: Sequence[Explained], over: int | None, last: State) -> bool:
    """Whether the tile that came last to a hand was drawn, and is still there."""
    if over is None:
        return last.turn == seat and last.phase is Phase.TO_DRAW
    event = hand[over].event
    return (
        isinstance(event, Win)
        and event.seat == event.from_seat == seat
        and (last.turn == seat and last.phase is Phase.TO_DRAW)
    )


def _together(
    hand: Sequence[Explained],
    deals: Sequence[Explained],
    draws: Mapping[int, Explained],
    seats: Collection[int],
) -> tuple[Explained, ...]:
    """The hand with its deals and draws. Reveals of hands that lie open anyway are left out."""
    first_s = min((step.time_s for step in hand[1:]), default=float("inf"))
    steps = [hand[0], *(replace(deal, time_s=min(deal.time_s, first_s)) for deal in deals)]
    opened = {deal.event.seat for deal in deals if isinstance(deal.event, Deal)} & set(seats)
    for at, step in enumerate((*hand, None)):
        drawn = draws.get(at)
        has_it = step is not None and drawn is not None and type(step.event) is type(drawn.event)
        if drawn is not None and not has_it:
            steps.append(drawn)
        if step is None or at == 0:
            continue
        if drawn is not None and has_it:
            steps.append(drawn)
        elif not (isinstance(step.event, Reveal) and step.event.seat in opened):
            steps.append(step)
    return tuple(steps)


def _refused(hand: Sequence[Explained], state: State, rules: RuleSet) -> int | None:
    """The seat whose row makes the hand impossible; None if the hand is possible."""
    for number, explained in enumerate(hand):
        assert explained.event is not None, "the hand holds events"
        step = rules.apply(state, Entry(explained.event, t=explained.time_s), number)
        if not step.taken:
            return _seat_of(explained.event)
        state = step.state
    return None


def _seat_of(event: Event) -> int:
    return event.seat if isinstance(event, Deal | Discard | Draw | Reveal | Win) else -1
