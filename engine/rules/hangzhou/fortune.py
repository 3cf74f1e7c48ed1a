"""Fortune tiles (财神): which they are, what they do, the wild eye (爆头, in 002 暴头)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine import hands
from engine.events import Indicator
from engine.evolve import evolve
from engine.hands import HandForm
from engine.play import IN_PLAY, IllegalEvent
from engine.rules.hangzhou.tables import WHITE
from engine.rules.indicators import Indicators, Wild
from engine.state import State
from engine.tiles import UNKNOWN, Tile

FORMS: Final = frozenset({HandForm.SETS, HandForm.PAIRS})
_PAIRS_TILES: Final = 13


@dataclass(frozen=True)
class Fortune:
    """The kind that is wild in a concealed hand; white dragons take its place as a plain tile."""

    kind: Tile

    def read(self, tile: Tile) -> Tile:
        """The kind that a tile other than a fortune counts as in sets and pairs."""
        return self.kind if tile == WHITE else tile

    def split(self, tiles: Sequence[Tile]) -> tuple[tuple[Tile, ...], int]:
        """Split tiles into the plain ones, as they count, and the number of wild ones."""
        plain = tuple(self.read(tile) for tile in tiles if tile != self.kind)
        return plain, len(tiles) - len(plain)

    def wins(self, tiles: Sequence[Tile]) -> bool:
        """Whether ``3n + 2`` undeclared tiles are a complete hand."""
        plain, wild = self.split(tiles)
        return hands.wins(plain, wild, FORMS)

    def eye_of_sets(self, tiles: Sequence[Tile]) -> bool:
        """Whether ``3n + 1`` tiles are complete sets and one fortune, so that any tile wins."""
        plain, wild = self.split(tiles)
        return wild > 0 and hands.sets_alone(plain, wild - 1)

    def eye_of_pairs(self, tiles: Sequence[Tile]) -> bool:
        """Whether the tiles are six pairs and one fortune."""
        plain, wild = self.split(tiles)
        singles = sum(count % 2 for count in Counter(plain).values())
        return len(tiles) == _PAIRS_TILES and wild > singles

    def wild_eye(self, tiles: Sequence[Tile]) -> bool:
        return self.eye_of_sets(tiles) or self.eye_of_pairs(tiles)


def fortune_of(state: State) -> Fortune | None:
    """The fortune of this hand. None while the indicator is unknown."""
    if state.options["permanent_fortune"]:
        return Fortune(WHITE)
    for indicator in reversed(state.indicators):
        if indicator.kind == "fortune" and indicator.tile.known:
            return Fortune(indicator.tile)
    return None


class FortuneIndicators(Indicators):
    def due(self, state: State) -> tuple[Indicator, ...]:
        known = state.phase not in IN_PLAY or fortune_of(state) is not None
        return () if known else (Indicator(UNKNOWN, "fortune"),)

    def turned_up(self, state: State, event: Indicator) -> State:
        if state.options["permanent_fortune"]:
            raise IllegalEvent("contradicts", None, "no_such_indicator", [()])
        now = fortune_of(state)
        if now is not None and event.tile.known and event.tile != now.kind:
            raise IllegalEvent("contradicts", None, "other_fortune_known", [()], tile=now.kind)
        if now is not None:
            return evolve(state)
        return super().turned_up(state, event)

    def wild(self, state: State) -> Wild | None:
        """The indicator's kind is wild; white dragons take its place as a plain tile."""
        fortune = fortune_of(state)
        if fortune is None:
            return None
        stand_ins = {} if fortune.kind == WHITE else {WHITE: fortune.kind}
        return Wild(frozenset({fortune.kind}), stand_ins)
