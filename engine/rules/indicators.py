"""The indicators of a game: when one is due, what they make wild; its layout names their kinds."""

from __future__ import annotations

from typing import Final

from engine.events import Indicator, Seat
from engine.evolve import evolve
from engine.state import State
from engine.tiles import Tile


class Indicators:
    """By default a game has none."""

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
