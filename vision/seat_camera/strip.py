"""A row of standing tiles in a picture, and the straightened strip that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Bytes, Doubles
from vision.table.quads import crossing, fitted_line

Quads = Doubles
"""(n, 4, 2) corners, clockwise in the picture from the tile's top left."""

TILE_PX: Final = (60.0, 80.0)
"""Width and height of a tile in the strip; real heights differ a little."""
BESIDE: Final = 3.5
"""Width of the strip beyond the known tiles at each end, in tile widths."""
ABOVE: Final = 0.3
"""Height of the strip above and below the tiles, in tile heights."""
LEAST: Final = 4
"""Least number of tiles that make a row."""
ALIKE: Final = 0.06
"""Strips that differ by less, in tile heights, are the same."""
STEEPEST: Final = 0.6
"""Largest slope of a row."""
LONGEST: Final = 20.0
"""Longest strip, in tile widths."""
_OFF: Final = 0.25
"""Furthest that a tile's centre lies from the row's line, in tile heights."""
_UNLIKE: Final = 1.3
"""Largest ratio between a tile's height and the one that perspective predicts."""


@dataclass(frozen=True, eq=False)
class Strip:
    """Where a row stands in the picture."""

    to_strip: Doubles
    """(3, 3) homography from the picture's pixels to the strip's."""
    size_px: tuple[int, int]
    """Width and height of the strip."""

    def flattened(self, image_bgr: Bytes) -> Bytes:
        """The row as seen straight on."""
        flat = cv2.warpPerspective(
            image_bgr, self.to_strip, self.size_px, flags=cv2.INTER_AREA | cv2.WARP_FILL_OUTLIERS
        )
        return np.asarray(flat, np.uint8)

    def like(self, other: Strip) -> bool:
        """Whether both strips show tiles in nearly the same places."""
        across = self.size_px[0] - TILE_PX[0] * BESIDE
        ends = np.array([[TILE_PX[0] * BESIDE, TILE_PX[1]], [across, TILE_PX[1]]])
        heads = ends - (0.0, (1 - ABOVE) * TILE_PX[1])
        mine = np.concatenate([ends, heads]).reshape(1, -1, 2)
        between = other.to_strip @ np.linalg.inv(self.to_strip)
        theirs = cv2.perspectiveTransform(mine, between)
        # Where the row ends does not matter.
        off = theirs[0, :, 1] - mine[0, :, 1]
        lean = (theirs[0, :2, 0] - theirs[0, 2:, 0]) - (mine[0, :2, 0] - mine[0, 2:, 0])
        return bool(max(np.abs(off).max(), np.abs(lean).max()) < ALIKE * TILE_PX[1])

    def in_picture(self, quads: Quads) -> Quads:
        """Map outlines from the strip to the picture."""
        return _mapped(quads, np.asarray(np.linalg.inv(self.to_strip), np.float64))

    def in_strip(self, quads: Quads) -> Quads:
        """Map outlines from the picture to the strip."""
        return _mapped(quads, self.to_strip)


def _mapped(quads: Quads, homography: Doubles) -> Quads:
    points = cv2.perspectiveTransform(quads.reshape(1, -1, 2), homography)
    return np.asarray(points, np.float64).reshape(-1, 4, 2)


def upright(quads: Quads) -> Quads:
    """The same outlines, each beginning at its top left corner."""
    if not len(quads):
        return np.asarray(quads, np.float64).reshape(0, 4, 2)
    tops = np.roll(quads, -1, axis=1) - quads
    first = tops[..., 0].argmax(axis=1)
    places = (first[:, None] + np.arange(4)) % 4
    return np.asarray(np.take_along_axis(quads, places[..., None], axis=1), np.float64)


def row_of(quads: Quads, scores: NDArray[np.floating]) -> Bools:
    """(n,) which outlines stand in the row that covers most of the picture; none if there is no
    row.

    In a row the centres lie on a line and the heights change evenly along it. ``scores`` (n,) are
    the finder's.
    """
    chosen = np.zeros(len(quads), bool)
    if len(quads) < LEAST:
        return chosen
    middles = quads.mean(axis=1)
    heights = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    best = 0.0
    for one in range(len(quads)):
        for other in range(len(quads)):
            along = middles[other] - middles[one]
            if along[0] < heights[one] / 2 or abs(along[1]) > STEEPEST * along[0]:
                continue
            away = middles - middles[one]
            share = away @ along / float(along @ along)
            expected = heights[one] + share * (heights[other] - heights[one])
            off = np.abs(away[:, 0] * along[1] - away[:, 1] * along[0]) / np.hypot(*along)
            size = heights / np.maximum(expected, 1.0)
            fits = (expected > 1) & (off < _OFF * expected)
            fits &= (size < _UNLIKE) & (size > 1 / _UNLIKE)
            # Nearer rows are larger, and the player's own hand is in front.
            worth = float((scores[fits] * heights[fits] ** 2).sum())
            if fits.sum() >= LEAST and worth > best:
                best, chosen = worth, fits
    return chosen


def strip_of(quads: Quads) -> Strip | None:
    """The strip of the tiles of one row; None if they do not make one."""
    if len(quads) < LEAST:
        return None
    order = np.argsort(quads.mean(axis=1)[:, 0])
    quads = quads[order]
    top = fitted_line(quads[:, :2].reshape(-1, 2))
    bottom = fitted_line(quads[:, 2:].reshape(-1, 2))
    ends = (quads[0, [0, 3]].mean(axis=0), quads[-1, [1, 2]].mean(axis=0))
    sides = [np.array([*end, *_down(quads, float(end[0]))]) for end in ends]
    corners = [crossing(side, line, 0.2) for side in sides for line in (top, bottom)]
    if any(corner is None for corner in corners):
        return None
    left_top, left_bottom, right_top, right_bottom = corners
    found = np.array([left_top, right_top, right_bottom, left_bottom], np.float32)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    if cv2.contourArea(found) < 16:
        return None
    flat = cv2.getPerspectiveTransform(found, square)
    unit = cv2.perspectiveTransform(quads.reshape(1, -1, 2), flat).reshape(-1, 4, 2)
    # Neighbours touch or nearly do, and centres are more exact than outlines.
    width = float(np.median(np.diff(unit.mean(axis=1)[:, 0])))
    if not 1 / LONGEST < width < 1:
        return None
    tiles = 1.0 / width
    high = 1 + 2 * ABOVE
    scale = np.array(
        [
            [TILE_PX[0] * tiles, 0, TILE_PX[0] * BESIDE],
            [0, TILE_PX[1], TILE_PX[1] * ABOVE],
            [0, 0, 1],
        ]
    )
    size = (round(TILE_PX[0] * (tiles + 2 * BESIDE)), round(TILE_PX[1] * high))
    return Strip(scale @ flat, size)


def _down(quads: Quads, x_px: float) -> Doubles:
    """(2,) direction of a tile's sides at this place; they lean more away from the middle."""
    sides = quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]
    lean = sides[:, 0] / np.maximum(sides[:, 1], 1.0)
    middles = quads.mean(axis=1)[:, 0]
    # Use the median slope, because a single outline may be loose.
    steps = np.subtract.outer(middles, middles)
    far = np.abs(steps) > 1.5 * float(np.median(np.diff(np.sort(middles))))
    slopes = np.subtract.outer(lean, lean)[far] / steps[far]
    slope = float(np.median(slopes)) if len(slopes) else 0.0
    return np.array([float(np.median(lean - slope * middles)) + slope * x_px, 1.0])
