"""A reader that knows the record beforehand: it tells each event when its time has come."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from engine.events import Correct, Entry, Event
from engine.log import in_force
from engine.updates import CameraRecord
from service.table.reader import LookResult
from tests.support.patience import PATIENCE_S
from tests.support.placed_tiles import PlainLookResult
from vision.camera.frames import Frame
from vision.decoder.decoding import Decoding
from vision.decoder.pin import Pins
from vision.decoder.question import Answer, Question
from vision.draw import DrawableTile
from vision.table.view import TableView

NEAR_S = 3.0


class ToldReader:
    """Stands in for the tracker where a test is about what comes after it.

    Each of its lines is a change of its own; a ``Correct`` among them is what it believes later.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        seen: Sequence[DrawableTile] = (),
        go: threading.Event | None = None,
        questions: Sequence[Question] = (),
        view: TableView | None = None,
    ) -> None:
        self._entries = entries
        self._seen = tuple(seen)
        self._go = go
        """Nothing is told before it is set, however slow the machine is."""
        self.questions = tuple(questions)
        self.view = view
        self.lines: list[Entry] = []
        """What it has told by now."""
        self.pins = Pins()
        self._heard = Pins()
        self._number = 0
        self.before: Sequence[Entry] | None = None

    @property
    def answers(self) -> list[Answer]:
        return list(self.pins.answers)

    def resume(self, before: Sequence[Entry]) -> None:
        self.before = before

    def hear(self, pins: Pins) -> None:
        self.pins = pins

    def settled(self) -> Decoding | None:
        return self._told() if self._takes() else None

    def read(self, frames: Iterable[Frame]) -> Iterator[PlainLookResult]:
        """Every frame, with the events that are due; what is left over comes with the last."""
        left = list(self._entries)
        last: Frame | None = None
        for frame in frames:
            if self._go is not None and not self._go.is_set():
                yield PlainLookResult(frame, self._seen)
                assert self._go.wait(PATIENCE_S)
            due = [entry for entry in left if (entry.t or 0.0) <= frame.time_s]
            left = left[len(due) :]
            yield from self._results(frame, due)
            last = frame
        if last is not None and left:
            yield from self._results(last, left)

    def _results(self, frame: Frame, due: Sequence[Entry]) -> Iterator[PlainLookResult]:
        """Whoever waits for the start hears one entry after the other, as from a camera."""
        parts = [due] if self._go is None or not due else [[entry] for entry in due]
        for part in parts:
            self.lines += part
            heard = self._takes()
            now = self._told() if part or heard else None
            yield PlainLookResult(frame, self._seen, now)

    def _takes(self) -> bool:
        pins, self._heard = self._heard, self.pins
        return pins.number != self._heard.number

    def _told(self) -> Decoding:
        self._number += 1
        heard = self._heard.number
        return Decoding(tuple(self._believed()), self._number, heard, questions=self.questions)

    def _believed(self) -> Iterator[Entry]:
        """What it tells, with people's words in the place of its own."""
        pins = self._heard
        own = {entry.change for entry in pins.own}
        removed = {entry.change for entry in pins.removed}
        told: dict[str | None, list[Entry]] = {}
        for event in in_force(self.lines):
            change = event.entry.change or self._change(event.number)
            here = told.setdefault(change, [])
            if change in own:
                told[change] = [entry for entry in pins.in_force if entry.change == change]
            elif not isinstance(event.entry.event, Correct) and change not in removed:
                here.append(replace(event.entry, change=change))
        for entry in pins.in_force:
            if entry.change in told:
                yield from told[entry.change]
                told[entry.change] = []
            elif self.before is not None or entry.source == "person":
                yield entry
        for entries in told.values():
            yield from entries

    def _change(self, number: int) -> str:
        return f"told@{number}"


def lines_of(readings: Iterable[LookResult], before: Sequence[Entry] = ()) -> list[Entry]:
    """The lines that a record gets of what these readings tell."""
    record = CameraRecord(Pins(), before)
    for reading in readings:
        if (now := reading.decoding) is not None:
            record.take(now)
    return record.entries[len(before) :]


def bare(lines: Iterable[Entry]) -> list[Entry]:
    """Lines of a record without the names of changes."""
    return [replace(line, change=None, event=_bare_event(line.event)) for line in lines]


def _bare_event(event: Event) -> Event:
    return replace(event, events=tuple(bare(event.events))) if isinstance(event, Correct) else event


class AskingTold(ToldReader):
    """Tells a record, and asks what it is given to ask about the events near that time."""

    def __init__(
        self, entries: Sequence[Entry], questions: Sequence[Question], view: TableView | None = None
    ) -> None:
        super().__init__(entries, questions=questions, view=view)

    def _change(self, number: int) -> str:
        line = self.lines[number]
        for asked in self.questions:
            near = abs((line.t or 0.0) - asked.place.time_s) < NEAR_S
            if near and line.event in asked.choices[0].events:
                return asked.id
        return super()._change(number)


class HearingTold(ToldReader):
    """Tells a record, and has its replies to what people say, one after the other."""

    def __init__(self, entries: Sequence[Entry], *replies: Sequence[Entry]) -> None:
        super().__init__(entries)
        self.heard: list[Pins] = []
        self.broken = False
        self.replies = replies

    def _takes(self) -> bool:
        taken = super()._takes()
        if taken:
            assert not self.broken, "a fault of the reader"
            place = len(self.heard)
            self.heard.append(self._heard)
            self.lines += self.replies[place] if place < len(self.replies) else ()
        return taken
