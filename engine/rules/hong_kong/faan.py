"""What a Hong Kong hand is worth: its patterns with their faan, and the points of faan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from engine.hands import HandForm
from engine.rules.arrangement import Finish, arrangements
from engine.rules.base import option_number
from engine.rules.pattern_library import LIBRARY, PatternCount, from_play
from engine.rules.patterns import Pattern, Worth, best_of, table_of, worth_of
from engine.rules.tables import options_of, read_tables, rulings_of
from engine.rules.verdict import Ruling

_TABLES: Final[Mapping[str, Any]] = read_tables(__package__)
GUIDE: Final = table_of(_TABLES["patterns"])
"""The hands of the scoring guide; of one series (the first two numbers) the best counts."""
OTHERWISE: Final[Mapping[str, PatternCount]] = {
    "all_chows": lambda hand: (
        LIBRARY["all_chows"](hand) and hand.pair is not None and hand.pair.suit != "z"
    ),
    "concealed_pungs": lambda hand: (
        LIBRARY["concealed_pungs"](hand) and "self_pick" in hand.circumstances
    ),
}
"""WIKI, Scoring Table: "a pair of suit tiles"; "and self-drawn win"."""
SOMETIMES: Final[Mapping[str, Sequence[Pattern]]] = {
    option: table_of(_TABLES[option]) for option in ("seven_pairs", "more_hands")
}
"""Further patterns, by the option that has them count."""
FLOWERS: Final = "6"
"""The first number of the rows of flowers."""
NO_FAAN: Final = "chicken_hand"
AT_MOST: Final = "faan_limit"
FLOWER_WINS: Final = {
    name: Pattern("6.4", name, faan, from_play(name))
    for name, faan in _TABLES["flower_wins"].items()
}
"""Wins of the table ``guide`` that need no hand."""
ROWS: Final[tuple[str, ...]] = _TABLES["rows"]
PAYMENTS: Final = (
    *(*ROWS, *(pattern.name for pattern in GUIDE)),
    *(pattern.name for rows in SOMETIMES.values() for pattern in rows),
    *(*FLOWER_WINS, NO_FAAN, AT_MOST),
)
OPTIONS: Final = options_of(_TABLES["options"])
PROBLEMS: Final[Mapping[str, Ruling]] = rulings_of(_TABLES["problems"])


def best_score(finish: Finish, options: Mapping[str, object]) -> Worth | None:
    """The arrangement that is worth most, in faan. None for an incomplete hand."""
    more = tuple(option for option in SOMETIMES if options[option])
    return _best(finish, str(options["hand_table"]), more, option_number(options, "limit_faan"))


@lru_cache(maxsize=1 << 12)
def _best(finish: Finish, table: str, more: tuple[str, ...], limit: int) -> Worth | None:
    pairs = "seven_pairs" in more
    ways = (way for way in arrangements(finish) if pairs or way.form is not HandForm.PAIRS)
    worths = [worth_of(way, hands_of(table, more), limit) for way in ways]
    for name in FLOWER_WINS.keys() & finish.circumstances if table == "guide" else ():
        faan = FLOWER_WINS[name].points
        worths.append(Worth(((name, faan),), faan, min(faan, limit)))
    return best_of(worths)


@lru_cache
def hands_of(table: str, more: tuple[str, ...]) -> Sequence[Pattern]:
    """The patterns under these values of ``hand_table`` and of the options of further ones."""
    rows = (*GUIDE, *(row for option in more for row in SOMETIMES[option]))
    if table == "guide":
        return rows
    older = _TABLES["older"]
    return tuple(
        replace(
            row,
            points=older.get(row.name, row.points),
            count=OTHERWISE.get(row.name, row.count),
        )
        for row in rows
    )


def flower_faan(names: frozenset[str]) -> int:
    """What flowers give that lie there, whatever else is drawn."""
    best: dict[str, int] = {}
    for row in GUIDE:
        if row.name in names and row.name != "no_flowers" and row.series[0] == FLOWERS:
            best[row.series] = max(best.get(row.series, 0), row.points)
    return sum(best.values())


def points_of(faan: int, options: Mapping[str, object]) -> int:
    table = _TABLES["points"][options["points_table"]]
    points = table[min(faan, len(table) - 1)]
    assert isinstance(points, int)
    return points
