"""The secret indicator of the Harbin games, which only ready players may look at.

It is called dora (000) or treasure indicator (001). A *treasure* (宝) is a tile with which a ready
player wins by drawing it, whatever the hand waits for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.events import Indicator, IndicatorKind
from engine.play import IllegalEvent
from engine.state import State
from engine.tile_counts import open_tiles, unread_open_tiles
from engine.tiles import Tile

RUN_OUT: Final = 3
"""Once so many treasures lie open, another kind replaces them."""


@dataclass(frozen=True, eq=False)
class SecretIndicator:
    """Which tile was looked at, and the treasures that follow from it."""

    kind: IndicatorKind
    treasures_of: Callable[[Tile, Mapping[str, object]], frozenset[Tile]]
    """Kinds that win by own draw when this tile was looked at, under the options of a game."""
    other_known: str
    """Key of what follows when a different treasure is told than the known one."""

    def turned(self, state: State) -> Tile | None:
        """The indicator tile. None while it is unknown.

        000, 3.3; 001, Running Out of Treasure: once three treasures lie open, another kind replaces
        them, unknown until somebody has looked.
        """
        looked_at = [
            indicator.tile for indicator in state.indicators if indicator.kind == self.kind
        ]
        if not looked_at or not looked_at[-1].known:
            return None
        return None if self._lying_open(state, looked_at[-1]) >= RUN_OUT else looked_at[-1]

    def treasures(self, state: State) -> frozenset[Tile] | None:
        """Kinds that win by own draw. None while they are unknown."""
        turned = self.turned(state)
        return None if turned is None else self.treasures_of(turned, state.options)

    def looked_at(self, state: State, event: Indicator) -> State:
        """The state in which a tile was looked at; raise ``IllegalEvent`` for another treasure."""
        now = self.turned(state)
        if now is not None and event.tile.kind == now.kind:
            return replace(state)
        if now is not None and event.tile.known and not self._may_have_run_out(state, now):
            # Only ready players may know the treasure, so the problem does not name it.
            raise IllegalEvent("contradicts", None, self.other_known, [()])
        return replace(state, indicators=(*state.indicators, event))

    def _lying_open(self, state: State, turned: Tile) -> int:
        kinds = self.treasures_of(turned, state.options)
        return sum(tile.kind in kinds for tile in open_tiles(state))

    def _may_have_run_out(self, state: State, turned: Tile) -> bool:
        """Whether three treasures may lie open, as far as the table was seen."""
        lying = self._lying_open(state, turned)
        if state.joined is not None and None in (state.joined.sets, state.joined.rivers):
            return lying > 0  # tiles laid open earlier are unknown; the last one was seen
        return lying + unread_open_tiles(state) >= RUN_OUT
