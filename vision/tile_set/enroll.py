"""Name the tiles of a set that is laid out with each kind once.

The recogniser may misread single tiles but seldom the whole. Every kind lies there once, so the
names are assigned in the way that is likeliest for all tiles together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

import lap
import numpy as np

from engine.tiles import FLOWERS, KINDS, REDS, Tile
from vision.arrays import Bools, Bytes, Floats
from vision.detect import Detection, OutlineReader
from vision.errors import ProfileError
from vision.table.quality import CLEAR_PX
from vision.tile_set.outlines import SURELY_READ, checked
from vision.tile_set.profile import Profile, patch_of
from vision.tiles.classes import ANY_FLOWER, FACE_INDEX, FACES, Side, face_class

LEAST_TILES: Final = 20
"""Fewer tiles are not a set laid out."""
DOUBTFUL: Final = 0.05
"""A name with less probability than this is shown to the owner."""
_UNLIKELY: Final = 1e-6
_SLOTS: Final = (
    *(FACE_INDEX[kind] for kind in KINDS),
    *(FACE_INDEX[red] for red in REDS),
    *(FACE_INDEX[ANY_FLOWER],) * len(FLOWERS),
)
"""What a picture of the whole set may show, each slot once."""
_PLAINLY_SEEN: Final = 7.0
"""Extra cost of red fives and flowers, which not every set has. Hardly one kind in a thousand is
missing from a set laid out, so a tile hidden by glare is rather one of those."""


@dataclass(frozen=True, eq=False)
class LaidOutSet:
    """One picture of a set laid out, with a name for each tile."""

    tiles: tuple[Detection, ...]
    """In reading order: rows from the top, each from the left."""
    faces: tuple[int, ...]
    """Index in ``FACES`` of each tile."""
    doubtful: tuple[int, ...]
    """Indices of the tiles with an uncertain name."""
    odd: tuple[int, ...] = ()
    """Indices of what is perhaps no tile: left out unless a person names it."""


def laid_out(
    detector: OutlineReader,
    image_bgr: Bytes,
    pinned: Mapping[int, Tile] | None = None,
    tile_px: float | None = None,
) -> LaidOutSet:
    """Find and name the tiles of one picture (h, w, 3).

    Outlines that the other tiles refute are mended, and read again.

    ``pinned``: names of tiles by their number in reading order, from 1. ``tile_px``: width of a
    tile, tried where too few are found without it. Raises ``ProfileError`` if there are too few
    tiles, if they are too small, or if ``pinned`` has a wrong number.
    """
    pinned = pinned or {}
    found = _face_up(detector.read(image_bgr))
    if len(found) < LEAST_TILES and tile_px is not None:
        found = _face_up(detector.read(image_bgr, None, tile_px))
    if len(found) < LEAST_TILES:
        raise ProfileError(
            f"only {len(found)} tiles were found face up: lay out all {len(KINDS)} kinds, apart "
            "from one another, under even light"
        )
    widths = [tile.width_px for tile in found]
    if np.median(widths) < CLEAR_PX:
        raise ProfileError(
            f"the tiles are {np.median(widths):.0f} pixels wide: come nearer, until they are "
            f"{CLEAR_PX:.0f} or more"
        )
    found, strange = _checked(detector, image_bgr, found)
    order = _reading_order(found)
    tiles = [found[place] for place in order]
    wrong = [number for number in pinned if not 1 <= number <= len(tiles)]
    if wrong:
        raise ProfileError(f"there is no tile {wrong[0]}: the picture has 1 to {len(tiles)}")
    odd = [place for place, at in enumerate(order) if strange[at] and place + 1 not in pinned]
    dealt = [place for place in range(len(tiles)) if place not in odd]
    if len(dealt) > len(_SLOTS):
        raise ProfileError(
            f"{len(dealt)} tiles were found face up: lay out every kind once, {len(_SLOTS)} tiles "
            "at most, and nothing else"
        )
    probabilities = np.stack([tile.probabilities for tile in tiles])
    faces = probabilities.argmax(axis=1)
    certain = {dealt.index(number - 1): _class(tile) for number, tile in pinned.items()}
    faces[dealt] = _dealt(probabilities[dealt], certain)
    doubtful = [
        place
        for place in dealt
        if place + 1 not in pinned and probabilities[place, faces[place]] < DOUBTFUL
    ]
    named = tuple(int(face) for face in faces)
    return LaidOutSet(tuple(tiles), named, tuple(doubtful), tuple(odd))


def read_alone(laid: LaidOutSet) -> Mapping[Tile, bool]:
    """Whether each face laid out is named right by what its tile shows alone.

    That every kind lies there once is what tells the right name; a doubtful reading names nothing.
    """
    right: dict[Tile, bool] = {}
    for place, (tile, face) in enumerate(zip(laid.tiles, laid.faces, strict=True)):
        if place not in laid.odd:
            name = Tile(FACES[face])
            right[name] = right.get(name, True) and tile.tile == name
    return right


def _face_up(tiles: Sequence[Detection]) -> list[Detection]:
    return [tile for tile in tiles if tile.side is Side.FACE]


def _checked(
    detector: OutlineReader, image_bgr: Bytes, found: list[Detection]
) -> tuple[list[Detection], Bools]:
    """The tiles with mended outlines, and (n,) which of them are perhaps none."""
    corners = np.stack([tile.corners_px for tile in found])
    scores = np.array([tile.score for tile in found], np.float32)

    def recut(given: Floats) -> Floats:
        read = detector.read_at(image_bgr, given, np.ones(len(given), np.float32))
        return np.stack([tile.corners_px for tile in read])

    confidences = np.array([tile.confidence for tile in found], np.float32)
    known = checked(image_bgr, corners, confidences, recut)
    rows = np.flatnonzero(known.mended)
    again = detector.read_at(image_bgr, known.corners_px[rows], scores[rows]) if len(rows) else []
    better = list(found)
    for row, tile in zip(rows, again, strict=True):
        # The outline was settled with its short side first; the reading may turn it by a quarter.
        better[row] = replace(tile, corners_px=known.corners_px[row])
    odd = known.odd.copy()
    if (~odd).sum() > len(_SLOTS):
        # The squares of a light cloth can pass for tiles once they have the shape of one.
        odd |= known.mended & (confidences < SURELY_READ)
    return better, odd


def profile_of(pictures: Sequence[tuple[Bytes, LaidOutSet]]) -> Profile:
    """Make a profile from pictures; doubtful tiles are left out where others are sure.

    Raises ``ProfileError`` where everything in the pictures was said to be no tile.
    """
    sure = {
        face
        for _, laid in pictures
        for place, face in enumerate(laid.faces)
        if place not in laid.doubtful and place not in laid.odd
    }
    patches, faces = [], []
    for image, laid in pictures:
        for place, (tile, face) in enumerate(zip(laid.tiles, laid.faces, strict=True)):
            if place not in laid.odd and (place not in laid.doubtful or face not in sure):
                patches.append(patch_of(image, tile.corners_px))
                faces.append(face)
    if not patches:
        raise ProfileError("no tile is left in the pictures: name at least one, or start over")
    return Profile(np.stack(patches), np.array(faces, np.int64))


def _class(tile: Tile) -> int:
    name = face_class(tile)
    if name is None:
        raise ProfileError(f"{tile} is no face that a tile can show")
    return FACE_INDEX[name]


def _dealt(probabilities: Floats, pinned: Mapping[int, int]) -> tuple[int, ...]:
    """The likeliest assignment of faces, each slot used once; ``pinned`` are certain."""
    cost = -np.log(np.maximum(probabilities[:, _SLOTS], _UNLIKELY))
    cost[:, len(KINDS) :] += _PLAINLY_SEEN
    for place, face in pinned.items():
        cost[place] = np.where(np.array(_SLOTS) == face, 0.0, 2 * -np.log(_UNLIKELY))
    _, slots, _ = lap.lapjv(cost, extend_cost=True)
    return tuple(_SLOTS[int(slot)] for slot in slots)


def _reading_order(tiles: Sequence[Detection]) -> list[int]:
    """Indices of the tiles in reading order, whatever way the rows lean."""
    middles = np.stack([tile.corners_px.mean(axis=0) for tile in tiles])
    edges = np.stack([tile.corners_px[1] - tile.corners_px[0] for tile in tiles])
    # Rows lean like the upper edges of most tiles, in steps of 90 degrees.
    angle = np.angle(np.mean(np.exp(4j * np.arctan2(edges[:, 1], edges[:, 0])))) / 4
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    straight = middles @ turn
    high = np.median([np.linalg.norm(t.corners_px[3] - t.corners_px[0]) for t in tiles])
    order = np.argsort(straight[:, 1])
    row, rows = 0, {int(order[0]): 0}
    for before, place in pairwise(order):
        row += int(straight[place, 1] - straight[before, 1] > 0.35 * high)
        rows[int(place)] = row
    return sorted(rows, key=lambda place: (rows[place], float(straight[place, 0])))


def names_of(faces: Sequence[int]) -> tuple[str, ...]:
    return tuple(FACES[face] for face in faces)
