"""How the players of one game put their tiles on the table.

The camera and the simulator both read this description. Places are told from the player's side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from engine.events import IndicatorKind


@dataclass(frozen=True)
class TableLayout:
    """One game; the defaults are what most of them do."""

    river: Literal["loose", "rows"] = "loose"
    """Discards lie anywhere in the middle, or in rows of six before the player who made them."""
    sets_at: Literal["right", "left"] = "right"
    """The player's corner where claimed sets lie."""
    opposite_turned: bool = True
    """A set whose tile came from the opposite seat has a sideways tile too."""
    closed_kong_down: frozenset[int] = frozenset({0, 3})
    """Places of a closed kong, counted from the left, that lie face down."""
    ready_sign: Literal["sideways", "laid", "none"] = "none"
    """Who claims ready turns the discard sideways, or lays the whole hand face down."""
    tail_top_first: bool = True
    """Replacements are taken from the tail, the upper tile of a stack before the lower one."""
    indicator_at: Literal["wall", "aside", "column", "none"] = "none"
    """``wall``: face up in the wall from the deal on. Of the others only ready players know the
    face: ``aside`` lies beyond the last stack, ``column`` is found by dice rolled in play."""
    indicator_kinds: tuple[IndicatorKind, ...] = ()
    """What the record calls the first indicator, and then the later ones."""
    under_kind: IndicatorKind | None = None
    """Tiles under the indicators that a ready winner turns up."""
    indicator_stack_out: bool = False
    """The indicator and the tile under it are never drawn."""

    @property
    def closed_kong_hidden(self) -> bool:
        """A closed kong shows no face at all."""
        return len(self.closed_kong_down) == 4

    @property
    def turned_is_ready(self) -> bool:
        return self.ready_sign == "sideways"

    @property
    def rolls_in_play(self) -> bool:
        """Dice are rolled while a hand is played; else only before it."""
        return self.indicator_at == "column"

    def indicator_kind(self, turned: int) -> IndicatorKind | None:
        """The kind of the next indicator where ``turned`` ones lie there already."""
        last = len(self.indicator_kinds) - 1
        return self.indicator_kinds[min(turned, last)] if self.indicator_kinds else None


PLAIN: Final = TableLayout()
"""Loose discards, no sign of being ready, no indicator."""
