"""A whole hand by which a game is explained to somebody who knows nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.events import Pung, Seat
from engine.tiles import Tile

LEARNER: Final[Seat] = 1
"""Who is told. Seat 0 deals, and is the left neighbour."""
LEFT: Final[Seat] = 0
Groups = tuple[tuple[Tile, ...], ...]


def groups(written: str) -> Groups:
    """Tiles by group, as they are written: ``234m 55s``."""
    return tuple(tuple(Tile(f"{rank}{word[-1]}") for rank in word[:-1]) for word in written.split())


def tiles_of(written: str) -> tuple[Tile, ...]:
    return tuple(tile for group in groups(written) for tile in group)


@dataclass(frozen=True)
class ExampleHand:
    """A whole hand of the learner, and how the last tile came."""

    concealed: str
    """Sets and pair that are not declared, with the winning tile."""
    tile: Tile
    from_seat: Seat = LEARNER
    """The learner for an own draw."""
    sets: tuple[Pung, ...] = ()

    @property
    def groups(self) -> Groups:
        """The declared sets, then the others."""
        return (*((one.tile, *one.own) for one in self.sets), *groups(self.concealed))

    @property
    def held(self) -> tuple[Tile, ...]:
        """The undeclared tiles without the winning one."""
        tiles = list(tiles_of(self.concealed))
        tiles.remove(self.tile)
        return tuple(tiles)


def open_pung(tile: str) -> tuple[Pung, ...]:
    """A set that the learner claimed from the left neighbour."""
    return (Pung(LEARNER, LEFT, Tile(tile), (Tile(tile), Tile(tile))),)
