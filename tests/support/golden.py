"""The whole game of each rule set that lies in ``tests/games``."""

from __future__ import annotations

from functools import cache

from engine.codec import read_record
from engine.events import Entry
from engine.rules import RULE_SETS
from tests.support.paths import GAMES

VALUES_ONLY = ("riichi-2025", "riichi-m-league", "riichi-wrc", "riichi-mahjong-soul")
"""Presets that play like another one: rows of its cases show what they pay, and no whole game."""
WITH_GAME = [rules for rules in RULE_SETS if rules not in VALUES_ONLY]
"""The rule sets that have a whole game."""


def golden(rules: str) -> list[Entry]:
    return list(_game(rules))


@cache
def _game(rules: str) -> tuple[Entry, ...]:
    return tuple(read_record((GAMES / f"{rules}.jsonl").read_text("utf-8")))
