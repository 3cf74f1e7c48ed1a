"""The wall of four copies of every kind, used by all games but the Harbin ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.tiles import COPIES, KINDS, Tile

ALL_KINDS: Final[Mapping[Tile, int]] = dict.fromkeys(map(Tile, KINDS), COPIES)
UNDEALT: Final = sum(ALL_KINDS.values()) - 4 * 13
"""Tiles that are not dealt, with the dealer's fourteenth."""
DEAD_WALL: Final = 14
"""Tiles that are never drawn; kongs keep it at that number (003; 004, 3.3.2)."""
