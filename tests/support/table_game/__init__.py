"""A game that is a TOML file: common patterns, nothing of its own."""

from __future__ import annotations

from typing import Final

from engine.rules.pattern_game import read_game

TABLE_GAME: Final = read_game(__package__)
