"""Payments, patterns and codes of problems of the World Series rules: document 003."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine.rules.arrangement import Arrangement
from engine.rules.patterns import Pattern, Worth, best_of, table_of, worth_of
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


# --- the 44 Zung Jung patterns (version 3.3), and how they add up ---------------------------------


MOST: Final = 320
"""The limit of a sum. A single pattern of this many points, or more, counts alone."""
WITHOUT_PATTERN: Final = 1
ZUNG_JUNG: Final = table_of(PATTERNS)


def score(arrangement: Arrangement, table: Iterable[Pattern]) -> Worth:
    """The value of a hand in this arrangement."""
    worth = worth_of(arrangement, table, MOST, WITHOUT_PATTERN)
    great = (line for line in worth.lines if line[1] >= MOST)
    alone = max(great, key=lambda line: line[1], default=None)
    return worth if alone is None else Worth((alone,), alone[1], alone[1])


def best_score(arrangements: Iterable[Arrangement], table: Iterable[Pattern]) -> Worth:
    """003, freedom of count: the arrangement that pays most; there must be one."""
    rows = tuple(table)
    best = best_of(score(arrangement, rows) for arrangement in arrangements)
    assert best is not None, "asked for complete hands only"
    return best
