"""How many copies of a tile can still lie hidden: what makes one reading likelier than another."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.rules.base import RuleSet
from engine.state import State
from engine.tile_counts import copies_named
from engine.tiles import COPIES, Tile

NONE_LEFT: Final = 30.0
"""What a face costs of which every copy lies elsewhere."""


@dataclass(frozen=True)
class Rarity:
    """What the copies that a state names leave of every tile."""

    wall: Mapping[Tile, int]
    named: Mapping[Tile, int]

    @classmethod
    def of(cls, rules: RuleSet, state: State) -> Rarity:
        return cls(rules.tiles(state.options), copies_named(state))

    def cost(self, face: Tile, but: Tile | None = None) -> float:
        """What it costs to read one more tile as this face.

        Every hidden copy is as likely as any other to be seen next. ``but`` is what the state takes
        the tile itself for.
        """
        if not face.known:
            return 0.0
        left = self.wall.get(face, 0) - self.named.get(face, 0) + (face == but)
        return -math.log(left / COPIES) if left > 0 else NONE_LEFT
