"""Walls of the four copies of every kind, which all games but the Harbin ones are played with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.tiles import COPIES, KINDS, Tile

ALL_KINDS: Final[Mapping[Tile, int]] = dict.fromkeys(map(Tile, KINDS), COPIES)
UNDEALT: Final = sum(ALL_KINDS.values()) - 4 * 13
"""Tiles that are not dealt, the dealer's fourteenth among them."""
DEAD_WALL: Final = 14
"""Tiles that are never drawn; kongs leave it at that number (003; 004, 3.3.2)."""
