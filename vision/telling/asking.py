"""Which events of the stories are doubtful, and what else each may have been."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.events import Discard, Draw, DrawnHand, Event, HandStart, Indicator, Kong, Win
from engine.tiles import UNKNOWN
from vision.telling.question import AnswerChoice, EventPlace, Question
from vision.telling.rarity import Rarity
from vision.telling.reread import face_of, faces_of, shares_of, thrown_by
from vision.telling.scene import TableEvidence
from vision.telling.story import Story, Told
from vision.telling.taken_up import BEFORE

MOST_CHOICES: Final = 3
LEAST_SHARE: Final = 0.03
"""A reading that is less likely is not offered."""
ASKED: Final = 0.9
"""What is surer than this is not asked."""
MOST_SHARE: Final = 0.04
"""Questions are asked on at most so many of the events."""
ENDS_OTHERWISE: Final = 2.0
"""How much more hangs on who won from whom than on the tile that it was."""
_WEIGHTS: Final[dict[type, float]] = {Win: 4.0, DrawnHand: 4.0, Kong: 2.0, Indicator: 2.0}

PlaceOf = Callable[[int], tuple[EventPlace, tuple[tuple[float, float], ...]]]
"""Where and when a happening was, and the middles of its tiles, by its number."""


def doubts(stories: Sequence[Story], scene: TableEvidence, place_of: PlaceOf) -> list[Question]:
    """All that is not sure in this hand of the best story, the most doubtful first."""
    best = stories[0]
    begin = _begin(best)
    causes = dict.fromkeys(told.cause for told in best.told[begin:])
    if len(stories) > 1:
        causes |= dict.fromkeys(told.cause for told in stories[1].told[_begin(stories[1]) :])
    causes.pop(BEFORE, None)
    found: list[Question] = []
    asked: list[int] = []
    for cause in sorted(causes):
        found += _each_alone(best, cause, scene, place_of)
        choices = _choices(stories, cause, scene)
        if len(choices) < 2 or choices[0].share > ASKED:
            continue
        said = [event for choice in choices for event in choice.events]
        own = _ends_otherwise(choices) or _face_is_doubtful(best, cause, scene)
        if not own and _follows(stories, cause, asked):
            continue
        asked.append(cause)
        place, tiles_mm = place_of(cause)
        first = choices[0].events
        weight = max((_WEIGHTS.get(type(event), 1.0) for event in said), default=1.0)
        weight *= ENDS_OTHERWISE if _ends_otherwise(choices) else 1.0
        number = _number(best, cause, first)
        found.append(Question(place, choices, number, tiles_mm, weight))
    return sorted(found, key=lambda question: -question.doubt * question.weight)


def _unseen(story: Story, cause: int) -> list[tuple[int, Told]]:
    """Discards that no tile shows, where a happening has several: no answer names two tiles."""
    unseen = [
        (place, told)
        for place, told in told_of(story, cause)
        if isinstance(told.event, Discard) and told.tile is None
    ]
    return unseen if len(unseen) > 1 else []


def _each_alone(
    story: Story, cause: int, scene: TableEvidence, place_of: PlaceOf
) -> Iterator[Question]:
    """Discards of which an answer names one: a question for each."""
    for number, told in _unseen(story, cause):
        others = list(_read_otherwise(story, number, told, scene))[: MOST_CHOICES - 1]
        total = 1.0 + sum(weight for _, weight in others)
        choices = [AnswerChoice((event,), weight / total) for event, weight in others]
        if choices and isinstance(told.event, Discard) and 1.0 / total <= ASKED:
            place, tiles_mm = place_of(cause)
            first = AnswerChoice((told.event,), 1.0 / total)
            alone = replace(place, seat=told.event.seat)
            yield Question(alone, (first, *choices), number, tiles_mm)


def _follows(stories: Sequence[Story], cause: int, asked: Sequence[int]) -> bool:
    """Whether the likeliest other reading comes with another reading of what is asked before it."""
    now = events_of(stories[0], cause)
    other = next((story for story in stories[1:] if events_of(story, cause) != now), None)
    return other is not None and any(
        events_of(other, earlier) != events_of(stories[0], earlier) for earlier in asked
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


def _face_is_doubtful(story: Story, cause: int, scene: TableEvidence) -> bool:
    """Whether a tile was read otherwise, or not at all, whatever else happened."""
    return sum(weight for _, weight in _other_faces(story, cause, scene)) > 1.0 / ASKED - 1.0


def within_reason(questions: Sequence[Question], events: int, answered: int) -> list[Question]:
    """The questions that may be asked about so many events, in the order of play."""
    most = max(1, int(MOST_SHARE * events)) - answered
    worst = sorted(questions, key=lambda question: -question.doubt * question.weight)
    return sorted(worst[: max(0, most)], key=lambda question: question.number)


def events_of(story: Story, cause: int) -> tuple[Event, ...]:
    """What a story tells of a happening; draws are not seen."""
    return tuple(told.event for _, told in told_of(story, cause))


def told_of(story: Story, cause: int) -> Iterator[tuple[int, Told]]:
    """The same with all that is known of each event, and its place in the story."""
    for place in range(len(story.told) - 1, -1, -1):
        told = story.told[place]
        if told.cause < cause - 1 and isinstance(told.event, HandStart):
            return
        if told.cause == cause and not isinstance(told.event, Draw):
            first = place
            while first and story.told[first - 1].cause == cause:
                first -= 1
            yield from (
                (at, story.told[at])
                for at in range(first, place + 1)
                if not isinstance(story.told[at].event, Draw)
            )
            return


def _choices(
    stories: Sequence[Story], cause: int, scene: TableEvidence
) -> tuple[AnswerChoice, ...]:
    weights: dict[str, float] = {}
    ways: dict[str, tuple[Event, ...]] = {}
    best = events_of(stories[0], cause)
    now = _meant(best, stories[0])
    for story in stories:
        events = events_of(story, cause)
        # What pays otherwise and is told alike is asked where it is told otherwise.
        mark = now if events == best else _meant(events, story)
        ways.setdefault(mark, events)
        # The best story of each reading: of those that differ in other things only some are kept.
        weights[mark] = max(weights.get(mark, 0.0), math.exp(stories[0].cost - story.cost))
    for events, weight in _other_faces(stories[0], cause, scene):
        # Where the stories tell it too, they know more of it.
        mark = _meant(events, stories[0])
        ways.setdefault(mark, events)
        weights[mark] = max(weight, weights.get(mark, 0.0))
    if any(_is_odd_win(told) for _, told in told_of(stories[0], cause)):
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


def _is_odd_win(told: Told) -> bool:
    """A win of a hand that was not read, for which nobody can be paid, or against the rules.

    A hand that does not win is likelier one of which a tile was misread, or not found.
    """
    return isinstance(told.event, Win) and (told.event.hand is None or told.flaws > 0)


def _meant(events: Sequence[Event], story: Story) -> str:
    """What a reading comes to: how the tiles of a winning hand are read matters by what it pays."""
    wins = [event for event in events if isinstance(event, Win)]
    said = [replace(event, hand=None) if isinstance(event, Win) else event for event in events]
    return repr((said, story.state.paid if wins else None))


def _other_faces(
    story: Story, cause: int, scene: TableEvidence
) -> Iterator[tuple[tuple[Event, ...], float]]:
    """The same events with another face of the one tile that shows them, and with one unknown."""
    told_here = list(told_of(story, cause))
    events = tuple(told.event for _, told in told_here)
    alone = [place for place, _ in _unseen(story, cause)]
    for at, (place, told) in enumerate(told_here):
        if place not in alone:
            for other, weight in _read_otherwise(story, place, told, scene):
                yield (*events[:at], other, *events[at + 1 :]), weight


def _read_otherwise(
    story: Story, place: int, told: Told, scene: TableEvidence
) -> Iterator[tuple[Event, float]]:
    """Other faces of one event, the likeliest first, and how likely each is beside what is told."""
    if told.settled or not isinstance(told.event, Discard | Indicator):
        return
    rarity = Rarity.of(story.rules, story.state)
    if told.tile is not None and told.tile in scene.tiles:
        shares = shares_of(faces_of(told.tile, rarity, scene, face_of(told), thrown_by(told)))
        here = shares.get(face_of(told))
        if not here:
            return
    elif told.event.tile == UNKNOWN:
        left = {face: math.exp(-rarity.cost(face)) for face in rarity.wall}
        # Nothing speaks for any face: the record is surely not right here.
        here, shares = 0.05 * sum(left.values()), left
    else:
        return
    for face, share in sorted(shares.items(), key=lambda pair: -pair[1])[:MOST_CHOICES]:
        if face == face_of(told) or share < LEAST_SHARE * here:
            continue
        other = replace(told.event, tile=face)
        if story.retold(place, replace(told, event=other)) is not None:
            yield other, share / here


def _begin(story: Story) -> int:
    """Place of what follows the beginning of the hand that is told last."""
    for place in range(len(story.told) - 1, -1, -1):
        if isinstance(story.told[place].event, HandStart):
            return place
    return 0


def _number(story: Story, cause: int, events: tuple[Event, ...]) -> int:
    """Place of the first event that one tile shows, else of the last of them."""
    places = [place for place, _ in told_of(story, cause)]
    if not places:
        return max(0, sum(told.cause < cause for told in story.told) - 1)
    unknown = [
        place
        for place, event in zip(places, events, strict=True)
        if isinstance(event, Discard) and event.tile == UNKNOWN
    ]
    return unknown[0] if unknown else places[-1]
