"""Read a die by comparing its upper face with the six possible ones."""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bytes, Doubles, Floats
from vision.dice.cubes import Cube
from vision.table.view import TableView

FACE_PX: Final = 24
"""Side of the compared face, in pixels; some surroundings are searched too."""
ABOUT: Final = 1.4
SHOWN: Final = 0.88
"""Share of a face that is compared, because its edges are round."""
FAR: Final = 0.27
"""Distance of pips from the centre, relative to the side of the die."""
RADII: Final = (0.1, 0.19)
"""Radii of pips, relative to the side; the pip of a one may be larger."""
TURNS_DEG: Final = (-12.0, -6.0, 0.0, 6.0, 12.0)
SCALES: Final = (0.92, 1.0, 1.08)
BLUR_PX: Final = 0.6
"""Blur of the pips in the picture."""
PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Places of the pips of each value, right and down from the middle of the face."""

Likeness = Doubles
"""(2, 6): similarity to each value, -1..1, with dark pips and with light pips."""


def likeness(image_bgr: Bytes, view: TableView, cube: Cube) -> Likeness:
    """Similarity of the upper face of a cube to each of the six values."""
    blur = BLUR_PX / (view.tile_px / view.tile_mm * cube.side_mm)
    values, patterns = _patterns(round(blur, 2))
    best = np.full((2, 6), -1.0)
    for scale in SCALES:
        for turn in TURNS_DEG:
            face = _face(image_bgr, view, cube, scale, turn)
            compared = [cv2.matchTemplate(face, one, cv2.TM_CCOEFF_NORMED) for one in patterns]
            like = np.nan_to_num(np.stack(compared), nan=0.0, posinf=0.0, neginf=0.0)
            np.maximum.at(best[0], values, like.max(axis=(1, 2)))
            np.maximum.at(best[1], values, -like.min(axis=(1, 2)))
    return best


def _face(image_bgr: Bytes, view: TableView, cube: Cube, scale: float, turn_deg: float) -> Floats:
    """The upper face with a margin, upright. Red and blue pips look as dark as black ones."""
    turned = Cube(cube.x_mm, cube.y_mm, cube.side_mm * scale, cube.turn_deg + turn_deg, 1.0)
    size = round(FACE_PX * ABOUT)
    corners = view.to_image(turned.upper_mm(SHOWN * ABOUT), cube.side_mm)
    square = np.array([(0, 0), (size, 0), (size, size), (0, size)], np.float32) - 0.5
    warp = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), square)
    face = cv2.warpPerspective(
        image_bgr, warp, (size, size), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    blue, green, red = cv2.split(face)
    return np.asarray(cv2.min(cv2.min(blue, green), red), np.float32)


@cache
def _patterns(blur: float) -> tuple[NDArray[np.intp], tuple[Floats, ...]]:
    """Every value, from 0 for one pip, in every orientation; ``blur`` relative to the side of a
    die."""
    found = []
    for value, pips in PIPS.items():
        for radius in RADII if value == 1 else RADII[:1]:
            drawn = _drawn(pips, radius, blur)
            found.append((value - 1, drawn))
            if value in (2, 3, 6):
                found.append((value - 1, np.ascontiguousarray(np.rot90(drawn))))
    values, patterns = zip(*found, strict=True)
    return np.array(values, np.intp), patterns


def _drawn(pips: tuple[tuple[int, int], ...], radius: float, blur: float) -> Floats:
    fine = 8
    size = FACE_PX * fine
    per_side = size / SHOWN
    face = np.ones((size, size), np.float32)
    for u, v in pips:
        at = (round(size / 2 + u * FAR * per_side), round(size / 2 + v * FAR * per_side))
        cv2.circle(face, at, round(radius * per_side), 0.0, cv2.FILLED)
    soft = cv2.GaussianBlur(face, (0, 0), max(1e-3, blur * per_side))
    return np.asarray(
        cv2.resize(soft, (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA), np.float32
    )
