"""The append-only record: which events stand after its corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.events import Correct, Entry


@dataclass(frozen=True)
class Standing:
    """An event in force."""

    number: int
    """Of the line that it stands on, or whose place it takes."""
    entry: Entry
    """A ``Correct`` stands only where it corrects nothing that came before it."""


def standing(entries: Sequence[Entry]) -> list[Standing]:
    """The events in force, in the order of play.

    A correction is a line like any other: correcting *it* withdraws or changes it, so the lines
    are read from the last to the first, and a line is read as what later lines made of it.
    """
    corrected: dict[int, tuple[Entry, ...]] = {}
    backwards: list[Standing] = []
    for number in reversed(range(len(entries))):
        written = corrected.get(number, (entries[number],))
        for entry in reversed(written):
            event = entry.event
            if isinstance(event, Correct) and 0 <= event.of < number:
                corrected.setdefault(event.of, event.events)  # the last correction holds
            else:
                backwards.append(Standing(number, entry))
    backwards.reverse()
    return backwards
