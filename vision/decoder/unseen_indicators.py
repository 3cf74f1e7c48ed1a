"""What an indicator adds to a win that nobody saw turned up."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.events import Event, HandEnd, Indicator, Win
from engine.state import State
from vision.decoder.explained import BEFORE, Explained
from vision.decoder.hypothesis import Hypothesis
from vision.decoder.layout import copies_left
from vision.decoder.question import AnswerChoice, Question
from vision.decoder.questions import (
    ASKED,
    WRONG,
    PlaceOf,
    indicator_due,
    number_of,
    steps_of,
)
from vision.decoder.search import events_of

MOST_DUE: Final = 5
"""Indicators that count for one win: no game turns up more."""
MISSED: Final = 0.21
"""How likely a tile that a ready player turned up in sight was not read: none of 13 was missed,
which is at most this at 95 %."""


def what_was_not_turned_up(
    best: Hypothesis, place_of: PlaceOf, *, unseen: bool = False
) -> list[Question]:
    """A win of a hand that is over, where an indicator that may count for it was never seen.

    It was due before the win, or is due after all wins. One at which only ready players look is
    turned up by who is paid for it, in sight of the camera unless it was ``unseen`` how the hand
    was cleared away: it is asked as far as it moves points. By what is discarded it moves some only
    where a discarded treasure wins, too.
    """
    wins = [at for at, step in enumerate(best.hand) if isinstance(step.event, Win)]
    if not wins or best.hand[wins[-1]].change <= BEFORE:
        return []
    won = best.hand[wins[-1]]
    ends = (at for at, step in enumerate(best.hand) if isinstance(step.event, HandEnd))
    end = next(ends, len(best.hand))
    over = best.before[end] if end < len(best.hand) else best.state
    after = _all_due(best, over)
    told = events_of(best, won.change)
    before, loss = list[Indicator](), WRONG + 1.0
    with_due: tuple[Event, ...] = (*told, *after)
    if not after:
        then, layout = best.before[wins[-1]], best.rules.layout
        turned_up = {one.kind for one in over.indicators[len(then.indicators) :]}
        before = [one for one in _all_due(best, then)[:1] if one.kind not in turned_up]
        with_due = (*before, *told)
        if before and not (
            layout.indicator_at == "wall" and before[0].kind in layout.indicator_kinds
        ):
            loss = _loss_by(best, won, then, before[0], unseen)
    if loss < ASKED or not (before or after):
        return []
    choices = (told, with_due, ())
    place, tiles = place_of(won.change)
    return [
        Question(
            place,
            tuple(AnswerChoice(events, 1 / len(choices)) for events in choices),
            number_of(best, won.change, steps_of(best).get(won.change, [])),
            tiles,
            loss,
        )
    ]


def _loss_by(best: Hypothesis, won: Explained, then: State, due: Indicator, unseen: bool) -> float:
    """What it costs on the mean, in payments, that nobody knows which tile was looked at.

    Each hidden copy is as likely to be it as any other.
    """
    assert isinstance(won.event, Win), "an indicator counts for a win"
    wall = best.rules.wall.under(best.state.options)
    left = {face: max(0, copies_left(best, face)) for face in wall}
    told = _paid(best, then, won.event)
    payment = max(1, *map(abs, told))
    otherwise, moved = 0, 0.0
    for face, copies in left.items():
        turned = best.known.attempt(best.rules, then, replace(due, tile=face)) if copies else None
        paid = told if turned is None else _paid(best, turned.state, won.event)
        if paid != told:
            off = sum(abs(a - b) for a, b in zip(paid, told, strict=True))
            otherwise += copies
            moved += copies * (WRONG + off / payment)
    copies = max(1, sum(left.values()))
    needed = 2 * otherwise > copies  # with another tile it is no win: one was turned up
    return moved / copies * (1.0 if unseen or needed else MISSED)


def _paid(best: Hypothesis, state: State, won: Win) -> tuple[int, ...]:
    """What each seat is paid for this win; nothing where it is none."""
    done = best.known.attempt(best.rules, state, won)
    return (0,) * len(state.paid) if done is None else done.state.paid


def _all_due(best: Hypothesis, state: State) -> list[Indicator]:
    """The indicators that are to be turned up in a state."""
    due: list[Indicator] = []
    while (one := indicator_due(best, state)) is not None and len(due) < MOST_DUE:
        done = best.known.attempt(best.rules, state, one)
        if done is None:
            break
        due.append(one)
        state = done.state
    return due
