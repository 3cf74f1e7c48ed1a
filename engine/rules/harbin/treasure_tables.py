"""What Harbin hands pay at home, the house rules, and what stands behind every code: 001."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rules.base import Option, Ruling
from engine.rules.harbin.hlr_tables import Pays

PAYMENTS: Final[Mapping[str, Pays]] = {
    "discard_ready": Pays(1, 0),
    "discard_not_ready": Pays(3, 0),
    "self_draw": Pays(0, 2),
    "treasure": Pays(0, 3),
    "rush": Pays(0, 3),
    "treasure_within": Pays(0, 12),
    "robbed_kong_self_draw": Pays(2, 2),
}

OPTIONS: Final = (
    Option("next_dealer", "winner", ("winner", "next_seat"), "001, Determining The Dealer"),
    Option("pung_ready", False, (False, True), "001, Declaring a Ready Hand; 000, 4.4"),
    Option("treasure", "next", ("next", "same", "both"), "001, Revealing the Treasure Tile"),
    Option("rush", True, (False, True), "001, Revealing the Treasure Tile"),
    Option("treasure_within_needs_clamp", False, (False, True), "001, Point Value Table; 000, 9.5"),
    Option("start_points", 100, (100, 50), "001, Initial Points"),
)

PROBLEMS: Final[Mapping[str, Ruling]] = {
    "fourth_set": Ruling("001, No Single Tile Remaining", "cannot_win"),
    "not_left_neighbour": Ruling("001, Calling Tiles", "claim_returned"),
    "outranked": Ruling("001, FAQ", "other_claim_stands"),
    "ready_hand_fixed": Ruling("001, Declaring a Ready Hand", "people_decide"),
    "no_pung_ready": Ruling("001, Declaring a Ready Hand", "pung_without_ready"),
    "no_wait": Ruling("001, Declaring a Ready Hand", "cannot_win"),
    "not_open": Ruling("001, Opened Hand", "cannot_win"),
    "no_terminal_or_dragon": Ruling("001, Terminal Tiles", "cannot_win_on_this"),
    "no_pung": Ruling("001, Triplet Set", "cannot_win_on_this"),
    "no_chow": Ruling("001, One Sequence Set", "cannot_win_on_this"),
    "one_suit": Ruling("001, Two Suits Requirement", "cannot_win_on_this"),
    "false_ready": Ruling("001, Declaring a Ready Hand", "cannot_win"),
    "not_ready": Ruling("001, Must Declare Ready", "was_ready_claimed"),
    "not_a_win": Ruling("001, Winning in Harbin Mahjong", "win_refused"),
    "no_rush": Ruling("001, Revealing the Treasure Tile", "win_refused"),
    "no_robbing": Ruling("001, Who Pays", "win_refused"),
    "no_indicator_now": Ruling("001, Revealing the Treasure Tile", "indicator_returned"),
    "too_few_columns": Ruling("001, Revealing the Treasure Tile", "roll_again"),
    "claim_forbidden": Ruling("000, 7.2; 001 is silent", "claim_returned"),
    "kong_of_discard": Ruling("001, Calling Tiles", "claim_returned"),
    "no_kong_now": Ruling("000, 7.2; 001 is silent", "claim_returned"),
    "wrong_end": Ruling("common practice; 001 is silent", "people_decide"),
    "no_discard_now": Ruling("000, 7.2; 001 is silent", "tile_returned"),
    "wall_not_used_up": Ruling("000, 7.2; 001 is silent", "play_on"),
    "wrong_tile_count": Ruling("001, Winning in Harbin Mahjong", "cannot_win"),
    "dead_hand": Ruling("common practice; 001 is silent", "cannot_win"),
}
