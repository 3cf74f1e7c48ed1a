"""Payments and codes of problems of the World Series rules: document 003."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rules.tables import options_of, read_tables, rulings_of

LAST_FREE: Final = 25
"""Up to this many points all three pay the value; above it one is responsible."""

_TABLES: Final = read_tables(__package__)
ROWS: Final[tuple[str, ...]] = _TABLES["rows"]
PATTERNS: Final[Mapping[str, tuple[str, int]]] = _TABLES["patterns"]
OPTIONS: Final = options_of(_TABLES["options"])
OLDER: Final[Mapping[str, int]] = _TABLES["older"]
"""Points that the older table gives to some patterns, by their ids."""
PROBLEMS: Final = rulings_of(_TABLES["problems"])
NO_PATTERN: Final = "no_pattern"
LIMIT: Final = "limit"
