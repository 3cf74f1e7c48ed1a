"""A row of standing tiles in a picture, and the flat strip that it becomes once straightened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Quads = NDArray[np.float64]
"""(n, 4, 2): corners clockwise in the picture, the tile's top left first."""

TILE_PX: Final = (60.0, 80.0)
"""Width and height of a tile in the strip; real ones differ a little in height."""
BESIDE: Final = 3.5
"""Tile widths that the strip shows beyond the tiles by which it was found, at each end."""
ABOVE: Final = 0.3
"""Tile heights that it shows above and below."""
LEAST: Final = 4
"""Tiles side by side that make a row."""
ALIKE: Final = 0.06
"""Two strips that differ by less, in tile heights, are the same."""
STEEPEST: Final = 0.6
"""A row is never steeper: rise of its line as a share of its run."""
LONGEST: Final = 20.0
"""Tile widths that a strip is long at most."""
_OFF: Final = 0.25
"""How far from a row's line a tile's middle lies at most, in tile heights."""
_UNLIKE: Final = 1.3
"""By how much the heights of tiles of one row differ at most from what its perspective says."""


@dataclass(frozen=True, eq=False)
class Strip:
    """Where a row stands in the picture."""

    to_strip: NDArray[np.float64]
    """(3, 3) homography from the picture's pixels to the strip's."""
    size_px: tuple[int, int]
    """Width and height of the strip."""

    def flattened(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The row as if it were looked at straight on."""
        flat = cv2.warpPerspective(
            image_bgr, self.to_strip, self.size_px, flags=cv2.INTER_AREA | cv2.WARP_FILL_OUTLIERS
        )
        return np.asarray(flat, np.uint8)

    def like(self, other: Strip) -> bool:
        """Whether tiles stand in the other strip nearly as they do in this one."""
        across = self.size_px[0] - TILE_PX[0] * BESIDE
        ends = np.array([[TILE_PX[0] * BESIDE, TILE_PX[1]], [across, TILE_PX[1]]])
        heads = ends - (0.0, (1 - ABOVE) * TILE_PX[1])
        mine = np.concatenate([ends, heads]).reshape(1, -1, 2)
        between = other.to_strip @ np.linalg.inv(self.to_strip)
        theirs = cv2.perspectiveTransform(mine, between)
        # Where the row ends is no part of how it stands.
        off = theirs[0, :, 1] - mine[0, :, 1]
        lean = (theirs[0, :2, 0] - theirs[0, 2:, 0]) - (mine[0, :2, 0] - mine[0, 2:, 0])
        return bool(max(np.abs(off).max(), np.abs(lean).max()) < ALIKE * TILE_PX[1])

    def in_picture(self, quads: Quads) -> Quads:
        """Outlines in the strip as they lie in the picture."""
        back = np.linalg.inv(self.to_strip)
        points = cv2.perspectiveTransform(quads.reshape(1, -1, 2), back)
        return np.asarray(points, np.float64).reshape(-1, 4, 2)


def upright(quads: Quads) -> Quads:
    """The same outlines, each begun at the corner from which its top runs to the right."""
    if not len(quads):
        return np.asarray(quads, np.float64).reshape(0, 4, 2)
    tops = np.roll(quads, -1, axis=1) - quads
    first = tops[..., 0].argmax(axis=1)
    places = (first[:, None] + np.arange(4)) % 4
    return np.asarray(np.take_along_axis(quads, places[..., None], axis=1), np.float64)


def row_of(quads: Quads, scores: NDArray[np.floating]) -> NDArray[np.bool_]:
    """(n,): which outlines stand in the row that covers most of the picture; none where none does.

    In one row the middles lie on a line, and the heights change evenly along it. ``scores`` (n,)
    say how sure it is that there are tiles.
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
            # Nearer rows are larger: the own hand stands in front of all others.
            worth = float((scores[fits] * heights[fits] ** 2).sum())
            if fits.sum() >= LEAST and worth > best:
                best, chosen = worth, fits
    return chosen


def strip_of(quads: Quads) -> Strip | None:
    """The strip of the tiles of one row; None where they make no sensible one."""
    if len(quads) < LEAST:
        return None
    order = np.argsort(quads.mean(axis=1)[:, 0])
    quads = quads[order]
    top = _line(quads[:, :2].reshape(-1, 2))
    bottom = _line(quads[:, 2:].reshape(-1, 2))
    ends = (quads[0, [0, 3]].mean(axis=0), quads[-1, [1, 2]].mean(axis=0))
    corners = [
        _crossing(end, _down(quads, float(end[0])), line) for end in ends for line in (top, bottom)
    ]
    if any(corner is None for corner in corners):
        return None
    left_top, left_bottom, right_top, right_bottom = corners
    found = np.array([left_top, right_top, right_bottom, left_bottom], np.float32)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    if cv2.contourArea(found) < 16:
        return None
    flat = cv2.getPerspectiveTransform(found, square)
    unit = cv2.perspectiveTransform(quads.reshape(1, -1, 2), flat).reshape(-1, 4, 2)
    # Neighbours touch or nearly do, and outlines are looser than middles are off.
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


def _line(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """(4,): direction and a point of the line that most of the points (n, 2) lie on."""
    fitted = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)
    return np.asarray(fitted, np.float64).ravel()


def _down(quads: Quads, x_px: float) -> NDArray[np.float64]:
    """(2,): how a tile's sides run there; the more aside of the middle, the more they lean."""
    sides = quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]
    lean = sides[:, 0] / np.maximum(sides[:, 1], 1.0)
    middles = quads.mean(axis=1)[:, 0]
    # The line through most of them: a single outline may be loose.
    steps = np.subtract.outer(middles, middles)
    far = np.abs(steps) > 1.5 * float(np.median(np.diff(np.sort(middles))))
    slopes = np.subtract.outer(lean, lean)[far] / steps[far]
    slope = float(np.median(slopes)) if len(slopes) else 0.0
    return np.array([float(np.median(lean - slope * middles)) + slope * x_px, 1.0])


def _crossing(
    point: NDArray[np.float64], along: NDArray[np.float64], line: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    matrix = np.column_stack([along, -line[:2]])
    if abs(float(np.linalg.det(matrix))) < 0.2:
        return None
    share = np.linalg.solve(matrix, line[2:] - point)[0]
    return np.asarray(point + share * along, np.float64)
