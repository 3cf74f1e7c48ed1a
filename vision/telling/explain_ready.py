"""A hand laid down, backs up: with what readiness was claimed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.events import Chow, Discard, HandStart, Pung
from vision.telling.costs import NO_SIGN
from vision.telling.story import Story, some
from vision.tracking.happenings import LaidDown

WITH_DISCARD: Final = 2.5
"""Ready was claimed with the discard after a set, not with the set: nobody sees the difference."""


def laid_down(happening: LaidDown, number: int, story: Story) -> Iterator[Story]:
    """The hand laid down says that ready was claimed with the discard or claim before it."""
    seat = happening.seat
    if story.state.players[seat].ready:
        yield story
        return
    yield story.unchanged(NO_SIGN)
    for place in range(len(story.told) - 1, max(-1, len(story.told) - 8), -1):
        event = story.told[place].event
        if isinstance(event, HandStart):
            return
        if not isinstance(event, Discard | Chow | Pung) or event.seat != seat:
            continue
        ready = story.changed(place, replace(event, ready=True), happening.time_s)
        claim = place - 1
        if isinstance(event, Discard) and claim >= 0:
            before = story.told[claim].event
            if isinstance(before, Chow | Pung) and before.seat == seat:
                # Claimed, discarded, laid down: most players who do so had claimed with the set.
                with_set = story.changed(claim, replace(before, ready=True))
                if with_set is not None:
                    yield with_set
                    ready = None if ready is None else ready.unchanged(WITH_DISCARD)
        yield from some(ready)
        return
