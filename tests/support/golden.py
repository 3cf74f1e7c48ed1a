"""The whole game of each rule set that lies in ``tests/games``."""

from __future__ import annotations

from engine.codec import read_record
from engine.events import Entry
from tests.support.paths import GAMES


def golden(rules: str) -> list[Entry]:
    return read_record((GAMES / f"{rules}.jsonl").read_text("utf-8"))
