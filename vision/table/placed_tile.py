"""A tile on the table, as many looks show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from engine.tiles import UNKNOWN, Tile
from vision.arrays import Doubles
from vision.tiles.classes import FACES, Side
from vision.tiles.fives import either_five

LEAST_SURE: Final = 0.5
"""A face less likely than this is written as ``?``."""

Place = tuple[float, float]
"""Of a tile in a seat's own millimetres: to its player's right, and towards the player."""


@dataclass(frozen=True, eq=False)
class PlacedTile:
    """A tile that lies on the table, in table millimetres, summed over many looks."""

    id: int
    side: Side
    probabilities: Doubles = field(repr=False)
    """(38,) over ``FACES``; zeros unless the face is up."""
    x_mm: float
    y_mm: float
    turn_deg: float
    first_s: float
    """When it was first seen to lie here."""
    looks: int = 1
    """Number of looks that showed it here."""
    score: float = 1.0
    """Mean confidence of the finder that a tile lies here, 0..1."""
    off_size: float = 0.0
    """How far the outline's size is from that of a tile, as a logarithm; 0 within what looks vary.
    """

    @cached_property
    def xy_mm(self) -> Doubles:
        return np.array([self.x_mm, self.y_mm])

    @cached_property
    def own_places(self) -> tuple[Place, Place, Place, Place]:
        """Where it lies for each seat; ``to_seat`` does the same for many places at once."""
        x, y = self.x_mm, self.y_mm
        return (x, y), (-y, x), (-x, -y), (y, -x)

    @cached_property
    def confidence(self) -> float:
        """Confidence in the face, 0..1; 1 for a tile that shows none."""
        return float(self.probabilities.max()) if self.side is Side.FACE else 1.0

    @cached_property
    def as_read(self) -> tuple[int, Side, Tile, float]:
        """What it looks like: another look at it says the same where nothing has changed."""
        return self.id, self.side, self.tile, round(float(self.probabilities.max()), 2)

    @cached_property
    def either_five(self) -> bool:
        """Whether it was seen without colours alone: a five, and nobody can say which."""
        return self.side is Side.FACE and either_five(self.probabilities)

    @cached_property
    def tile(self) -> Tile:
        if self.side is not Side.FACE or self.confidence < LEAST_SURE or self.either_five:
            return UNKNOWN
        return Tile(FACES[int(self.probabilities.argmax())])
