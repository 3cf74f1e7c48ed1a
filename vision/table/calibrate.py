"""Find the four corners of the felt in one picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes, Doubles, Floats
from vision.camera.pictures import Picture, SourceError
from vision.table.quads import (
    area_px,
    around_px,
    filled,
    four_sided,
    inside,
    off_square,
    refined,
    shaped,
)
from vision.table.view import TableView

FIELD_MM: Final = 800.0
"""Side of a playing field of unknown size; tiles are then measured in the same unit."""
SMALL_PX: Final = 640
LEAST_AREA: Final = 0.12
"""Least share of the picture that a table covers."""
MOST_AREA: Final = 0.97
LEAST_FILL: Final = 0.93
"""Least share of the four-sided outline that the felt's hull fills."""
LEAST_ALONG: Final = 0.72
"""Least share of the sides along which felt ends. It counts where an arm of the felt's colour
spoils the hull."""
ALONG_PX: Final = 2.5
MOST_LINED: Final = 0.5
"""Most that tiles may cover of the sides."""
LEAST_FELT: Final = 0.4
"""Least share of the outline in which felt is seen between the tiles."""
RIM_SHARE: Final = (0.66, 0.97)
"""Share of the table that a rim leaves to the felt."""
RIM_DIFFERS: Final = 6.0
SPREADS: Final = (6.0, 9.0, 13.0, 18.0, 25.0)
"""Tried distances from the felt's usual colour, in units of CIE Lab."""
NARROW: Final = (4.0,)
"""Tried after those, where floor and felt are alike or the picture is dark."""
TILES_OUTSIDE: Final = 3.0
"""What an outline would lose if all tiles lay beyond it."""
LOST_TILES: Final = 0.02
"""Share of the tiles that may lie beyond a rim's inner edge, because not every detection is a tile.
"""
OFF_SQUARE: Final = 0.15
"""Furthest that a table may be from square; see ``off_square``."""
SQUARE_COUNTS: Final = 4.0
WORSE: Final = 0.6
"""How much lower the score of the outline within a rim may be."""

Outline = tuple[float, Doubles]
"""The score of an outline, and its corners (4, 2) in the small picture."""


class NoTable(SourceError):
    """No table can be seen in a picture."""


def find_table(
    image_bgr: Picture, size_mm: float = FIELD_MM, tiles_px: Doubles | None = None
) -> TableView:
    """Find the table of one picture, with seat 0 at the bottom; raises ``NoTable``.

    ``tiles_px`` (n, 4, 2): outlines of the tiles in the picture, if they have been read. A table
    holds them, and there is felt under them.
    """
    height, width = image_bgr.shape[:2]
    scale = min(1.0, SMALL_PX / max(width, height))
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (5, 5), 0).astype(np.float32) / 255
    lab: Floats = np.asarray(cv2.cvtColor(soft, cv2.COLOR_BGR2LAB), np.float32)
    tiles = np.zeros((0, 4, 2)) if tiles_px is None else (tiles_px + 0.5) * scale - 0.5
    colours = _felt_colours(lab)
    found = _outlines(lab, colours, SPREADS, tiles) or _outlines(lab, colours, NARROW, tiles)
    if not found:
        raise NoTable(
            "no table was found in the picture; show the whole felt with its four corners, "
            "or give them with --table table.toml"
        )
    best = _within_rim(lab, found, tiles.mean(axis=1))
    corners = (best + 0.5) / scale - 0.5
    placed = tuple((float(x), float(y)) for x, y in corners)
    return TableView(placed, (size_mm, size_mm), (width, height))


def _felt_colours(lab: Floats) -> list[Floats]:
    """The usual colours in the middle of the picture, most frequent first."""
    height, width = lab.shape[:2]
    part = lab[round(0.15 * height) : round(0.85 * height), round(0.2 * width) : round(0.8 * width)]
    pixels = np.ascontiguousarray(part[::3, ::3].reshape(-1, 3))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 12, 0.5)
    cv2.setRNGSeed(1)
    _, labels, middles = cv2.kmeans(pixels, 5, np.empty(0), stop, 1, cv2.KMEANS_PP_CENTERS)
    counts = np.bincount(np.asarray(labels, np.int64).ravel(), minlength=5)
    order = np.argsort(-counts)
    return [np.asarray(middles[index], np.float32) for index in order[:3]]


def _outlines(
    lab: Floats, colours: Sequence[Floats], spreads: Sequence[float], tiles: Doubles
) -> list[Outline]:
    """Candidate outlines, for every colour and spread."""
    return [
        outline
        for away in (_unlike(lab, colour) for colour in colours)
        for spread in spreads
        if (outline := _outline(lab, _felt(away, spread, tiles), tiles)) is not None
    ]


def _outline(lab: Floats, felt: Bytes, tiles: Doubles) -> Outline | None:
    """The four-sided outline of everything with the felt's colour, with its score."""
    height, width = lab.shape[:2]
    joined = np.asarray(
        cv2.morphologyEx(felt, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8)), np.uint8
    )
    found = _corners(joined)
    if found is None:
        return None
    fill, corners = found
    off = off_square(corners, width, height)
    mask = filled((height, width), corners)
    within = float(felt[mask].mean())
    if fill < LEAST_FILL:
        if _along(corners, joined) < LEAST_ALONG:
            return None
        fill = LEAST_FILL
    if within < LEAST_FELT or off > OFF_SQUARE or _lined(corners, tiles, felt) > MOST_LINED:
        return None
    beyond = float(felt[~mask].mean()) if not mask.all() else 0.0
    lost = TILES_OUTSIDE * _outside(corners, tiles.mean(axis=1))
    # Felt fills the outline, and what lies beyond has another colour.
    return within + 2 * fill - 1.5 * beyond + _edge(
        lab, corners
    ) - lost - SQUARE_COUNTS * off, corners


