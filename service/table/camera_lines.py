"""Gives the camera's events their place in a record that people write to as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.events import Correct, Entry, Event, GameStart, HandStart
from engine.game import Game
from engine.log import StandingEvent, standing
from engine.state import Phase

CATCH_UP_S: Final = 20.0
"""For so many seconds a reconnected camera reports again what lies on the table."""
SAME_MOMENT_S: Final = 0.6
"""Seconds between two readings of one event of a video."""
_IN_PLAY: Final = (Phase.TO_DRAW, Phase.TO_DISCARD, Phase.SETTLED)
_NO_GAME: Final = (Phase.BEFORE_GAME, Phase.AFTER_GAME)


class CameraLines:
    """Translates the reader's own line numbers, counted from 0, to those of the record."""

    def __init__(
        self,
        before: Sequence[Entry],
        from_the_beginning: bool = False,
        start: GameStart | None = None,
        taken_up: bool = False,
    ) -> None:
        """``before`` is the record to continue.

        ``from_the_beginning``: the source plays the same video again, so all of it is told again;
        otherwise a camera goes on with the situation, and its clock begins anew. ``start``: how
        people said that a game starts, with its names and options; no camera sees these.
        ``taken_up``: the reader knows the record, counts on from it and tells nothing of it again.
        """
        self._start = start
        self._numbers: list[int | None] = list(range(len(before))) if taken_up else []
        self._from_the_beginning = from_the_beginning
        self._before_s = max((entry.t for entry in before if entry.t is not None), default=0.0)
        self._times = [entry.t for entry in before]
        events = standing(before)
        begun = [at for at, each in enumerate(events) if isinstance(each.entry.event, HandStart)]
        if not from_the_beginning:
            events = events[begun[-1] + 1 :] if begun else []
        self._known: list[StandingEvent] = events
        self._resumed = bool(before) and not taken_up
        self._hand_seen = not before

    @property
    def since_s(self) -> float:
        """Start of the reader's clock in the time of the record, in seconds."""
        return 0.0 if self._from_the_beginning else self._before_s

    def placed(self, entry: Entry, game: Game) -> Entry | None:
        """Return the line to append, None where it adds nothing; write it before the next call."""
        if isinstance(entry.event, GameStart) and self._start is not None:
            entry = replace(entry, event=self._start)
        event = entry.event
        own_s = entry.t or 0.0
        if entry.t is not None:
            entry = replace(entry, t=round(self.since_s + entry.t, 2))
        if isinstance(event, Correct):
            of = self._numbers[event.of] if 0 <= event.of < len(self._numbers) else None
            self._numbers.append(None)
            if of is None or corrected_by_person(game.entries, of):
                return None
            return replace(entry, event=replace(event, of=of))
        if self._resumed:
            if self._told_before(event, own_s, game):
                return None
            if isinstance(event, HandStart) and not self._from_the_beginning:
                self._hand_seen, first = True, not self._hand_seen
                if first:  # who deals is known better from the game so far
                    entry = replace(entry, event=HandStart())
        self._numbers.append(len(game.entries))
        return entry

    def put_at(self, number: int) -> None:
        """Set the record's line number of the last line."""
        if self._numbers and self._numbers[-1] is not None:
            self._numbers[-1] = number

    def _told_before(self, event: Event, own_s: float, game: Game) -> bool:
        """Whether an event is in the continued record already; then it is counted."""
        if self._from_the_beginning:
            alike = (each for each in self._known if _alike(each.entry.event, event))
            nearest = min(alike, key=lambda each: self._apart_s(each, own_s), default=None)
            if nearest is not None and self._apart_s(nearest, own_s) >= SAME_MOMENT_S:
                nearest = None
            return self._counted(nearest) or self._dropped(own_s < self._before_s)
        state = game.state
        if isinstance(event, GameStart):
            return self._dropped(state.phase not in _NO_GAME)
        if isinstance(event, HandStart) and not self._hand_seen and state.phase in _IN_PLAY:
            self._hand_seen = True
            return self._dropped(True)
        if own_s > CATCH_UP_S:
            return False
        same = (each for each in self._known if each.entry.event == event)
        return self._counted(next(same, None))

    def _apart_s(self, known: StandingEvent, own_s: float) -> float:
        """Seconds between an event as recorded and as read; a correction keeps its line's time."""
        recorded = known.entry.t if known.entry.t is not None else self._times[known.number]
        return float("inf") if recorded is None else abs(recorded - own_s)

    def _counted(self, known: StandingEvent | None) -> bool:
        if known is None:
            return False
        self._known.remove(known)
        self._numbers.append(known.number)
        return True

    def _dropped(self, when: bool) -> bool:
        if when:
            self._numbers.append(None)
        return when


def corrected_by_person(entries: Sequence[Entry], number: int) -> bool:
    """Whether a person corrected a line; then the camera may not.

    A correction that was itself corrected away does not count.
    """
    withdrawn: set[int] = set()
    for at in reversed(range(number + 1, len(entries))):
        event = entries[at].event
        if not isinstance(event, Correct) or at in withdrawn:
            continue
        if event.of == number:
            return entries[at].source == "person"
        if not event.events:
            withdrawn.add(event.of)
    return False


def _alike(one: Event, other: Event) -> bool:
    """Whether events are of the same kind and seat; the tile may differ."""
    return type(one) is type(other) and getattr(one, "seat", None) == getattr(other, "seat", None)
