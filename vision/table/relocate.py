"""Find the table again after the camera was knocked, by the tiles on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Doubles
from vision.table.placed_tile import PlacedTile
from vision.table.view import Points, TableView
from vision.tiles.classes import DetectedTile, Side

Shift = Doubles
"""(3, 3) homography from the pixels of an earlier picture to those of the present one."""

LEAST_TILES: Final = 12
"""Fewer tiles do not tell where a table lies."""
GATES: Final = (1.2, 0.8, 0.5, 0.35)
"""Largest distances between a tile and its expected place, in tile widths, tried in this order."""
GATE_OF_FEW: Final = 0.8
"""The distance that applies where too few tiles lie there to fit anything."""
FOUND: Final = 0.6
"""Share of the tiles that must be found again."""
LEAST_SHOWN: Final = 0.5
"""At least this share of the tiles counts, in the picture or not."""
STILL_THERE: Final = 0.2
"""The share that is enough once the game may have gone on: in rows that are not the right ones, and
of tiles that were laid elsewhere, hardly one lies within the last gate."""
SAME_FACES: Final = 0.75
"""Share of the faces that must match."""
OFF_PX: Final = 3.0
"""Points of the background that move differently by more than this were moved by somebody."""
LEAST_POINTS: Final = 8


def shift_of(before: Points, after: Points, off_px: float = OFF_PX) -> Shift | None:
    """The movement of the picture, from points (n, 2) of the background; None if unclear."""
    if len(before) < LEAST_POINTS:
        return None
    found, agree = cv2.findHomography(before, after, cv2.RANSAC, off_px)
    if found is None or int(np.sum(agree)) < max(LEAST_POINTS, len(before) // 3):
        return None
    return np.asarray(found, np.float64)


def found_again(
    view: TableView,
    placed: Sequence[PlacedTile],
    readings: Sequence[DetectedTile],
    guess: Shift | None = None,
    few_agree: bool = False,
    played_on: bool = False,
) -> TableView | None:
    """Return the view in which the tiles lie where they lay before; None if that is not certain.

    ``placed``: the tiles before. ``readings``: the tiles detected now. ``guess``: how the picture
    seems to have moved. With too few tiles the guess alone decides; with ``few_agree`` they must be
    where it puts them. With ``played_on`` most of them may lie elsewhere by now, if there is a
    guess.
    """
    start = view if guess is None else _moved(view, guess)
    if start is None:
        return None
    if len(placed) < LEAST_TILES:
        if guess is None:
            return None
        asked = few_agree and len(placed) > 0
        return start if not asked or _Tiles(placed, readings).fits(start, GATE_OF_FEW) else None
    tiles = _Tiles(placed, readings)
    fitted = tiles.fitted(start)
    least = STILL_THERE if played_on and guess is not None else FOUND
    return fitted if fitted is not None and tiles.fits(fitted, least=least) else None


def found_turned(
    view: TableView,
    seen: TableView,
    placed: Sequence[PlacedTile],
    readings: Sequence[DetectedTile],
    few_agree: bool = False,
) -> TableView | None:
    """Return the table ``seen`` in a picture that may be turned, with everybody's seat as before.

    The tiles tell which corner is which; without any, the picture is taken for upright.
    """
    turned = (
        replace(
            view,
            corners_px=(*seen.corners_px[turn:], *seen.corners_px[:turn]),
            picture_px=seen.picture_px,
        )
        for turn in range(4)
    )
    views = (found_again(start, placed, readings, np.eye(3), few_agree) for start in turned)
    # Hands and walls look the same from every side.
    tiles = _Tiles(placed, readings)
    return max((view for view in views if view is not None), key=tiles.same, default=None)


class _Tiles:
    """The tiles that lay on the table, and the tiles that are detected now."""

    def __init__(self, placed: Sequence[PlacedTile], readings: Sequence[DetectedTile]) -> None:
        self._placed, self._readings = placed, readings
        self._places = np.array([tile.xy_mm for tile in placed]).reshape(-1, 2)
        self._standing = np.array([tile.side is Side.STANDING for tile in placed], bool)
        self._seen = np.array([reading.corners_px.mean(axis=0) for reading in readings], np.float64)
        self._seen = self._seen.reshape(-1, 2)
        sides = [[tile.side is reading.side for reading in readings] for tile in placed]
        self._alike = np.array(sides, bool).reshape(len(placed), len(readings))

    def fitted(self, view: TableView) -> TableView | None:
        """The view, moved until the detected tiles are where they are expected."""
        if not len(self._seen):
            return None
        for gate in GATES:
            expected = self._expected(view)
            rows, columns = self._pairs(expected, gate * view.tile_px)
            if len(rows) < LEAST_TILES // 2:
                return None
            step = shift_of(expected[rows], self._seen[columns], 0.3 * view.tile_px)
            moved = _moved(view, step) if step is not None else None
            if moved is None:
                return None
            view = moved
        return view

    def fits(self, view: TableView, gate: float = GATES[-1], least: float = FOUND) -> bool:
        """Whether this share of the tiles is where they lay, with the same faces."""
        found, agree = self._found(view, gate)
        x, y = self._expected(view).T
        width, height = view.picture_px
        shown = (x > 0) & (x < width) & (y > 0) & (y < height)
        # Who knocks a camera may leave an edge of the table outside its picture.
        if found < least * max(int(shown.sum()), LEAST_SHOWN * len(self._placed)):
            return False
        # A row of tiles looks the same one tile further on, so faces must agree.
        return not len(agree) or float(agree.mean()) >= SAME_FACES

    def same(self, view: TableView) -> int:
        """How many faces are where they lay, less those that are not."""
        _, agree = self._found(view, GATE_OF_FEW)
        return int(2 * agree.sum()) - len(agree)

    def _found(self, view: TableView, gate: float) -> tuple[int, Bools]:
        """How many tiles are where they lay, and which of the faces there are the same."""
        if not len(self._seen) or not len(self._placed):
            return 0, np.zeros(0, np.bool_)
        rows, columns = self._pairs(self._expected(view), gate * view.tile_px)
        agree = [
            float(self._placed[row].probabilities @ self._readings[column].probabilities) > 0.1
            for row, column in zip(rows, columns, strict=True)
            if self._placed[row].side is Side.FACE
        ]
        return len(rows), np.array(agree, np.bool_)

    def _expected(self, view: TableView) -> Points:
        """(n, 2) expected positions of the tiles in pixels."""
        lying = view.to_image(self._places, view.lying_mm)
        standing = view.to_image(self._places, view.standing_mm)
        return np.where(self._standing[:, None], standing, lying)

    def _pairs(self, expected: Points, near_px: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Tiles and detections of the same side that are each other's nearest."""
        far = np.linalg.norm(expected[:, None] - self._seen[None], axis=2)
        far = np.where(self._alike, far, np.inf)
        column, row = far.argmin(axis=1), far.argmin(axis=0)
        rows = np.arange(len(expected))
        mutual = (row[column] == rows) & (far[rows, column] < near_px)
        return np.flatnonzero(mutual), column[mutual]


def _moved(view: TableView, shift: Shift) -> TableView | None:
    """The view with its corners moved; None if they no longer make a table."""
    corners = np.column_stack([view.field_px, np.ones(4)]) @ shift.T
    if (corners[:, 2] < 1e-6).any():
        return None
    flat = corners[:, :2] / corners[:, 2:]
    try:
        return replace(view, corners_px=tuple((float(x), float(y)) for x, y in flat))
    except ValueError:
        return None
