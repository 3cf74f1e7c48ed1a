"""Recognises what a reader that does not know the record tells once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.events import Entry, Event, GameStart, HandStart
from engine.game import Game
from engine.log import StandingEvent, standing
from engine.state import Phase

CATCH_UP_S: Final = 20.0
"""For so many seconds a reconnected camera reports again what lies on the table."""
SAME_MOMENT_S: Final = 0.6
"""Seconds between two readings of one event of a video."""
_IN_PLAY: Final = (Phase.TO_DRAW, Phase.TO_DISCARD, Phase.SETTLED)
_NO_GAME: Final = (Phase.BEFORE_GAME, Phase.AFTER_GAME)


class ToldAgain:
    """The events of a record that may be told once more.

    A video that plays again tells all of them. A camera goes on with the situation: it tells what
    lies on the table, as the beginning of a game.
    """

    def __init__(self, before: Sequence[Entry], plays_again: bool) -> None:
        events = standing(before)
        begun = [at for at, each in enumerate(events) if isinstance(each.entry.event, HandStart)]
        self._known = events[begun[-1] + 1 :] if begun else []
        if plays_again:
            # What people have corrected is told as it was at first.
            first = [StandingEvent(*one) for one in enumerate(before)]
            corrected = [each for each in events if each.entry is not before[each.number]]
            self._known = [*first, *corrected]
        self._plays_again = plays_again
        self._times = [entry.t for entry in before]
        self._last_s = max((t for t in self._times if t is not None), default=0.0)
        self._hand_seen = False

    def known(self, entry: Entry, own_s: float, game: Game) -> Entry | int | None:
        """Return the number under which an event stands, or the line to write where it is new.

        None where it is to be forgotten. ``own_s`` is its time by the reader's clock.
        """
        event = entry.event
        if self._plays_again:
            alike = [each for each in self._known if _alike(each.entry.event, event)]
            nearest = min(alike, key=lambda each: self._apart_s(each, own_s), default=None)
            if nearest is not None and self._apart_s(nearest, own_s) < SAME_MOMENT_S:
                return self._counted(nearest)
            return None if own_s < self._last_s else entry
        if isinstance(event, GameStart):
            return entry if game.state.phase in _NO_GAME else None
        if isinstance(event, HandStart) and not self._hand_seen:
            self._hand_seen = True
            # Who deals is known better from the game so far.
            return None if game.state.phase in _IN_PLAY else replace(entry, event=HandStart())
        same = (each for each in self._known if each.entry.event == event)
        found = next(same, None) if own_s <= CATCH_UP_S else None
        return entry if found is None else self._counted(found)

    def _apart_s(self, known: StandingEvent, own_s: float) -> float:
        """Seconds between an event as recorded and as read; a correction keeps its line's time."""
        recorded = known.entry.t if known.entry.t is not None else self._times[known.number]
        return float("inf") if recorded is None else abs(recorded - own_s)

    def _counted(self, known: StandingEvent) -> int:
        self._known.remove(known)
        return known.number


def _alike(one: Event, other: Event) -> bool:
    """Whether events are of the same kind and seat; the tile may differ."""
    return type(one) is type(other) and getattr(one, "seat", None) == getattr(other, "seat", None)
