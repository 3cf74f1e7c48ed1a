"""Finding the table: the felt's four corners in one picture, or a clear word that there is none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.pictures import Picture, SourceError
from vision.table.view import TableView

FIELD_MM: Final = 800.0
"""Side of a playing field whose size nobody gave; tiles are then measured in the same unit."""
SMALL_PX: Final = 640
LEAST_AREA: Final = 0.12
"""A table covers at least this share of the picture."""
MOST_AREA: Final = 0.97
LEAST_FILL: Final = 0.93
"""Share of the four-sided outline that the felt's hull fills."""
LEAST_FELT: Final = 0.4
"""Share of the outline in which felt is seen between the tiles."""
RIM_SHARE: Final = (0.66, 0.97)
"""A rim leaves so much of the table to the felt."""
RIM_DIFFERS: Final = 6.0
SPREADS: Final = (6.0, 9.0, 13.0, 18.0, 25.0)
"""How far from the felt's usual colour felt may be, in units of CIE Lab."""


class NoTable(SourceError):
    """No table can be seen in a picture."""


def find_table(image_bgr: Picture, size_mm: float = FIELD_MM) -> TableView:
    """The table of one picture, with seat 0 at the bottom; raises ``NoTable``."""
    height, width = image_bgr.shape[:2]
    scale = min(1.0, SMALL_PX / max(width, height))
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (5, 5), 0).astype(np.float32) / 255
    lab: NDArray[np.float32] = np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), np.float32)
    found = [
        outline
        for colour in _felt_colours(lab)
        for spread in SPREADS
        if (outline := _outline(lab, colour, spread)) is not None
    ]
    if not found:
        raise NoTable(
            "no table was found in the picture; show the whole felt with its four corners, "
            "or give them with --table table.toml"
        )
    best = _within_rim(lab, found)
    corners = (best + 0.5) / scale - 0.5
    placed = tuple((float(x), float(y)) for x, y in corners)
    return TableView(placed, (size_mm, size_mm), (width, height))


def _felt_colours(lab: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Usual colours of the picture's middle, the most frequent first."""
    height, width = lab.shape[:2]
    part = lab[round(0.15 * height) : round(0.85 * height), round(0.2 * width) : round(0.8 * width)]
    pixels = np.ascontiguousarray(part[::3, ::3].reshape(-1, 3))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 0.5)
    cv2.setRNGSeed(1)
    _, labels, middles = cv2.kmeans(pixels, 5, np.empty(0), stop, 1, cv2.KMEANS_PP_CENTERS)
    counts = np.bincount(np.asarray(labels).ravel(), minlength=5)
    order = np.argsort(-counts)
    return [np.asarray(middles[index], np.float32) for index in order[:3]]


