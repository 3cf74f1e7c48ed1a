"""The record as it grows: new lines for new events, corrections for what is explained otherwise.

The journal numbers all lines of the record, those of people too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Literal

from engine.events import Correct, Discard, Draw, Entry, Event
from engine.log import by_person, last_correction, standing
from vision.decoder.explained import BEFORE, Explained
from vision.decoder.words import Words

Write = Callable[[Explained], Entry]
"""The line for a step."""


class Journal:
    """Turns one decoding of the game after the other into lines that are only ever added."""

    def __init__(self, before: Sequence[Entry] = (), first: int = 0) -> None:
        """``before``: the record to continue, whose last game begins with line ``first``."""
        self.entries: list[Entry] = list(before)
        """The whole record."""
        self.known = len(before)
        """Lines that the record held before the program began."""
        self._first = first
        self._told: dict[int, list[tuple[Event, int]]] = {}
        """The events on each line as the decoder knows it, with the changes that they explain."""
        self._stands: list[tuple[int, Event]] = []
        self._own: list[bool] = []
        """Which of these events a person wrote."""
        self._stand_again()

    # --- what the camera says ---

    def tell(self, steps: Sequence[Explained], write: Write, put_back: bool = False) -> list[Entry]:
        """Lines to add so that the record stands for these steps, in this order.

        ``put_back``: what is explained otherwise is so because players took it back. What people
        wrote is never corrected.
        """
        before = [event for _, event in self._stands]
        after = [step.event for step in steps]
        if before == after[: len(before)]:
            return self._added(steps[len(before) :], write)
        known = min(len(before), len(after))
        same = next((at for at in range(known) if before[at] != after[at]), known)
        wanted: dict[int, list[Explained | Event]] = {}
        numbers, own = [number for number, _ in self._stands], self._own
        for number, event in self._stands[:same]:
            wanted.setdefault(number, []).append(event)
        changed: set[int] = set()
        tail: list[Explained] = []
        old, new = [repr(e) for e in before[same:]], [repr(e) for e in after[same:]]
        for what, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            place = same + i
            for at, (number, event) in enumerate(self._stands[place : same + j], start=place):
                wanted.setdefault(number, [])
                if what == "equal" or own[at]:
                    wanted[number].append(event)
                else:
                    changed.add(number)
            if what == "equal" or k == m:
                continue
            if place >= len(numbers):
                tail += steps[same + k : same + m]
                continue
            gone = [at for at in range(place, same + j) if not own[at]]
            for step in steps[same + k : same + m]:
                # In the place of what the same change was, of what goes, or before what follows.
                alike = (at for at in gone if self.change_of(numbers[at]) == step.change)
                place = next(alike, gone[0] if gone else place)
                gone = [at for at in gone if at >= place]
                of = self._camera_line(numbers, place)
                if of is not None:
                    changed.add(of)
                    wanted.setdefault(of, []).append(step)
        added = [
            self._correction(number, wanted[number], write, put_back) for number in sorted(changed)
        ]
        return added + self._added(tail, write)

    def _camera_line(self, numbers: Sequence[int], place: int) -> int | None:
        """The line that takes events at a place: this one, or the last one before it."""
        for at in range(place, -1, -1):
            if self.entries[numbers[at]].source != "person":
                return numbers[at]
        return None

    def _added(self, steps: Sequence[Explained], write: Write) -> list[Entry]:
        found = []
        for step in steps:
            assert step.event is not None, "only events are written"
            self._told[len(self.entries)] = [(step.event, step.change)]
            self._stands.append((len(self.entries), step.event))
            self._own.append(False)
            found.append(write(step))
            self.entries.append(found[-1])
        return found

    def _correction(
        self, of: int, wanted: Sequence[Explained | Event], write: Write, put_back: bool
    ) -> Entry:
        said = {event: entry for entry in self._standing_on(of) for event in (repr(entry.event),)}
        entries, steps = [], [one for one in wanted if isinstance(one, Explained)]
        for one in wanted:
            entries.append(write(one) if isinstance(one, Explained) else said[repr(one)])
        time_s = max((step.time_s for step in steps), default=None)
        reason: Literal["answer", "put_back", "reread"]
        answered = any(step.by_person for step in steps)
        reason = "answer" if answered else "put_back" if put_back else "reread"
        moment = None if time_s is None else round(time_s, 2)
        entry = Entry(Correct(of, tuple(entries), reason), t=moment, source="camera")
        corrected = last_correction(self.entries, of)
        if corrected is not None and self.entries[corrected].source == "person":
            # The person's correction goes on to hold, with what the camera now makes of the rest.
            again = replace(self.entries[corrected], event=Correct(of, tuple(entries)))
            entry = replace(entry, event=Correct(corrected, (again,), reason))
        self.entries.append(entry)
        stood = [one.event for one in said.values()]
        known = dict(zip(said, _changes_of(self._told.get(of, ()), stood), strict=False))
        told: list[tuple[Event, int]] = []
        for one, line in zip(wanted, entries, strict=True):
            change = one.change if isinstance(one, Explained) else known.get(repr(one), BEFORE)
            told.append((line.event, change))
        # Where nothing is left, it is still known what the line was about.
        self._told[of] = told or self._told.get(of, [])
        self._stand_again()
        return entry

    def _standing_on(self, number: int) -> list[Entry]:
        return [one.entry for one in standing(self.entries) if one.number == number]

    # --- what people say ---

    def said(self, line: Entry) -> int:
        """Take a line that a person wrote; returns its number."""
        self.entries.append(line)
        self._stand_again()
        return len(self.entries) - 1

    def is_by_person(self, number: int) -> bool:
        """Whether a person wrote a line, or corrected it last."""
        return by_person(self.entries, number)

    def words(self) -> dict[int, Words]:
        """What the record says of the changes about which a person wrote, by their ids.

        The camera's other lines about such a change are among it, but for what nobody saw.
        """
        now: dict[int, list[tuple[Event, bool]]] = {}
        for (number, event), own in zip(self._stands, self._own, strict=True):
            now.setdefault(number, []).append((event, own))
        said: set[int] = set()
        for number in filter(self.is_by_person, self._told):
            told, here = self._told[number], now.get(number, [])
            events = [event for event, _ in here]
            changes = _changes_of(told, events)
            said |= {change for (_, own), change in zip(here, changes, strict=True) if own}
            said |= {change for event, change in told if event not in events}
        found: dict[int, list[tuple[Event, bool]]] = {c: [] for c in said if c != BEFORE}
        for number in sorted(self._told.keys() | now.keys()):
            told, here = self._told.get(number, []), now.get(number, [])
            changes = _changes_of(told, [event for event, _ in here])
            for (event, own), change in zip(here, changes, strict=bool(told)):
                unseen = isinstance(event, Draw | Discard) and not event.tile.known
                if change in found and (own or not unseen):
                    found[change].append((event, own))
        return {
            change: Words(
                tuple(event for event, _ in events),
                frozenset(at for at, (_, own) in enumerate(events) if own),
            )
            for change, events in found.items()
        }

    def of_person(self, number: int, change: int) -> None:
        """A person's own line explains a change."""
        self._told[number] = [(self.entries[number].event, change)]

    def inserted(self, of: int, event: Event, change: int) -> None:
        """An event that a person has put into a line explains another change than the line."""
        self._told[of] = [(event, change), *self._told.get(of, ())]

    def change_of(self, number: int) -> int | None:
        """The change that a line explains."""
        told = self._told.get(number)
        return told[0][1] if told else None

    def withdraw(self, number: int) -> Entry:
        """Take back a correction of the camera."""
        time_s = self.entries[number].t
        entry = Entry(Correct(number, (), "reread"), t=time_s, source="camera")
        self.entries.append(entry)
        self._stand_again()
        return entry

    @property
    def stands(self) -> list[tuple[int, Event]]:
        """The events of the last game as the record stands, with the numbers of their lines."""
        return self._stands

    def _stand_again(self) -> None:
        stands = [
            one
            for one in standing(self.entries, self._first)
            if not isinstance(one.entry.event, Correct)
        ]
        self._stands = [(one.number, one.entry.event) for one in stands]
        self._own = [one.entry.source == "person" for one in stands]


def _changes_of(told: Sequence[tuple[Event, int]], now: Sequence[Event]) -> Iterator[int]:
    """The change that each of the events now on a line is about; none if it is told of none."""
    old, new = [repr(event) for event, _ in told], [repr(event) for event in now]
    if not told:
        return
    for _, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for at, event in enumerate(now[k:m]):
            # What is inserted is said of the change beside it.
            beside = told[min(i + at, len(told) - 1)][1]
            alike = (change for was, change in told[i + at : j] if _act(was) == _act(event))
            yield next(alike, beside)


def _act(event: Event) -> tuple[type[Event], object]:
    """What kind of act an event is, and whose."""
    return type(event), getattr(event, "seat", None)
