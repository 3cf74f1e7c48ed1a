"""Check that the pictures of a set agree: tiles of one name look alike in all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engine.tiles import REDS, Tile
from vision.arrays import Bytes, Floats, Ints
from vision.tile_set.enroll import LaidOutSet
from vision.tile_set.profile import patch_of, upright_crop
from vision.tiles.classes import FACE_INDEX
from vision.tiles.recogniser import unit

UNLIKE: Final = 0.1
"""A tile is doubted if another name's tile is more similar than its own name's by more than this.

So are 7 of 1,000 tiles with the right name, most of them hardly readable, and 990 of 1,000 with a
wrong one (24 rendered sets, two pictures each).
"""


def agreeing(
    pictures: Sequence[tuple[Bytes, LaidOutSet]],
    embed: Callable[[Bytes], Floats],
    pinned: Sequence[Collection[int]],
) -> list[tuple[Bytes, LaidOutSet]]:
    """Add to the doubtful tiles of each picture those that the other pictures refute.

    ``embed`` maps crops (k, 64, 48, 3) to vectors (k, d). ``pinned``: for each picture the places
    that a person named.
    """
    if len(pictures) < 2:
        return list(pictures)
    crops, keys = [], []
    for number, (image, laid) in enumerate(pictures):
        for place in sorted({*range(len(laid.tiles))} - {*laid.odd}):
            crops.append(upright_crop(patch_of(image, laid.tiles[place].corners_px)))
            keys.append((number, place))
    if not keys:
        return list(pictures)
    tiles = [pictures[number][1].tiles[place] for number, place in keys]
    faces = np.array([pictures[number][1].faces[place] for number, place in keys], np.int64)
    sure = np.array([t.probabilities[face] for t, face in zip(tiles, faces, strict=True)])
    seen = unit(embed(np.stack(crops)))
    picture = np.array([number for number, _ in keys])
    doubted = _refuted(seen @ seen.T, _kinds(faces), picture, sure)
    checked = []
    for number, (image, laid) in enumerate(pictures):
        more = {keys[row][1] for row in doubted if keys[row][0] == number} - {*pinned[number]}
        doubtful = tuple(sorted({*laid.doubtful} | more))
        checked.append((image, replace(laid, doubtful=doubtful)))
    return checked


def _refuted(similar: Floats, kinds: Ints, picture: Ints, sure: Floats) -> list[int]:
    """Rows of the tiles that look like another kind; of each kind the surest tile stays."""
    other = picture[:, None] != picture[None]
    own = np.where(other & (kinds[:, None] == kinds[None]), similar, -np.inf).max(axis=1)
    others = np.where(other & (kinds[:, None] != kinds[None]), similar, -np.inf).max(axis=1)
    unlike = np.isfinite(own) & (others - own > UNLIKE)
    found = []
    for kind in np.unique(kinds[unlike]):
        rows = np.flatnonzero(kinds == kind)
        bad = rows[unlike[rows]]
        if len(bad) == len(rows):
            bad = bad[bad != rows[sure[rows].argmax()]]
        found += [int(row) for row in bad]
    return found


def _kinds(faces: Ints) -> Ints:
    """(n,) the faces with red fives as plain ones, which look alike in poor light."""
    plain = {FACE_INDEX[red]: FACE_INDEX[Tile(red).kind] for red in REDS}
    return np.array([plain.get(int(face), int(face)) for face in faces], np.int64)
