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
from vision.tiles.classes import FACE_INDEX, FACES, Side, face_class

ROUNDS: Final = 6
"""Twenty change no face of 1,400 that three more would not."""
LEAST_LEFT: Final = 0.15
"""Copies that count as left where none are: other tiles of the kind may be misread."""


class OneSet:
    """The set of a game; it remembers what it said of the same tiles last."""

    def __init__(self, wall: Mapping[Tile, int]) -> None:
        """``wall``: copies of each tile."""
        copies = np.zeros(len(FACES))
        for tile, count in wall.items():
            copies[FACE_INDEX[str(face_class(tile))]] += count
        self._faces = np.flatnonzero(copies)
        self._copies = copies[self._faces]
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
            shares = np.array([tiles[number].probabilities for number in faces], np.float64)
            here = np.array([number in present for number in faces], np.float64)
            factors = np.ones((len(faces), len(FACES)))
            if len(faces):
                factors[:, self._faces] = np.exp(self._odds(shares[:, self._faces], here[:, None]))
            self._tiles, self._says = faces, dict(zip(faces, factors, strict=True))
        return self._says

    def _odds(self, shares: Doubles, here: Doubles) -> Doubles:
        """(n, k) log-odds for each face, from its shares (n, k) in what was read."""
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
