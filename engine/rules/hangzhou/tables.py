"""The values of the Hangzhou game: payments, doubles, house rules, and what stands behind codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.rules.base import Option, Ruling
from engine.tiles import DRAGONS

UNUSED: Final = 20
"""002, Draw: tiles that are never drawn, the two of the indicator's pair among them."""
WHITE: Final = DRAGONS[0]

LONGEST_STAY: Final = 3
BANKER_TIMES: Final = {1: 2, 2: 4, 3: 8}
"""002, Scoring: what a payment to or from the banker is multiplied by, by staying count."""
LIABLE_SETS: Final = 3
"""002, Three set liability: so many claimed sets from one player."""
HONOURS_TO_WIN: Final = 10
"""002, Ten honours."""

PAYMENTS: Final = (
    # who pays
    "self_draw",
    "discard",
    "robbed_kong",
    "ten_honours",
    "drawn_hand",
    "false_win",
    # what multiplies
    "banker",
    "wild_eye",
    "float",
    "kong_bloom",
    "seven_pairs",
    "seven_pairs_natural",
    "deluxe",
    # who pays for others, and no more than there is
    "liable",
    "counter_liable",
    "mutual_liable",
    "second_half",
    "chips_gone",
)

OPTIONS: Final = (
    Option("permanent_fortune", False, (False, True), "002, Permanent fortune"),
    Option("rob_kong_from_staying", 3, (3, 2), "002, Robbing a kong"),
    Option("wall_only", False, (False, True), "002, Wall-only"),
    Option("pass_pung_locks", False, (False, True), "002, Pung"),
    Option("pass_win_locks", False, (False, True), "002, Win"),
    Option("float_may_claim", False, (False, True), "002, Fortune float"),
    Option("float_second_half_liability", False, (False, True), "002, Second half liability"),
    Option(
        "liability_scope",
        "all",
        ("all", "banker_only", "no_three_chows_between_non_bankers"),
        "002, Restriction on the three open set liability",
    ),
    Option("liability_on_discard", False, (False, True), "002, Liability for win by discard"),
    Option("ten_honours", False, (False, True), "002, Ten honours"),
    Option("immediate_third_time", False, (False, True), "002, Immediate third time banker"),
    Option("chips", "none", ("none", 40, 50, 100), "002, Prior agreement", numbers=True),
    Option("false_win_ends_hand", True, (True, False), "rules, hangzhou, Irregularities"),
)

PROBLEMS: Final[Mapping[str, Ruling]] = {
    "not_left_neighbour": Ruling("002, Chow", "claim_returned"),
    "outranked": Ruling("002, Win; Pung; Kong", "other_claim_stands"),
    "fortune_claimed": Ruling("002, Win; Chow", "claim_returned"),
    "fortune_in_set": Ruling("002, Chow; Pung; Kong", "cannot_win"),
    "claim_forbidden": Ruling("002, Win; Fortune float", "claim_returned"),
    "no_kong_now": Ruling("002, Kong; Draw", "claim_returned"),
    "wrong_end": Ruling("002, Play of tiles; Kong", "people_decide"),
    "no_robbing": Ruling("002, Win; Robbing a kong", "false_win_pays"),
    "not_a_win": Ruling("002, Winning hand; False win", "false_win_pays"),
    "wrong_tile_count": Ruling("002, Long/short hand", "plays_without_winning"),
    "dead_hand": Ruling("common practice; 002 is silent", "cannot_win"),
    "false_win": Ruling("002, False win", "false_win_paid"),
    "no_ready_call": Ruling("002 knows no such call", "call_left_aside"),
    "wall_not_used_up": Ruling("002, Draw", "play_on"),
}

CLAIMS: Final[Mapping[str, Ruling]] = {
    "float": Ruling("002, Fortune float", "float_bars_sets"),
    "passed": Ruling("002, Pung", "set_was_let_pass"),
    "liable": Ruling("002, Restriction on the three open set liability", "three_sets_barred"),
    "after_claim": Ruling("002, Kong", "kong_needs_draw"),
    "wall": Ruling("002, Kong; Draw", "kong_needs_tile"),
}
"""Why a set may not be claimed, or a kong not be declared: the source and what follows."""

REFUSALS: Final[Mapping[str, tuple[str, str, str]]] = {
    "fortune": ("fortune_claimed", "002, Win", "fortune_is_not_claimed"),
    "wall_only": ("claim_forbidden", "002, Wall-only", "wins_by_draw_only"),
    "non_bankers": ("claim_forbidden", "002, Win", "claim_needs_banker"),
    "staying": ("claim_forbidden", "002, Win", "claim_needs_staying"),
    "float": ("claim_forbidden", "002, Fortune float", "float_bars_claims"),
    "passed": ("claim_forbidden", "002, Win", "was_let_pass"),
    "wild_eye": ("claim_forbidden", "002, Wild eye", "wild_eye_is_drawn"),
}
"""Why a win on another's tile is refused: the code, its source, and what follows."""
