"""The wall of one hand: which tile lies where, and which is taken next."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.events import Indicator
from engine.rules.layout import TableLayout
from engine.tiles import Tile
from studio.play.played_hand import SimulatedHand, WallOrder, indicator_places
from studio.table.layout import Measures, Spot, aside_spot, wall_spot


class Wall:
    """Tiles are numbers of the set; ``ids`` and ``places`` are in the order of the wall."""

    def __init__(
        self,
        table: Measures,
        layout: TableLayout,
        hand: SimulatedHand,
        faces: Sequence[Tile],
        rng: random.Random,
    ) -> None:
        self._table, self._hand = table, hand
        self.ids = _matched(hand.wall, faces, rng)
        self.places = [self._place(index) for index in range(len(self.ids))]
        out = indicator_places(len(self.ids), 0) if layout.indicator_stack_out else ()
        self._order = WallOrder(len(self.ids), layout.tail_top_first, out)
        self._turned_up, self._turned_under = 0, 0
        self.aside: int | None = None
        """Harbin's dora or treasure, which only ready players look at."""

    def draw(self, from_tail: bool = False) -> int:
        """Take the next tile from the head, or a replacement from the tail."""
        return self.ids[self._order.tail() if from_tail else self._order.head()]

    def next_tile(self) -> int:
        """Return the tile that is drawn from the head next; it stays in the wall."""
        return self.ids[self._order.peek()]

    def set_aside(self) -> tuple[int, int, Spot]:
        """Take the next tile for the dora; return it, its nearest seat, and where it goes."""
        self.aside = self.draw()
        seat, stack = self._stack(len(self.ids) - 1)
        return self.aside, seat, aside_spot(self._table, seat, stack)

    def column(self, number: int) -> int:
        """Return the tile that dice point to; it stays where it lies and is never drawn."""
        self.aside = self.ids[self._order.column(number)]
        return self.aside

    def indicator(self, event: Indicator) -> int:
        """Return the tile that is turned up next."""
        if self.aside is not None:
            return self.aside
        if event.kind == "ura_dora":
            self._turned_under += 1
            return self.ids[indicator_places(len(self.ids), self._turned_under - 1)[1]]
        self._turned_up += 1
        return self.ids[indicator_places(len(self.ids), self._turned_up - 1)[0]]

    def left_end(self, seat: int, stacks: int) -> list[int]:
        """Return the tiles of the last stacks of one wall, at its player's left."""
        first = self._table.stacks - stacks
        places = enumerate(self._stack(index) for index in range(len(self.ids)))
        return [self.ids[at] for at, (whose, stack) in places if whose == seat and stack >= first]

    def seat_of(self, tile: int) -> int:
        """Return whose wall a tile was part of."""
        return self._stack(self.ids.index(tile))[0]

    def _place(self, index: int) -> Spot:
        return wall_spot(self._table, *self._stack(index), 1 - index % 2)

    def _stack(self, index: int) -> tuple[int, int]:
        """Return the seat of a tile's wall and its stack; the head moves to each player's left."""
        along = self._hand.break_stack + index // 2
        return (self._hand.break_seat - along // self._table.stacks) % 4, along % self._table.stacks


def _matched(wall: Sequence[Tile], faces: Sequence[Tile], rng: random.Random) -> list[int]:
    """Return numbers of tiles that make up the wall; equal tiles come in random order."""
    stock: dict[Tile, list[int]] = {}
    for number in rng.sample(range(len(faces)), len(faces)):
        stock.setdefault(faces[number], []).append(number)
    return [stock[tile].pop() for tile in wall]
