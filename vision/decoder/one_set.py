"""What the tiles of one game say of each other, because all are of one set.

A set of an unknown drawing is misread alike in all copies of a kind, and no kind has more copies
than the wall. Where more tiles claim a kind, all tiles are assigned to kinds together, in shares,
and each kind learns how this set reads: a tile that reads like others of a kind is likelier to be
of that kind, whatever face it claims by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

import numpy as np

from engine.tiles import Tile
from vision.arrays import Doubles
from vision.decoder.likelihood import ONE_SET, TILES
from vision.table.placed_tile import PlacedTile
from vision.tiles.classes import ANY_FLOWER, FACE_INDEX, FACES, Side, face_class

ROUNDS: Final = 6
"""Twenty change no face of 1,400 that three more would not."""
LEAST_LEFT: Final = 0.15
"""Copies that count as left where none are: other tiles of the kind may be misread."""
_KIND_OF: Final = np.array(
    [FACE_INDEX[face if face == ANY_FLOWER else str(Tile(face).kind)] for face in FACES]
)
"""Index of each face's kind: a red five is a five, and how red it is others do not tell."""
_AS_KINDS: Final = np.eye(len(FACES))[_KIND_OF]


class OneSet:
    """The set of a game; it remembers what it said of the same tiles last."""

    def __init__(self, wall: Mapping[Tile, int]) -> None:
        """``wall``: copies of each tile."""
        copies = np.zeros(len(FACES))
        for tile, count in wall.items():
            copies[_KIND_OF[FACE_INDEX[str(face_class(tile))]]] += count
        copies[FACE_INDEX[ANY_FLOWER]] = 0
        self._kinds = np.flatnonzero(copies)
        self._copies = copies[self._kinds]
        self._tiles: tuple[int, ...] = ()
        self._says: dict[int, Doubles] = {}

    def says(
        self, tiles: Mapping[int, PlacedTile], present: Collection[int]
    ) -> Mapping[int, Doubles]:
        """Return how many times likelier each face (38,) of a tile is by all other tiles.

        Tiles of which they say nothing are left out: all but those that claim a kind which more
        tiles claim than there are copies. ``present``: ids of the tiles that lie on the table at
        once. It is computed anew when other tiles than before show their faces.
        """
        faces = tuple(number for number, tile in tiles.items() if tile.side is Side.FACE)
        if faces != self._tiles:
            read = np.array([tiles[number].probabilities for number in faces], np.float64)
            here = np.array([number in present for number in faces], np.float64)
            self._tiles, self._says = faces, {}
            for row, factors in self._settled(read.reshape(-1, len(FACES)) @ _AS_KINDS, here):
                self._says[faces[row]] = factors
        return self._says

    def _settled(self, shares: Doubles, here: Doubles) -> Iterator[tuple[int, Doubles]]:
        """The rows of ``shares`` (n, 38) that claim a crowded kind, with what others say (38,)."""
        read = shares[:, self._kinds]
        claims = read.argmax(axis=1) if len(read) else np.zeros(0, np.int64)
        claimed = np.bincount(claims, here * read.any(axis=1), len(self._kinds))
        crowded = claimed > self._copies
        if not crowded.any():
            return
        odds = self._odds(read, here[:, None])
        for row in np.flatnonzero(crowded[claims]):
            # Flowers are drawn unlike one another: they stay as far from the likeliest kind.
            factors = np.full(len(FACES), np.exp(odds[row, claims[row]]))
            factors[self._kinds] = np.exp(odds[row])
            yield int(row), factors[_KIND_OF]

    def _odds(self, shares: Doubles, here: Doubles) -> Doubles:
        """(n, k) log-odds of each kind, from its shares (n, k) in what was read."""
        count = shares.shape[1]
        shares = (shares + 1e-9) / (shares + 1e-9).sum(axis=1, keepdims=True)
        wrong = TILES["surely_wrong"]
        log = np.log(shares * (1 - wrong) + wrong / count)
        read = _unit(log)
        usual = _unit(np.eye(count))
        usually = read @ usual.T
        kinds, odds = np.exp(log), np.zeros_like(log)
        for _ in range(ROUNDS):
            middle = ONE_SET["usual"] * usual + kinds.T @ read
            # What a tile itself has told a kind says nothing of it: ``read`` has length 1.
            along = read @ middle.T
            length = (middle * middle).sum(axis=1) - 2 * kinds * along + kinds * kinds
            alike = (along - kinds) / np.sqrt(np.maximum(length, 1e-6))
            odds = ONE_SET["alike"] * (alike - usually)
            left = self._copies - ((kinds * here).sum(axis=0) - kinds * here)
            full = log + odds + np.log(np.maximum(left, LEAST_LEFT))
            now = np.exp(full - full.max(axis=1, keepdims=True))
            kinds = (kinds + now / now.sum(axis=1, keepdims=True)) / 2
        return np.asarray(odds, np.float64)


def _unit(log: Doubles) -> Doubles:
    """The rows, about their means, scaled to length 1; a flat row has no direction."""
    off = log - log.mean(axis=1, keepdims=True)
    length = np.linalg.norm(off, axis=1, keepdims=True)
    return np.asarray(off / np.maximum(length, 1e-9), np.float64)
