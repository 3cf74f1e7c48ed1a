"""What a Hong Kong hand is worth: its patterns with their faan, and the points of faan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from engine.hands import HandForm
from engine.rules.arrangement import Arrangement, Finish, arrangements
from engine.rules.base import option_number
from engine.rules.patterns import (
    Pattern,
    PatternCount,
    concealed,
    from_play,
    kongs,
    of_every_series,
    only_outer,
    triplets_of,
)
from engine.rules.tables import options_of, read_tables, rulings_of
from engine.rules.verdict import Ruling
from engine.tiles import DRAGONS, Tile

_TABLES: Final[Mapping[str, Any]] = read_tables(__package__)
LIMIT: Final = 13
"""Faan of a limit hand, and the most that any table counts."""


def _all_chows(hand: Arrangement) -> bool:
    return hand.chow_counts.total() == 4


def _dragon_suit(suit: str, dragon: Tile) -> PatternCount:
    """WIKI: pungs of this suit and of this dragon; the pair is of the suit, too."""
    return lambda hand: (
        len(hand.triplets) == 4
        and dragon in hand.triplets
        and all(tile == dragon or tile.suit == suit for tile in hand.tiles)
    )


def _little_winds(hand: Arrangement) -> int:
    return triplets_of(3, "winds", pair=True)(hand)


def _half_flush(hand: Arrangement) -> int:
    """GUIDE: small four winds does not stack with it."""
    return len(hand.suits) == 1 and hand.honors and not _little_winds(hand)


def _wind(hand: Arrangement, wind: Tile | None) -> int:
    """GUIDE: wind triplets do not count beside little or great winds."""
    winds = triplets_of(4, "winds")(hand) or _little_winds(hand)
    return wind in hand.triplets and not winds


GUIDE: Final = (
    Pattern("1.1.1", "all_chows", 1, _all_chows),
    Pattern("1.1.2", "all_pungs", 3, lambda hand: len(hand.triplets) == 4),
    Pattern(
        "1.1.3", "terminals_and_honours", 4, lambda hand: only_outer(hand) and bool(hand.suits)
    ),
    Pattern("1.1.4", "concealed_pungs", 8, concealed(4)),
    Pattern("1.1.5", "all_terminals", LIMIT, lambda hand: only_outer(hand) and not hand.honors),
    Pattern("1.1.6", "all_kongs", LIMIT, kongs(4)),
    Pattern("1.1.7", "jade_dragon", 0, _dragon_suit("s", DRAGONS[1])),
    Pattern("1.1.8", "ruby_dragon", 0, _dragon_suit("m", DRAGONS[2])),
    Pattern("1.1.9", "pearl_dragon", 0, _dragon_suit("p", DRAGONS[0])),
    Pattern("2.1.1", "half_flush", 3, _half_flush),
    Pattern("2.1.2", "full_flush", 7, lambda hand: len(hand.suits) == 1 and not hand.honors),
    Pattern(
        "2.1.3", "honours_only", 10, lambda hand: not hand.suits and hand.form is HandForm.SETS
    ),
    Pattern("2.1.4", "gates_nine", LIMIT, from_play("gates_nine")),
    Pattern("3.1.1", "dragon_pung", 1, lambda hand: sum(t in DRAGONS for t in hand.triplets)),
    Pattern("3.1.2", "little_dragons", 5, triplets_of(2, "dragons", pair=True)),
    Pattern("3.1.3", "great_dragons", 8, triplets_of(3, "dragons")),
    Pattern("3.2.1", "little_winds", 6, _little_winds),
    Pattern("3.2.2", "great_winds", LIMIT, triplets_of(4, "winds")),
    Pattern("3.3", "seat_wind_pung", 1, lambda hand: _wind(hand, hand.seat_wind)),
    Pattern("3.4", "round_wind_pung", 1, lambda hand: _wind(hand, hand.round_wind)),
    Pattern("4.1", "self_pick", 1, from_play("self_pick")),
    Pattern("4.2", "concealed_win", 1, lambda hand: hand.form is HandForm.SETS and hand.closed),
    Pattern("4.3.1", "after_kong", 1, from_play("after_kong")),
    Pattern("4.3.2", "after_two_kongs", 8, from_play("after_two_kongs")),
    Pattern("4.4", "kong_robbed", 1, from_play("kong_robbed")),
    Pattern("4.5", "last_tile", 1, from_play("last_tile")),
    Pattern("5.1", "heavenly_hand", LIMIT, from_play("heavenly_hand")),
    Pattern("5.2", "earthly_hand", LIMIT, from_play("earthly_hand")),
    Pattern("5.4", "human_hand", LIMIT, from_play("human_hand")),
    Pattern("5.3", "orphans_thirteen", LIMIT, lambda hand: hand.form is HandForm.ORPHANS),
)
"""The hands of the scoring guide; of one series (the first two numbers) the best counts."""
OTHERWISE: Final[Mapping[str, PatternCount]] = {
    "all_chows": lambda hand: _all_chows(hand) and hand.pair is not None and hand.pair.suit != "z",
    "concealed_pungs": lambda hand: concealed(4)(hand) and "self_pick" in hand.circumstances,
}
"""WIKI, Scoring Table: "a pair of suit tiles"; "and self-drawn win"."""
HANDS: Final[Mapping[str, Sequence[Pattern]]] = {
    "guide": GUIDE,
    "wiki": tuple(
        replace(
            row,
            points=_TABLES["older"].get(row.name, row.points),
            count=OTHERWISE.get(row.name, row.count),
        )
        for row in GUIDE
    ),
}
"""Patterns by the option ``hand_table``."""
NO_FAAN: Final = "chicken_hand"
AT_MOST: Final = "faan_limit"
ROWS: Final[tuple[str, ...]] = _TABLES["rows"]
PAYMENTS: Final = (*ROWS, *(pattern.name for pattern in GUIDE), NO_FAAN, AT_MOST)
OPTIONS: Final = options_of(_TABLES["options"])
PROBLEMS: Final[Mapping[str, Ruling]] = rulings_of(_TABLES["problems"])


@dataclass(frozen=True)
class FaanScore:
    """What a complete hand is worth."""

    faan: int
    lines: tuple[tuple[str, int], ...]
    """Patterns with their faan."""
    total: int
    """Their sum before the limit."""


def best_score(finish: Finish, options: Mapping[str, object]) -> FaanScore | None:
    """The arrangement that is worth most. None for an incomplete hand."""
    return _best(finish, str(options["hand_table"]), option_number(options, "limit_faan"))


@lru_cache(maxsize=1 << 12)
def _best(finish: Finish, table: str, limit: int) -> FaanScore | None:
    ways = (way for way in arrangements(finish) if way.form is not HandForm.PAIRS)
    scores = [_score(way, HANDS[table], limit) for way in ways]
    return max(scores, key=lambda score: (score.faan, score.total), default=None)


def _score(hand: Arrangement, table: Iterable[Pattern], limit: int) -> FaanScore:
    lines = tuple(
        (pattern.name, points) for pattern, points in of_every_series(hand, table).values()
    )
    total = sum(faan for _, faan in lines)
    return FaanScore(min(total, limit), lines, total)


def points_of(faan: int, options: Mapping[str, object]) -> int:
    table = _TABLES["points"][options["points_table"]]
    points = table[min(faan, len(table) - 1)]
    assert isinstance(points, int)
    return points
