"""The record as it grows: new lines for what is new, corrections for what is told otherwise now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from engine.events import Correct, Entry


@dataclass
class _Line:
    """A line of the record and the events that stand for it now."""

    number: int
    entries: tuple[Entry, ...]


class Recorder:
    """Turns one telling of the game after the other into lines that are only ever added."""

    def __init__(self, first_number: int = 0) -> None:
        self._lines: list[_Line] = []
        self._next = first_number

    def tell(self, entries: Sequence[Entry]) -> list[Entry]:
        """Lines to add so that the record stands for these events, in this order."""
        standing = [(line, entry) for line in self._lines for entry in line.entries]
        before = [_key(entry) for _, entry in standing]
        after = [_key(entry) for entry in entries]
        known = min(len(before), len(after))
        if before == after[: len(before)]:
            return self._added(entries[len(before) :])
        same = next((at for at in range(known) if before[at] != after[at]), known)
        wanted: dict[int, list[Entry]] = {line.number: [] for line in self._lines}
        tail: list[Entry] = []
        for line, entry in standing[:same]:
            wanted[line.number].append(entry)
        matcher = SequenceMatcher(None, before[same:], after[same:], autojunk=False)
        for what, i, j, k, m in matcher.get_opcodes():
            if what == "equal":
                for line, entry in standing[same + i : same + j]:
                    wanted[line.number].append(entry)
                continue
            fresh = list(entries[same + k : same + m])
            place = same + i
            if i < j:
                # In the place of the first that goes.
                wanted[standing[place][0].number] += fresh
            elif place < len(standing):
                wanted[standing[place][0].number] += fresh
            else:
                tail += fresh
        added = []
        for line in self._lines:
            now = tuple(wanted[line.number])
            if [_key(e) for e in now] != [_key(e) for e in line.entries]:
                line.entries = now
                added.append(self._correction(line.number, now))
        return added + self._added(tail)

    def _added(self, entries: Sequence[Entry]) -> list[Entry]:
        for entry in entries:
            self._lines.append(_Line(self._next, (entry,)))
            self._next += 1
        return list(entries)

    def _correction(self, of: int, entries: tuple[Entry, ...]) -> Entry:
        self._next += 1
        t = max((entry.t for entry in entries if entry.t is not None), default=None)
        return Entry(Correct(of, entries), t=t, source="camera")


def _key(entry: Entry) -> str:
    return repr(entry.event)
