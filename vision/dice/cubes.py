"""Find small cubes on the cloth by the common outline of upper face and sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bools, Bytes, Doubles
from vision.table.view import Points, TableView

PER_MM: Final = 2.0
"""Resolution of outlines, in pixels per millimetre."""
SIDES_MM: Final = (11.0, 22.0)
MOST: Final = 3
"""Most dice that touch each other."""
AROUND_MM: Final = 45
"""Side of a square around a die in which most pixels show cloth."""
CONTRASTS: Final = (14, 26, 42, 64)
"""Tried differences from the cloth, in greys."""
A_PATTERN: Final = 24
"""More outlines than this of the right size are a pattern of the cloth."""
LEAST_SOLID: Final = 0.55
"""Least share of their convex hull that a few touching dice fill."""
ONE_IS_SOLID: Final = 0.82
LEAST_LIKE: Final = 0.78
"""Least overlap of outline and cubes, as a share of their union."""
SURE: Final = 0.93
"""A cube that fits this well is not searched again."""
STEPS_DEG: Final = (10, 5, 3)
"""Successive step sizes of the search for the turn."""
DEEP: Final = np.array([0.0, 0.5, 1.0])
"""Tried shares of the sides that stand out from the cloth; in shade they may not."""
HEIGHT_MM: Final = 14.0
WITH_SHADOW: Final = 2.4
"""Largest outline of a cube with sides and shadow, relative to its upper face."""
WITH_SIDES: Final = 1.8
"""Largest outline of a cube with sides but without a shadow."""
SEEMS: Final = 1.6
"""Largest apparent width of a cube, relative to its side."""
FURTHER: Final = 0.03
"""How much better an outline must fit for one more cube."""
APART: Final = 0.6
"""Least distance between the centres of two cubes, relative to their sides."""

Mask = Bytes


@dataclass(frozen=True)
class Cube:
    """A cube that stands on the cloth."""

    x_mm: float
    y_mm: float
    side_mm: float
    turn_deg: float
    """Orientation of its sides, clockwise, 0..90."""
    like: float
    """How well its outline fits, 0..1."""

    def upper_mm(self, share: float = 1.0) -> Points:
        """(4, 2) corners of a square around the centre of its upper face, clockwise."""
        square = _squares(self.side_mm * share, _axes(self.turn_deg))
        return np.array([self.x_mm, self.y_mm]) + square


@dataclass(frozen=True)
class _Part:
    """A part of the cloth seen from straight above."""

    low_mm: Doubles
    lean: Doubles
    """Sideways displacement of a point per millimetre of its height."""

    def to_px(self, points_mm: Points) -> Doubles:
        return (points_mm - self.low_mm) * PER_MM


def cubes(
    image_bgr: Bytes,
    view: TableView,
    low_mm: tuple[float, float],
    high_mm: tuple[float, float],
    tiles_px: Sequence[NDArray[np.floating]] = (),
    barren: Callable[[tuple[int, int]], Bools] | None = None,
) -> list[Cube]:
    """Find cubes in a part of the table, given in millimetres.

    ``tiles_px``: outlines of the tiles that lie there; they are no cubes. ``barren``: which pixels
    of the searched picture, whose size (h, w) it is given, need no search.
    """
    part = _part(view, low_mm, high_mm)
    cloth = view.from_above(image_bgr, low_mm, high_mm, PER_MM, cv2.BORDER_REPLICATE)
    if min(cloth.shape[:2]) < SIDES_MM[0] * PER_MM:
        return []
    free = _covered(view, part, cloth.shape[:2], tiles_px) == 0
    if barren is not None:
        free &= ~barren((cloth.shape[0], cloth.shape[1]))
    if not free.any():
        return []
    found: list[Cube] = []
    tried: set[tuple[tuple[int, int], tuple[int, ...], bytes]] = set()
    for unlike in _stands_out(cloth):
        for contrast in CONTRASTS:
            for mask, solid, at in _blobs((unlike > contrast) & free):
                outline = (at, mask.shape, mask.tobytes())
                if outline not in tried and not _surely_found(found, mask, at, part):
                    tried.add(outline)
                    found += _fitted(mask, solid, at, part)
    return _best(found)


def _part(view: TableView, low_mm: tuple[float, float], high_mm: tuple[float, float]) -> _Part:
    middle = (np.array([low_mm]) + np.array([high_mm])) / 2
    aside = view.to_table(view.to_image(middle, HEIGHT_MM)) - middle
    return _Part(np.array(low_mm, float), aside[0] / HEIGHT_MM)


def _stands_out(cloth: Bytes) -> Iterator[Mask]:
    """How much each pixel differs from most pixels around it, in greys.

    Yields any difference, then brighter only (shadows are not), then colour only (few shadows are).
    """
    colours = cv2.cvtColor(cloth, cv2.COLOR_BGR2LAB)
    small = cv2.resize(colours, None, fx=1 / PER_MM, fy=1 / PER_MM, interpolation=cv2.INTER_AREA)
    usual = cv2.medianBlur(small, AROUND_MM)
    size = (cloth.shape[1], cloth.shape[0])
    usual = cv2.resize(usual, size, interpolation=cv2.INTER_LINEAR)
    light, one, other = cv2.split(cv2.absdiff(colours, usual))
    coloured = cv2.max(one, other)
    yield np.asarray(cv2.max(light, coloured), np.uint8)
    yield np.asarray(cv2.subtract(cv2.split(colours)[0], cv2.split(usual)[0]), np.uint8)
    yield np.asarray(coloured, np.uint8)


def _covered(
    view: TableView, part: _Part, shape: tuple[int, ...], tiles_px: Sequence[NDArray[np.floating]]
) -> Mask:
    """Mask of the tiles, including their sides."""
    mask = np.zeros(shape[:2], np.uint8)
    outlines = np.array([np.asarray(corners) for corners in tiles_px], np.float64).reshape(-1, 2)
    upper = view.to_table(outlines)
    foot = view.to_table(view.to_image(view.to_table(outlines, view.lying_mm)))
    both = np.concatenate([part.to_px(at).reshape(-1, 4, 2) for at in (upper, foot)], axis=1)
    far = np.array([shape[1], shape[0]], float)
    inside = ((both.max(axis=1) > 0) & (both.min(axis=1) < far)).all(axis=1)
    for points in both[inside]:
        hull = cv2.convexHull(np.asarray(points, np.float32))
        cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 255)
    return np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)), np.uint8)


def _blobs(unlike: Bools) -> Iterator[tuple[Mask, float, tuple[int, int]]]:
    """Filled outlines of the size of one to a few dice: mask, solidity, and place of the mask."""
    cleaned = cv2.morphologyEx(unlike.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    outlines, nested = cv2.findContours(cleaned, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return
    # A dish around the dice stands out too; what lies in it is no hole in its rim.
    outer = [one for one, (*_, within) in zip(outlines, nested[0], strict=True) if within < 0]
    least, largest = ((side * PER_MM) ** 2 for side in SIDES_MM)
    most = WITH_SHADOW * MOST * largest
    large = [one for one in outer if least < cv2.contourArea(one) < most]
    if len(large) > A_PATTERN:
        return
    height, width = unlike.shape
    for outline in large:
        x, y, wide, high = cv2.boundingRect(outline)
        cut = x == 0 or y == 0 or x + wide == width or y + high == height
        solid = cv2.contourArea(outline) / cv2.contourArea(cv2.convexHull(outline))
        if cut or solid < LEAST_SOLID:
            continue
        mask = np.zeros((high + 2, wide + 2), np.uint8)
        cv2.drawContours(mask, [outline], 0, 1, cv2.FILLED, offset=(1 - x, 1 - y))
        yield mask, solid, (x - 1, y - 1)


def _fitted(mask: Mask, solid: float, at_px: tuple[int, int], part: _Part) -> list[Cube]:
    """The one, two or three cubes of one size that fill an outline best."""
    rows, columns = np.nonzero(mask)
    points = np.column_stack([columns, rows])
    best: list[Cube] = []
    least = LEAST_LIKE
    for count in range(1, MOST + 1):
        usual = np.sqrt(len(points) / count) / PER_MM
        if count == 1 and solid < ONE_IS_SOLID:
            continue
        if not SIDES_MM[0] <= usual <= SEEMS * SIDES_MM[1]:
            continue
        parts = _parted(points, count)
        found: list[Cube] = []
        for which in range(count):
            cube = _one(mask.shape, points[parts == which], at_px, part)
            like = cube.like - FURTHER * (count - 1)
            if like <= least or not SIDES_MM[0] <= cube.side_mm <= SIDES_MM[1]:
                break
            found.append(cube)
        else:
            best, least = found, min(cube.like for cube in found)
            if least - FURTHER * (count - 1) > SURE:
                break
    return best


def _one(
    shape: tuple[int, ...], points: NDArray[np.intp], at_px: tuple[int, int], part: _Part
) -> Cube:
    """The cube that covers these pixels of a mask best."""
    middle = points.mean(axis=0)
    own = np.zeros(shape, np.uint8)
    own[points[:, 1], points[:, 0]] = 1
    area_mm = len(points) / PER_MM**2
    best = Cube(0.0, 0.0, 0.0, 0.0, 0.0)
    drawn = np.zeros(shape, np.uint8)
    for step_deg in STEPS_DEG:
        wide = range(0, 90, step_deg) if step_deg == STEPS_DEG[0] else (-step_deg, step_deg)
        turns_deg = best.turn_deg + np.array(wide, float)
        axes = _axes(turns_deg)
        lean = np.abs(axes @ part.lean).sum(axis=1)[:, None] * DEEP
        sides = np.sqrt(area_mm / (1 + lean))
        squares = _squares(sides[..., None, None], axes[:, None])
        aside = (part.lean * sides[..., None] * DEEP[:, None] / 2)[..., None, :]
        both = np.concatenate([squares - aside, squares + aside], axis=2)
        # Sixteenths of a pixel.
        fine = ((both * PER_MM + middle).astype(np.float32) * 16).reshape(-1, 8, 2)
        rounded = np.rint(fine).astype(np.int32)
        for which, outline in enumerate(fine):
            hull = cv2.convexHull(outline, returnPoints=False).ravel()
            drawn[:] = 0
            cv2.fillConvexPoly(drawn, rounded[which][hull], 1, shift=4)
            both_px = cv2.countNonZero(cv2.bitwise_and(drawn, own))
            like = both_px / max(1, cv2.countNonZero(drawn) + len(points) - both_px)
            if like > best.like:
                turn, at = divmod(which, len(DEEP))
                side = float(sides[turn, at])
                foot = part.low_mm + (middle + at_px) / PER_MM
                foot = foot - part.lean * side * (1 - DEEP[at] / 2)
                turn_deg = float(turns_deg[turn]) % 90
                best = Cube(float(foot[0]), float(foot[1]), side, turn_deg, like)
    return best


def _surely_found(found: Sequence[Cube], mask: Mask, at_px: tuple[int, int], part: _Part) -> bool:
    """Whether a cube that fits well already fills this outline."""
    high, wide = mask.shape
    left, top = at_px
    middle = part.low_mm + np.array([left + wide / 2, top + high / 2]) / PER_MM
    area_mm = int(np.count_nonzero(mask)) / PER_MM**2
    return any(
        cube.like > SURE
        and np.hypot(cube.x_mm - middle[0], cube.y_mm - middle[1]) < cube.side_mm
        and area_mm < WITH_SIDES * cube.side_mm**2
        for cube in found
    )


def _axes(turn_deg: float | Doubles) -> Doubles:
    """(..., 2, 2) unit vectors along a square's sides."""
    cos, sin = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    return np.stack([np.stack([cos, sin], axis=-1), np.stack([-sin, cos], axis=-1)], axis=-2)


