"""How the players of one game put their tiles on the table.

The camera and the simulator both read this description. Places are told from the player's side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from engine.events import IndicatorKind


@dataclass(frozen=True)
class TableLayout:
    """The layout of one game; the defaults suit most games."""

    river: Literal["loose", "rows"] = "loose"
    """Discards lie anywhere in the middle, or in rows of six in front of their player."""
    sets_at: Literal["right", "left"] = "right"
    """The player's corner where claimed sets lie."""
    opposite_turned: bool = True
    """Whether a set also has a sideways tile when its tile came from the opposite seat."""
    turned_by_rule: str = ""
    """Where the rules say that the claimed tile lies sideways by who threw it. Empty where that is
    a custom, so that nobody does it wrongly."""
    closed_kong_down: frozenset[int] = frozenset({0, 3})
    """Tiles of a closed kong that lie face down, counted from the left."""
    ready_sign: Literal["sideways", "laid", "none"] = "none"
    """A player who claims ready turns the discard sideways and lays a stick before the own river,
    or lays the hand face down."""
    tail_top_first: bool = True
    """Whether the upper tile of a stack at the tail is taken first."""
    indicator_at: Literal["wall", "aside", "column", "none"] = "none"
    """``wall``: face up in the wall from the deal on. The others are known to ready players only
    before the hand is over:
    ``aside`` lies beyond the last stack, ``column`` is found by rolling dice in play, when
    no other game rolls any.
    """
    indicator_kinds: tuple[IndicatorKind, ...] = ()
    """Kind of the first indicator in the record, then of the later ones."""
    under_kind: IndicatorKind | None = None
    """Kind of the tiles under the indicators, which a ready winner turns up."""
    indicator_stack_out: bool = False
    """Whether the indicator and the tile under it are never drawn."""

    @property
    def kinds(self) -> frozenset[str]:
        """Every kind of indicator of the game."""
        under = () if self.under_kind is None else (self.under_kind,)
        return frozenset((*self.indicator_kinds, *under))

    def indicator_kind(self, turned: int) -> IndicatorKind | None:
        """The kind of the next indicator when ``turned`` ones lie there already."""
        last = len(self.indicator_kinds) - 1
        return self.indicator_kinds[min(turned, last)] if self.indicator_kinds else None


PLAIN: Final = TableLayout()
"""Loose discards, no sign of being ready, no indicator."""
