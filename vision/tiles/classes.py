"""The classes of the nets: sides of a tile, and faces."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Protocol

from engine.tiles import FLOWERS, KINDS, REDS, UNKNOWN, Tile
from vision.arrays import Doubles, Floats

ANY_FLOWER: Final = "1f"
"""One class for every flower and season, because they count alike and every set draws its own."""

FACES: Final[tuple[str, ...]] = (*KINDS, *REDS, ANY_FLOWER)
"""The recogniser's 38 classes, in the order of its outputs."""

FACE_INDEX: Final[dict[str, int]] = {
    **{face: index for index, face in enumerate(FACES)},
    **dict.fromkeys(FLOWERS, FACES.index(ANY_FLOWER)),
}
"""The class of every tile."""


class Side(StrEnum):
    """Which side of a tile the camera sees."""

    FACE = "face"
    BACK = "back"
    STANDING = "standing"


SIDES: Final = tuple(Side)
"""The finder's three classes, in the order of its outputs."""

UNKNOWN_FACE: Final = "unknown"
CLASS_NAMES: Final = (*FACES, Side.BACK.value, Side.STANDING.value, UNKNOWN_FACE)
"""Classes of tiles for other programs: what both nets say together."""


class DetectedTile(Protocol):
    """A tile in one picture."""

    @property
    def side(self) -> Side: ...
    @property
    def corners_px(self) -> Floats: ...
    @property
    def score(self) -> float: ...
    @property
    def probabilities(self) -> Floats: ...


def face_class(tile: Tile) -> str | None:
    """The recogniser's class for a tile; None for an unknown one."""
    if not tile.known:
        return None
    return ANY_FLOWER if tile.suit == "f" else str(tile)


def told_tile(face: int) -> Tile:
    """The tile that an event names for a class; ``?`` for a flower, as the class is for all."""
    return UNKNOWN if FACES[face] == ANY_FLOWER else Tile(FACES[face])


def of_kinds(shares: Doubles) -> Doubles:
    """(..., 38) the shares with those of red fives added to the plain ones."""
    found = shares.copy()
    for red in REDS:
        found[..., FACE_INDEX[str(Tile(red).kind)]] += found[..., FACE_INDEX[red]]
        found[..., FACE_INDEX[red]] = 0.0
    return found
