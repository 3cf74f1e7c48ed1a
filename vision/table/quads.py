"""Fit four-sided outlines to points, and judge whether they can be a square table."""

from __future__ import annotations

from itertools import combinations
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Doubles
from vision.table.view import FOCAL_SHARE, homography, rectangle

MOST_POINTS: Final = 12
"""Most corners of a hull that are tried as corners of a table."""
FOCALS: Final = (0.5, 1.8)
"""Range of focal lengths, relative to a usual camera."""


def four_sided(hull: Doubles) -> Doubles | None:
    """The four corners that enclose most of a hull (n, 2), clockwise from the top left."""
    simple = cv2.approxPolyDP(hull.astype(np.float32), 0.01 * around_px(hull), True).reshape(-1, 2)
    points = simple.astype(np.float64)
    if len(points) < 4:
        return None
    if len(points) > MOST_POINTS:
        points = points[np.linspace(0, len(points) - 1, MOST_POINTS).astype(int)]
    best = max(combinations(range(len(points)), 4), key=lambda four: area_px(points[list(four)]))
    return clockwise(points[list(best)])


def refined(corners: Doubles, contour: Doubles) -> Doubles:
    """Corners as the crossings of lines fitted to the outline's points near each side."""
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
            lines.append(fitted_line(side))
        crossed = [crossing(lines[place - 1], lines[place], 1e-3) for place in range(4)]
        if any(point is None for point in crossed):
            return corners
        fresh = np.array([point for point in crossed if point is not None])
        if np.abs(fresh - corners).max() > 0.15 * around_px(corners) / 4:
            return corners
        corners = fresh
    return corners


def shaped(corners: Doubles, width: int, height: int) -> bool:
    """Whether a square table can look like this: right angles, similar sides, in sight."""
    before, after = np.roll(corners, 1, axis=0) - corners, np.roll(corners, -1, axis=0) - corners
    cosines = (before * after).sum(axis=1) / (
        np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1) + 1e-9
    )
    sides = np.linalg.norm(after, axis=1)
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = 0.03 * width
    seen = (low > -margin).all() and high[0] < width + margin and high[1] < height + margin
    return bool(seen and np.abs(cosines).max() < 0.6 and sides.max() < 2.4 * sides.min())


def off_square(corners: Doubles, width: int, height: int) -> float:
    """Distance of an outline from the picture of a square; about 0.1 for sides of 11 to 10.

    Uses the focal length within ``FOCALS`` that fits best; see ``TableView.camera``.
    """
    plane = homography(
        rectangle((-0.5, -0.5), (0.5, 0.5)), corners - np.array([width / 2, height / 2])
    )
    first, second = plane[:, 0], plane[:, 1]
    size = float(np.hypot(*first[:2]) * np.hypot(*second[:2]))
    usual = FOCAL_SHARE * max(width, height)
    flat = np.array([first[:2] @ second[:2], (first[:2] @ first[:2] - second[:2] @ second[:2]) / 2])
    deep = np.array([first[2] * second[2], (first[2] ** 2 - second[2] ** 2) / 2]) * usual**2
    share = float(-(flat @ deep) / max(float(deep @ deep), 1e-12))
    share = float(np.clip(share, FOCALS[0] ** 2, FOCALS[1] ** 2))
    return float(np.linalg.norm(flat + share * deep)) / max(size, 1e-9)


def filled(shape: tuple[int, ...], corners: Doubles) -> Bools:
    """(height, width): the pixels inside an outline."""
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
    return mask.astype(bool)


def inside(corners: Doubles, points: Doubles) -> Bools:
    """(n,): whether a clockwise outline holds each point."""
    after = np.roll(corners, -1, axis=0) - corners
    away = points[:, None] - corners[None]
    cross = after[None, :, 0] * away[..., 1] - after[None, :, 1] * away[..., 0]
    return np.asarray((cross >= 0).all(axis=1), np.bool_)


def area_px(corners: Doubles) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def around_px(points: Doubles) -> float:
    """Perimeter of a polygon (n, 2)."""
    return float(np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1).sum())


def clockwise(points: Doubles) -> Doubles:
    """Order corners clockwise in the picture, from the top left."""
    away = points - points.mean(axis=0)
    points = points[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]
    return np.roll(points, -int(points.sum(axis=1).argmin()), axis=0)


def fitted_line(points: Doubles) -> Doubles:
    """(4,) a point (x, y) and the direction of the line fitted to points (n, 2)."""
    dx, dy, x, y = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([x, y, dx, dy], np.float64)


def crossing(first: Doubles, second: Doubles, least: float) -> Doubles | None:
    """(2,) where two lines (x, y, dx, dy) cross.

    None where they are nearly parallel: the cross product of their directions is below ``least``.
    """
    x, y, dx, dy = first
    u, v, du, dv = second
    cross = dx * dv - dy * du
    if abs(cross) < least:
        return None
    share = ((u - x) * dv - (v - y) * du) / cross
    return np.array([x + share * dx, y + share * dy])
