"""Read some tiles a second time, from other frames and at other scales.

The second reader is given pictures, places in them, and nets of the owner's set. It knows nothing
of what was read before: no track, no game, no place of the table.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Final

import cv2
import numpy as np

from engine.tiles import UNKNOWN, Tile
from vision.arrays import Bytes, Doubles, Floats
from vision.detect import Detection, TileReader
from vision.tiles.classes import Side, told_tile
from vision.tiles.fives import as_the_game_has
from vision.tiles.second_look import regions

SCALES: Final = (1.25, 0.8, 1.5)
"""How much larger the tiles of one picture after the other are read than in a first reading."""
MOST_PICTURES: Final = 5
AGREEING: Final = 2
"""No further picture is read once so many show the same face of every tile; in fewer than these a
tile is not read at all: one alone may be what the first reading went by."""
NEAR: Final = 0.5
"""A tile that is found is the one that is asked for if their middles lie nearer, in widths."""
LEAST_SURE: Final = 0.5
"""A face for which less of the readings speaks is ``?``."""
MOST_S: Final = 4.0
"""After this no further picture is read: a payout waits meanwhile."""


@dataclass(frozen=True, eq=False)
class Shown:
    """A picture, and where the tiles that are asked for lie in it."""

    image_bgr: Bytes
    corners_px: Floats
    """(n, 4, 2), clockwise from each tile's own top left; the same n in every picture."""


@dataclass(frozen=True)
class ReadFace:
    """One tile as it was read a second time."""

    tile: Tile
    """``?`` where nothing was found there, or the pictures disagree."""
    sure: float
    """How much of the readings speaks for it, each by its confidence, 0..1."""


def read_again(
    nets: TileReader,
    pictures: Iterable[Shown],
    in_play: Doubles,
    clock: Callable[[], float] = time.monotonic,
) -> list[ReadFace]:
    """The faces of some tiles; empty without a picture.

    ``in_play`` (38,) is 1 for the faces that the game has. Pictures are asked for one at a time, at
    most ``MOST_PICTURES`` of them, and each is read at another scale than the one before.
    """
    begun_s = clock()
    votes: list[list[_Vote]] = []
    for number, (shown, scale) in enumerate(zip(pictures, cycle(SCALES), strict=False), start=1):
        found = _faces(nets, shown, scale, in_play)
        votes = votes or [[] for _ in found]
        for of_one, vote in zip(votes, found, strict=True):
            of_one += [] if vote is None else [vote]
        late = clock() - begun_s > MOST_S
        if late or number == MOST_PICTURES or all(_settled(each) for each in votes):
            break
    return [_decided(each) for each in votes]


_Vote = tuple[Tile, float]
"""A face that one picture shows, and its confidence."""


def _faces(nets: TileReader, shown: Shown, scale: float, in_play: Doubles) -> list[_Vote | None]:
    """What each outline shows; None where no tile was found."""
    picture, outlines = shown.image_bgr, shown.corners_px
    found: list[_Vote | None] = [None] * len(outlines)
    if not len(outlines):
        return found
    middles = outlines.mean(axis=1)
    tile_px = float(np.median(np.linalg.norm(outlines[:, 1] - outlines[:, 0], axis=1)))
    for x0, y0, x1, y1 in regions(outlines, (picture.shape[1], picture.shape[0])):
        part = np.asarray(cv2.resize(picture[y0:y1, x0:x1], None, fx=scale, fy=scale), np.uint8)
        whole = (0, 0, part.shape[1], part.shape[0])
        # The finder takes them for as large as they were: it sees them at another scale.
        seen = [one for one in nets.read(part, whole, tile_px) if one.side is Side.FACE]
        if not seen:
            continue
        at = np.stack([one.corners_px.mean(axis=0) for one in seen]) / scale + (x0, y0)
        apart = np.linalg.norm(middles[:, None] - at[None], axis=2)
        for place, row in enumerate(apart):
            nearest = int(row.argmin())
            if row[nearest] < NEAR * tile_px and int(apart[:, nearest].argmin()) == place:
                found[place] = _vote(seen[nearest], in_play)
    return found


def _vote(seen: Detection, in_play: Doubles) -> _Vote:
    if not seen.tile.known:
        return UNKNOWN, 0.0
    shares = as_the_game_has(np.asarray(seen.probabilities, np.float64), in_play) * in_play
    face = int(shares.argmax())
    return (told_tile(face), seen.confidence) if shares[face] > 0 else (UNKNOWN, 0.0)


def _settled(votes: Sequence[_Vote]) -> bool:
    known = [tile for tile, _ in votes if tile.known]
    return len(known) >= AGREEING and len(set(known)) == 1


def _decided(votes: Sequence[_Vote]) -> ReadFace:
    weights: dict[Tile, float] = {}
    for tile, sure in votes:
        if tile.known:
            weights[tile] = weights.get(tile, 0.0) + sure
    best = max(weights, key=lambda tile: weights[tile], default=UNKNOWN)
    sure = weights.get(best, 0.0) / max(1, len(votes))
    told = len(votes) >= AGREEING and sure >= LEAST_SURE
    return ReadFace(best if told else UNKNOWN, round(sure, 3))
