"""What one look at the table gives, and what is believed to lie there after many looks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.dice.rolls import Roll
from vision.table.placed_tile import PlacedTile
from vision.table.view import HEIGHT_SHARE, THICKNESS_SHARE, Points, TableView
from vision.tiles.classes import FACES, DetectedTile, Side

ONE_TILE: Final = 0.68
"""Middles of two tiles, lying or standing, are farther apart than this share of a width."""
LONGER: Final = 1.1
"""A side that is longer than the next by more is a long one: tiles are a third longer than wide."""
MARGIN_MM: Final = 30.0
"""How far beyond the field a tile may lie, on the rim."""


Clear = Callable[[Points], NDArray[np.bool_]]
"""Which of these places in the picture were looked at while nothing moved there."""


Since = Callable[[Points], NDArray[np.float64]]
"""When something may have moved last at these places in the picture; infinity for just now."""


def everywhere(points_px: Points) -> NDArray[np.bool_]:
    """The whole picture was looked at, and all of it was still."""
    return np.ones(len(points_px), bool)


def at_any_time(points_px: Points) -> NDArray[np.float64]:
    """Something may just have moved there."""
    return np.full(len(points_px), np.inf)


@dataclass(frozen=True, eq=False)
class Look:
    """One look: the tiles that were read, and where it counts that nothing was."""

    time_s: float
    readings: Sequence[DetectedTile]
    clear: Clear = everywhere
    busy: frozenset[int] = frozenset()
    """Seats near whose hand something moves."""
    unrest: float = 0.0
    """Share of the table that moves, 0..1."""
    rolled: Roll | None = None
    """Dice that have come to rest."""
    since: Since = at_any_time
    """Since when places have been as they are: they may be looked at late."""
    held: bool = False
    """The frames have ended, and the last one is looked at."""
    frame: int | None = None
    """Index of the frame."""
    sticks: frozenset[int] = frozenset()
    """Seats before whose rivers a stick came to lie."""
    read: bool = True
    """Whether any part of the picture was read; else only time has passed."""


@dataclass(frozen=True, eq=False)
class Spots:
    """The readings of one look as places on the table; one row each."""

    xy_mm: NDArray[np.float64]
    turn_deg: NDArray[np.float64]
    """Clockwise; 0 is upright for seat 0."""
    width_mm: NDArray[np.float64]
    sides: tuple[Side, ...]
    scores: NDArray[np.float64]
    off_size: NDArray[np.float64]
    """How far width and length are from those of a tile, as a sum of logarithms."""
    probabilities: NDArray[np.float64]
    """(n, 38)."""
    clear: NDArray[np.bool_]
    since_s: NDArray[np.float64]
    """When something moved there last."""

    def __len__(self) -> int:
        return len(self.sides)


def spots(look: Look, view: TableView) -> Spots:
    """Put the readings on the table; doubles and what lies beyond the rim are left out."""
    readings = look.readings
    corners = np.array([reading.corners_px for reading in readings], np.float64).reshape(-1, 4, 2)
    sides = tuple(reading.side for reading in readings)
    standing = np.array([side is Side.STANDING for side in sides], bool)
    flat = corners.reshape(-1, 2)
    lying = view.to_table(flat, view.lying_mm).reshape(-1, 4, 2)
    upright = view.to_table(flat, view.standing_mm).reshape(-1, 4, 2)
    placed = _short_side_first(np.where(standing[:, None, None], upright, lying), standing)
    middles = placed.mean(axis=1)
    top = placed[:, 1] - placed[:, 0]
    half_x, half_y = view.half_mm
    inside = (np.abs(middles) < np.array([half_x, half_y]) + MARGIN_MM).all(axis=1)
    faces = np.array([reading.probabilities for reading in readings], np.float64)
    faces = faces.reshape(-1, len(FACES))
    scores = np.array([reading.score for reading in readings], np.float64)
    width = np.linalg.norm(top, axis=1)
    length = np.linalg.norm(placed[:, 3] - placed[:, 0], axis=1)
    usual = view.tile_mm * np.where(standing, THICKNESS_SHARE, HEIGHT_SHARE)
    unlike = np.abs(np.log(np.maximum(width, 1) / view.tile_mm))
    unlike += np.abs(np.log(np.maximum(length, 1) / usual))
    single = _without_doubles(middles, scores - unlike, ONE_TILE * view.tile_mm)
    keep = np.flatnonzero(inside & single)
    seen_px = corners.mean(axis=1)[keep]
    return Spots(
        middles[keep],
        np.degrees(np.arctan2(top[keep, 1], top[keep, 0])) % 360,
        width[keep],
        tuple(sides[row] for row in keep),
        scores[keep],
        unlike[keep],
        faces[keep],
        look.clear(seen_px) if len(keep) else np.zeros(0, bool),
        look.since(seen_px) if len(keep) else np.zeros(0),
    )


def _short_side_first(
    placed: NDArray[np.float64], standing: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """The corners (n, 4, 2) of lying tiles from a corner before a short side on.

    Of some 2 faces in 100 the net takes a long side for the top, which the table's measure refutes:
    such a tile would pass for one that was laid sideways.
    """
    top = np.linalg.norm(placed[:, 1] - placed[:, 0], axis=1)
    side = np.linalg.norm(placed[:, 3] - placed[:, 0], axis=1)
    turned = ~standing & (top > LONGER * side)
    return np.where(turned[:, None, None], np.roll(placed, -1, axis=1), placed)


def measured_tile_mm(look: Look, view: TableView) -> float | None:
    """Width of a tile from the lying ones of one look; None when too few are seen."""
    found = spots(look, view)
    lying = np.array([side is not Side.STANDING for side in found.sides], bool)
    if lying.sum() < 8:
        return None
    width = float(np.median(found.width_mm[lying]))
    return width if 12.0 < width < 60.0 else None


@dataclass(frozen=True, eq=False)
class Observation:
    """Everything that is believed to lie on the table at one moment."""

    time_s: float
    placed: tuple[PlacedTile, ...]
    busy: frozenset[int] = frozenset()
    """Seats near whose hand something moves."""
    unrest: float = 0.0
    """Share of the table that moves."""
    sticks: frozenset[int] = frozenset()
    """Seats before whose rivers a stick lies that did not lie there when the hand began."""
    rolled: Roll | None = None
    """Dice that have come to rest."""
    held: bool = False
    """The frames have ended, and the last one is looked at."""
    frame: int | None = None
    """Index of the frame."""


def _without_doubles(
    middles: NDArray[np.float64], quality: NDArray[np.float64], near_mm: float
) -> NDArray[np.bool_]:
    """Of readings whose middles nearly meet, the best one; a finder may see a tile's half too."""
    order = np.argsort(-quality, kind="stable")
    sorted_middles = middles[order]
    far = np.linalg.norm(sorted_middles[:, None] - sorted_middles[None], axis=2)
    kept = np.ones(len(order), bool)
    for row, column in np.argwhere(np.triu(far < near_mm, 1)):
        if kept[row]:
            kept[column] = False
    single = np.zeros(len(order), bool)
    single[order] = kept
    return single
