"""The append-only record: which events stand after its corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar, overload

from engine.events import Correct, Entry

T = TypeVar("T")


class SoFar(Sequence[T]):
    """A list that is only ever added to, as long as it was when somebody looked at it.

    A record is looked at for every line that comes: copying it would cost more with each.
    """

    def __init__(self, grows: list[T]) -> None:
        self._grows = grows
        self._length = len(grows)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[T, ...]: ...

    def __getitem__(self, place: int | slice) -> T | tuple[T, ...]:
        places = range(self._length)[place]
        if isinstance(places, range):
            return tuple(self._grows[each] for each in places)
        return self._grows[places]

    def __iter__(self) -> Iterator[T]:
        return islice(self._grows, self._length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))


@dataclass(frozen=True)
class StandingEvent:
    """An event in force."""

    number: int
    """Of the line that it stands on, or whose place it takes."""
    entry: Entry
    """A ``Correct`` stands only where it corrects nothing that came before it."""


def standing(entries: Sequence[Entry], since: int = 0) -> list[StandingEvent]:
    """The events in force, in the order of play, from the line with number ``since`` on.

    A correction is a line like any other: correcting *it* withdraws or changes it, so the lines
    are read from the last to the first, and a line is read as what later lines made of it.
    """
    corrected: dict[int, tuple[Entry, ...]] = {}
    backwards: list[StandingEvent] = []
    for number in reversed(range(since, len(entries))):
        written = corrected.get(number, (entries[number],))
        for entry in reversed(written):
            event = entry.event
            if isinstance(event, Correct) and 0 <= event.of < number:
                corrected.setdefault(event.of, event.events)  # the last correction holds
            else:
                backwards.append(StandingEvent(number, entry))
    backwards.reverse()
    return backwards
