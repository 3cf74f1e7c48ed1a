"""Which events of the hypotheses are doubtful, and what else each may have been."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.events import Discard, DrawnHand, Event, Indicator, Kong, Win
from engine.tiles import UNKNOWN
from vision.decoder.hypothesis import BEFORE, Explained, Hypothesis
from vision.decoder.layout import copies_cost
from vision.decoder.likelihood import TEMPERATURE
from vision.decoder.proposals.faces import faces_of, shares_of
from vision.decoder.question import AnswerChoice, EventPlace, Question
from vision.decoder.search import events_of
from vision.decoder.table_evidence import TableEvidence

MOST_CHOICES: Final = 3
LEAST_SHARE: Final = 0.03
"""A reading that is less likely is not offered."""
ASKED: Final = 0.9
"""What is surer than this is not asked."""
MOST_SHARE: Final = 0.04
"""Questions are asked on at most so many of the events."""
UNREAD: Final = 0.05
"""How likely an event of unknown face is right, beside each copy that is left."""
LOSS: Final = {Win: 4.0, DrawnHand: 4.0, Kong: 2.0, Indicator: 2.0}
"""What a wrong event costs its readers, in wrong discards."""
ENDS_OTHERWISE: Final = 2.0
"""The same where it is doubtful who won from whom, in wrong wins."""

PlaceOf = Callable[[int], tuple[EventPlace, tuple[tuple[float, float], ...]]]
"""Where and when a change was, and the middles of its tiles, by its id."""


def doubts(
    hypotheses: Sequence[Hypothesis], table: TableEvidence, place_of: PlaceOf
) -> list[Question]:
    """All that is not sure in this hand, the greatest expected loss first."""
    best = hypotheses[0]
    changes = dict.fromkeys(step.change for step in best.hand if step.event is not None)
    if len(hypotheses) > 1:
        changes |= dict.fromkeys(s.change for s in hypotheses[1].hand if s.event is not None)
    changes.pop(BEFORE, None)
    found: list[Question] = []
    asked: list[int] = []
    for change in sorted(changes):
        found += _each_alone(best, change, table, place_of)
        choices = _choices(hypotheses, change, table)
        if len(choices) < 2 or choices[0].share > ASKED:
            continue
        own = _ends_otherwise(choices) or _face_is_doubtful(best, change, table)
        if not own and _follows(hypotheses, change, asked):
            continue
        asked.append(change)
        place, tiles_mm = place_of(change)
        said = [event for choice in choices for event in choice.events]
        loss = max((LOSS.get(type(event), 1.0) for event in said), default=1.0)
        loss *= ENDS_OTHERWISE if _ends_otherwise(choices) else 1.0
        number = _number(best, change)
        found.append(Question(place, choices, number, tiles_mm, loss))
    return sorted(found, key=lambda question: -question.doubt * question.weight)


def within_reason(questions: Sequence[Question], events: int, answered: int) -> list[Question]:
    """The questions that may be asked about so many events, in the order of play."""
    most = max(1, int(MOST_SHARE * events)) - answered
    worst = sorted(questions, key=lambda question: -question.doubt * question.weight)
    return sorted(worst[: max(0, most)], key=lambda question: question.number)


def steps_of(hypothesis: Hypothesis, change: int) -> list[tuple[int, Explained]]:
    """Places among the events and steps of a change; draws are not seen."""
    events = hypothesis.events
    begin = len(events) - sum(step.event is not None for step in hypothesis.hand)
    return [
        (at, step)
        for at, step in enumerate(events[begin:], start=begin)
        if step.change == change and type(step.event).__name__ != "Draw"
    ]


def _unseen(hypothesis: Hypothesis, change: int) -> list[tuple[int, Explained]]:
    """Discards that no tile shows, where a change has several: no answer names two tiles."""
    unseen = [
        (place, step)
        for place, step in steps_of(hypothesis, change)
        if isinstance(step.event, Discard) and step.tile is None
    ]
    return unseen if len(unseen) > 1 else []


def _each_alone(
    best: Hypothesis, change: int, table: TableEvidence, place_of: PlaceOf
) -> Iterator[Question]:
    """Discards of which an answer names one: a question for each."""
    for number, step in _unseen(best, change):
        others = list(_read_otherwise(best, step, table))[: MOST_CHOICES - 1]
        total = 1.0 + sum(weight for _, weight in others)
        choices = [AnswerChoice((event,), weight / total) for event, weight in others]
        if choices and isinstance(step.event, Discard) and 1.0 / total <= ASKED:
            place, tiles_mm = place_of(change)
            first = AnswerChoice((step.event,), 1.0 / total)
            alone = replace(place, seat=step.event.seat)
            yield Question(alone, (first, *choices), number, tiles_mm)


def _follows(hypotheses: Sequence[Hypothesis], change: int, asked: Sequence[int]) -> bool:
    """Whether the likeliest other reading comes with another reading of what is asked before it."""
    best = hypotheses[0]
    now = events_of(best, change)
    other = next((one for one in hypotheses[1:] if events_of(one, change) != now), None)
    return other is not None and any(
        events_of(other, earlier) != events_of(best, earlier) for earlier in asked
    )


def _ends_otherwise(choices: Sequence[AnswerChoice]) -> bool:
    """Whether it is doubtful who won, from whom, or that anybody did: what most hangs on."""
    return len({_end(choice.events) for choice in choices}) > 1


def _end(events: Sequence[Event]) -> tuple[object, ...]:
    """Who wins from whom, or why nobody does; empty where the hand goes on."""
    return tuple(
        (event.seat, event.from_seat) if isinstance(event, Win) else event.reason
        for event in events
        if isinstance(event, Win | DrawnHand)
    )


def _face_is_doubtful(best: Hypothesis, change: int, table: TableEvidence) -> bool:
    """Whether a tile was read otherwise, or not at all, whatever else happened."""
    return sum(weight for _, weight in _other_faces(best, change, table)) > 1.0 / ASKED - 1.0


def _choices(
    hypotheses: Sequence[Hypothesis], change: int, table: TableEvidence
) -> tuple[AnswerChoice, ...]:
    weights: dict[str, float] = {}
    ways: dict[str, tuple[Event, ...]] = {}
    best = hypotheses[0]
    here = events_of(best, change)
    now = _meant(here, best)
    for one in hypotheses:
        events = events_of(one, change)
        # What pays otherwise and has the same events is asked where the events differ.
        mark = now if events == here else _meant(events, one)
        ways.setdefault(mark, events)
        # The best hypothesis of each reading: of those that differ elsewhere only some are kept.
        weights[mark] = max(weights.get(mark, 0.0), math.exp((best.cost - one.cost) / TEMPERATURE))
    for events, weight in _other_faces(best, change, table):
        mark = _meant(events, best)
        ways.setdefault(mark, events)
        weights[mark] = max(weight, weights.get(mark, 0.0))
    if any(_is_odd_win(step) for _, step in steps_of(best, change)):
        # It is asked, however sure the win is.
        if len(weights) == 1:
            ways[""], weights[""] = (), weights[now]
        weights[now] = min(weights[now], sum(weights.values()) - weights[now])
    total = sum(weights.values())
    others = sorted((mark for mark in weights if mark != now), key=lambda mark: -weights[mark])
    likely = [mark for mark in others if weights[mark] > LEAST_SHARE * total]
    # Of readings that end otherwise one is offered, however many tiles it may have been won with.
    ends = [mark for mark in likely if _end(ways[mark]) != _end(ways[now])]
    if ends and ends[0] not in likely[: MOST_CHOICES - 1]:
        likely.insert(MOST_CHOICES - 2, ends[0])
    kept = [now, *likely]
    return tuple(AnswerChoice(ways[mark], weights[mark] / total) for mark in kept[:MOST_CHOICES])


def _is_odd_win(step: Explained) -> bool:
    """A win of a hand that was not read, for which nobody can be paid, or against the rules.

    A hand that does not win is likelier one of which a tile was misread, or not found.
    """
    return isinstance(step.event, Win) and (step.event.hand is None or step.flawed)


def _meant(events: Sequence[Event], hypothesis: Hypothesis) -> str:
    """What a reading comes to: how the tiles of a winning hand are read matters by what it pays."""
    wins = [event for event in events if isinstance(event, Win)]
    said = [replace(event, hand=None) if isinstance(event, Win) else event for event in events]
    return repr((said, hypothesis.state.paid if wins else None))


def _other_faces(
    best: Hypothesis, change: int, table: TableEvidence
) -> Iterator[tuple[tuple[Event, ...], float]]:
    """The same events with another face of the one tile that shows them, and with one unknown."""
    here = steps_of(best, change)
    events = events_of(best, change)
    alone = [place for place, _ in _unseen(best, change)]
    for at, (place, step) in enumerate(here):
        if place not in alone:
            for other, weight in _read_otherwise(best, step, table):
                yield (*events[:at], other, *events[at + 1 :]), weight


def _read_otherwise(
    best: Hypothesis, step: Explained, table: TableEvidence
) -> Iterator[tuple[Event, float]]:
    """Other faces of one event, the likeliest first, and how likely each is beside its own."""
    if step.by_person or not isinstance(step.event, Discard | Indicator):
        return
    if step.tile is not None and step.tile in table.tiles:
        faces = faces_of(step, best, table)
        shares = shares_of(faces) if faces else {}
        here = shares.get(step.face)
        if not here:
            return
    elif step.event.tile == UNKNOWN:
        wall = best.rules.tiles(best.state.options)
        shares = {face: math.exp(-copies_cost(best, face)) for face in wall}
        # Nothing speaks for any face: the record is surely not right here.
        here = UNREAD * sum(shares.values())
    else:
        return
    place = best.steps.index(step)
    for face, share in sorted(shares.items(), key=lambda pair: -pair[1])[:MOST_CHOICES]:
        if face == step.face or share < LEAST_SHARE * here:
            continue
        other = replace(step.event, tile=face)
        if best.with_step(place, replace(step, event=other)) is not None:
            yield other, share / here


def _number(best: Hypothesis, change: int) -> int:
    """Place of the first event whose face is unknown, else of the last one of the change."""
    here = steps_of(best, change)
    if not here:
        before = [step for step in best.events if step.change < change]
        return max(0, len(before) - 1)
    unknown = [
        place
        for place, step in here
        if isinstance(step.event, Discard) and step.event.tile == UNKNOWN
    ]
    return unknown[0] if unknown else here[-1][0]
