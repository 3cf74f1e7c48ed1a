"""Payments and codes of problems of the World Series rules: document 003."""

from __future__ import annotations

from typing import Final

from engine.rules.tables import read_tables, rulings_of

LAST_FREE: Final = 25
"""Up to this many points all three pay the value; above it one is responsible."""

_TABLES: Final = read_tables(__package__)
ROWS: Final[tuple[str, ...]] = _TABLES["rows"]
PROBLEMS: Final = rulings_of(_TABLES["problems"])
NO_PATTERN: Final = "no_pattern"
LIMIT: Final = "limit"
