"""The indicators of a game: when one is due, what they make wild; its layout names their kinds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.events import Indicator, Seat
from engine.evolve import evolve
from engine.state import State
from engine.tiles import Tile


class Wild(NamedTuple):
    """What counts as another tile in a hand."""

    kinds: frozenset[Tile] = frozenset()
    """They stand for any tile."""
    stand_ins: Mapping[Tile, Tile] = {}
    """Tiles that count as another kind in every set."""


NO_WILD: Final = Wild()


class Indicators:
    """By default a game has none."""

    def due(self, state: State) -> tuple[Indicator, ...]:
        """The indicator that is to be turned up or looked at now, with the tile ``?``."""
        return ()

    def turned_up(self, state: State, event: Indicator) -> State:
        """Turn up an indicator; raise ``IllegalEvent`` for an impossible one."""
        return evolve(state, indicators=(*state.indicators, event))

    def wild(self, state: State) -> Wild | None:
        """What the indicators and options make wild. None while nobody knows it."""
        return NO_WILD

    def wins_if_drawn(self, state: State, seat: Seat) -> tuple[Tile, ...]:
        """Kinds that win when drawn, whatever the hand waits for; only this seat may know them."""
        return ()


NO_INDICATORS: Final = Indicators()


def with_wild(indicators: Indicators, state: State) -> State:
    """The state with the wild kinds and stand-ins that are known now."""
    wild = indicators.wild(state) or NO_WILD
    if (state.wild, state.stand_ins) == wild:
        return state
    return evolve(state, wild=wild.kinds, stand_ins=wild.stand_ins)
