"""Measure whether a picture of the table is good enough to read tiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes
from vision.camera.pictures import Picture
from vision.table.quads import filled
from vision.table.view import TableView

READABLE_PX, CLEAR_PX = 8.0, 25.0
"""Least widths of a tile: with the first, games are read, because each tile is looked at often;
with the second, nearly all faces are read in one look. Measured: at 10 px 72 of 76 events of five
films and all payouts, as at 20 px but for one discard; at 8 px all 7 of one film (model card)."""
SAMPLED_PX: Final = 24.0
"""Blur is measured with tiles this wide, because it matters as a share of a tile."""
BLUR_KERNEL_PX: Final = 9
BLURRED, TOO_BLURRED = 0.46, 0.57
"""Measured: at 0.45 one reading in twenty changes, at 0.54 one in five, at 0.60 every second."""
GLARING, TOO_GLARING = 0.015, 0.04
"""Measured: at 0.001 no reading changes, at 0.07 one in three."""
GLARE_LEVEL: Final = 250
DIM, DARK = 60.0, 34.0
"""Measured: at 48 one reading in forty changes, at 32 one in five, at 19 two in three."""
DOUBTS, TOO_MANY_DOUBTS = 0.2, 0.7
"""Shares of doubtful faces. Measured: films with 0.36 to 0.58 are read, one with 0.73 is not."""
LEAST_FACES: Final = 8
"""Fewer faces tell nothing about doubts: hands may be in the way of them."""
UNITS: Final[Mapping[str, tuple[float, int, str]]] = {
    "tile_px": (1, 0, "px"),
    "corners": (1, 0, ""),
    "blur": (100, 0, "%"),
    "glare": (100, 1, "%"),
    "light": (1, 0, ""),
    "doubts": (100, 0, "%"),
    "noise": (100, 0, "%"),
    "flicker": (100, 0, "%"),
    "swing": (1, 1, ""),
    "focus": (100, 0, "%"),
    "tint": (100, 0, "%"),
    "grey": (1, 0, ""),
    "gap": (1, 1, "s"),
    "rate": (1, 0, "/s"),
}
"""How each measurement is shown: factor, digits and unit. Light is a grey value, noise a share of
the tiles' brightness, swing is in tile widths, focus by how much softer pictures get, a tint by
how far tiles are from white."""
EDGE_SHARE: Final = 0.004
"""A corner closer to the picture's edge than this share of its width is cut off."""


class QualityGrade(StrEnum):
    """What a measurement means for reading."""

    GOOD = "good"
    POOR = "poor"
    """Tiles can be read, with more doubts than necessary."""
    BAD = "bad"


@dataclass(frozen=True)
class QualityCheck:
    """One measurement."""

    name: str
    """One of ``UNITS``, or ``mirrored`` or ``not_mirrored``."""
    value: float
    grade: QualityGrade
    corners: tuple[int, ...] = ()
    """Corners that are cut off, counted clockwise from the top left."""
    margin: float | None = None
    """Where the value lies between what is bad (0) and what is good (1): below 0 it is bad, above
    1 better than it has to be. None where there is nothing between."""

    @property
    def shown(self) -> str:
        """The value as people read it, without its unit."""
        factor, digits, _ = UNITS.get(self.name, (1, 0, ""))
        return f"{factor * self.value:.{digits}f}"


def judge(image_bgr: Picture, view: TableView) -> tuple[QualityCheck, ...]:
    """Measure one picture in which the table lies as ``view`` says."""
    height, width = image_bgr.shape[:2]
    field = view.in_picture(width, height)
    grey = _field(image_bgr, field)
    # Tiles are the brightest things on the table.
    light = float(np.percentile(grey, 99)) if grey.size else 0.0
    return (
        graded("tile_px", smallest_tile_px(field), CLEAR_PX, READABLE_PX),
        cut_off(field),
        graded("blur", blur(grey), BLURRED, TOO_BLURRED),
        graded("glare", _glare(image_bgr, field), GLARING, TOO_GLARING),
        graded("light", light, DIM, DARK),
    )


def good_enough(findings: Sequence[QualityCheck]) -> bool:
    return all(finding.grade is not QualityGrade.BAD for finding in findings)


def smallest_tile_px(view: TableView) -> float:
    """Width in pixels of a lying tile where it looks smallest, in front of a player."""
    half_x, half_y = (0.8 * half for half in view.half_mm)
    places = np.array([[0, half_y], [half_x, 0], [0, -half_y], [-half_x, 0], [0, 0]], np.float64)
    half = np.array([view.tile_mm / 2, 0.0])
    left = view.to_image(places - half, view.lying_mm)
    right = view.to_image(places + half, view.lying_mm)
    return float(np.linalg.norm(right - left, axis=1).min())


def blur(grey: Bytes) -> float:
    """How blurred a picture is, 0..1."""
    return max(softness(grey, axis) for axis in (0, 1))


def softness(grey: Bytes, axis: int = 1) -> float:
    """How blurred it is along its columns (0) or rows (1), 0..1.

    The measure is how little a further blur changes the differences between neighbours (Crete and
    others 2007, "The blur effect").
    """
    sharp = grey.astype(np.float32)
    size = (BLUR_KERNEL_PX, 1) if axis else (1, BLUR_KERNEL_PX)
    before = np.abs(np.diff(sharp, axis=axis))
    lost = before - np.abs(np.diff(cv2.blur(sharp, size), axis=axis))
    total = float(before.sum())
    return 1 - float(np.maximum(0.0, lost).sum()) / total if total > 0 else 1.0


def cut_off(view: TableView) -> QualityCheck:
    """How many corners of the table lie outside the picture, and which."""
    width, height = view.picture_px
    margin = EDGE_SHARE * width
    cut = tuple(
        place
        for place, (x, y) in enumerate(view.corners_px)
        if not (margin <= x <= width - 1 - margin and margin <= y <= height - 1 - margin)
    )
    return QualityCheck("corners", len(cut), QualityGrade.BAD if cut else QualityGrade.GOOD, cut)


def _field(image_bgr: Picture, view: TableView) -> Bytes:
    """The field in grey, with tiles at most ``SAMPLED_PX`` wide."""
    low = np.maximum(view.field_px.min(axis=0), 0).astype(int)
    high = np.ceil(view.field_px.max(axis=0)).astype(int) + 1
    part = image_bgr[low[1] : high[1], low[0] : high[0]]
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, SAMPLED_PX / max(view.tile_px, 1.0))
    if scale < 1.0:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(grey, np.uint8)


def _glare(image_bgr: Picture, view: TableView) -> float:
    """Share of the field that is overexposed."""
    inside = image_bgr[filled(image_bgr.shape[:2], view.field_px)]
    return float((inside.min(axis=1) >= GLARE_LEVEL).mean()) if len(inside) else 0.0


def doubts(doubtful: int, faces: int) -> tuple[QualityCheck, ...]:
    """Judge how many of the faces are doubtful; nothing where there are too few faces."""
    if faces < LEAST_FACES:
        return ()
    return (graded("doubts", doubtful / faces, DOUBTS, TOO_MANY_DOUBTS),)


def graded(name: str, value: float, poor: float, bad: float) -> QualityCheck:
    """Grade a value by two thresholds; ``bad`` lies beyond ``poor`` on either side."""
    is_poor, is_bad = (value >= limit if bad > poor else value < limit for limit in (poor, bad))
    grade = QualityGrade.POOR if is_poor else QualityGrade.GOOD
    margin = (value - bad) / (poor - bad)
    return QualityCheck(name, value, QualityGrade.BAD if is_bad else grade, margin=margin)
