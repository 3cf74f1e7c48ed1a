"""The append-only record: which events are in force after its corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar, overload

from engine.events import Correct, Entry

T = TypeVar("T")


class GrowingList(Sequence[T]):
    """A view of a growing list, as long as the list was when the view was made.

    The record is read for every new line; copying it each time would cost more and more.
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
            return tuple(self._grows[at] for at in places)
        return self._grows[places]

    def __iter__(self) -> Iterator[T]:
        return islice(self._grows, self._length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))


class EventInForce(NamedTuple):
    """An event in force."""

    number: int
    """Number of the line that the event stands on or replaces."""
    entry: Entry
    """A ``Correct`` is in force only where it corrects no earlier line."""


def in_force(entries: Sequence[Entry], since: int = 0) -> list[EventInForce]:
    """The events in force, in the order of play, from the line with number ``since`` on.

    A correction is a line like any other, so it can be corrected too. The lines are therefore read
    from last to first, each as later lines left it.
    """
    corrected: dict[int, tuple[Entry, ...]] = {}
    backwards: list[EventInForce] = []
    for number in reversed(range(since, len(entries))):
        written = corrected.get(number, (entries[number],))
        for entry in reversed(written):
            event = entry.event
            if isinstance(event, Correct) and 0 <= event.of < number:
                corrected.setdefault(event.of, event.events)  # the last correction holds
            else:
                backwards.append(EventInForce(number, entry))
    backwards.reverse()
    return backwards


def reads_again(line: Entry) -> bool:
    """Whether a line, or one that it puts in the place of another, tells a second reading."""
    event = line.event
    inside = event.events if isinstance(event, Correct) else ()
    return line.again is not None or any(map(reads_again, inside))


def corrections(entries: Sequence[Entry], since: int = 0) -> Iterator[tuple[int, Correct]]:
    """The corrections that hold of lines from ``since`` on, with their own lines, last first."""
    corrects: dict[int, bool] = {}
    """Whether lines that were corrected themselves still correct something."""
    for at in reversed(range(since, len(entries))):
        event = entries[at].event
        if isinstance(event, Correct) and since <= event.of < at and corrects.get(at, True):
            yield at, event
            still = any(isinstance(entry.event, Correct) for entry in event.events)
            corrects.setdefault(event.of, still)


def last_correction(entries: Sequence[Entry], number: int) -> int | None:
    """The line whose correction of a line holds; None where nothing corrects it."""
    return next((at for at, event in corrections(entries, number) if event.of == number), None)


def taken_back(entries: Sequence[Entry], line: int) -> bool:
    """Whether a correction was undone."""
    at = last_correction(entries, line)
    event = None if at is None else entries[at].event
    return isinstance(event, Correct) and not event.events


def by_people(entries: Sequence[Entry], since: int = 0) -> set[int]:
    """The lines from ``since`` on that people wrote, or corrected last."""
    written = {at for at in range(since, len(entries)) if entries[at].source == "person"}
    last: dict[int, int] = {}
    for at, line in corrections(entries, since):
        last.setdefault(line.of, at)
    return written | {number for number, at in last.items() if at in written}
