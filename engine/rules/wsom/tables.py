"""What World Series hands pay, and what stands behind every code: document 003."""

from __future__ import annotations

from typing import Final

from engine.rules.tables import read_tables, rulings_of

LAST_FREE: Final = 25
"""Up to so many points everybody pays the value; above it somebody is responsible."""

_TABLES: Final = read_tables(__package__)
ROWS: Final[tuple[str, ...]] = _TABLES["rows"]
PROBLEMS: Final = rulings_of(_TABLES["problems"])
NO_PATTERN: Final = "no_pattern"
LIMIT: Final = "limit"
