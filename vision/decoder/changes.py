"""When and where the table has changed and rests again, without any meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from vision.decoder.snapshot import Snapshot


@dataclass(frozen=True)
class TableChange:
    """A change of the table; it keeps its ``id`` when it is seen better later."""

    id: int
    time_s: float

    @property
    def tiles(self) -> tuple[int, ...]:
        """Ids of the tracks that show it."""
        return ()


@dataclass(frozen=True)
class HandsStand(TableChange):
    """Hands stand before the players; something may lie on the table already."""

    counts: tuple[int, ...]
    """Standing tiles of each seat, as far as they could be counted."""
    snapshot: Snapshot | None = None
    """The whole table, where nobody saw how it came to lie so; None after a deal."""
    from_s: float = 0.0
    """When somebody looked at it first."""

    @property
    def tiles(self) -> tuple[int, ...]:
        return () if self.snapshot is None else self.snapshot.tiles


@dataclass(frozen=True)
class FaceAppeared(TableChange):
    """A face appeared away from all hands."""

    tile: int
    seats: tuple[float, ...]
    """Log-likelihood of each seat to have put it there."""
    early: bool = False
    """It lay there while tiles were still dealt."""
    was_back: bool = False
    """The tile lay there before and showed its back."""
    moved: tuple[int, ...] = ()
    """Seats near whose hands something moved then."""

    @property
    def tiles(self) -> tuple[int, ...]:
        return (self.tile,)


@dataclass(frozen=True)
class TilesBefore(TableChange):
    """Tiles came to lie before a player."""

    seat: int
    lying: tuple[int, ...]
    """Ids of all tiles that lie there, from the player's left to right."""
    fresh: tuple[int, ...]
    """Ids of those that came with this change."""
    backs: tuple[int, ...]
    """Ids of the tiles that showed their backs; they may be turned over later."""
    standing: int
    """Tiles that still stand there."""
    rise_off: float | None = None
    """Set where the only fresh tile moved as if another one lay on it: how far off that would be,
    in tile widths."""

    @property
    def tiles(self) -> tuple[int, ...]:
        return self.fresh


@dataclass(frozen=True)
class RowShown(TableChange):
    """A hand that has lain open since the deal shows a tile apart, or is shown when it is over."""

    seat: int
    lying: tuple[int, ...]

    @property
    def tiles(self) -> tuple[int, ...]:
        return self.lying


@dataclass(frozen=True)
class TilesGone(TableChange):
    """Tiles that had been put down are gone, and nobody laid them elsewhere."""

    gone: tuple[int, ...]
    standing: tuple[int, ...]
    """Standing tiles of each seat now."""

    @property
    def tiles(self) -> tuple[int, ...]:
        return self.gone


@dataclass(frozen=True)
class Cleared(TableChange):
    """The tiles of the hand were cleared away."""

    unseen: bool = False
    """Nobody looked meanwhile: another table lies there."""


@dataclass(frozen=True)
class PersonAdded(TableChange):
    """A person added an event that the camera did not show."""


CHANGE_NAMES: Final[Mapping[type, str]] = {
    HandsStand: "dealt",
    FaceAppeared: "put",
    TilesBefore: "opened",
    RowShown: "opened",
    TilesGone: "takenback",
    Cleared: "washed",
    PersonAdded: "said",
}
"""How files of answers name where a question arose; a class may be renamed, these words may not."""
