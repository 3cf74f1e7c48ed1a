"""What people can undo and redo, as the record itself tells.

A change may take several lines: one of a person, and those that follow from it, with the reason
``reread``, directly after it. They are undone and redone together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from engine.events import Correct, Entry
from service.table.correction_lines import NotThere

FOLLOWS: Final = "reread"
"""The reason of a person's line that follows from the line before it."""


@dataclass
class _Change:
    """Numbers of the lines of one change, the person's own first."""

    lines: list[int]
    undone_by: list[int] = field(default_factory=list)


class EditHistory:
    """What people can undo and redo, the latest last."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.undo: list[_Change] = []
        self.redo: list[_Change] = []
        self._open: list[int] = []
        """Lines of the change that the next line may belong to."""
        for number, entry in enumerate(entries):
            self.take(number, entry)

    def take(self, number: int, entry: Entry) -> None:
        """Add the next line."""
        if entry.source != "person":
            return
        event = entry.event
        if isinstance(event, Correct) and event.reason == FOLLOWS and number - 1 in self._open[-1:]:
            self._open.append(number)
            return
        self._open = [number]
        of = event.of if isinstance(event, Correct) and not event.events else None
        if self.undo and of == self.undo[-1].lines[0]:
            self.redo.append(self.undo.pop())
            self.redo[-1].undone_by = self._open
        elif self.redo and of == self.redo[-1].undone_by[0]:
            self.undo.append(self.redo.pop())
        else:
            self.undo.append(_Change(self._open))
            self.redo.clear()


def undone(acts: EditHistory) -> list[Entry]:
    """The lines that undo what a person did last; raises ``NotThere``."""
    if not acts.undo:
        raise NotThere("there is nothing to undo")
    return _together([Entry(Correct(line, ())) for line in acts.undo[-1].lines])


def redone(acts: EditHistory, entries: Sequence[Entry]) -> list[Entry]:
    """The lines that redo what was undone last; raises ``NotThere``."""
    if not acts.redo:
        raise NotThere("there is nothing to redo")
    change = acts.redo[-1]
    pairs = zip(change.lines, change.undone_by, strict=False)
    return _together([_again(entries, line, undo) for line, undo in pairs])


def _again(entries: Sequence[Entry], line: int, undo: int) -> Entry:
    again = entries[line]
    if isinstance(again.event, Correct) and any(
        isinstance(since.event, Correct) and since.event.of == again.event.of
        for since in entries[undo + 1 :]
    ):
        # The camera has corrected the same event since, which hides the line that was undone.
        return again
    return Entry(Correct(undo, ()))


def _together(lines: Sequence[Entry]) -> list[Entry]:
    first, *rest = (replace(line, source="person") for line in lines)
    return [first, *map(following, rest)]


def following(line: Entry) -> Entry:
    """A correction that follows from the line before it."""
    assert isinstance(line.event, Correct), "only corrections follow from others"
    return replace(line, event=replace(line.event, reason=FOLLOWS))