def _outline(
    lab: NDArray[np.float32], colour: NDArray[np.float32], spread: float
) -> tuple[float, NDArray[np.float64]] | None:
    """The four-sided outline of what has the felt's colour, and how good it is."""
    height, width = lab.shape[:2]
    # Light falls off over a table: its brightness may differ more than its hue.
    away = (lab - colour) * np.array([0.55, 1.0, 1.0], np.float32)
    felt = (np.einsum("ijk,ijk->ij", away, away) < spread**2).astype(np.uint8)
    felt = np.asarray(cv2.morphologyEx(felt, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    joined = cv2.morphologyEx(felt, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    contour = max(contours, key=cv2.contourArea)
    hull = cv2.convexHull(contour)
    area = float(cv2.contourArea(hull))
    if not LEAST_AREA * width * height < area < MOST_AREA * width * height:
        return None
    corners = _four(hull.reshape(-1, 2).astype(np.float64))
    if corners is None:
        return None
    corners = _refined(corners, contour.reshape(-1, 2).astype(np.float64))
    outline = float(cv2.contourArea(corners.astype(np.float32)))
    if outline <= 0 or not _shaped(corners, width, height):
        return None
    mask = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
    inside = float(felt[mask > 0].mean())
    fill = min(area, outline) / max(area, outline)
    if fill < LEAST_FILL or inside < LEAST_FELT:
        return None
    beyond = float(felt[mask == 0].mean()) if (mask == 0).any() else 0.0
    # Felt fills the outline, and what lies beyond is of another colour.
    return inside + 2 * fill - 1.5 * beyond + _edge(lab, corners), corners


def _within_rim(
    lab: NDArray[np.float32], found: list[tuple[float, NDArray[np.float64]]]
) -> NDArray[np.float64]:
    """The best outline, or one just inside it where a rim of another colour lies between."""
    found = sorted(found, key=lambda outline: -outline[0])
    best = found[0][1]
    for _, inner in found[1:]:
        share = _area(inner) / _area(best)
        if not RIM_SHARE[0] < share < RIM_SHARE[1]:
            continue
        if np.abs(inner.mean(axis=0) - best.mean(axis=0)).max() > 0.03 * _length(best) / 4:
            continue
        whole, part = _filled(lab, best), _filled(lab, inner)
        rim = np.median(lab[whole & ~part], axis=0)
        felt = np.median(lab[part], axis=0)
        if float(np.linalg.norm(rim - felt)) > RIM_DIFFERS:
            best = inner
    return best


def _filled(lab: NDArray[np.float32], corners: NDArray[np.float64]) -> NDArray[np.bool_]:
    mask = np.zeros(lab.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
    return mask.astype(bool)


def _area(corners: NDArray[np.float64]) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _four(hull: NDArray[np.float64]) -> NDArray[np.float64] | None:
    """The four-sided outline that leaves least of a hull out; clockwise from the top left."""
    simple = cv2.approxPolyDP(hull.astype(np.float32), 0.01 * _length(hull), True).reshape(-1, 2)
    points = simple.astype(np.float64)
    if len(points) < 4:
        return None
    if len(points) > 12:
        points = points[np.linspace(0, len(points) - 1, 12).astype(int)]
    best = max(
        combinations(range(len(points)), 4),
        key=lambda four: float(cv2.contourArea(points[list(four)].astype(np.float32))),
    )
    return _clockwise(points[list(best)])


def _refined(corners: NDArray[np.float64], contour: NDArray[np.float64]) -> NDArray[np.float64]:
    """Corners as the crossings of lines through the outline's points near each side."""
    for near in (0.04, 0.015):
        lines = []
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            along = end - start
            length = float(np.hypot(*along))
            along = along / max(length, 1e-9)
            offset = contour - start
            place = offset @ along / max(length, 1e-9)
            off = offset[:, 0] * along[1] - offset[:, 1] * along[0]
            side = contour[(np.abs(off) < near * length) & (place > 0.06) & (place < 0.94)]
            if len(side) < 12:
                return corners
            vx, vy, x, y = cv2.fitLine(
                side.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01
            ).ravel()
            lines.append((float(x), float(y), float(vx), float(vy)))
        crossed = [_crossing(lines[place - 1], lines[place]) for place in range(4)]
        if any(point is None for point in crossed):
            return corners
        fresh = np.array([point for point in crossed if point is not None])
        if np.abs(fresh - corners).max() > 0.15 * _length(corners) / 4:
            return corners
        corners = fresh
    return corners


def _crossing(first: Sequence[float], second: Sequence[float]) -> NDArray[np.float64] | None:
    x, y, dx, dy = first
    u, v, du, dv = second
    cross = dx * dv - dy * du
    if abs(cross) < 1e-3:
        return None
    share = ((u - x) * dv - (v - y) * du) / cross
    return np.array([x + share * dx, y + share * dy])


def _shaped(corners: NDArray[np.float64], width: int, height: int) -> bool:
    """Whether a square table can look like this: nearly right angles, like sides, in sight."""
    before, after = np.roll(corners, 1, axis=0) - corners, np.roll(corners, -1, axis=0) - corners
    cosines = (before * after).sum(axis=1) / (
        np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1) + 1e-9
    )
    sides = np.linalg.norm(after, axis=1)
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = 0.03 * width
    seen = (low > -margin).all() and high[0] < width + margin and high[1] < height + margin
    return bool(seen and np.abs(cosines).max() < 0.6 and sides.max() < 2.4 * sides.min())


def _edge(lab: NDArray[np.float32], corners: NDArray[np.float64]) -> float:
    """How much the colour changes across the outline's sides, 0 to 1."""
    middle = corners.mean(axis=0)
    found = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        for share in np.linspace(0.1, 0.9, 17):
            point = start + share * (end - start)
            out = (point - middle) / max(1e-9, float(np.hypot(*(point - middle))))
            inner, outer = point - 5 * out, point + 5 * out
            found.append(float(np.linalg.norm(_at(lab, inner) - _at(lab, outer))))
    return min(1.0, float(np.median(found)) / 25.0)


def _at(lab: NDArray[np.float32], point: NDArray[np.float64]) -> NDArray[np.float32]:
    height, width = lab.shape[:2]
    x = int(np.clip(round(float(point[0])), 0, width - 1))
    y = int(np.clip(round(float(point[1])), 0, height - 1))
    return np.asarray(lab[y, x])


def _clockwise(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Clockwise in the picture, from the corner at its top left."""
    away = points - points.mean(axis=0)
    points = points[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    return np.roll(points, -int(points.sum(axis=1).argmin()), axis=0)


def _length(points: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1).sum())
