"""What Harbin hands pay, the house rules, and what stands behind every code: document 000."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.rules.base import Option, Ruling


@dataclass(frozen=True)
class Pays:
    """A row of the payment table."""

    discarder: int
    """What the seat that fed the tile pays; for an own draw nobody did."""
    each: int
    """What every other opponent pays."""
    shooting: bool = False
    """``shooting_punishment`` makes the discarder pay for all."""


PAYMENTS: Final[Mapping[str, Pays]] = {
    "discard_ready": Pays(1, 1),
    "discard_not_ready": Pays(3, 1, shooting=True),
    "self_draw": Pays(0, 2),
    "dora": Pays(0, 3),
    "doradora": Pays(0, 6),
    "robbed_kong_self_draw": Pays(2, 2),
    "robbed_kong_discard": Pays(3, 1, shooting=True),
}

OPTIONS: Final = (
    Option("robbed_kong_pays", "self_draw", ("self_draw", "discard"), "000 is silent; 001"),
    Option("holed_wait_double", False, (False, True), "000, 10.1"),
    Option("no_melding_punishment", False, (False, True), "000, 10.2"),
    Option("no_melding_minimum_doubles", False, (False, True), "000, 10.2, as some tables play"),
    Option("shooting_punishment", False, (False, True), "000, 10.3"),
)

PROBLEMS: Final[Mapping[str, Ruling]] = {
    "fourth_set": Ruling("000, 2.2", "cannot_win"),
    "not_left_neighbour": Ruling("000, 4.4", "claim_returned"),
    "outranked": Ruling("000, 4.4", "other_claim_stands"),
    "ready_hand_fixed": Ruling("000, 4.2", "people_decide"),
    "no_wait": Ruling("000, 4.1", "cannot_win"),
    "not_open": Ruling("000, 5.3", "cannot_win"),
    "no_terminal_or_dragon": Ruling("000, 5.4", "cannot_win"),
    "no_pung": Ruling("000, 5.1", "cannot_win_on_this"),
    "no_chow": Ruling("000, 5.2", "cannot_win_on_this"),
    "one_suit": Ruling("000, 5.5", "cannot_win_on_this"),
    "false_ready": Ruling("000, 4.3", "cannot_win"),
    "not_ready": Ruling("000, 4.1", "was_ready_claimed"),
    "not_a_win": Ruling("000, 6.1", "win_refused"),
    "no_robbing": Ruling("001; 000 is silent", "win_refused"),
    "no_indicator_now": Ruling("000, 3.2", "people_decide"),
    "claim_forbidden": Ruling("000, 7.2", "claim_returned"),
    "kong_of_discard": Ruling("001, Calling Tiles; 000 is silent", "claim_returned"),
    "no_kong_now": Ruling("000, 7.2", "claim_returned"),
    "wrong_end": Ruling("common practice; 000 is silent", "people_decide"),
    "no_discard_now": Ruling("000, 7.2", "tile_returned"),
    "wall_not_used_up": Ruling("000, 7.2", "play_on"),
    "wrong_tile_count": Ruling("000, 6.1", "cannot_win"),
    "dead_hand": Ruling("common practice; 000 is silent", "cannot_win"),
}
