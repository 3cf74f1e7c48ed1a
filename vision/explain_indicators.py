"""A tile of the wall turned up: an indicator."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from engine.events import (
    Event,
    Indicator,
)
from engine.state import Phase
from vision.happen import TurnedUp
from vision.scene import Scene
from vision.story import Story, some

UNSEEN_SET: Final = 14.0
"""Tiles laid beside a hand mean nothing."""


_KINDS: Final = {"harbin-hlr": "dora", "harbin-treasure": "treasure", "hangzhou": "fortune"}


def turned_up(happening: TurnedUp, number: int, story: Story, scene: Scene) -> Iterator[Story]:
    yield story.unchanged(UNSEEN_SET)
    kind = _KINDS.get(story.rules.id, "dora")
    ways = [story]
    if story.state.phase is Phase.TO_DRAW:
        # It is turned up after the last draws, too, when nobody has won.
        drawn = story.drawn_out(happening.time_s - 0.5, number)
        if drawn is not None:
            ways = [story.unchanged(2.0), drawn]
    for way in ways:
        for face, cost in scene.likely(happening.tile):
            event: Event = Indicator(face, kind)  # type: ignore[arg-type]
            sure = math.exp(-cost)
            yield from some(way.then(event, happening.time_s, number, cost, sure))
