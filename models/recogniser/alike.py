"""The copies of a face are read alike: what all tiles of a game together say of each.

What a net reads in a tile beside its first choice, how little of this face and how much less of
that one, is nearly the same for all copies of a face and differs from face to face, also where the
first choice is wrong. So a tile that is read as 9 of bamboos, but otherwise than the surely read
nines of bamboos of this game, is hardly one. Nothing is named by that alone: it speaks against
faces that tiles were seen of, and what no tile was seen of may lie there as before.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.tiles.boxes import Floats
from vision.tiles.classes import ANY_FLOWER, FACE_INDEX

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

ROUNDS: Final = 4
LEAST: Final = 1e-9
LEAST_READ: Final = 1e-8
"""Readings are compared down to this probability: copies differ from others there too."""
SEVERAL: Final = FACE_INDEX[ANY_FLOWER]
"""The face that tiles show which are drawn unlike one another."""

Shares = NDArray[np.float64]
"""(n, 38): how likely each tile shows each of ``FACES``."""


def put_right(shares: Shares, read: Shares, in_play: NDArray[np.float64]) -> Shares:
    """The shares by all tiles of a game together.

    ``read`` is what the net gave for them, however small; ``in_play`` (38,) is 1 for every face
    that the game has, else 0: the others keep their shares.
    """
    faces = np.flatnonzero(in_play)
    known = (len(shares) - FROM_TILES) / (ALL_TILES - FROM_TILES)
    if known <= 0 or len(faces) == 0:
        return shares
    own = shares[:, faces] + LEAST
    log_read = np.log(np.maximum(read[:, faces].astype(np.float64), LEAST_READ))
    like = log_read - log_read.mean(axis=1, keepdims=True)
    like /= np.maximum(np.linalg.norm(like, axis=1, keepdims=True), LEAST)
    together = alike(
        np.asarray(np.log(own / own.sum(axis=1, keepdims=True)), np.float32),
        np.asarray(like, np.float32),
        faces != SEVERAL,
        min(1.0, known),
    )
    out = shares.copy()
    out[:, faces] = together * shares[:, faces].sum(axis=1, keepdims=True)
    return out


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
