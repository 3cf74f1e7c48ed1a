"""From happenings to the record: the few best stories are carried on, the best one is told."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from engine.events import Discard, Draw, Event, GameEnd, GameStart, HandEnd, HandStart
from engine.rules.base import RuleSet
from engine.state import Phase, State
from engine.tiles import Tile
from vision.table.placed_tile import PlacedTile
from vision.telling.asking import doubts, events_of, told_of, within_reason
from vision.telling.explain import explain
from vision.telling.question import Answer, EventPlace, Question
from vision.telling.reread import reread
from vision.telling.scene import TableEvidence
from vision.telling.story import Story, Told
from vision.tracking.happenings import PLACE_NAMES, Happening, Put, Washed, tiles_of

DISOBEYS: Final = 40.0
"""What a story costs that cannot tell what a person said."""
STORIES: Final = 12
"""Stories that are carried on."""
SPARE: Final = 10
"""So many more, if each tells something otherwise that no better one does."""
MAY_BE: Final = 10.0
"""What such a story may cost more than the best one."""
WORST: Final = 25.0
"""A story that costs so much more than the best one is dropped."""
REREAD: Final = 4
"""Stories whose faces are read again."""
WATCHED: Final = 12
"""Tiles of the last happenings whose reading may still change what was told."""


@dataclass(frozen=True)
class _Step:
    """One happening and the stories after it."""

    happening: Happening
    stories: tuple[Story, ...]
    faces: tuple[tuple[int, Tile, bool], ...]
    """What its tiles were read as when it was explained, and whether they lay there."""
    present: Collection[int] = ()
    """What lay on the table when it was explained."""
    place: tuple[EventPlace, tuple[tuple[float, float], ...]] | None = None
    """Where it was, and the middles of its tiles, once these are forgotten."""


class Interpreter:
    """Explains happenings, whatever order they come to be known in."""

    def __init__(self, rules: RuleSet, begun: Story | None = None) -> None:
        """``begun``: what was told before the program began."""
        self._first = (Story(rules, State()) if begun is None else begun,)
        self._steps: list[_Step] = []
        self._answers: list[Answer] = []
        self._tiles: Mapping[int, PlacedTile] = {}
        self._past: list[Question] = []
        """Questions of the hands that are over."""
        self._forgotten = 0
        """Steps whose stories are kept no longer."""

    @property
    def best(self) -> Story:
        return self._stories()[0]

    @property
    def tiles(self) -> frozenset[int]:
        """Ids of all tiles of the hands in which something may still be told otherwise."""
        first = max((at for at in range(self._forgotten) if self._over(at)), default=0)
        steps = self._steps[first:]
        return frozenset(tile for step in steps for tile in tiles_of(step.happening))

    def take(self, happening: Happening, scene: TableEvidence) -> None:
        """Add one happening; one that is older than those before is put in its place."""
        if isinstance(happening, Washed):
            self._past += self._doubts(scene)
        times = [step.happening.time_s for step in self._steps]
        oldest = self._forgotten + 1 if self._forgotten else 0
        place = max(bisect_right(times, happening.time_s), oldest)
        later = [step.happening for step in self._steps[place:]]
        del self._steps[place:]
        for each in (happening, *later):
            self._step(each, scene)
        self._reread(scene)
        self._forget()

    def _forget(self) -> None:
        """Let go of what might have been in hands that are over.

        Every story holds the whole game until then: those of an evening would fill the memory.
        """
        over = max((at for at in range(len(self._steps)) if self._over(at)), default=0)
        until = min(over, len(self._steps) - WATCHED - 1)
        for at in range(self._forgotten, until):
            happening = self._steps[at].happening
            self._steps[at] = _Step(happening, (), (), place=self._place_of(at))
        self._forgotten = max(self._forgotten, until)

    def review(self, scene: TableEvidence) -> None:
        """Explain again from the first happening whose tiles are now read otherwise."""
        first = max(0, len(self._steps) - WATCHED)
        for place in range(first, len(self._steps)):
            step = self._steps[place]
            if isinstance(self._steps[-1].happening, Washed):
                return
            if _faces(step.happening, scene) != step.faces:
                again = [later.happening for later in self._steps[place:]]
                del self._steps[place:]
                for happening in again:
                    self._step(happening, scene)
                break
        self._reread(scene)

    def _reread(self, scene: TableEvidence) -> None:
        """Price the faces of the best stories by what is known of the tiles now."""
        step = self._steps[-1] if self._steps else None
        if step is None or isinstance(step.happening, Washed):
            return
        again = [reread(story, scene) for story in step.stories[:REREAD]]
        if all(one is other for one, other in zip(again, step.stories, strict=False)):
            return
        stories = sorted((*again, *step.stories[REREAD:]), key=lambda story: story.cost)
        self._steps[-1] = replace(step, stories=_without_twins(stories))

    def close(self, time_s: float, scene: TableEvidence) -> None:
        """The camera stops: a hand that is over ends, and the game with it."""
        state = self.best.state
        self._past += self._doubts(scene)
        if state.phase in (Phase.TO_DRAW, Phase.TO_DISCARD):
            ended = self.best.drawn_out(time_s, len(self._steps))
            if ended is None:
                return
            self._steps.append(_Step(Washed(time_s), (ended,), ()))
        story: Story | None = self.best
        if story is not None and story.state.phase is Phase.SETTLED:
            story = story.then(HandEnd(), time_s, len(self._steps))
        if story is not None and story.state.phase is Phase.BEFORE_HAND and story.state.hand_number:
            story = story.then(GameEnd("time"), time_s, len(self._steps))
        if story is not None:
            self._steps.append(_Step(Washed(time_s), (story,), ()))

    def questions(self, scene: TableEvidence) -> list[Question]:
        """What people should be asked now, in the order of play."""
        events = sum(not isinstance(told.event, Draw) for told in self.best.told)
        doubtful = [one for one in (*self._past, *self._doubts(scene)) if not self._answered(one)]
        return within_reason(doubtful, events, len(self._answers))

    def answer(self, answer: Answer, scene: TableEvidence) -> None:
        """Go on with what a person said; what depends on it is explained again."""
        self._answers.append(answer)
        place = next(
            (
                at
                for at in range(len(self._steps))
                if answer.place.happening.same(self._place_of(at)[0])
            ),
            None,
        )
        if place is None:
            return  # it has not been seen yet
        hand = max((at for at in range(len(self._steps)) if self._over(at)), default=-1)
        if place <= hand:
            # A hand that is over is not played again: only what was said is put in its place.
            self._obey(len(self._steps) - 1, 0)
            return
        again = self._steps[place:]
        del self._steps[place:]
        for step in again:
            self._step(step.happening, replace(scene, present=step.present))
        self._reread(scene)

    def _over(self, place: int) -> bool:
        return isinstance(self._steps[place].happening, Washed)

    def _answered(self, question: Question) -> bool:
        return any(answer.place.same(question.place) for answer in self._answers)

    def _doubts(self, scene: TableEvidence) -> list[Question]:
        if not self._steps or self._over(len(self._steps) - 1):
            return []
        self._tiles = scene.tiles
        return doubts(self._stories(), scene, self._place_of)

    def _place_of(self, number: int) -> tuple[EventPlace, tuple[tuple[float, float], ...]]:
        kept = self._steps[number].place
        if kept is not None:
            return kept
        happening = self._steps[number].happening
        lying = [self._tiles[tile] for tile in tiles_of(happening) if tile in self._tiles]
        middles = tuple((tile.x_mm, tile.y_mm) for tile in lying)
        what = PLACE_NAMES[type(happening)]
        if not middles:
            return EventPlace(what, round(happening.time_s, 1)), ()
        x_mm = sum(x for x, _ in middles) / len(middles)
        y_mm = sum(y for _, y in middles) / len(middles)
        return EventPlace(what, round(happening.time_s, 1), round(x_mm), round(y_mm)), middles

    def _said(self, since: int) -> list[tuple[int, Answer]]:
        """What people said of the happenings from this number on, with the number of each."""
        causes = range(len(self._steps) - 1, since - 1, -1)
        places = [(cause, self._place_of(cause)[0]) for cause in causes]
        found = (
            (next((cause for cause, at in places if answer.place.happening.same(at)), None), answer)
            for answer in self._answers
        )
        return [(cause, answer) for cause, answer in found if cause is not None]

    def confidence(self, told: Told) -> float:
        """How far the best stories agree on an event, and how sure its faces are."""
        stories = self._stories()
        best = stories[0].cost
        weights = [math.exp(best - story.cost) for story in stories]
        same = sum(
            weight
            for weight, story in zip(weights, stories, strict=True)
            if any(
                other.cause == told.cause and other.event == told.event
                for other in reversed(story.told)
            )
        )
        return round(same / sum(weights) * max(told.sure, 0.05), 3)

    def _stories(self) -> tuple[Story, ...]:
        return self._steps[-1].stories if self._steps else self._first

    def _step(self, happening: Happening, scene: TableEvidence) -> None:
        number = len(self._steps)
        found = [
            told for story in self._stories() for told in explain(happening, number, story, scene)
        ]
        stories = _without_twins(sorted(found, key=lambda story: story.cost)) or self._stories()
        faces = _faces(happening, scene)
        self._steps.append(_Step(happening, stories, faces, frozenset(scene.present)))
        self._tiles = scene.tiles
        # In the hands before, every story tells already what was said of them.
        hand = max((at for at in range(number) if self._over(at)), default=0)
        self._obey(number, hand)

    def _obey(self, number: int, since: int) -> None:
        """Tell the stories of a step as people said, of all that happened since another one."""
        said = self._said(since) if self._answers else []
        if not said:
            return
        step = self._steps[number]
        stories = sorted((_obeying(story, said) for story in step.stories), key=_cost)
        self._steps[number] = replace(step, stories=_without_twins(stories))


def _cost(story: Story) -> float:
    return story.cost


def _obeying(story: Story, said: Sequence[tuple[int, Answer]]) -> Story:
    """The story as people said it was; it costs much where it cannot be told so."""
    for cause, answer in said:
        if answer.place.seat is not None:
            told = _with_discard(story, cause, answer)
        elif events_of(story, cause) == answer.events:
            continue
        else:
            told = story.replaced(cause, answer.events, answer.place.time_s)
        story = story.unchanged(DISOBEYS) if told is None else told
    return story


def _with_discard(story: Story, cause: int, answer: Answer) -> Story | None:
    """The story with the one discard that a person named; None where its seat made none there."""
    for place, told in told_of(story, cause):
        if isinstance(told.event, Discard) and told.event.seat == answer.place.seat:
            if answer.events == (told.event,):
                return story
            if len(answer.events) == 1:
                said = replace(told, event=answer.events[0], sure=1.0, price=0.0, settled=True)
                return story.retold(place, said)
            events = [
                answer.events if at == place else (one.event,) for at, one in told_of(story, cause)
            ]
            return story.replaced(cause, tuple(chain(*events)), answer.place.time_s)
    return None


def _without_twins(stories: Sequence[Story]) -> tuple[Story, ...]:
    """The best few of stories in the order of what they cost; of two that tell the same, one.

    Beside them the best story is kept that tells of other acts in some happening, if it may still
    turn out to be the right one: many doubts at once would crowd each other out, and what was no
    tile at all is told by who goes on to discard.
    """
    kept: dict[object, Story] = {}
    spare = 0
    otherwise: set[object] = set()
    for story in stories:
        if story.cost >= stories[0].cost + WORST:
            break
        mark = _unlike(story, stories[0])
        if mark in kept:
            continue
        differs = _ways(story, mark)
        if len(kept) - spare == STORIES:
            if spare == SPARE or story.cost >= stories[0].cost + MAY_BE:
                break
            if differs <= otherwise:
                continue
            spare += 1
        kept[mark] = story
        otherwise |= differs
    # Costs are differences: the best story of every step costs nothing.
    return tuple(replace(story, cost=story.cost - stories[0].cost) for story in kept.values())


def _unlike(story: Story, best: Story) -> frozenset[tuple[int, Event]]:
    """What either story tells and the other does not, by the number of the happening."""
    told, other = story.told, best.told
    first = told.shares(other)
    return frozenset(_by_cause(told[first:]) ^ _by_cause(other[first:]))


def _ways(story: Story, mark: frozenset[tuple[int, Event]]) -> set[object]:
    """Who did what in the happenings of this hand that are told otherwise, whatever the faces."""
    starts = (told.cause for told in reversed(story.told) if isinstance(told.event, HandStart))
    begun = next(starts, 0)
    done: dict[int, list[object]] = {cause: [] for cause, _ in mark if cause >= begun}
    for told in story.told:
        if told.cause in done:
            done[told.cause].append((type(told.event), getattr(told.event, "seat", None)))
    return {(cause, tuple(events)) for cause, events in done.items()}


def _by_cause(told: Sequence[Told]) -> set[tuple[int, Event]]:
    """The events with the numbers of their happenings; every game begins alike."""
    return {(one.cause, one.event) for one in told if not isinstance(one.event, GameStart)}


def _faces(happening: Happening, scene: TableEvidence) -> tuple[tuple[int, Tile, bool], ...]:
    watched = isinstance(happening, Put)
    return tuple(
        (tile, scene.tiles[tile].tile, watched and tile in scene.present)
        for tile in tiles_of(happening)
        if tile in scene.tiles
    )
