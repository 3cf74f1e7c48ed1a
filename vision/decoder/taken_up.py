"""The game that a record is in the middle of, as a hypothesis to go on with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.events import Entry, GameStart, Seat
from engine.log import standing
from engine.rules.base import RuleSet
from engine.state import Phase, State
from vision.decoder.explained import BEFORE, Explained
from vision.decoder.hypothesis import Hypothesis


@dataclass(frozen=True)
class TakenUp:
    """The last game of a record."""

    hypothesis: Hypothesis
    first: int
    """Number of the line with which it begins."""


def taken_up(rules: RuleSet, entries: Sequence[Entry], first_dealer: Seat | None = None) -> TakenUp:
    """The game that a record is in the middle of; a new one where its last game has ended.

    Times count from the last line, so those of the steps are negative. What the engine did not
    take is left where it stands. ``first_dealer`` is said of a game that begins now.
    """
    events = standing(entries)
    begun = [at for at, each in enumerate(events) if isinstance(each.entry.event, GameStart)]
    fresh = TakenUp(Hypothesis(rules, State(), first_dealer=first_dealer), len(entries))
    if not begun:
        return fresh
    last_s = max((entry.t for entry in entries if entry.t is not None), default=0.0)
    found, time_s = fresh.hypothesis, 0.0
    for each in events[begun[-1] :]:
        entry = each.entry
        if isinstance(entry.event, GameStart):
            found = replace(found, first_dealer=entry.event.first_dealer)
        time_s = entry.t if entry.t is not None else time_s
        sure = 1.0 if entry.confidence is None else entry.confidence
        step = Explained(
            time_s - last_s, BEFORE, entry.event, sure=sure, by_person=entry.source == "person"
        )
        found = found.then(step) or found
    if found.state.phase is Phase.AFTER_GAME:
        return fresh
    return TakenUp(replace(found, cost=0.0), events[begun[-1]].number)
