"""The secret indicator of the Harbin games, which only ready players may look at.

It is called dora (000) or treasure indicator (001). A *treasure* (宝) is a tile with which a ready
player wins by drawing it, whatever the hand waits for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.events import Indicator, IndicatorKind, Seat
from engine.evolve import evolve
from engine.play import IN_PLAY, IllegalEvent
from engine.rules.indicators import Indicators
from engine.rules.verdict import BARRING, first_of
from engine.state import State
from engine.tile_counts import open_tiles, unread_open_tiles
from engine.tiles import UNKNOWN, Tile

BARS: Final = ("false_ready", *BARRING)
"""Offences that keep a seat from winning for the rest of the hand."""
RUN_OUT: Final = 3
"""Once so many treasures lie open, another kind replaces them."""


class SecretIndicator(Indicators):
    """Which tile was looked at, and the treasures that follow from it."""

    def __init__(
        self,
        kind: IndicatorKind,
        treasures_of: Callable[[Tile, Mapping[str, object]], frozenset[Tile]],
        other_known: str,
        *,
        until_used_up: Callable[[State], int] | None = None,
        if_discarded: str | None = None,
    ) -> None:
        """``treasures_of``: kinds that win by own draw when this tile was looked at, under the
        options of a game. ``other_known``: key of what follows when a different treasure is told
        than the known one. ``until_used_up``: the tiles left; with none, nobody looks any more.
        ``if_discarded``: the option by which a discarded treasure wins too.
        """
        self.kind = kind
        self.treasures_of = treasures_of
        self._other_known = other_known
        self._until_used_up = until_used_up
        self._if_discarded = if_discarded

    def may_look(self, state: State) -> bool:
        """000, 3.2: a ready player may look; 001: the treasure is turned when somebody is ready."""
        left = self._until_used_up
        if left is not None and state.wall_counted and left(state) <= 0:
            return False
        return any(player.ready or not player.ready_certain for player in state.players)

    def due(self, state: State) -> tuple[Indicator, ...]:
        may = state.phase in IN_PLAY and self.may_look(state) and self.turned(state) is None
        ready = may and any(player.ready for player in state.players)
        return (Indicator(UNKNOWN, self.kind),) if ready else ()

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

    def wins_if_drawn(self, state: State, seat: Seat) -> tuple[Tile, ...]:
        """000, 9.4; 001, Treasure Win: kinds that only this ready player may know."""
        player = state.players[seat]
        if not player.ready or first_of(player, BARS):
            return ()
        return tuple(sorted(self.treasures(state) or ()))

    def wins_from(self, state: State, seat: Seat, giver: Seat) -> bool:
        """Whether a treasure from there wins, whatever the hand waits for.

        000, 3.4: by own draw only; 001, Revealing the Treasure Tile: "a drawn or discarded Treasure
        Tile", as an option. One that is added to a pung is none any more: three lie open.
        """
        return seat == giver or (
            self._if_discarded is not None and bool(state.options[self._if_discarded])
        )

    def turned_up(self, state: State, event: Indicator) -> State:
        """The state in which a tile was looked at; raise ``IllegalEvent`` for another treasure."""
        now = self.turned(state)
        if now is not None and event.tile.kind == now.kind:
            return evolve(state)
        if now is not None and event.tile.known and not self._may_have_run_out(state, now):
            # Only ready players may know the treasure, so the problem does not name it.
            raise IllegalEvent("contradicts", None, self._other_known, [()])
        return evolve(state, indicators=(*state.indicators, event))

    def _lying_open(self, state: State, turned: Tile) -> int:
        kinds = self.treasures_of(turned, state.options)
        return sum(tile.kind in kinds for tile in open_tiles(state))

    def _may_have_run_out(self, state: State, turned: Tile) -> bool:
        """Whether three treasures may lie open, as far as the table was seen."""
        lying = self._lying_open(state, turned)
        if state.joined is not None and None in (state.joined.sets, state.joined.rivers):
            return lying > 0  # tiles laid open earlier are unknown; the last one was seen
        return lying + unread_open_tiles(state) >= RUN_OUT
