"""The indicators of a game: which it has, who sees them, when one is due, what they make wild."""

from __future__ import annotations

from typing import Final

from engine.events import Indicator, Seat
from engine.evolve import evolve
from engine.state import State
from engine.tiles import Tile


class Indicators:
    """By default a game has none."""

    kinds: frozenset[str] = frozenset()
    open: frozenset[str] = frozenset()
    """Kinds that lie face up. By default any other kind is secret until the hand is over."""

    def visible_to(self, state: State, kind: str, seat: Seat | None) -> bool:
        """Whether this seat (None: everybody) may know indicators of this kind.

        ``state`` is the last one of the indicators' hand. Only this decides it: pages, files and
        announcements all ask it.
        """
        return kind in self.open or (kind in self.kinds and state.hand_over)

    def due(self, state: State) -> tuple[Indicator, ...]:
        """The indicator that is to be turned up or looked at now, with the tile ``?``."""
        return ()

    def turned_up(self, state: State, event: Indicator) -> State:
        """Turn up an indicator; raise ``IllegalEvent`` for an impossible one."""
        return evolve(state, indicators=(*state.indicators, event))

    def with_wild(self, state: State) -> State:
        """The state with the wild kinds and stand-ins that the indicators and options make."""
        return state

    def wins_if_drawn(self, state: State, seat: Seat) -> tuple[Tile, ...]:
        """Kinds that win when drawn, whatever the hand waits for; only this seat may know them."""
        return ()


NO_INDICATORS: Final = Indicators()
