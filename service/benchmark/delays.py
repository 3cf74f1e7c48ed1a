"""Measures the time from a hand leaving the table to the announcement of the event."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from engine.events import Chow, Correct, Discard, Entry, Indicator, Kong, Pung, Win
from engine.log import standing
from vision.compare import compare

ACTS: Final = (Discard, Chow, Pung, Kong, Win, Indicator)
"""Events that a hand causes directly; deals and ends of hands are inferred from several signs."""


class AnnouncementTimes:
    """Collects record lines, and when each event was first announced in its final form."""

    def __init__(self) -> None:
        self._lines: list[Entry] = []
        self._first_s: dict[str, float] = {}

    def take(self, lines: Iterable[Entry], now_s: float) -> None:
        for line in lines:
            self._lines.append(line)
            told = line.event.events if isinstance(line.event, Correct) else (line,)
            for entry in told:
                self._first_s.setdefault(f"{entry.event} {entry.t}", now_s)

    def entries(self) -> list[Entry]:
        """The events in force, each with the time of its announcement."""
        return [
            replace(one.entry, t=self._first_s.get(f"{one.entry.event} {one.entry.t}"))
            for one in standing(self._lines)
            if not isinstance(one.entry.event, Correct)
        ]


def delays_s(true: Sequence[Entry], told: Sequence[Entry], until_s: float) -> tuple[float, ...]:
    """Return the delay of every correctly read event before ``until_s``.

    The true record's times are when hands left what they had put down.
    """
    seen = [one for one in true if one.t is None or one.t < until_s]
    timed = [one if isinstance(one.event, ACTS) else replace(one, t=None) for one in seen]
    return compare(timed, told).late_s
