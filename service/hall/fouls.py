"""Counts the fouls and irregular moves of a growing record that nobody has confirmed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from engine.announce import Problem
from engine.events import Foul
from engine.game import first_since
from engine.played import PlayedEvent
from service.report.public import public_announcements

_NO_FOUL: Final = "outranked"
"""Losing a tile to a better claim is no foul that needs confirming."""


class OpenFouls:
    """The count for one record; a new line only recounts what it changed."""

    def __init__(self) -> None:
        self._irregular: Counter[int] = Counter()
        """Number of irregularities announced for each event."""
        self._open: Counter[int] = Counter()
        """Open fouls by line number."""

    def __len__(self) -> int:
        return self._open.total()

    def changed(
        self, before: Sequence[PlayedEvent], after: Sequence[PlayedEvent], since: int
    ) -> None:
        """Update the count from one state of the record to the next, which differ from ``since``
        on.
        """
        old, new = before[first_since(before, since) :], after[first_since(after, since) :]
        gone, come = Counter(_irregular(old)), Counter(_irregular(new))
        self._irregular.subtract(gone)
        self._irregular.update(come)
        for number in {one.event.number for one in (*old, *new)} | set(gone) | set(come):
            self._open[number] = self._at(after, number)

    def _at(self, played: Sequence[PlayedEvent], number: int) -> int:
        here = played[first_since(played, number) : first_since(played, number + 1)]
        entries = [one.event.entry for one in here]
        return sum(
            entry.source != "person"
            and (isinstance(entry.event, Foul) or self._irregular[number] > 0)
            for entry in entries
        )


def _irregular(played: Iterable[PlayedEvent]) -> list[int]:
    said = public_announcements(said for one in played for said in one.announcements)
    return [
        one.of
        for one in said
        if isinstance(one, Problem) and not one.impossible and one.code != _NO_FOUL
    ]
