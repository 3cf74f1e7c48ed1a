"""Who ruled on a disputed event: a correction says it in its evidence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.events import Correct, Entry

RULED_BY: Final = "ruled by "
"""How the evidence of such a line begins; the name follows."""


def ruled_by(entries: Sequence[Entry], number: int) -> list[str]:
    """Who has ruled on the events of one line, in order, unless the ruling was undone."""
    rulings = (
        line
        for line, entry in enumerate(entries)
        if isinstance(entry.event, Correct) and entry.event.of == number
    )
    said = (str(entries[line].evidence) for line in rulings if not _taken_back(entries, line))
    return [each.removeprefix(RULED_BY) for each in said if each.startswith(RULED_BY)]


def _taken_back(entries: Sequence[Entry], number: int) -> bool:
    """Whether a line was undone and not redone."""
    return any(
        isinstance(entry.event, Correct)
        and entry.event.of == number
        and not entry.event.events
        and not _taken_back(entries, line)
        for line, entry in enumerate(entries[number + 1 :], number + 1)
    )
