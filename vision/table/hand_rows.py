"""Find the table by the four rows of standing tiles, where felt and floor look alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.arrays import Doubles
from vision.camera.pictures import SourceError
from vision.table.calibrate import FIELD_MM, NoTable
from vision.table.quads import crossing, fitted_line
from vision.table.view import HAND_SHARE, HEIGHT_SHARE, Points, TableView, from_seat, rectangle
from vision.tiles.classes import DetectedTile, Side

LEAST_ROW: Final = 6
"""Least number of standing tiles in each of the four rows."""
OFF_ROW: Final = 0.7
"""Furthest that a tile stands from the middle of its row, in widths."""
PARALLEL: Final = 0.2
"""Sine of the angle below which two neighbouring rows do not enclose a table."""
PARALLEL_DEG: Final = 30.0
"""Largest angle between the rows of opposite players."""


def table_by_hands(readings: Sequence[DetectedTile], picture_px: tuple[int, int]) -> TableView:
    """Find the table whose four hands stand in these places; raises ``NoTable``.

    Hands stand at a usual share of the way from the middle to the edge, so the size of the field is
    known to a few hundredths. ``tile_mm`` is measured against it.
    """
    standing = [reading.corners_px for reading in readings if reading.side is Side.STANDING]
    nothing = NoTable("no table was found: neither its edge nor four standing hands are seen")
    if len(standing) < 4 * LEAST_ROW:
        raise nothing
    corners = np.array(standing, np.float64)
    rows = _rows(corners)
    if rows is None:
        raise nothing
    quad = _crossings(rows)
    if quad is None:
        raise nothing
    reach = HAND_SHARE * FIELD_MM
    try:
        upper = TableView(_pairs(quad), (reach, reach), picture_px)
        tile_mm = _width_mm(corners, upper)
        half = FIELD_MM / 2
        field = rectangle((-half, -half), (half, half))
        # The rows are the upper edges of standing tiles; the felt lies lower.
        found = upper.to_image(field, -HEIGHT_SHARE * tile_mm)
        return TableView(_pairs(found), (FIELD_MM, FIELD_MM), picture_px)
    except SourceError:
        raise nothing from None


def _rows(corners: Doubles) -> list[Doubles] | None:
    """A line (x, y, dx, dy) along each hand: bottom, right, top and left of the picture."""
    middles = corners.mean(axis=1)
    along = _long_sides(corners)
    width_px = float(np.median(np.linalg.norm(along, axis=1)))
    angle = np.degrees(np.arctan2(along[:, 1], along[:, 0])) % 180
    flat = np.minimum(angle, 180 - angle) < 45
    if not 0 < flat.sum() < len(flat):
        return None
    # The midpoint of opposite rows does not depend on which row has more tiles.
    between = np.percentile(middles[~flat, 0], (15, 85)), np.percentile(middles[flat, 1], (15, 85))
    centre = np.mean(between, axis=1)
    found = []
    for seat in range(4):
        # Towards the player: down, right, up, left in the picture.
        away = from_seat(np.array([[0.0, 1.0]]), seat)[0]
        mine = (flat if seat % 2 == 0 else ~flat) & ((middles - centre) @ away > 0)
        line = _line(middles[mine], OFF_ROW * width_px)
        # A row runs along the longer sides of its tiles; otherwise these are not those of a row.
        if line is None or (abs(line[2]) > abs(line[3])) != (seat % 2 == 0):
            return None
        found.append(line)
    return found


def _long_sides(corners: Doubles) -> Points:
    """(n, 2): the direction of the longer side of each upper edge."""
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 1]
    longer = np.linalg.norm(one, axis=1) >= np.linalg.norm(two, axis=1)
    return np.where(longer[:, None], one, two)


def _line(points: Points, off_px: float) -> Doubles | None:
    """The line on which most of the points lie; None if there are too few."""
    if len(points) < LEAST_ROW:
        return None
    best = np.zeros(len(points), bool)
    for first in range(len(points)):
        for second in range(first + 1, len(points)):
            along = points[second] - points[first]
            length = float(np.hypot(*along))
            if length < 3 * off_px:
                continue
            away = points - points[first]
            near = np.abs(away[:, 0] * along[1] - away[:, 1] * along[0]) / length < off_px
            if near.sum() > best.sum():
                best = near
    if best.sum() < LEAST_ROW:
        return None
    return fitted_line(points[best])


def _crossings(rows: list[Doubles]) -> Points | None:
    """(4, 2) corners of what the rows enclose, clockwise from the top left."""
    for one, other in ((0, 2), (1, 3)):
        cosine = abs(float(rows[one][2:] @ rows[other][2:]))
        if cosine < np.cos(np.radians(2 * PARALLEL_DEG)):
            return None
    bottom, right, top, left = rows
    pairs = ((top, left), (top, right), (bottom, right), (bottom, left))
    found = [point for pair in pairs if (point := crossing(*pair, PARALLEL)) is not None]
    return np.array(found) if len(found) == 4 else None


def _width_mm(corners: Doubles, upper: TableView) -> float:
    """Width of a tile, from the upper edges of the standing ones."""
    placed = upper.to_table(corners.reshape(-1, 2)).reshape(-1, 4, 2)
    return float(np.median(np.linalg.norm(_long_sides(placed), axis=1)))


def _pairs(points: Points) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)
