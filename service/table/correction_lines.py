"""Corrections of a record: lines that correct it, undo a correction, or redo it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from engine.events import Correct, Entry
from engine.log import StandingEvent, last_correction, standing
from service.errors import Refused
from service.report.rulings import RULED_BY

EditKind = Literal["replace", "insert", "remove", "confirm"]


class Conflict(Refused):
    """Somebody else corrected the record meanwhile; the request may no longer be meant."""


class NotThere(Refused):
    """What the request names is not in the record."""


def refuse_stale(entries: Sequence[Entry], lines: int) -> None:
    """Raise ``Conflict`` if a person changed the record after it had ``lines`` lines.

    Lines that the camera added at the end do not matter.
    """
    since = entries[lines:]
    changed = any(isinstance(each.event, Correct) or each.source == "person" for each in since)
    if changed or lines > len(entries):
        raise Conflict(
            f"the record was changed meanwhile: it had {lines} lines and has {len(entries)}; "
            "look at it again and repeat what is still needed"
        )


def at(
    entries: Sequence[Entry], number: int, place: int = 0
) -> tuple[list[StandingEvent], StandingEvent]:
    """Return all events in force of one line, and the one at ``place``; raises ``NotThere``."""
    here = [each for each in standing(entries, max(number, 0)) if each.number == number]
    if not 0 <= place < len(here):
        which = f"event {number}" if not place else f"event {number}, place {place},"
        raise NotThere(f"{which} is not in the record; choose one of the events listed")
    return here, here[place]


def correction(
    entries: Sequence[Entry], number: int, place: int, how: EditKind, given: Sequence[Entry]
) -> Entry:
    """The line that replaces, removes, confirms, or inserts before, one event.

    Raises ``NotThere``.
    """
    here, old = at(entries, number, place)
    written = [each.entry for each in here]
    replacements = [_by_person(entry, old.entry) for entry in given]
    match how:
        case "replace":
            written[place : place + 1] = replacements
        case "insert":
            # A missed event has no picture of its own.
            written[place:place] = [replace(one, evidence=None) for one in replacements]
        case "remove":
            del written[place]
        case "confirm":
            written[place] = _by_person(old.entry, old.entry)
    return Entry(Correct(number, tuple(written)), t=old.entry.t, source="person")


def taken_back(entries: Sequence[Entry], line: int) -> bool:
    """Whether a correction was undone."""
    at = last_correction(entries, line)
    event = None if at is None else entries[at].event
    return isinstance(event, Correct) and not event.events


def by_referee(line: Entry, name: str) -> Entry:
    """A person's line as the ruling of somebody; a line like any other without a name."""
    return replace(line, evidence=f"{RULED_BY}{name}") if name else line


def _by_person(entry: Entry, old: Entry) -> Entry:
    """The entry as a person's, at the time of the one that it replaces, about the same change."""
    return replace(
        entry, t=old.t, evidence=old.evidence, confidence=None, source="person", change=old.change
    )
