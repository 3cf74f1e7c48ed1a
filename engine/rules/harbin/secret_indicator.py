"""The secret indicator of the Harbin games, which only ready players may look at.

It is called dora (000) or treasure indicator (001). A *treasure* is a tile with which a ready
player wins by drawing it, whatever the hand waits for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.announce import Ready
from engine.events import Chow, Discard, Draw, Event, Indicator, Pung, Seat
from engine.play import IN_PLAY, IllegalEvent
from engine.rules.announcements import fault, ready_announcements
from engine.rules.base import Said
from engine.rules.flow import Flow
from engine.rules.hooks import Hooks
from engine.rules.turns_and_claims import ends_due
from engine.state import State
from engine.tile_counts import open_tiles, unread_open_tiles
from engine.tiles import UNKNOWN, Tile

RUN_OUT: Final = 3
"""Once so many treasures lie open, another kind replaces them."""


class HarbinIndicator(Flow):
    """Who may know the treasure, and what follows from it."""

    barring = ("false_ready", *Hooks.barring)
    other_known: str
    """Key of what follows when a different treasure is told than the known one."""

    def indicator_visible_to(self, state: State, kind: str, seat: Seat | None) -> bool:
        """000, 3.2: only players who have claimed ready may look."""
        looks = seat is not None and state.players[seat].ready and kind in self.indicator_kinds
        return looks or super().indicator_visible_to(state, kind, seat)

    def treasures_of(self, turned: Tile, state: State) -> frozenset[Tile]:
        """Kinds that win by own draw when this tile was looked at."""
        return frozenset({turned.kind})

    def turned(self, state: State) -> Tile | None:
        """The indicator tile. None while it is unknown.

        000, 3.3; 001, Running Out of Treasure: once three treasures lie open, another kind replaces
        them, unknown until somebody has looked.
        """
        told_tiles = [one.tile for one in state.indicators if one.kind in self.indicator_kinds]
        if not told_tiles or not told_tiles[-1].known:
            return None
        return None if self._open_treasures(state, told_tiles[-1]) >= RUN_OUT else told_tiles[-1]

    def _open_treasures(self, state: State, turned: Tile) -> int:
        kinds = self.treasures_of(turned, state)
        return sum(tile.kind in kinds for tile in open_tiles(state))

    def treasures(self, state: State) -> frozenset[Tile] | None:
        """Kinds that win by own draw. None while they are unknown."""
        turned = self.turned(state)
        return None if turned is None else self.treasures_of(turned, state)

    def indicate(self, state: State, event: Indicator) -> State:
        now = self.turned(state)
        if now is not None and event.tile.kind == now.kind:
            return replace(state)
        if now is not None and event.tile.known and not self._may_have_run_out(state, now):
            # Only ready players may know the treasure, so the problem does not name it.
            raise IllegalEvent("contradicts", None, self.other_known, [()])
        return super().indicate(state, event)

    def indicators_due(self, state: State) -> tuple[Indicator, ...]:
        may = state.phase in IN_PLAY and self.may_look(state) and self.turned(state) is None
        ready = may and any(player.ready for player in state.players)
        return tuple(Indicator(UNKNOWN, kind) for kind in self.layout.indicator_kinds if ready)

    def _may_have_run_out(self, state: State, turned: Tile) -> bool:
        """Whether three treasures may lie open, as far as the table was seen."""
        lying = self._open_treasures(state, turned)
        if state.joined is not None and None in (state.joined.sets, state.joined.rivers):
            return lying > 0  # tiles laid open earlier are unknown; the last one was seen
        return lying + unread_open_tiles(state) >= RUN_OUT

    def wins_if_drawn(self, state: State, seat: Seat) -> tuple[Tile, ...]:
        """000, 9.4; 001, Treasure Win: kinds that only this ready player may know."""
        player = state.players[seat]
        if not player.ready or self.bar(player):
            return ()
        return tuple(sorted(self.treasures(state) or ()))

    def may_look(self, state: State) -> bool:
        """000, 3.2: a ready player may look; 001: the treasure is turned when somebody is ready."""
        return any(player.ready or not player.ready_told for player in state.players)

    # --- what follows from an event ---

    def follow(self, before: State, after: State, event: Event) -> tuple[State, Said]:
        said: Said = []
        if isinstance(event, Indicator) and after.phase in IN_PLAY:
            if not self.may_look(after):
                said.append(fault(self, "no_indicator_now", None))
            for seat in range(4):
                said += self._said_to_who_looks(after, seat)
        elif isinstance(event, Discard | Chow | Pung) and event.ready:
            # A known hand was told when its claim was judged.
            hidden = not after.players[event.seat].known
            said += self._said_to_who_looks(after, event.seat) if hidden else []
        elif isinstance(event, Draw) and event.end not in (None, *ends_due(before)):
            said.append(fault(self, "wrong_end", event.seat))
        return after, said

    def _said_to_who_looks(self, state: State, seat: Seat) -> Said:
        """What the treasure means to a ready player."""
        on_draw = self.wins_if_drawn(state, seat)
        if not on_draw:
            return []
        if not state.players[seat].known:
            return [Ready(seat, unknown=True, on_draw=on_draw, audience=seat)]
        said = ready_announcements(self, state, seat)
        return [one for one in said if isinstance(one, Ready) and one.audience == seat]
