"""How the players of each game lay their tiles down, as far as a camera must know it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True)
class Customs:
    """One game; where tiles lie is told from its players' side."""

    river: Literal["loose", "rows"] = "loose"
    """Discards lie anywhere in the middle, or in rows before the player who made them."""
    sets_at: Literal["right", "left"] = "right"
    """The player's corner where claimed sets lie."""
    opposite_lies_straight: bool = False
    """A set whose tile came from the opposite seat has no sideways tile."""
    turned_is_ready: bool = False
    """Who claims readiness turns the discard sideways; else the whole hand is laid down."""
    rolls_in_play: bool = False
    """Dice are thrown while a hand is played; else before one alone."""


_ROWS: Final = Customs("rows")
_RIICHI: Final = Customs("rows", turned_is_ready=True)
_OF: Final = {
    "harbin-treasure": Customs(rolls_in_play=True),
    "hangzhou": Customs("rows", "left", opposite_lies_straight=True),
    "wsom": _ROWS,
    "riichi": _RIICHI,
    "riichi-2016": _RIICHI,
    "riichi-tenhou": _RIICHI,
}
HARBIN: Final = Customs()


def customs_of(rules: str) -> Customs:
    """The customs of a rule set, by its id."""
    return _OF.get(rules, HARBIN)