def _unlike(lab: Floats, colour: Floats) -> Floats:
    """(height, width): the squared distance from a colour."""
    # Light falls off over a table, so brightness may differ more than hue.
    away = (lab - colour) * np.array([0.55, 1.0, 1.0], np.float32)
    return np.asarray(np.einsum("ijk,ijk->ij", away, away), np.float32)


def _felt(away: Floats, spread: float, tiles: Doubles) -> Bytes:
    """(height, width): 1 for the felt's colour, from which ``away`` is the squared distance, and
    for the tiles that lie on it."""
    felt = (away < spread**2).astype(np.uint8)
    felt = np.asarray(cv2.morphologyEx(felt, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    cv2.fillPoly(felt, list(np.rint(tiles).astype(np.int32)), 1)
    return felt


def _corners(felt: Bytes) -> tuple[float, Doubles] | None:
    """The corners of the largest piece of felt, and the share of them that its hull fills."""
    height, width = felt.shape
    contours, _ = cv2.findContours(felt, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return None
    contour = max(contours, key=cv2.contourArea)
    hull = cv2.convexHull(contour)
    area = float(cv2.contourArea(hull))
    if not LEAST_AREA * width * height < area < MOST_AREA * width * height:
        return None
    corners = four_sided(hull.reshape(-1, 2).astype(np.float64))
    if corners is None:
        return None
    corners = refined(corners, contour.reshape(-1, 2).astype(np.float64))
    outline = area_px(corners)
    if outline <= 0 or not shaped(corners, width, height):
        return None
    return min(area, outline) / max(area, outline), corners


def _within_rim(lab: Floats, found: list[Outline], tiles: Doubles) -> Doubles:
    """The best outline, or one just inside it if a rim of another colour lies between."""
    found = sorted(found, key=lambda outline: -outline[0])
    good, best = found[0]
    lost = _outside(best, tiles) + LOST_TILES
    for score, inner in found[1:]:
        if score < good - WORSE:
            break
        share = area_px(inner) / area_px(best)
        if not RIM_SHARE[0] < share < RIM_SHARE[1] or _outside(inner, tiles) > lost:
            continue
        if np.abs(inner.mean(axis=0) - best.mean(axis=0)).max() > 0.03 * around_px(best) / 4:
            continue
        shape = (lab.shape[0], lab.shape[1])
        whole, part = filled(shape, best), filled(shape, inner)
        rim = np.median(lab[whole & ~part], axis=0)
        felt = np.median(lab[part], axis=0)
        if float(np.linalg.norm(rim - felt)) > RIM_DIFFERS:
            best = inner
    return best


def _outside(corners: Doubles, tiles: Doubles) -> float:
    """Share of the tile centres (n, 2) outside an outline."""
    return float((~inside(corners, tiles)).mean()) if len(tiles) else 0.0


def _along(corners: Doubles, felt: Bytes) -> float:
    """Share of an outline's sides along which the felt ends."""
    edge = cv2.morphologyEx(felt, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return _near(corners, np.asarray(edge, np.uint8))


def _lined(corners: Doubles, tiles: Doubles, felt: Bytes) -> float:
    """Share of an outline's sides covered by tiles (n, 4, 2); a high share means a wall."""
    laid = np.zeros_like(felt)
    cv2.fillPoly(laid, list(np.rint(tiles).astype(np.int32)), 1)
    return _near(corners, laid) if len(tiles) else 0.0


def _near(corners: Doubles, mask: Bytes) -> float:
    """Share of an outline's sides that run close to what a mask (height, width) shows."""
    height, width = mask.shape
    far = cv2.distanceTransform(1 - mask, cv2.DIST_L2, 3)
    share = np.linspace(0.02, 0.98, 60)[:, None]
    points = np.concatenate(
        [a + share * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    )
    column, row = np.rint(points).astype(int).T
    seen = (row >= 0) & (column >= 0) & (row < height) & (column < width)
    return float((far[row[seen], column[seen]] < ALONG_PX).sum()) / len(points)


def _edge(lab: Floats, corners: Doubles) -> float:
    """How much the colour changes across the outline's sides, 0..1."""
    middle = corners.mean(axis=0)
    found = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        for share in np.linspace(0.1, 0.9, 17):
            point = start + share * (end - start)
            out = (point - middle) / max(1e-9, float(np.hypot(*(point - middle))))
            inner, outer = point - 5 * out, point + 5 * out
            found.append(float(np.linalg.norm(_at(lab, inner) - _at(lab, outer))))
    return min(1.0, float(np.median(found)) / 25.0)


def _at(lab: Floats, point: Doubles) -> Floats:
    height, width = lab.shape[:2]
    x = int(np.clip(round(float(point[0])), 0, width - 1))
    y = int(np.clip(round(float(point[1])), 0, height - 1))
    return np.asarray(lab[y, x])
