"""A reader that knows the record beforehand: it tells each event when its time has come."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from engine.events import Entry
from service.table.reader import PlainLookResult
from tests.support.patience import PATIENCE_S
from vision.camera.frames import Frame
from vision.decoder.question import Answer, Question
from vision.draw import DrawableTile
from vision.table.view import TableView


class ToldReader:
    """Stands in for the tracker where a test is about what comes after it."""

    def __init__(
        self,
        entries: Sequence[Entry],
        seen: Sequence[DrawableTile] = (),
        go: threading.Event | None = None,
    ) -> None:
        self._entries = entries
        self._seen = tuple(seen)
        self._go = go
        """Nothing is told before it is set, however slow the machine is."""

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
            for part in self._parts(due):
                yield PlainLookResult(frame, self._seen, tuple(part))
            last = frame
        if last is not None and left:
            for part in self._parts(left):
                yield PlainLookResult(last, self._seen, tuple(part))

    def _parts(self, entries: Sequence[Entry]) -> list[Sequence[Entry]]:
        """Whoever waits for the start hears one entry after the other, as from a camera."""
        return [entries] if self._go is None or not entries else [[entry] for entry in entries]


class AskingTold(ToldReader):
    """Tells a record, and asks what it is given to ask."""

    def __init__(
        self, entries: Sequence[Entry], questions: Sequence[Question], view: TableView | None = None
    ) -> None:
        super().__init__(entries)
        self.questions = tuple(questions)
        self.view = view
        self.answers: list[Answer] = []

    def answer(self, answer: Answer) -> None:
        self.answers.append(answer)

    def settled(self) -> tuple[Entry, ...]:
        return ()


class HearingTold(ToldReader):
    """Tells a record and takes the lines of people, to each of which it has its replies."""

    def __init__(self, entries: Sequence[Entry], *replies: Sequence[Entry]) -> None:
        super().__init__(entries)
        self.heard: list[Entry] = []
        self.lines: list[Entry] = []
        """Its own lines and those that it heard, under the numbers that it gives them."""
        self.broken = False
        self.replies = replies
        self._said: deque[Entry] = deque()

    def write(self, line: Entry) -> None:
        self._said.append(line)

    def settled(self) -> tuple[Entry, ...]:
        return tuple(self._taken())

    def read(self, frames: Iterable[Frame]) -> Iterator[PlainLookResult]:
        for reading in super().read(frames):
            self.lines += reading.entries
            yield replace(reading, entries=(*reading.entries, *self._taken()))

    def _taken(self) -> Iterator[Entry]:
        while self._said:
            assert not self.broken, "a fault of the reader"
            line, place = self._said.popleft(), len(self.heard)
            self.heard.append(line)
            reply = self.replies[place] if place < len(self.replies) else ()
            self.lines += (line, *reply)
            yield from (line, *reply)
