"""House rules in groups, so that a page shows a few at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_NAMES: Final[Mapping[str, str]] = {
    "hands": """
        clamp_waits cumulative_yakuman discarded_treasure double_wind_pair double_yakuman
        every_wind_and_flower extra_patterns flower_wins hand_table holed_wait_double ippatsu
        kan_dora kan_ura_dora limit_faan minimum_faan more_hands most_tai most_times
        nagashi_mangan natural_pairs_on_claim no_melding_minimum_doubles open_tanyao
        own_kong_wait pattern_table permanent_fortune red_fives renhou rounded_mangan rush
        seven_pairs ten_honours thirteen_fan treasure treasure_within_needs_clamp
        two_yaku_at_five_counters ura_dora
    """,
    "payments": """
        base counter_points counters_to deposits_to discard_paid_by float_second_half_liability
        insurance kong_feeder kong_passes_on kong_refund kongs_after_win last_five level_places
        liability liability_covers liability_from_staying liability_on_discard liability_scope
        liability_scope_from_staying liable_pays_counters most_each no_melding_punishment
        not_ready_pays noten_payment_on_abortive own_draw pigs_pay points_table return_points
        robbed_kong_pays shooting_punishment stake streak tai ten_honours_pay twelve_tiles uma
    """,
    "claims": """
        closed_kong_robbed float_may_claim kuikae missed_pung_locks missed_win missed_win_locks
        most_winners multiple_ron pass_pung_locks pass_win_locks passed_win_locks pung_ready
        rob_kong_from_staying several_winners temporary_furiten_ends wall_only
    """,
    "course": """
        abortive_draws bankruptcy checks_at_end chips dealer_after_two dealer_repeats exchange
        flowers immediate_third_time last_dealer_ends longest_stay next_dealer rounds
        ruin_at_zero start_points third_time_dice void_suit west_round
    """,
    "fouls": "chombo chombo_ends_game chombo_points false_win_ends_hand false_win_pays",
}
GROUPS: Final = (*_NAMES, "others")
"""In the order of pages; house rules that a package adds are among the others."""
_GROUP: Final = {name: group for group, names in _NAMES.items() for name in names.split()}


def group_of(option: str) -> str:
    """The group of a house rule by its name."""
    return _GROUP.get(option, GROUPS[-1])
