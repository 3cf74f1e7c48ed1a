"""A film that plays again from its beginning, whose record stands already."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.events import Correct, Entry
from engine.log import EventInForce, in_force
from engine.updates import Pinned, change_of

SAME_MOMENT_S: Final = 0.6
"""Seconds between two readings of one event of a film."""


class PlayedAgain:
    """Recognises by act and time what is told again, for its reader names all changes anew."""

    def __init__(self, before: Sequence[Entry]) -> None:
        events = in_force(before)
        # What people have corrected is told as it was at first.
        first = [EventInForce(*one) for one in enumerate(before)]
        corrected = [event for event in events if event.entry is not before[event.number]]
        self._camera = {
            change_of(before, event) for event in first if event.entry.source != "person"
        }
        """The changes of which the camera told."""
        self._known = [
            (
                change_of(before, event),
                replace(event.entry, t=event.entry.t or before[event.number].t),
            )
            for event in (*first, *corrected)
            if not isinstance(event.entry.event, Correct)
        ]
        self.last_s = max((entry.t for entry in before if entry.t is not None), default=0.0)
        """When the record ends."""
        self._names: dict[Hashable, str] = {}
        """The record's change of each event of the reader."""
        self._of_reader: dict[str, str] = {}
        """The reader's change of each of the record, and of those that are new."""

    def learn(self, told: Sequence[Entry]) -> None:
        """Recognise what the reader tells."""
        for entry in told:
            if _mark(entry) not in self._names and (entry.t or 0.0) < self.last_s + SAME_MOMENT_S:
                self._learn(entry)

    def told(self, told: Sequence[Entry]) -> list[Entry]:
        """What the reader tells, with the changes of the record.

        What it tells of the time of the record, and the record does not hold, is left out.
        """
        entries = []
        for entry in told:
            name = self._names.get(_mark(entry))
            if name is not None:
                entries.append(replace(entry, change=name))
            elif (entry.t or 0.0) >= self.last_s:
                self._of_reader.setdefault(str(entry.change), str(entry.change))
                entries.append(entry)
        return entries

    def pins(self, pinned: Pinned, until_s: float) -> Pinned:
        """What people fixed of what the reader has come to, with the changes of the reader."""
        known = self._of_reader
        return Pinned(
            tuple(self._renamed(pinned.in_force, until_s)),
            frozenset(known[change] for change in pinned.removed if change in known),
        )

    def _renamed(self, entries: Sequence[Entry], until_s: float) -> Iterator[Entry]:
        for entry in entries:
            change = self._of_reader.get(str(entry.change))
            if change is not None:
                yield replace(entry, change=change)
            elif entry.change not in self._camera and (entry.t or 0.0) <= until_s:
                yield entry

    def _learn(self, entry: Entry) -> None:
        apart = {
            at: abs(line.t - (entry.t or 0.0))
            for at, (_, line) in enumerate(self._known)
            if line.t is not None and _act(line) == _act(entry)
        }
        nearest = min(apart, key=lambda at: apart[at], default=None)
        if nearest is None or apart[nearest] >= SAME_MOMENT_S:
            return
        change, _ = self._known.pop(nearest)
        self._names[_mark(entry)] = change
        if entry.change is not None:
            self._of_reader.setdefault(change, entry.change)


def _mark(entry: Entry) -> Hashable:
    return entry.change, *_act(entry)


def _act(entry: Entry) -> tuple[type, object]:
    """What kind of act an event is, and whose; the tile may differ."""
    return type(entry.event), getattr(entry.event, "seat", None)
