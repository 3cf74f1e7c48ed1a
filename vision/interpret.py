"""From happenings to the record: the few best stories are carried on, the best one is told."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import GameEnd, HandEnd
from engine.rules.base import RuleSet
from engine.state import Phase, State
from engine.tiles import Tile
from vision.explain import explain
from vision.happen import Happening, Put, Washed, tiles_of
from vision.reread import reread
from vision.scene import Scene
from vision.story import Story, Told

STORIES: Final = 12
"""Stories that are carried on."""
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


class Interpreter:
    """Explains happenings, whatever order they come to be known in."""

    def __init__(self, rules: RuleSet) -> None:
        self._first = (Story(rules, State()),)
        self._steps: list[_Step] = []

    @property
    def best(self) -> Story:
        return self._stories()[0]

    def take(self, happening: Happening, scene: Scene) -> None:
        """Add one happening; one that is older than those before is put in its place."""
        times = [step.happening.time_s for step in self._steps]
        place = bisect_right(times, happening.time_s)
        later = [step.happening for step in self._steps[place:]]
        del self._steps[place:]
        for each in (happening, *later):
            self._step(each, scene)
        self._reread(scene)

    def review(self, scene: Scene) -> None:
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

    def _reread(self, scene: Scene) -> None:
        """Price the faces of the best stories by what is known of the tiles now."""
        step = self._steps[-1] if self._steps else None
        if step is None or isinstance(step.happening, Washed):
            return
        again = [reread(story, scene) for story in step.stories[:REREAD]]
        if all(one is other for one, other in zip(again, step.stories, strict=False)):
            return
        stories = sorted((*again, *step.stories[REREAD:]), key=lambda story: story.cost)
        self._steps[-1] = replace(step, stories=_without_twins(stories))

    def close(self, time_s: float, scene: Scene) -> None:
        """The camera stops: a hand that is over ends, and the game with it."""
        state = self.best.state
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

    def confidence(self, told: Told) -> float:
        """How far the best stories agree on an event, and how sure its faces are."""
        stories = self._stories()
        best = stories[0].cost
        weights = [math.exp(best - story.cost) for story in stories]
        same = sum(
            weight
            for weight, story in zip(weights, stories, strict=True)
            if any(other.cause == told.cause and other.event == told.event for other in story.told)
        )
        return round(same / sum(weights) * max(told.sure, 0.05), 3)

    def _stories(self) -> tuple[Story, ...]:
        return self._steps[-1].stories if self._steps else self._first

    def _step(self, happening: Happening, scene: Scene) -> None:
        number = len(self._steps)
        found = [
            told for story in self._stories() for told in explain(happening, number, story, scene)
        ]
        stories = _without_twins(sorted(found, key=lambda story: story.cost)) or self._stories()
        self._steps.append(_Step(happening, stories, _faces(happening, scene)))


def _without_twins(stories: Sequence[Story]) -> tuple[Story, ...]:
    """The best few of stories in the order of what they cost; of two that tell the same, one."""
    kept: dict[object, Story] = {}
    for story in stories:
        if story.cost >= stories[0].cost + WORST or len(kept) == STORIES:
            break
        kept.setdefault(_mark(story), story)
    # Costs are differences: the best story of every step costs nothing.
    return tuple(replace(story, cost=story.cost - stories[0].cost) for story in kept.values())


def _mark(story: Story) -> object:
    """Two stories with the same last events and as many of them are one."""
    return (
        len(story.told),
        tuple((told.event, told.cause) for told in story.told[-10:]),
    ).__repr__()


def _faces(happening: Happening, scene: Scene) -> tuple[tuple[int, Tile, bool], ...]:
    watched = isinstance(happening, Put)
    return tuple(
        (tile, scene.tiles[tile].tile, watched and tile in scene.present)
        for tile in tiles_of(happening)
        if tile in scene.tiles
    )
