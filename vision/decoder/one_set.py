"""What the tiles of one game say of each other, because all are of one set.

A set of an unknown drawing is misread alike in all copies of a kind, and no kind has more copies
than the wall. So tiles are assigned to kinds together, in shares, and each kind learns how this set
reads: a tile that reads like others of a kind is of that kind, whatever face it claims by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
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

        ``present``: ids of the tiles that lie on the table at once, so that their copies add up.
        It is computed anew when other tiles than before show their faces.
        """
        faces = tuple(number for number, tile in tiles.items() if tile.side is Side.FACE)
        if faces != self._tiles:
            read = np.array([tiles[number].probabilities for number in faces], np.float64)
            shares = read.reshape(-1, len(FACES)) @ _AS_KINDS
            here = np.array([number in present for number in faces], np.float64)[:, None]
            odds = self._odds(shares[:, self._kinds], here)
            # Flowers are drawn unlike one another: they stay as far from the likeliest kind.
            own = np.take_along_axis(odds, shares[:, self._kinds].argmax(axis=1)[:, None], 1)
            factors = np.exp(np.broadcast_to(own, shares.shape)).copy()
            factors[:, self._kinds] = np.exp(odds)
            self._tiles, self._says = faces, dict(zip(faces, factors[:, _KIND_OF], strict=True))
        return self._says

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
