"""The 44 Zung Jung patterns (version 3.3): what each asks of a finished hand, and its points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from engine.hands import HandForm
from engine.rules.arrangement import Arrangement
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
from engine.tiles import DRAGONS, Tile

MOST: Final = 320
"""The limit of a sum. A single pattern of this many points, or more, counts alone."""
WITHOUT_PATTERN: Final = 1


@dataclass(frozen=True)
class PatternScore:
    """What one arrangement of a hand is worth."""

    value: int
    lines: tuple[tuple[Pattern, int], ...]
    """The patterns that count, with their points."""
    total: int
    """Their sum before the limit."""


def score(arrangement: Arrangement, table: Iterable[Pattern]) -> PatternScore:
    """The value of a hand in this arrangement."""
    lines = tuple(of_every_series(arrangement, table).values())
    alone = max((line for line in lines if line[0].points >= MOST), key=_points, default=None)
    if alone is not None:
        return PatternScore(alone[1], (alone,), alone[1])
    total = sum(map(_points, lines))
    return PatternScore(min(total, MOST) or WITHOUT_PATTERN, lines, total)


def best_score(arrangements: Iterable[Arrangement], table: Iterable[Pattern]) -> PatternScore:
    """003, freedom of count: the arrangement that pays most; there must be one."""
    rows = tuple(table)
    scores = (score(arrangement, rows) for arrangement in arrangements)
    return max(scores, key=lambda worth: (worth.value, worth.total))


def _points(line: tuple[Pattern, int]) -> int:
    return line[1]


# --- what the patterns look for -------------------------------------------------------------------


def _equal_chows(kinds: int, copies: int) -> PatternCount:
    """This many kinds of chow, each at least ``copies`` times."""
    return lambda hand: sum(count >= copies for count in hand.chow_counts.values()) >= kinds


def _consecutive(number: int) -> PatternCount:
    def count(hand: Arrangement) -> int:
        held = {(tile.suit, tile.rank) for tile in hand.triplets if tile.suit != "z"}
        return any(
            all((suit, rank + step) in held for step in range(number)) for suit, rank in held
        )

    return count


def _value_honors(hand: Arrangement) -> int:
    valued = (*DRAGONS, hand.seat_wind)
    return sum(tile in valued for tile in hand.triplets)


def _three_suits(tiles: Iterable[Tile]) -> bool:
    """Whether some rank occurs in all three suits."""
    suits: dict[int, set[str]] = {}
    for tile in tiles:
        if tile.suit != "z":
            suits.setdefault(tile.rank, set()).add(tile.suit)
    return any(len(held) == 3 for held in suits.values())


def _small_similar(hand: Arrangement) -> bool:
    pair = () if hand.pair is None else (hand.pair,)
    return _three_suits((*hand.triplets, *pair)) and not _three_suits(hand.triplets)


def _straight(hand: Arrangement) -> bool:
    lows = {(tile.suit, tile.rank) for tile in hand.chow_counts}
    return any({(suit, 1), (suit, 4), (suit, 7)} <= lows for suit in "mps")


def _lesser(hand: Arrangement) -> bool:
    """A terminal or honor in every set and the pair."""
    return hand.form is HandForm.SETS and all(part.has_outer for part in hand.parts)


ZUNG_JUNG: Final = (
    Pattern("1.1", "all_sequences", 5, lambda hand: hand.chow_counts.total() == 4),
    Pattern("1.2", "concealed_hand", 5, lambda hand: hand.form is HandForm.SETS and hand.closed),
    Pattern("1.3", "no_terminals", 5, lambda hand: not any(tile.is_outer for tile in hand.tiles)),
    Pattern("2.1.1", "mixed_one_suit", 40, lambda hand: len(hand.suits) == 1 and hand.honors),
    Pattern("2.1.2", "pure_one_suit", 80, lambda hand: len(hand.suits) == 1 and not hand.honors),
    Pattern("2.2", "nine_gates", 480, from_play("nine_gates")),
    Pattern("3.1", "value_honor", 10, _value_honors),
    Pattern("3.2.1", "small_three_dragons", 40, triplets_of(2, "dragons", pair=True)),
    Pattern("3.2.2", "big_three_dragons", 130, triplets_of(3, "dragons")),
    Pattern("3.3.1", "small_three_winds", 30, triplets_of(2, "winds", pair=True)),
    Pattern("3.3.2", "big_three_winds", 120, triplets_of(3, "winds")),
    Pattern("3.3.3", "small_four_winds", 320, triplets_of(3, "winds", pair=True)),
    Pattern("3.3.4", "big_four_winds", 400, triplets_of(4, "winds")),
    Pattern("3.4", "all_honors", 320, lambda hand: not hand.suits),
    Pattern("4.1", "all_triplets", 30, lambda hand: len(hand.triplets) == 4),
    Pattern("4.2.1", "two_concealed_triplets", 5, concealed(2)),
    Pattern("4.2.2", "three_concealed_triplets", 30, concealed(3)),
    Pattern("4.2.3", "four_concealed_triplets", 125, concealed(4)),
    Pattern("4.3.1", "one_kong", 5, kongs(1)),
    Pattern("4.3.2", "two_kong", 20, kongs(2)),
    Pattern("4.3.3", "three_kong", 120, kongs(3)),
    Pattern("4.3.4", "four_kong", 480, kongs(4)),
    Pattern("5.1.1", "two_identical_sequences", 10, _equal_chows(1, 2)),
    Pattern("5.1.2", "two_identical_sequences_twice", 60, _equal_chows(2, 2)),
    Pattern("5.1.3", "three_identical_sequences", 120, _equal_chows(1, 3)),
    Pattern("5.1.4", "four_identical_sequences", 480, _equal_chows(1, 4)),
    Pattern("6.1", "three_similar_sequences", 35, lambda hand: _three_suits(hand.chow_counts)),
    Pattern("6.2.1", "small_three_similar_triplets", 30, _small_similar),
    Pattern("6.2.2", "three_similar_triplets", 120, lambda hand: _three_suits(hand.triplets)),
    Pattern("7.1", "nine_tile_straight", 40, _straight),
    Pattern("7.2.1", "three_consecutive_triplets", 100, _consecutive(3)),
    Pattern("7.2.2", "four_consecutive_triplets", 200, _consecutive(4)),
    Pattern("8.1.1", "mixed_lesser_terminals", 40, _lesser),
    Pattern("8.1.2", "pure_lesser_terminals", 50, lambda hand: _lesser(hand) and not hand.honors),
    Pattern("8.1.3", "mixed_greater_terminals", 100, only_outer),
    Pattern(
        "8.1.4", "pure_greater_terminals", 400, lambda hand: only_outer(hand) and not hand.honors
    ),
    Pattern("9.1.1", "final_draw", 10, from_play("final_draw")),
    Pattern("9.1.2", "final_discard", 10, from_play("final_discard")),
    Pattern("9.2", "win_on_kong", 10, from_play("win_on_kong")),
    Pattern("9.3", "robbing_a_kong", 10, from_play("robbing_a_kong")),
    Pattern("9.4.1", "blessing_of_heaven", 155, from_play("blessing_of_heaven")),
    Pattern("9.4.2", "blessing_of_earth", 155, from_play("blessing_of_earth")),
    Pattern("10.1", "thirteen_terminals", 160, lambda hand: hand.form is HandForm.ORPHANS),
    Pattern("10.2", "seven_pairs", 30, lambda hand: hand.form is HandForm.PAIRS),
)