def _parted(points: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    """Divide points into round groups (k-means); return the group of each point."""
    if count == 1:
        return np.zeros(len(points), np.intp)
    x, y = points.T.astype(float)

    def far(middle: Doubles) -> Doubles:
        off_x, off_y = x - middle[0], y - middle[1]
        return np.asarray(np.sqrt(off_x * off_x + off_y * off_y))

    away = [far(points[far(points.mean(axis=0)).argmax()])]
    while len(away) < count:
        away.append(far(points[np.minimum.reduce(away).argmax()]))
    nearest = np.argmin(away, axis=0)
    for _ in range(7):
        before, sizes = nearest, np.bincount(nearest, minlength=count)
        means = [np.bincount(nearest, along, count) / sizes for along in (x, y)]
        nearest = np.argmin([far(mean) for mean in np.transpose(means)], axis=0)
        if np.array_equal(nearest, before):
            break
    return np.asarray(nearest)


def _best(found: list[Cube]) -> list[Cube]:
    """Keep the best of the cubes that stand in one place."""
    kept: list[Cube] = []
    for cube in sorted(found, key=lambda one: -one.like):
        near = (np.hypot(cube.x_mm - o.x_mm, cube.y_mm - o.y_mm) for o in kept)
        if all(far > APART * cube.side_mm for far in near):
            kept.append(cube)
    return kept


def _squares(side_mm: float | Doubles, axes: Doubles) -> Doubles:
    """(..., 4, 2) corners of squares around the origin, clockwise."""
    sides = axes * side_mm / 2
    right, down = sides[..., 0, :], sides[..., 1, :]
    return np.stack([-right - down, right - down, right + down, -right + down], axis=-2)
