"""Translates between the numbers that a reader gives its lines and those of the record."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from engine.events import Correct, Entry
from engine.game import Game
from service.table.told_again import ToldAgain


class LineNumbers:
    """The record's number of each line that the reader counts.

    The reader counts its own lines, and a person's line when it takes it. In the record a person's
    line stands where it was written: before lines that the reader had not delivered yet.
    """

    def __init__(
        self, before: Sequence[Entry], plays_again: bool = False, taken_up: bool = False
    ) -> None:
        """``before`` is the record to continue.

        ``taken_up``: the reader knows the record and counts on from it. Any other reader tells
        again what stands there, all of it where its video ``plays_again`` from the beginning.
        """
        last_s = max((entry.t for entry in before if entry.t is not None), default=0.0)
        self.since_s = 0.0 if plays_again else last_s
        """Start of the reader's clock in the time of the record, in seconds."""
        self._numbers: list[int | None] = list(range(len(before))) if taken_up else []
        self._again = ToldAgain(before, plays_again) if before and not taken_up else None
        self._unsent: list[tuple[int, Entry]] = []
        """People's lines that the reader does not know yet, with their numbers."""
        self._sent: deque[int] = deque()
        """Numbers of people's lines that the reader has not taken yet."""
        if plays_again:
            # Only the place of a correction tells when the video has come to it.
            self._unsent = [
                (number, entry)
                for number, entry in enumerate(before)
                if entry.source == "person" and isinstance(entry.event, Correct)
            ]

    @property
    def awaited(self) -> bool:
        """Whether the reader has not taken all lines that it was sent."""
        return bool(self._sent)

    def write(self, number: int, line: Entry) -> None:
        """Add a person's line that now stands in the record."""
        self._unsent.append((number, line))

    def to_send(self) -> list[Entry]:
        """People's lines for the reader, as it counts; each is returned once.

        A line that corrects another waits until the reader has that one.
        """
        lines, self._unsent, unsent = [], [], self._unsent
        for number, line in unsent:
            event = line.event
            if isinstance(event, Correct) and event.of in self._numbers:
                line = _corrects(line, self._numbers.index(event.of))
            elif isinstance(event, Correct):
                self._unsent.append((number, line))
                continue
            self._sent.append(number)
            lines.append(shifted(line, -self.since_s))
        return lines

    def placed(self, entry: Entry, game: Game) -> Entry | None:
        """Return the reader's next line as the record counts; None where it adds nothing.

        Call ``written`` before the next line.
        """
        if entry.source == "person" and self._sent:
            self._numbers.append(self._sent.popleft())
            return None
        own_s = entry.t or 0.0
        entry = shifted(entry, self.since_s)
        event = entry.event
        if isinstance(event, Correct):
            of = self._numbers[event.of] if 0 <= event.of < len(self._numbers) else None
            if of is None:
                self._numbers.append(None)
                return None
            inside = tuple(self._renumbered(one) for one in event.events)
            return _corrects(replace(entry, event=replace(event, events=inside)), of)
        if self._again is not None:
            known = self._again.known(entry, own_s, game)
            if not isinstance(known, Entry):
                self._numbers.append(known)
                return None
            entry = known
        return entry

    def _renumbered(self, entry: Entry) -> Entry:
        """A person's correction that the reader gives again, as the record counts."""
        event = entry.event
        number = self._numbers[event.of] if isinstance(event, Correct) else None
        return entry if number is None else _corrects(entry, number)

    def written(self, number: int | None) -> int:
        """Take the record's number of the line that was placed last; None where it has none yet.

        Returns the reader's number of that line.
        """
        self._numbers.append(number)
        return len(self._numbers) - 1

    def written_late(self, own: int, number: int) -> None:
        """Take the record's number of a line that had none."""
        self._numbers[own] = number


def shifted(entry: Entry, by_s: float) -> Entry:
    """The line, and what it puts in place of another, at later times."""
    event = entry.event
    if isinstance(event, Correct):
        event = replace(event, events=tuple(shifted(one, by_s) for one in event.events))
    t = None if entry.t is None else round(entry.t + by_s, 2)
    return replace(entry, event=event, t=t)


def _corrects(line: Entry, of: int) -> Entry:
    """The correction with another number."""
    assert isinstance(line.event, Correct), "only corrections name a line"
    return replace(line, event=replace(line.event, of=of))
