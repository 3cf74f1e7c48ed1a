"""What a riichi hand is worth, and whether it may win.

``han_fu`` gets han and fu from the ``mahjong`` package. The options of the game decide here whether
yakuman add up or count double, whether renhou counts alone, which dora count, and what han are
worth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.evolve import evolve
from engine.hands import SETS_ONLY, HandForm, wins
from engine.rules.riichi.tables import YAKUMAN
from engine.rules.riichi.win_facts import (
    DORA,
    MANGAN_BASE,
    YAKUMAN_BASE,
    YAKUMAN_HAN,
    WinFacts,
    base_points,
    dora_among,
)
from engine.state import EAST
from engine.tiles import DRAGONS, REDS

if TYPE_CHECKING:
    from engine.rules.riichi.han_fu import RiichiReading


@dataclass(frozen=True)
class RiichiScore:
    """What a complete hand is worth."""

    han: int
    """Han with dora; 13 for each yakuman that counts; 0 without a yaku."""
    fu: int
    yaku: tuple[tuple[str, int], ...]
    """Ids and han, dora last; 13 (26 where the table doubles it) for each yakuman.

    Where yakuman do not add up, all are listed and the greatest counts.
    """
    yakuman: int
    """How many times a yakuman is paid; 0 for 13 han without one."""
    base: int
    """A quarter of what a discarder pays a non-dealer, before rounding up."""

    @property
    def fan_of_yaku(self) -> int:
        """Han without dora. A hand with 0 may not win; five counters may require 2."""
        return sum(han for name, han in self.yaku if name not in DORA)


NO_YAKU: Final = RiichiScore(0, 0, (), 0, 0)
"""The score of a complete hand that may not win."""


_MANY_COUNTERS: Final = 5
"""From this many counters on, two fan are needed (004, 3.4.11)."""
_CLOSED_FORMS: Final = frozenset({HandForm.SETS, HandForm.DISTINCT_PAIRS, HandForm.ORPHANS})
_YAKUMAN: Final = frozenset(YAKUMAN)


def score(facts: WinFacts, options: Mapping[str, object]) -> RiichiScore | None:
    """What the hand is worth by its best reading. None for an incomplete hand.

    A hand without a yaku is ``NO_YAKU``. A hand with a hidden tile is incomplete.
    """
    from engine.rules.riichi.han_fu import read_hand  # the only part that needs ``mahjong``

    if facts.ippatsu and not options["ippatsu"]:
        facts = evolve(facts, ippatsu=False)
    renhou = _renhou(facts, options)
    counts = _dora(facts, options)
    reading = read_hand(facts, options, renhou=renhou == "yakuman", dora=sum(counts))
    if reading is None:
        return None
    best = _worth(reading, counts, options)
    if renhou == "mangan" and best.base < MANGAN_BASE:
        # Renhou stands alone (EMA 2016), but a hand that is worth more without it keeps that worth.
        return RiichiScore(5, best.fu, (("renhou", 5),), 0, MANGAN_BASE)
    return best


def has_yaku(facts: WinFacts, options: Mapping[str, object], counters: int = 0) -> bool:
    """Whether the completed hand may win: with a yaku, or two fan of yaku at five counters.

    False for an incomplete hand.
    """
    least = least_fan(options, counters)
    if least == 1 and _surely_yaku(facts, options):
        from engine.rules.riichi.han_fu import hand_of

        forms = SETS_ONLY if facts.melds else _CLOSED_FORMS
        return hand_of(facts) is not None and wins(facts.tiles, forms=forms)
    # Fu differ too little between readings for one with fewer fan of yaku to pay more.
    best = score(facts, options)
    return best is not None and best.fan_of_yaku >= least


def least_fan(options: Mapping[str, object], counters: int) -> int:
    """Fan of yaku that a win needs."""
    return 2 if options["two_yaku_at_five_counters"] and counters >= _MANY_COUNTERS else 1


def _surely_yaku(facts: WinFacts, options: Mapping[str, object]) -> bool:
    """Whether every reading of the hand has a yaku, if it is complete."""
    closed = facts.closed
    if closed and (facts.drawn or facts.riichi or facts.double_riichi):
        return True
    tiles = facts.all_tiles
    if any(tiles.count(wind) >= 3 for wind in (*DRAGONS, facts.seat_wind, facts.round_wind)):
        return True
    return (closed or bool(options["open_tanyao"])) and not any(tile.is_outer for tile in tiles)


def _renhou(facts: WinFacts, options: Mapping[str, object]) -> object:
    """How renhou counts here; ``none`` if the win is no renhou."""
    may = facts.first_turn and not facts.drawn and not facts.melds and facts.seat_wind != EAST
    return options["renhou"] if may else "none"


def dora_counted(options: Mapping[str, object], turned: int) -> tuple[int, int]:
    """How many of these indicators count, and how many of the tiles under them."""
    above = turned if options["kan_dora"] != "none" else min(turned, 1)
    under = above if options["kan_ura_dora"] else min(above, 1)
    return above, under if options["ura_dora"] else 0


def _dora(facts: WinFacts, options: Mapping[str, object]) -> tuple[int, int, int]:
    """Dora, ura dora and red fives; ura only for a hand in riichi."""
    tiles = facts.all_tiles
    declared = facts.closed and (facts.riichi or facts.double_riichi)
    above, _ = dora_counted(options, len(facts.indicators))
    _, under = dora_counted(options, len(facts.ura))
    return (
        dora_among(tiles, facts.indicators[:above]),
        dora_among(tiles, facts.ura[:under]) if declared else 0,
        sum(tile in REDS for tile in tiles) if options["red_fives"] else 0,
    )


def _worth(
    reading: RiichiReading, counts: tuple[int, int, int], options: Mapping[str, object]
) -> RiichiScore:
    fu, yaku = reading.fu, reading.yaku
    if not yaku:
        return NO_YAKU
    if yaku[0][0] in _YAKUMAN:
        doubled = options["double_yakuman"]
        assert isinstance(doubled, tuple)
        times = [2 if name in doubled else 1 for name, _ in yaku]
        counted = sum(times) if options["cumulative_yakuman"] else max(times)
        listed = tuple(
            (name, YAKUMAN_HAN * time) for (name, _), time in zip(yaku, times, strict=True)
        )
        return RiichiScore(YAKUMAN_HAN * counted, fu, listed, counted, YAKUMAN_BASE * counted)
    listed = (*yaku, *((name, count) for name, count in zip(DORA, counts, strict=True) if count))
    han = sum(count for _, count in listed)
    limited = options["thirteen_fan"] == "yakuman"
    base = base_points(han, fu, limited, bool(options["rounded_mangan"]))
    return RiichiScore(han, fu, listed, 0, base)
