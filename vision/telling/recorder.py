"""The record as it grows: new lines for what is new, corrections for what is told otherwise now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from engine.events import Correct, Entry
from vision.telling.story import Told

Write = Callable[[Told], Entry]
"""The line for an event of the story."""


@dataclass
class _Line:
    """A line of the record and the events that stand for it now."""

    number: int
    told: tuple[Told, ...]


class Recorder:
    """Turns one telling of the game after the other into lines that are only ever added."""

    def __init__(self, first_number: int = 0, standing: Sequence[tuple[int, Told]] = ()) -> None:
        """``standing``: what the record holds already, with the numbers of the lines."""
        self._lines: list[_Line] = []
        for number, told in standing:
            if not self._lines or self._lines[-1].number != number:
                self._lines.append(_Line(number, ()))
            self._lines[-1].told += (told,)
        self._next = first_number
        self._put_back = False

    def tell(self, told: Sequence[Told], write: Write, put_back: bool = False) -> list[Entry]:
        """Lines to add so that the record stands for these events, in this order.

        ``put_back``: what is told otherwise is so because players took it back.
        """
        self._put_back = put_back
        standing = [(line, event) for line in self._lines for event in line.told]
        before = [event.event for _, event in standing]
        after = [event.event for event in told]
        if before == after[: len(before)]:
            return self._added(told[len(before) :], write)
        known = min(len(before), len(after))
        same = next((at for at in range(known) if before[at] != after[at]), known)
        wanted: dict[int, list[Told]] = {line.number: [] for line in self._lines}
        tail: list[Told] = []
        for line, event in standing[:same]:
            wanted[line.number].append(event)
        old, new = [repr(e) for e in before[same:]], [repr(e) for e in after[same:]]
        for what, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if what == "equal":
                for line, event in standing[same + i : same + j]:
                    wanted[line.number].append(event)
            elif same + i < len(standing):
                # In the place of the first that goes, or before the one that follows.
                wanted[standing[same + i][0].number] += told[same + k : same + m]
            else:
                tail += told[same + k : same + m]
        added = []
        for line in self._lines:
            now = tuple(wanted[line.number])
            if [e.event for e in now] != [e.event for e in line.told]:
                line.told = now
                added.append(self._correction(line.number, now, write))
        return added + self._added(tail, write)

    def _added(self, told: Sequence[Told], write: Write) -> list[Entry]:
        for event in told:
            self._lines.append(_Line(self._next, (event,)))
            self._next += 1
        return [write(event) for event in told]

    def _correction(self, of: int, told: tuple[Told, ...], write: Write) -> Entry:
        self._next += 1
        entries = tuple(write(event) for event in told)
        t = max((event.time_s for event in told), default=None)
        answered = any(event.settled for event in told)
        reason: Literal["answer", "put_back", "reread"]
        reason = "answer" if answered else "put_back" if self._put_back else "reread"
        moment = None if t is None else round(t, 2)
        return Entry(Correct(of, entries, reason), t=moment, source="camera")
