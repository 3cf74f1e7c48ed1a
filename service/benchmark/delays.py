"""Measures the time from a hand leaving the table to the announcement of the event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.events import Chow, Discard, Entry, Indicator, Kong, Pung, Win
from vision.compare import compare

ACTS: Final = (Discard, Chow, Pung, Kong, Win, Indicator)
"""Events that a hand causes directly; deals and ends of hands are inferred from several signs."""


class AnnouncementTimes:
    """Collects what is told, and when each event was first announced in its final form."""

    def __init__(self) -> None:
        self._told: Sequence[Entry] = ()
        self._first_s: dict[str, float] = {}

    def take(self, told: Sequence[Entry], now_s: float) -> None:
        self._told = told
        for entry in told:
            self._first_s.setdefault(f"{entry.event} {entry.t}", now_s)

    def entries(self) -> list[Entry]:
        """The events told last, each with the time of its announcement."""
        return [
            replace(entry, t=self._first_s.get(f"{entry.event} {entry.t}")) for entry in self._told
        ]


def delays_s(true: Sequence[Entry], told: Sequence[Entry], until_s: float) -> tuple[float, ...]:
    """Return the delay of every correctly read event before ``until_s``.

    The true record's times are when hands left what they had put down.
    """
    seen = [one for one in true if one.t is None or one.t < until_s]
    timed = [one if isinstance(one.event, ACTS) else replace(one, t=None) for one in seen]
    return compare(timed, told).late_s
