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
from engine.rules.indicators import Indicators
from engine.rules.wall import ALL_KINDS
from engine.state import State
from engine.tiles import COPIES, UNKNOWN, Tile

FORMS: Final = frozenset({HandForm.SETS, HandForm.PAIRS})
_PAIRS_TILES: Final = 13


@dataclass(frozen=True)
class Fortune:
    """The kind that is wild in a concealed hand; white dragons take its place as a plain tile."""

    kind: Tile
    copies: int = COPIES - 1
    """Copies that can be drawn: the fourth is the indicator."""

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

    def waits(self, tiles: Sequence[Tile], declared: Sequence[Tile]) -> tuple[Tile, ...]:
        """Tiles, as they are drawn, that complete ``3n + 1`` undeclared ones.

        A fortune completes every hand that waits for anything. A tile is no wait when all its
        copies are in the own hand and sets (``declared``).
        """
        plain, wild = self.split(tiles)
        # A fortune can be a fifth copy too, so it may be the only wait.
        kinds = hands.waits(plain, wild, FORMS)
        any_wait = bool(kinds) or hands.wins(plain, wild + 1, FORMS)
        if not any_wait:
            return ()
        own = Counter((*tiles, *declared))
        return tuple(
            tile
            for tile in ALL_KINDS
            if (
                own[tile] < self.copies
                if tile == self.kind
                else own[tile] < COPIES and self.read(tile) in kinds
            )
        )

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
        return Fortune(WHITE, COPIES)
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
        return self.with_wild(super().turned_up(state, event))

    def with_wild(self, state: State) -> State:
        """Make the indicator's kind wild; white dragons take its place as a plain tile."""
        fortune = fortune_of(state)
        if fortune is None:
            return evolve(state, stand_ins={}, wild=frozenset())
        stand_ins = {} if fortune.kind == WHITE else {WHITE: fortune.kind}
        return evolve(state, stand_ins=stand_ins, wild=frozenset({fortune.kind}))
