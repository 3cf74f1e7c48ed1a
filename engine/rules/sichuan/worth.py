"""How many times the stake a Sichuan hand pays: its best pattern, doubled by what adds to it.

And which suit its player goes without, for a hand that holds it does not win.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from engine.events import Seat
from engine.hands import HandForm
from engine.rules.arrangement import Arrangement, Finish, arrangements
from engine.rules.base import option_number
from engine.rules.pattern_library import from_play
from engine.rules.patterns import Pattern, Worth, multiplied
from engine.rules.tables import options_of, read_tables, rulings_of
from engine.state import EAST, Meld, State
from engine.tiles import COPIES, Tile

# --- the suit that each player goes without -------------------------------------------------------
# It is told by the first discard (AUSTRALIA, 2). Of a hand that was joined nobody knows which
# discard was the first.


def void_suit(state: State, seat: Seat) -> str | None:
    """The suit; None where none is declared yet, nobody knows it, or the game has none."""
    river = state.players[seat].river
    if not state.options.get("void_suit") or state.joined is not None or not river:
        return None
    first = river[0].tile
    return first.suit if first.known else None


def void_unknown(state: State, seat: Seat) -> bool:
    """Whether the seat goes without a suit that nobody knows: its first discard was not seen."""
    begun = state.joined is not None or bool(state.players[seat].river)
    return bool(state.options.get("void_suit")) and begun and void_suit(state, seat) is None


def holds_void(state: State, seat: Seat, tiles: Iterable[Tile] = ()) -> bool:
    """Whether tiles of that suit are known to be among these or in the declared sets."""
    suit = void_suit(state, seat)
    sets = (tile for meld in state.players[seat].melds for tile in meld.tiles)
    return suit is not None and any(tile.suit == suit for tile in (*tiles, *sets))


# --- worth ----------------------------------------------------------------------------------------


_TABLES: Final[Mapping[str, Any]] = read_tables(__package__)
_FORMS: Final = (HandForm.SETS, HandForm.PAIRS)
Test = Callable[[Arrangement], bool]


def _pungs(hand: Arrangement) -> bool:
    return len(hand.triplets) == 4


def _one_suit(hand: Arrangement) -> bool:
    return len(hand.suits) == 1


def _pairs(hand: Arrangement) -> bool:
    return hand.form is HandForm.PAIRS


def _outside(hand: Arrangement) -> bool:
    """A one or nine in every set and the pair."""
    return hand.form is HandForm.SETS and all(part.has_outer for part in hand.parts)


def _two_five_eight(hand: Arrangement) -> bool:
    return _pungs(hand) and all(tile.rank in (2, 5, 8) for tile in hand.tiles)


def _dragon(hand: Arrangement) -> bool:
    """Seven pairs of which two are four of a kind."""
    return _pairs(hand) and roots(hand) > 0


def _hook(hand: Arrangement) -> bool:
    """Every other tile is declared: one tile waits for its pair."""
    return "hook" in hand.circumstances


def _kongs(hand: Arrangement) -> bool:
    return hand.kongs == 4


def _all(*tests: Test) -> Test:
    return lambda hand: all(test(hand) for test in tests)


def roots(hand: Arrangement) -> int:
    """Kinds of which all four tiles are there, in a kong or not."""
    return sum(count == COPIES for count in Counter(hand.tiles).values())


OUTSIDE: Final = "outside"
JIANG: Final = "two_five_eight"
FIRST: Final = "heaven_earth"
BASIC: Final[Sequence[tuple[Pattern, str | None]]] = tuple(
    (Pattern(f"1.{place}", name, times, test), extra)
    for place, (name, times, test, extra) in enumerate(
        (
            ("sichuan_plain", 1, lambda hand: True, None),
            ("sichuan_pungs", 2, _pungs, None),
            ("sichuan_one_suit", 4, _one_suit, None),
            ("sichuan_outside", 4, _outside, OUTSIDE),
            ("sichuan_pairs", 4, _pairs, None),
            ("sichuan_hook", 4, _hook, None),
            ("sichuan_one_suit_pungs", 8, _all(_one_suit, _pungs), None),
            ("sichuan_two_five_eight", 8, _two_five_eight, JIANG),
            ("sichuan_dragon_pairs", 16, _dragon, None),
            ("sichuan_one_suit_pairs", 16, _all(_one_suit, _pairs), None),
            ("sichuan_one_suit_outside", 16, _all(_one_suit, _outside), OUTSIDE),
            ("sichuan_two_five_eight_hook", 16, _all(_hook, _two_five_eight), JIANG),
            ("sichuan_one_suit_hook", 16, _all(_one_suit, _hook), None),
            ("sichuan_one_suit_dragon_pairs", 32, _all(_one_suit, _dragon), None),
            ("sichuan_heaven", 32, from_play("heaven"), FIRST),
            ("sichuan_earth", 32, from_play("earth"), FIRST),
            ("sichuan_four_kongs", 64, _kongs, None),
            ("sichuan_one_suit_four_kongs", 256, _all(_one_suit, _kongs), None),
        )
    )
)
"""ROOM: only the greatest of these counts. Beside each stands the extra pattern that players must
have agreed on, or None."""
DOUBLED: Final[Sequence[tuple[str, str | None, Callable[[Arrangement], int]]]] = (
    ("sichuan_kong_flower", None, from_play("kong_flower")),
    ("sichuan_kong_cannon", None, from_play("kong_cannon")),
    ("sichuan_kong_robbed", None, from_play("kong_robbed")),
    ("sichuan_concealed", "concealed", from_play("concealed")),
    (
        "sichuan_no_terminals",
        "no_terminals",
        lambda hand: not any(tile.is_outer for tile in hand.tiles),
    ),
)
"""Each of these doubles the times. In the middle stands the extra pattern that players must have
agreed on, or None."""
ROOT: Final = "sichuan_root"
LIMIT: Final = "sichuan_limit"
PAYMENTS: Final = (
    *_TABLES["rows"],
    *(pattern.name for pattern, _ in BASIC),
    *(name for name, _, _ in DOUBLED),
    ROOT,
)
KONG_PAYS: Final[Mapping[str, int]] = _TABLES["kongs"]
OPTIONS: Final = options_of(_TABLES["options"])
PROBLEMS: Final = rulings_of(_TABLES["problems"])
_OWN: Final = {option.name: option for option in options_of(_TABLES["xueliu"]["options"])}
_SHARED: Final = [option for option in OPTIONS if option.name not in _TABLES["xueliu"]["without"]]
XUELIU_OPTIONS: Final = tuple(({option.name: option for option in _SHARED} | _OWN).values())
XUELIU_PROBLEMS: Final = {**PROBLEMS, **rulings_of(_TABLES["xueliu"]["problems"])}


def best_times(
    hand: Sequence[Tile],
    melds: tuple[Meld, ...],
    tile: Tile,
    options: Mapping[str, object],
    *,
    claimed: bool,
    luck: frozenset[str] = frozenset(),
) -> Worth | None:
    """What the reading that pays most multiplies the stake by. None for an incomplete hand,
    whatever its suits."""
    if len(melds) == 4:
        luck |= {"hook"}
    extras = options["extra_patterns"]
    assert isinstance(extras, tuple)
    finish = Finish(tuple(sorted(hand)), melds, tile, claimed, EAST, luck)
    return _best(finish, frozenset(extras), option_number(options, "most_times"))


@lru_cache(maxsize=1 << 12)
def _best(finish: Finish, extras: frozenset[object], most: int) -> Worth | None:
    ways = (way for way in arrangements(finish) if way.form in _FORMS)
    return max((_times(way, extras, most) for way in ways), key=lambda way: way.value, default=None)


def _times(hand: Arrangement, extras: frozenset[object], most: int) -> Worth:
    agreed = (row for row, extra in BASIC if extra is None or extra in extras)
    basic = max((row for row in agreed if row.count(hand)), key=lambda row: row.points)
    lines = [(basic.name, basic.points)]
    for name, extra, counts in DOUBLED:
        if (extra is None or extra in extras) and counts(hand):
            lines.append((name, 2))
    four = roots(hand)
    if "dragon" in basic.name:
        four -= 1  # ROOM: the four of a kind that makes dragon pairs does not count as a root
    if four and "four_kongs" not in basic.name:
        lines.append((ROOT, 2**four))
    return multiplied(lines, most)


def suits_of(hand: Sequence[Tile], melds: Sequence[Meld]) -> frozenset[str]:
    tiles = (*hand, *(tile for meld in melds for tile in meld.tiles))
    return frozenset(tile.suit for tile in tiles if tile.known)
