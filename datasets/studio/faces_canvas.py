"""A small transparent sheet of paint: filled shapes in tile units, smooth edges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

WIDTH, HEIGHT = 75.0, 100.0
"""A face is 75 units wide and 100 high, whatever its size in pixels."""

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

Points = NDArray[np.float64]

_FINER = 3
_SHIFT = 4


class Canvas:
    """Shapes are painted in order; ``None`` as colour takes paint away again."""

    def __init__(self, width_px: int, height_px: int) -> None:
        self._size = (width_px, height_px)
        self._paint = np.zeros((height_px * _FINER, width_px * _FINER, 4), np.uint8)
        self._scale = _FINER * min(width_px / WIDTH, height_px / HEIGHT)
        self._origin = np.array([width_px, height_px]) * _FINER / 2 - self._scale * np.array(
            [WIDTH / 2, HEIGHT / 2]
        )

    def polygon(self, points: ArrayLike, colour: Colour | None) -> None:
        """Fill the inside of (n, 2) points."""
        cv2.fillPoly(self._paint, [self._fixed(points)], _ink(colour), shift=_SHIFT)

    def contours(self, outlines: Iterable[ArrayLike], colour: Colour | None) -> None:
        """Fill outlines that may hold holes, and shapes within the holes."""
        mask = np.zeros(self._paint.shape[:2], np.uint8)
        fixed = [(self._fixed(outline), _area(np.asarray(outline, float))) for outline in outlines]
        if not fixed:
            return
        # The biggest outline is solid; those that turn the other way are holes.
        fixed.sort(key=lambda pair: -abs(pair[1]))
        solid = np.sign(fixed[0][1])
        for points, area in fixed:
            cv2.fillPoly(mask, [points], 255 if area * solid > 0 else 0, shift=_SHIFT)
        self._paint[mask > 0] = _ink(colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour | None) -> None:
        centre = self._fixed([(x, y)])[0, 0]
        size = round(radius * self._scale * (1 << _SHIFT))
        cv2.circle(self._paint, centre.tolist(), size, _ink(colour), -1, shift=_SHIFT)

    def ring(self, x: float, y: float, radius: float, line: float, colour: Colour | None) -> None:
        """A circle drawn with a line whose outer edge is at the radius."""
        turn = np.linspace(0, 2 * np.pi, 72)
        edge = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        inner = max(radius - line, 0.0)
        outline = np.concatenate([edge * radius, edge[::-1] * inner])
        self.polygon(outline + np.array([x, y]), colour)

    def line(self, points: ArrayLike, width: float, colour: Colour | None) -> None:
        """An open line with round ends."""
        thick = max(1, round(width * self._scale))
        cv2.polylines(self._paint, [self._fixed(points)], False, _ink(colour), thick, shift=_SHIFT)

    def picture(self) -> NDArray[np.uint8]:
        """What has been painted: (height, width, 4) RGBA."""
        small = cv2.resize(self._paint.astype(np.float32), self._size, interpolation=cv2.INTER_AREA)
        alpha = small[:, :, 3:]
        # The sheet is black where it is clear, so edges hold too little colour.
        colour = np.where(alpha > 0, small[:, :, :3] * 255 / np.maximum(alpha, 1e-3), 0)
        return np.dstack([np.clip(colour, 0, 255), alpha]).round().astype(np.uint8)

    def _fixed(self, points: ArrayLike) -> NDArray[np.int32]:
        scaled = np.asarray(points, float) * self._scale + self._origin
        return np.rint(scaled * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)


def curve(points: Sequence[tuple[float, float]] | Points, steps: int = 8) -> Points:
    """A smooth line (n, 2) through points, a Catmull-Rom spline."""
    knots = np.asarray(points, float)
    knots = np.concatenate([2 * knots[:1] - knots[1:2], knots, 2 * knots[-1:] - knots[-2:-1]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    parts = [
        0.5
        * (
            2 * b
            + (c - a) * t
            + (2 * a - 5 * b + 4 * c - d) * t**2
            + (3 * b - a - 3 * c + d) * t**3
        )
        for a, b, c, d in zip(knots, knots[1:], knots[2:], knots[3:], strict=False)
    ]
    return np.concatenate([*parts, knots[-2:-1]])


def blade(points: Sequence[tuple[float, float]] | Points, width: float, tip: float = 0.0) -> Points:
    """Outline (n, 2) of a leaf or feather along a curve: thickest in the middle.

    ``tip`` moves the thickest place towards the end (0 middle, 1 end).
    """
    spine = curve(points)
    along = np.linspace(0, 1, len(spine))
    half = np.sin(np.pi * along ** (1 + 1.5 * tip)) * width / 2
    slope = np.gradient(spine, axis=0)
    across = np.stack([-slope[:, 1], slope[:, 0]], axis=1)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    side = across * half[:, None]
    return np.concatenate([spine + side, (spine - side)[::-1]])


def moved(points: ArrayLike, x: float, y: float) -> Points:
    """Points moved by an offset."""
    at: Points = np.asarray(points, float) + np.array([x, y])
    return at


def turned(points: ArrayLike, degrees: float, x: float = 0.0, y: float = 0.0) -> Points:
    """Points turned clockwise about the origin, then moved."""
    turn = np.radians(degrees)
    cos, sin = np.cos(turn), np.sin(turn)
    return moved(np.asarray(points, float) @ np.array([[cos, sin], [-sin, cos]]), x, y)


def _ink(colour: Colour | None) -> tuple[int, int, int, int]:
    return (0, 0, 0, 0) if colour is None else (*colour, 255)


def _area(points: Points) -> float:
    x, y = points[:, 0], points[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
