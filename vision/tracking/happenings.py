"""What physically happened at the table, before anybody says what it meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from vision.tracking.found import Found
from vision.tracking.taken_back import TakenBack


@dataclass(frozen=True)
class Dealt:
    """Hands stand before the players."""

    time_s: float
    counts: tuple[int, ...]
    """Standing tiles of each seat, as far as they could be counted."""


@dataclass(frozen=True)
class Put:
    """A face appeared in the middle."""

    time_s: float
    tile: int
    """Id of the tile."""
    seats: tuple[float, ...]
    """How much speaks for each seat having put it there, as a log-likelihood."""
    early: bool = False
    """It was there while tiles were still dealt."""


@dataclass(frozen=True)
class SetLaid:
    """Tiles appeared side by side at a seat's corner while its hand still stands."""

    time_s: float
    seat: int
    tiles: tuple[int, ...]
    """Ids, from the player's left to right."""


@dataclass(frozen=True)
class Added:
    """A fourth tile appeared on or beside a set."""

    time_s: float
    seat: int
    tile: int
    """Id of the tile that shows the face."""


@dataclass(frozen=True)
class LaidDown:
    """A seat's whole hand was laid backs up."""

    time_s: float
    seat: int


@dataclass(frozen=True)
class HandOpened:
    """A seat's whole hand was laid faces up."""

    time_s: float
    seat: int
    tiles: tuple[int, ...]
    """Ids, from the player's left to right."""
    lay_open: bool = False
    """It has lain so since the deal; something in it, or what was done then, may show a win."""


@dataclass(frozen=True)
class TurnedUp:
    """A tile of the wall was turned face up."""

    time_s: float
    tile: int


@dataclass(frozen=True)
class Washed:
    """The tiles of the hand were cleared away."""

    time_s: float


Happening = (
    Dealt | Found | Put | SetLaid | Added | LaidDown | HandOpened | TurnedUp | TakenBack | Washed
)


PLACE_NAMES: Final[Mapping[type, str]] = {
    Dealt: "dealt",
    Put: "put",
    SetLaid: "setlaid",
    Added: "added",
    LaidDown: "laiddown",
    HandOpened: "opened",
    TurnedUp: "turnedup",
    TakenBack: "takenback",
    Washed: "washed",
    Found: "found",
}
"""How files of answers name where a question arose; a class may be renamed, these words may not."""


def tiles_of(happening: Happening) -> tuple[int, ...]:
    """Ids of the tiles that show what happened."""
    match happening:
        case Put(tile=tile) | Added(tile=tile) | TurnedUp(tile=tile):
            return (tile,)
        case (
            SetLaid(tiles=tiles)
            | HandOpened(tiles=tiles)
            | TakenBack(tiles=tiles)
            | Found(tiles=tiles)
        ):
            return tiles
        case _:
            return ()
