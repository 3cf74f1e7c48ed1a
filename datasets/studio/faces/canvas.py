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

_SHIFT = 4
_SMALL_PX = 90


class Canvas:
    """Shapes are painted in order; ``None`` as colour takes paint away again."""

    def __init__(self, width_px: int, height_px: int) -> None:
        finer = 3 if width_px < _SMALL_PX else 2
        self._size = (width_px, height_px)
        self._paint = np.zeros((height_px * finer, width_px * finer, 4), np.uint8)
        self._whole = finer * min(width_px / WIDTH, height_px / HEIGHT)
        self._centre_px = np.array([width_px, height_px]) * finer / 2
        self.frame()

    def frame(
        self, stretch: tuple[float, float] = (1.0, 1.0), shift: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """Paint what follows stretched about the middle, then moved by tile units."""
        self._scale = self._whole * np.array(stretch)
        middle = np.array([WIDTH / 2, HEIGHT / 2])
        self._origin = self._centre_px - self._scale * middle + self._whole * np.array(shift)

    def polygon(self, points: ArrayLike, colour: Colour | None) -> None:
        """Fill the inside of (n, 2) points."""
        cv2.fillPoly(self._paint, [self._fixed(points)], _ink(colour), shift=_SHIFT)

    def contours(self, outlines: Iterable[ArrayLike], colour: Colour | None) -> None:
        """Fill outlines that may hold holes, and shapes within the holes."""
        fixed = [(self._fixed(outline), _area(np.asarray(outline, float))) for outline in outlines]
        if not fixed:
            return
        points = np.concatenate([outline for outline, _ in fixed]).reshape(-1, 2) >> _SHIFT
        low = np.maximum(points.min(axis=0), 0)
        high = np.minimum(points.max(axis=0) + 2, self._paint.shape[1::-1])
        if (high <= low).any():
            return
        # Strokes of a character may overlap: inside is where outlines wind round at all.
        winding = np.zeros((high - low)[::-1], np.int8)
        corner = (low << _SHIFT).astype(np.int32)
        for outline, area in fixed:
            mask = np.zeros(winding.shape, np.uint8)
            cv2.fillPoly(mask, [outline - corner], 1, shift=_SHIFT)
            winding += mask.view(np.int8) if area > 0 else -mask.view(np.int8)
        part = self._paint[low[1] : high[1], low[0] : high[0]]
        part[winding != 0] = _ink(colour)

    def disc(self, x: float, y: float, radius: float, colour: Colour | None) -> None:
        self.polygon(_CIRCLE * radius + np.array([x, y]), colour)

    def ring(self, x: float, y: float, radius: float, line: float, colour: Colour | None) -> None:
        """A circle drawn with a line whose outer edge is at the radius."""
        inner = max(radius - line, 0.0)
        outline = np.concatenate([_CIRCLE * radius, _CIRCLE[::-1] * inner])
        self.polygon(outline + np.array([x, y]), colour)

    def line(self, points: ArrayLike, width: float, colour: Colour | None) -> None:
        """An open line with round ends."""
        thick = max(1, round(width * float(self._scale.mean())))
        cv2.polylines(self._paint, [self._fixed(points)], False, _ink(colour), thick, shift=_SHIFT)

    def picture(self) -> NDArray[np.uint8]:
        """What has been painted: (height, width, 4) RGBA."""
        small = cv2.resize(self._paint, self._size, interpolation=cv2.INTER_AREA)
        alpha = small[:, :, 3:].astype(np.float32)
        # The sheet is black where it is clear, so edges hold too little colour.
        colour = small[:, :, :3] * (255 / np.maximum(alpha, 1))
        small[:, :, :3] = np.minimum(colour + 0.5, 255)
        return np.asarray(small, np.uint8)

    def _fixed(self, points: ArrayLike) -> NDArray[np.int32]:
        scaled: Points = np.asarray(points, float) * self._scale + self._origin
        return np.rint(scaled * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)


_TURN = np.linspace(0, 2 * np.pi, 49)
_CIRCLE = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)


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
