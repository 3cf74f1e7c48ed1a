"""Riichi: the options with the values of each preset, rows of payment, codes of problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.rules.base import Option, Ruling
from engine.rules.riichi.yaku import YAKUMAN

NO: Final[tuple[object, ...]] = ()
SWITCH: Final = (False, True)
ABORTIVE_DRAWS: Final = ("nine_terminals", "four_winds", "four_kongs", "four_ready")
THREE_WINS: Final = "three_wins"


@dataclass(frozen=True)
class PresetOption:
    """An option and its value in each preset."""

    name: str
    values: tuple[object, ...]
    """What it may be, or each part of it; empty for any value of the same type."""
    ema_2008: object
    ema_2016: object
    tenhou: object
    source: str

    def option(self, preset: str) -> Option:
        return Option(self.name, getattr(self, preset), self.values, self.source)


_CHOICES: Final = (
    PresetOption("red_fives", (0, 3), 3, 0, 3, "004, 1.1; EMA 2016, 2.1"),
    PresetOption("open_tanyao", SWITCH, False, True, True, "EMA 2008, 4; EMA 2016, 4"),
    PresetOption(
        "kuikae", ("allowed", "forbidden"), "allowed", "forbidden", "forbidden", "EMA 2016, 3"
    ),
    PresetOption("two_yaku_at_five_counters", SWITCH, True, False, False, "004, 3.4.11"),
    PresetOption(
        "abortive_draws",
        (*ABORTIVE_DRAWS, THREE_WINS),
        ABORTIVE_DRAWS,
        NO,
        (*ABORTIVE_DRAWS, THREE_WINS),
        "004, 3.4.3",
    ),
    PresetOption(
        "noten_payment_on_abortive", SWITCH, False, False, False, "004, 3.4.3, its lost not"
    ),
    PresetOption("nagashi_mangan", SWITCH, True, False, True, "EMA 2008, 4"),
    PresetOption(
        "renhou", ("none", "mangan", "yakuman"), "yakuman", "mangan", "none", "EMA 2008; EMA 2016"
    ),
    PresetOption("double_yakuman", YAKUMAN, ("daisuushii",), NO, NO, "EMA 2008, 4"),
    PresetOption("cumulative_yakuman", SWITCH, False, False, True, "EMA 2016, 4; tenhou"),
    PresetOption(
        "thirteen_fan",
        ("yakuman", "sanbaiman"),
        "yakuman",
        "sanbaiman",
        "yakuman",
        "EMA 2008; EMA 2016, 4.3",
    ),
    PresetOption(
        "temporary_furiten_ends",
        ("own_draw", "own_claim", "any_claim"),
        "any_claim",
        "own_claim",
        "own_draw",
        "004, 3.4.5; EMA 2016, 3.3.13",
    ),
    PresetOption(
        "kan_dora",
        ("at_once", "after_discard"),
        "at_once",
        "at_once",
        "after_discard",
        "004, 3.3.2; tenhou",
    ),
    PresetOption("start_points", NO, 30_000, 30_000, 25_000, "EMA 2016, 2; tenhou"),
    PresetOption(
        "uma",
        NO,
        (9_000, 3_000, -3_000, -9_000),
        (15_000, 5_000, -5_000, -15_000),
        (0, 0, 0, 0),
        "004, 3.6.1; EMA 2016",
    ),
    PresetOption(
        "level_places",
        ("shared", "earlier_seat"),
        "shared",
        "shared",
        "earlier_seat",
        "004, 3.6.1; tenhou",
    ),
    PresetOption(
        "chombo",
        ("mangan", "after_uma", "none"),
        "mangan",
        "after_uma",
        "none",
        "004, 3.4.6; EMA 2016",
    ),
    PresetOption(
        "multiple_ron", ("all", "two", "nearest"), "all", "all", "two", "004, 3.4.9; tenhou"
    ),
    PresetOption("rounds", (1, 2), 2, 2, 2, "004, 3.5"),
    PresetOption("bankruptcy", SWITCH, False, False, True, "tenhou"),
    PresetOption("west_round", SWITCH, False, False, True, "tenhou"),
)

EMA_2008: Final = tuple(choice.option("ema_2008") for choice in _CHOICES)
EMA_2016: Final = tuple(choice.option("ema_2016") for choice in _CHOICES)
TENHOU: Final = tuple(choice.option("tenhou") for choice in _CHOICES)

PAYMENTS: Final = (
    "riichi_win_discard",
    "riichi_win_draw",
    "riichi_counters",
    "riichi_deposits",
    "riichi_liable",
    "riichi_deposit",
    "riichi_deposit_back",
    "riichi_noten",
    "riichi_nagashi",
    "riichi_three_wins",
    "riichi_chombo",
    "riichi_chombo_at_end",
)
"""Lines of payouts that are no yaku."""

PROBLEMS: Final[Mapping[str, Ruling]] = {
    "not_left_neighbour": Ruling("004, 3.3.4", "dead_hand"),
    "claim_forbidden": Ruling("004, 3.4.1", "dead_hand"),
    "no_kong_now": Ruling("004, 3.3.7 to 3.3.9", "dead_hand"),
    "swap_calling": Ruling("EMA 2016, 3", "dead_hand"),
    "outranked": Ruling("004, 3.3.1", "other_claim_stands"),
    "ready_hand_fixed": Ruling("004, 3.3.12", "people_decide"),
    "false_kong": Ruling("004, 3.4.6", "chombo_at_end"),
    "closed_hand_needed": Ruling("004, 3.3.12", "people_decide"),
    "too_few_tiles": Ruling("004, 3.3.12", "people_decide"),
    "too_few_points": Ruling("tenhou", "people_decide"),
    "no_wait": Ruling("004, 3.4.6", "chombo_at_end"),
    "false_ready": Ruling("004, 3.4.6", "chombo"),
    "not_a_win": Ruling("004, 3.4.6", "chombo"),
    "no_yaku": Ruling("004, 3.3.10", "chombo"),
    "two_yaku_needed": Ruling("004, 3.4.11", "chombo"),
    "furiten": Ruling("004, 3.4.5", "chombo"),
    "no_robbing": Ruling("004, 3.3.8", "chombo"),
    "wrong_tile_count": Ruling("004, 3.4.7", "dead_hand"),
    "dead_hand": Ruling("004, 3.4.6", "chombo"),
    "false_win": Ruling("004, 3.4.6", "chombo"),
    "wrong_end": Ruling("004, 2.6 and 3.3.2", "people_decide"),
    "exposed_tile": Ruling("004, 3.4.6", "chombo_over_five"),
    "chombo": Ruling("004, 3.4.6", "hand_replayed"),
    "no_abortive_draw": Ruling("004, 3.4.3", "play_on"),
    "wall_not_used_up": Ruling("004, 3.4.2", "play_on"),
    "game_over": Ruling("004, 3.5 and 3.6", "end_game"),
    "indicator_not_due": Ruling("004, 3.3.2 and 3.3.7", "turned_back"),
    "abortive_draw_due": Ruling("004, 3.4.3", "call_off"),
    "riichi_not_shown": Ruling("004, 3.4.2", "riichi_to_be_shown"),
}
FOLLOWS: Final[Mapping[str, Mapping[str, str]]] = {
    "mangan": {},
    "after_uma": {"chombo": "chombo_after_uma"},
    "none": {
        "chombo": "no_chombo",
        "chombo_at_end": "no_chombo_at_end",
        "chombo_over_five": "people_decide",
    },
}
"""What follows by the option ``chombo``, where that is another thing than the table says."""
RULED_DEAD: Final = Ruling("004, 3.4.7", "dead_hand")
"""For a hand that people call dead; only what it claims or wins after that is a chombo."""
