"""The copies of a face are read alike: the set of tiles that is played with, learnt meanwhile.

What a net reads in a tile beside its first choice, how little of this face and how much less of
that one, is nearly the same for all copies of a face and differs from face to face, also where the
first choice is wrong. So a tile that is read as 9 of bamboos, but otherwise than the surely read
nines of bamboos of this game, is hardly one. Nothing is named by that alone: it speaks against
faces that tiles were seen of, and what no tile was seen of may lie there as before.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.reading.boxes import Floats
from vision.reading.classes import ANY_FLOWER, FACE_INDEX, Side
from vision.table.placed import Placed
from vision.tracking.observe import Observation

# Fitted on sets that the recogniser reads as badly as those it was never trained on, see
# models/LOG.md: these make the truth likeliest.
STEEP: Final = 12.4
LIKE: Final = 12.0
"""Two tiles whose likeness times ``STEEP`` is above this are taken for copies of one face."""
MOST_AGAINST: Final = 5.9
"""What unlike copies speak against a face at most, as a logarithm."""
FEW: Final = 0.55
"""So many copies are believed half of what many are."""
READ: Final = 0.77
"""What the reading itself weighs beside the others, once all of them are asked."""
FROM_TILES: Final = 30
ALL_TILES: Final = 90
"""Of fewer tiles nothing is known of a set, from so many on all that will be; between, a share."""

MOST_TILES: Final = 240
"""Tiles that are compared with: what two hands show."""
ROUNDS: Final = 4
AGAIN_S: Final = 1.0
"""How often tiles are compared again that were only looked at once more."""
LEAST: Final = 1e-9
SEVERAL: Final = FACE_INDEX[ANY_FLOWER]
"""The face that tiles show which are drawn unlike one another."""


@dataclass(frozen=True, eq=False)
class _Known:
    """A tile of this game."""

    looks: int
    log_shares: Floats
    """(k,) logarithms of what was read, of the faces in play."""
    like: Floats
    """(k,) of unit length: how it is read, whatever its face is called."""
    rest: float
    """The share that was read of faces that the game does not have."""


class Alike:
    """Takes what is believed to lie on the table and puts the readings of its faces right."""

    def __init__(self, in_play: NDArray[np.float64]) -> None:
        """``in_play`` (38,): 1 for every face that the game has, else 0."""
        self._faces = np.flatnonzero(in_play)
        self._asked = self._faces != SEVERAL
        self._known: dict[int, _Known] = {}
        self._believed: dict[int, NDArray[np.float64]] = {}
        self._compared_s = -np.inf

    @property
    def compared(self) -> int:
        """Tiles that others are compared with."""
        return len(self._known)

    def put_right(self, seen: Observation) -> Observation:
        """The same with what the faces are by all tiles of the game together."""
        faces = [
            tile for tile in seen.placed if tile.side is Side.FACE and tile.log_read is not None
        ]
        fresh = [tile for tile in faces if tile.id not in self._known]
        again = [
            tile
            for tile in faces
            if tile.id in self._known and tile.looks > self._known[tile.id].looks
        ]
        if fresh or (again and seen.time_s - self._compared_s >= AGAIN_S):
            for tile in (*fresh, *again):
                self._known[tile.id] = self._of(tile)
            self._forget({tile.id for tile in faces})
            self._compare()
            self._compared_s = seen.time_s
        if not self._believed:
            return seen
        return replace(seen, placed=tuple(self._right(tile) for tile in seen.placed))

    def _of(self, tile: Placed) -> _Known:
        assert tile.log_read is not None, "only what was read is compared"
        shares = tile.probabilities[self._faces] + LEAST
        like = tile.log_read[self._faces] - tile.log_read[self._faces].mean()
        return _Known(
            tile.looks,
            np.asarray(np.log(shares / shares.sum()), np.float32),
            np.asarray(like / max(float(np.linalg.norm(like)), LEAST), np.float32),
            1.0 - float(shares.sum()),
        )

    def _forget(self, lying: set[int]) -> None:
        """Let go of the tiles that were taken away first."""
        gone = [key for key in self._known if key not in lying]
        for key in gone[: max(0, len(self._known) - MOST_TILES)]:
            del self._known[key]

    def _compare(self) -> None:
        known = list(self._known.values())
        share = (len(known) - FROM_TILES) / (ALL_TILES - FROM_TILES)
        if share <= 0 or len(self._faces) == 0:
            return
        shares = alike(
            np.stack([tile.log_shares for tile in known]),
            np.stack([tile.like for tile in known]),
            self._asked,
            min(1.0, share),
        )
        self._believed = {
            key: self._spread(one, tile.rest)
            for (key, tile), one in zip(self._known.items(), shares, strict=True)
        }

    def _spread(self, shares: Floats, rest: float) -> NDArray[np.float64]:
        out = np.zeros(len(FACE_INDEX))
        out[self._faces] = shares * (1.0 - rest)
        return out

    def _right(self, tile: Placed) -> Placed:
        believed = self._believed.get(tile.id)
        if believed is None or tile.side is not Side.FACE:
            return tile
        other = tile.probabilities.copy()
        other[self._faces] = 0.0
        return replace(tile, probabilities=believed + other)


def alike(log_shares: Floats, like: Floats, asked: NDArray[np.bool_], share: float) -> Floats:
    """(n, k): which of k faces each of n tiles shows, all of them together.

    ``log_shares`` (n, k) is what was read of each; ``like`` (n, k) how it was read, of unit length;
    ``asked`` (k,) are the faces whose copies look alike. ``share`` 0..1 is how much is known of
    the set.
    """
    # How much two tiles speak against showing one face.
    against = np.maximum(LIKE - STEEP * (like @ like.T), 0.0)
    against = MOST_AGAINST * np.tanh(against / MOST_AGAINST)
    np.fill_diagonal(against, 0.0)
    read = log_shares * (1.0 - share * (1.0 - READ))
    believed = _shares(read)
    for step in range(ROUNDS):
        copies = FEW + believed.sum(axis=0) - believed
        spoken = (against @ believed) / copies
        # Nothing speaks for or against the others beside what a tile is taken for now.
        taken = believed * asked + LEAST
        usual = (spoken * taken).sum(axis=1, keepdims=True) / taken.sum(axis=1, keepdims=True)
        now = _shares(read - share * np.where(asked, spoken, usual))
        # Two groups that both claim one face would change places for ever.
        believed = now if step == ROUNDS - 1 else np.asarray((believed + now) / 2, np.float32)
    return believed


def _shares(log: Floats) -> Floats:
    shares = np.exp(log - log.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float32)
