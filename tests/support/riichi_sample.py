"""The riichi game of the samples, and a table that goes on with a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.codec import read_record, write_record
from engine.events import Entry, GameStart, HandStart
from service.table.live_table import LiveTable, TableSettings
from service.table.options import Options
from tests.support.live_table import KeptLines, frames
from tests.support.paths import SAMPLES
from tests.support.told_reader import ToldReader

SAMPLE = SAMPLES / "riichi.jsonl"
ENTRIES = read_record(SAMPLE.read_text())
MIDDLE = 24
"""Lines until somebody has drawn and has yet to discard."""


def table_of(entries: list[Entry], rules: str = "riichi-tenhou") -> LiveTable:
    """A record that is gone on with: everything in it has been told before."""
    kept = ("game.mp4", Options(), "fri day.jsonl", entries)
    return LiveTable(ToldReader([]), frames(2), KeptLines(), TableSettings(rules, *kept))


def evening_of_two() -> list[Entry]:
    """The same game twice: Anna and Bo change seats, Eve comes in the place of Chie."""
    start, *rest = ENTRIES
    assert isinstance(start.event, GameStart)
    one, two = (
        replace(start, event=replace(start.event, players=names))
        for names in (("Anna", "Bo", "Chie", "Dan"), ("Bo", "Anna", "Eve", "Dan"))
    )
    return [one, *rest, two, *rest]


def told(entries: Sequence[Entry]) -> list[str]:
    """Lines without what logs do not tell: dice, and where an event came from."""
    lines = []
    for entry in entries:
        event = entry.event
        if isinstance(event, HandStart):
            event = replace(event, dice=None)
        lines += write_record([Entry(event)]).splitlines()
    return lines
