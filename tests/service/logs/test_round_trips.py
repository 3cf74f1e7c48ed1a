"""What a log can tell is kept on the way there and back, whichever form it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.codec import read_record, write_record
from engine.events import Entry, HandStart
from service.logs.mjai import read_mjai
from service.logs.mjai_write import write_mjai
from service.logs.mjlog import read_mjlog
from service.logs.tenhou6 import read_tenhou6
from service.logs.tenhou6_write import write_tenhou6
from tests.service.logs.mjlog_of import mjlog_of

SAMPLE = Path(__file__).parents[3] / "samples" / "riichi.jsonl"
RECORD = read_record(SAMPLE.read_text("utf-8"))


def told(entries: Sequence[Entry]) -> list[str]:
    """Lines without what logs do not tell: dice, and where an event came from."""
    lines = []
    for entry in entries:
        event = entry.event
        if isinstance(event, HandStart):
            event = replace(event, dice=None)
        lines += write_record([Entry(event)]).splitlines()
    return lines


def test_mjai_and_back() -> None:
    assert told(read_mjai(write_mjai(RECORD)).entries) == told(RECORD)


def test_tenhou6_and_back() -> None:
    assert told(read_tenhou6(write_tenhou6(RECORD)).entries) == told(RECORD)


def test_mjlog_and_back() -> None:
    assert told(read_mjlog(mjlog_of(RECORD)).entries) == told(RECORD)


def test_the_sample_has_every_kind_of_set() -> None:
    kinds = {getattr(entry.event, "kind", type(entry.event).__name__) for entry in RECORD}
    assert {"Chow", "Pung", "open", "closed", "added", "kan_dora", "ura_dora"} <= kinds
