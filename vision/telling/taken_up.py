"""A record that is gone on with: its story, as far as it was told before the program began."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Entry, GameStart, Seat
from engine.log import standing
from engine.rules.base import RuleSet
from engine.state import Phase, State
from vision.telling.story import Story, Told

BEFORE: Final = -1
"""Cause of every event that was told before the program began: no happening of now."""


@dataclass(frozen=True)
class TakenUp:
    """The last game of a record."""

    story: Story
    numbers: tuple[int, ...] = ()
    """Of each event of the story: the number of its line."""
    lines: int = 0
    """Lines of the whole record, corrections included."""


def taken_up(rules: RuleSet, entries: Sequence[Entry], first_dealer: Seat | None = None) -> TakenUp:
    """The game that a record is in the middle of; a new one where its last game has ended.

    Times count from the last line, so those of the story are negative. What the engine did not
    take is left where it stands. ``first_dealer`` is said of a game that begins now.
    """
    events = standing(entries)
    begun = [at for at, each in enumerate(events) if isinstance(each.entry.event, GameStart)]
    fresh = TakenUp(Story(rules, State(), first_dealer=first_dealer), lines=len(entries))
    if not begun:
        return fresh
    last_s = max((entry.t for entry in entries if entry.t is not None), default=0.0)
    story, numbers, time_s = fresh.story, list[int](), 0.0
    for each in events[begun[-1] :]:
        entry = each.entry
        if isinstance(entry.event, GameStart):
            story = replace(story, first_dealer=entry.event.first_dealer)
        time_s = entry.t if entry.t is not None else time_s
        by_person = entry.source == "person"
        sure = 1.0 if entry.confidence is None else entry.confidence
        told = Told(entry.event, time_s - last_s, BEFORE, sure, settled=by_person)
        after = story.telling(told)
        if after is not None:
            story = after
            numbers.append(each.number)
    if story.state.phase is Phase.AFTER_GAME:
        return fresh
    return TakenUp(replace(story, cost=0.0), tuple(numbers), len(entries))
