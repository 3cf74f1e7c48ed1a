"""The game that a record is in the middle of, as a hypothesis to go on with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.events import Correct, Entry, GameStart, Seat
from engine.log import in_force
from engine.rules.base import RuleSet
from engine.state import State
from engine.updates import change_of, game_begins
from vision.decoder.decoding import ChangeNames
from vision.decoder.explained import Explained
from vision.decoder.hypothesis import Hypothesis


@dataclass(frozen=True)
class ResumedGame:
    """The last game of a record."""

    hypothesis: Hypothesis
    since_s: float = 0.0
    """Start of the new program's clock in the time of the record."""


def resume(
    rules: RuleSet,
    entries: Sequence[Entry],
    names: ChangeNames,
    first_dealer: Seat | None = None,
    options: Mapping[str, object] = {},
) -> ResumedGame:
    """The game that a record is in the middle of; a new one where its last game has ended.

    Times count from the last line, so those of the steps are negative. What the engine did not
    take is left where it stands. ``first_dealer`` is said of a game that begins now, ``options`` of
    every game that the record does not begin.
    """
    last_s = max((entry.t for entry in entries if entry.t is not None), default=0.0)
    fresh = Hypothesis(rules, State(), first_dealer=first_dealer, options=options)
    hypothesis, time_s = fresh, 0.0
    for event in in_force(entries, game_begins(entries)):
        entry = event.entry
        if isinstance(entry.event, Correct):
            continue
        if isinstance(entry.event, GameStart):
            hypothesis = replace(hypothesis, first_dealer=entry.event.first_dealer)
        time_s = entry.t if entry.t is not None else time_s
        sure = 1.0 if entry.confidence is None else entry.confidence
        step = Explained(
            time_s - last_s,
            names.earlier(change_of(entries, event)),
            entry.event,
            sure=sure,
            by_person=entry.source == "person",
        )
        hypothesis = hypothesis.then(step) or hypothesis
    return ResumedGame(hypothesis, last_s)
