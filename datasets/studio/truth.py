"""The true record of a filmed game, and the record as far as a camera could know it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from engine import events as ev
from engine.codec import entry_to_json
from engine.tiles import UNKNOWN
from studio.choreography import Mark


def true_entries(marks: Sequence[Mark]) -> list[ev.Entry]:
    """Every event with its time, nothing hidden."""
    return [ev.Entry(mark.event, t=round(mark.t_s, 2)) for mark in marks]


def seen_entries(entries: Iterable[ev.Entry], open_hands: bool, rules: str) -> list[ev.Entry]:
    """The same events with ``?`` for every face that no camera above the table could see."""
    return [
        replace(entry, event=_seen(entry.event, open_hands, rules))
        for entry in entries
        if (event := _seen(entry.event, open_hands, rules)) is not None
    ]


def _seen(event: ev.Event, open_hands: bool, rules: str) -> ev.Event:
    match event:
        case ev.HandStart():
            return replace(event, dice=None)
        case ev.Deal(tiles=tiles) if not open_hands:
            return replace(event, tiles=(UNKNOWN,) * len(tiles))
        case ev.Draw() if not open_hands:
            return replace(event, tile=UNKNOWN)
        case ev.Discard():
            return replace(event, drawn=None)
        case ev.Kong(kind="closed") if rules == "hangzhou" and not open_hands:
            return replace(event, tile=UNKNOWN, own=None)
        case _:
            return event


def write_lines(path: Path, lines: Iterable[dict[str, object]]) -> None:
    """Write JSON Lines; the file appears under its name only when it is whole."""
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8") as out:
        for line in lines:
            out.write(json.dumps(line, ensure_ascii=False, separators=(", ", ": ")) + "\n")
    part.replace(path)


def write_record(path: Path, entries: Iterable[ev.Entry]) -> None:
    write_lines(path, (entry_to_json(entry) for entry in entries))
