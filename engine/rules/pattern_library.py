"""The library of patterns: what each asks of a finished hand, by the name that players are told.

Their texts (``item.NAME``) lie in ``engine/texts``. Some are the same pattern by the name that
another game gives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from engine.hands import HandForm
from engine.rules.arrangement import Arrangement
from engine.tiles import DRAGONS, WINDS, Tile

NINE_GATES: Final = (3, 1, 1, 1, 1, 1, 1, 1, 3)
"""Tiles of each rank in the waiting hand of nine gates."""
PatternCount = Callable[[Arrangement], int]
"""Counts how often a pattern occurs; True is once."""


def from_play(name: str) -> PatternCount:
    """Return the count of a pattern that depends on how the hand was won."""
    return lambda hand: name in hand.circumstances


def triplets_of(number: int, honors: str, pair: bool = False) -> PatternCount:
    """This many triplets of these honors and, with ``pair``, their pair too."""

    def count(hand: Arrangement) -> int:
        triplets = sum(tile in _HONORS[honors] for tile in hand.triplets)
        return triplets == number and (not pair or hand.pair in _HONORS[honors])

    return count


def concealed(number: int) -> PatternCount:
    return lambda hand: hand.concealed_triplets == number


def kongs(number: int) -> PatternCount:
    return lambda hand: hand.kongs == number


def only_outer(hand: Arrangement) -> bool:
    """Terminals and honors only; thirteen terminals have a pattern of their own."""
    return hand.form is not HandForm.ORPHANS and all(tile.is_outer for tile in hand.tiles)


_HONORS: Final = {"winds": WINDS, "dragons": DRAGONS}


# --- of Zung Jung ---


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


# --- of Hong Kong ---


def _all_chows(hand: Arrangement) -> bool:
    return hand.form is HandForm.SETS and not hand.triplets


def _all_pungs(hand: Arrangement) -> bool:
    return hand.form is HandForm.SETS and not hand.chow_counts


def _dragon_suit(suit: str, dragon: Tile) -> PatternCount:
    """WIKI: pungs of this suit and of this dragon; the pair is of the suit, too."""
    return lambda hand: (
        _all_pungs(hand)
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


LIBRARY: Final[Mapping[str, PatternCount]] = {
    # Zung Jung
    "all_sequences": _all_chows,
    "concealed_hand": lambda hand: hand.form is HandForm.SETS and hand.closed,
    "no_terminals": lambda hand: not any(tile.is_outer for tile in hand.tiles),
    "mixed_one_suit": lambda hand: len(hand.suits) == 1 and hand.honors,
    "pure_one_suit": lambda hand: len(hand.suits) == 1 and not hand.honors,
    "nine_gates": from_play("nine_gates"),
    "value_honor": _value_honors,
    "small_three_dragons": triplets_of(2, "dragons", pair=True),
    "big_three_dragons": triplets_of(3, "dragons"),
    "small_three_winds": triplets_of(2, "winds", pair=True),
    "big_three_winds": triplets_of(3, "winds"),
    "small_four_winds": triplets_of(3, "winds", pair=True),
    "big_four_winds": triplets_of(4, "winds"),
    "all_honors": lambda hand: not hand.suits,
    "all_triplets": _all_pungs,
    "two_concealed_triplets": concealed(2),
    "three_concealed_triplets": concealed(3),
    "four_concealed_triplets": concealed(4),
    "one_kong": kongs(1),
    "two_kong": kongs(2),
    "three_kong": kongs(3),
    "four_kong": kongs(4),
    "two_identical_sequences": _equal_chows(1, 2),
    "two_identical_sequences_twice": _equal_chows(2, 2),
    "three_identical_sequences": _equal_chows(1, 3),
    "four_identical_sequences": _equal_chows(1, 4),
    "three_similar_sequences": lambda hand: _three_suits(hand.chow_counts),
    "small_three_similar_triplets": _small_similar,
    "three_similar_triplets": lambda hand: _three_suits(hand.triplets),
    "nine_tile_straight": _straight,
    "three_consecutive_triplets": _consecutive(3),
    "four_consecutive_triplets": _consecutive(4),
    "mixed_lesser_terminals": _lesser,
    "pure_lesser_terminals": lambda hand: _lesser(hand) and not hand.honors,
    "mixed_greater_terminals": only_outer,
    "pure_greater_terminals": lambda hand: only_outer(hand) and not hand.honors,
    "final_draw": from_play("final_draw"),
    "final_discard": from_play("final_discard"),
    "win_on_kong": from_play("win_on_kong"),
    "robbing_a_kong": from_play("robbing_a_kong"),
    "blessing_of_heaven": from_play("blessing_of_heaven"),
    "blessing_of_earth": from_play("blessing_of_earth"),
    "thirteen_terminals": lambda hand: hand.form is HandForm.ORPHANS,
    "seven_pairs": lambda hand: hand.form is HandForm.PAIRS,
    # Hong Kong
    "all_chows": _all_chows,
    "all_pungs": _all_pungs,
    "terminals_and_honours": lambda hand: only_outer(hand) and bool(hand.suits),
    "concealed_pungs": concealed(4),
    "all_terminals": lambda hand: only_outer(hand) and not hand.honors,
    "all_kongs": kongs(4),
    "jade_dragon": _dragon_suit("s", DRAGONS[1]),
    "ruby_dragon": _dragon_suit("m", DRAGONS[2]),
    "pearl_dragon": _dragon_suit("p", DRAGONS[0]),
    "half_flush": _half_flush,
    "full_flush": lambda hand: len(hand.suits) == 1 and not hand.honors,
    "honours_only": lambda hand: not hand.suits and hand.form is HandForm.SETS,
    "gates_nine": from_play("gates_nine"),
    "dragon_pung": lambda hand: sum(t in DRAGONS for t in hand.triplets),
    "little_dragons": triplets_of(2, "dragons", pair=True),
    "great_dragons": triplets_of(3, "dragons"),
    "little_winds": _little_winds,
    "great_winds": triplets_of(4, "winds"),
    "seat_wind_pung": lambda hand: _wind(hand, hand.seat_wind),
    "round_wind_pung": lambda hand: _wind(hand, hand.round_wind),
    "self_pick": from_play("self_pick"),
    "concealed_win": lambda hand: hand.form is HandForm.SETS and hand.closed,
    "after_kong": from_play("after_kong"),
    "after_two_kongs": from_play("after_two_kongs"),
    "kong_robbed": from_play("kong_robbed"),
    "last_tile": from_play("last_tile"),
    "heavenly_hand": from_play("heavenly_hand"),
    "earthly_hand": from_play("earthly_hand"),
    "human_hand": from_play("human_hand"),
    "orphans_thirteen": lambda hand: hand.form is HandForm.ORPHANS,
    "no_flowers": from_play("no_flowers"),
    "seat_flower": from_play("seat_flower"),
    "seat_season": from_play("seat_season"),
    "all_flowers": from_play("all_flowers"),
    "all_seasons": from_play("all_seasons"),
}
