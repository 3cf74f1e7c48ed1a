"""The true record of a filmed game, and the record as far as a camera could know it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from engine import events as ev
from engine.codec import entry_to_json
from engine.rules import RULE_SETS
from engine.tiles import UNKNOWN
from studio.film.director import Mark


def true_entries(marks: Sequence[Mark]) -> list[ev.Entry]:
    """Every event with its time, nothing hidden."""
    return [ev.Entry(mark.event, t=round(mark.t_s, 2)) for mark in marks]


def seen_entries(
    entries: Iterable[ev.Entry], open_hands: bool, rules: str, dice: bool = False
) -> list[ev.Entry]:
    """The same events with ``?`` for every face that no camera above the table could see.

    ``dice``: those that are rolled can be seen.
    """
    return [replace(entry, event=_seen(entry.event, open_hands, rules, dice)) for entry in entries]


def _seen(event: ev.Event, open_hands: bool, rules: str, dice: bool) -> ev.Event:
    hidden = RULE_SETS[rules].layout.closed_kong_hidden
    match event:
        case ev.HandStart() if not dice:
            return replace(event, dice=None)
        case ev.Deal(tiles=tiles) if not open_hands:
            return replace(event, tiles=(UNKNOWN,) * len(tiles))
        case ev.Draw() if not open_hands:
            return replace(event, tile=UNKNOWN)
        case ev.Discard():
            return replace(event, drawn=None)
        case ev.Kong(kind="closed") if hidden and not open_hands:
            return replace(event, tile=UNKNOWN, own=None)
        case _:
            return event


class LineFile:
    """Writes JSON Lines; the file appears under its name only when it is whole."""

    def __init__(self, path: Path) -> None:
        self._path, self._part = path, path.with_name(path.name + ".part")
        self._out = self._part.open("w", encoding="utf-8")

    def __enter__(self) -> LineFile:
        return self

    def write(self, line: dict[str, object]) -> None:
        self._out.write(json.dumps(line, ensure_ascii=False) + "\n")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._out.close()
        if kind is None:
            self._part.replace(self._path)
        else:
            self._part.unlink(missing_ok=True)


def write_record(path: Path, entries: Iterable[ev.Entry]) -> None:
    with LineFile(path) as out:
        for entry in entries:
            out.write(entry_to_json(entry))
