"""The wall of a game: the tiles in play, how many are dealt, and how many nobody draws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from engine.state import State
from engine.tiles import COPIES, FLOWERS, KINDS, Tile

ALL_KINDS: Final[Mapping[Tile, int]] = dict.fromkeys(map(Tile, KINDS), COPIES)
"""Four copies of every kind, the wall of all games but the Harbin ones."""
_FLOWERS: Final = tuple(map(Tile, FLOWERS))
WITH_FLOWERS: Final[Mapping[Tile, int]] = {**ALL_KINDS, **dict.fromkeys(_FLOWERS, 1)}
"""The same with one copy of each flower and season."""
DEAD_WALL: Final = 14
"""Tiles that are never drawn; kongs keep it at that number (003; 004, 3.3.2)."""


@dataclass(frozen=True, eq=False)
class Wall(Mapping[Tile, int]):
    """The copies of each tile under the default options, red fives apart from plain fives."""

    copies: Mapping[Tile, int]
    hand_size: int = 13
    """Tiles dealt to each player but the dealer."""
    never_drawn: int = 0
    """Tiles that stay in the wall."""
    last_turn_left: int | None = None
    """The last draws, without discards, begin with this many undealt tiles."""

    def under(self, options: Mapping[str, object]) -> Mapping[Tile, int]:
        """The copies under these options."""
        return self.copies

    def flowers(self, options: Mapping[str, object]) -> int:
        """How many flowers and seasons are in play."""
        wall = self.under(options)
        return sum(wall[tile] for tile in _FLOWERS) if _FLOWERS[0] in wall else 0

    def waiting(self, sets: int) -> int:
        """Tiles that a waiting player holds beside so many declared sets."""
        return self.hand_size - 3 * sets

    def undealt(self, options: Mapping[str, object]) -> int:
        """Tiles that are not dealt, with the dealer's last one."""
        return sum(self.under(options).values()) - 4 * self.hand_size

    def live(self, state: State) -> int:
        """Tiles that may still be drawn; below zero where the rules keep more than is left.

        Indicators count as undealt, and are never drawn: they lie among those that stay, or more
        of them than these lie aside (001).
        """
        return state.wall_left - max(self.never_drawn, len(state.indicators))

    def used_up(self, state: State) -> bool:
        """Whether nobody may draw any more."""
        return self.live(state) <= 0

    def last_turn(self, state: State) -> bool:
        """Whether a draw now is one of the last draws, without a discard."""
        return self.last_turn_left is not None and state.wall_left <= self.last_turn_left

    def __getitem__(self, tile: Tile) -> int:
        return self.copies[tile]

    def __iter__(self) -> Iterator[Tile]:
        return iter(self.copies)

    def __len__(self) -> int:
        return len(self.copies)


class FlowerWall(Wall):
    """A wall of all kinds, with flowers and seasons where the option ``flowers`` says so."""

    def under(self, options: Mapping[str, object]) -> Mapping[Tile, int]:
        return WITH_FLOWERS if options.get("flowers") else self.copies


UNDEALT: Final = Wall(ALL_KINDS).undealt({})
"""Tiles of a wall of all kinds that are not dealt, with the dealer's fourteenth."""
