"""A small transparent sheet of paint: filled shapes in tile units, smooth edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from studio.faces.motif import CLEAR, InkShape
from studio.faces.outlines import CIRCLE, CurvePoints

WIDTH, HEIGHT = 75.0, 100.0
"""A face is 75 units wide and 100 high, whatever its size in pixels; its middle is (0, 0)."""

InkColour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

_SHIFT = 4
_SMALL_PX = 90


class Canvas:
    """Shapes are painted in order; ``None`` as colour takes paint away again."""

    def __init__(
        self, width_px: int, height_px: int, shift: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """``shift``: where the middle of the print is, in tile units."""
        finer = 3 if width_px < _SMALL_PX else 2
        self._size = (width_px, height_px)
        self._paint = np.zeros((height_px * finer, width_px * finer, 4), np.uint8)
        self._whole = finer * min(width_px / WIDTH, height_px / HEIGHT)
        middle_px = np.array([width_px, height_px]) * finer / 2
        self._centre_px = middle_px + self._whole * np.array(shift)
        self.frame()

    def frame(
        self, stretch: tuple[float, float] = (1.0, 1.0), shift: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """Paint what follows stretched about the middle, then moved by tile units."""
        self._scale = self._whole * np.array(stretch)
        self._origin = self._centre_px + self._whole * np.array(shift)

    def polygon(self, points: ArrayLike, colour: InkColour | None) -> None:
        """Fill the inside of (n, 2) points."""
        cv2.fillPoly(self._paint, [self._fixed(points)], _ink(colour), shift=_SHIFT)

    def contours(self, outlines: Iterable[ArrayLike], colour: InkColour | None) -> None:
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

    def paint(self, shapes: Iterable[InkShape], inks: Mapping[str, InkColour]) -> None:
        """Paint the shapes of a motif with the inks of a set."""
        for shape in shapes:
            colour = None if shape.ink == CLEAR else inks[shape.ink]
            if shape.line:
                self.line(shape.points, shape.line, colour)
            else:
                self.polygon(shape.points, colour)

    def disc(self, x: float, y: float, radius: float, colour: InkColour | None) -> None:
        self.polygon(CIRCLE * radius + np.array([x, y]), colour)

    def line(self, points: ArrayLike, width: float, colour: InkColour | None) -> None:
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
        scaled: CurvePoints = np.asarray(points, float) * self._scale + self._origin
        return np.rint(scaled * (1 << _SHIFT)).astype(np.int32).reshape(-1, 1, 2)


def _ink(colour: InkColour | None) -> tuple[int, int, int, int]:
    return (0, 0, 0, 0) if colour is None else (*colour, 255)


def _area(points: CurvePoints) -> float:
    x, y = points[:, 0], points[:, 1]
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
