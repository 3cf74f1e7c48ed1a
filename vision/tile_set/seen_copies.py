"""Copies of an owner's tiles as the recogniser sees them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Floats, Ints
from vision.tile_set.augment import CopyPlan, copies_of
from vision.tile_set.profile import Profile
from vision.tiles.recogniser import Recogniser

BLOCK: Final = 64
BLOCKS: Final = 20
"""So many vectors at once, so many times, span the directions of a whole set: 512 of 2,688 agree
with those by all eigenvectors to a cosine of 0.9999, in a third of the time."""
_NOTHING: Final = 1e-6
"""Share of the strongest direction below which one holds rounding errors."""


@dataclass(frozen=True, eq=False)
class SeenCopies:
    """What the plain recogniser says of k copies."""

    probabilities: Floats
    """(k, 38)"""
    embeddings: Floats
    """(k, d)"""
    faces: Ints
    """(k,) the true faces, as indices in ``FACES``."""

    @classmethod
    def of(cls, profile: Profile, plan: CopyPlan, recogniser: Recogniser) -> SeenCopies:
        crops, faces = copies_of(profile, plan)
        return cls(*recogniser.plainly(crops), faces)

    def loss(self, probabilities: Floats) -> float:
        """Mean of minus the logarithm of the true faces' probabilities."""
        true = probabilities[np.arange(len(self.faces)), self.faces]
        return float(-np.log(np.maximum(true, 1e-7)).mean())

    def directions(self, most: int) -> Floats:
        """(d, r): the strongest directions of the embeddings, the strongest last; r <= ``most``.

        Principal components about zero.
        """
        seen = self.embeddings
        if len(seen) > BLOCK * BLOCKS and seen.shape[1] > BLOCK * BLOCKS:
            return _strongest(seen.T @ seen, most)
        if len(seen) >= seen.shape[1]:
            axes = np.linalg.eigh(seen.T @ seen)[1]
            return np.asarray(axes[:, -most:], np.float32)
        # Fewer copies than numbers: the same directions by the products of the copies.
        squares, mixes = np.linalg.eigh(seen @ seen.T)
        kept = squares > _NOTHING * squares[-1]
        axes = seen.T @ mixes[:, kept] / np.sqrt(squares[kept])
        return np.asarray(axes[:, -most:], np.float32)


def _strongest(products: Floats, count: int) -> Floats:
    """(d, count): the last eigenvectors of a symmetric matrix (d, d), by a block Lanczos process.

    Each block is made orthogonal to all before it (Golub and Underwood 1977).
    """
    basis = np.empty((len(products), BLOCK * BLOCKS), np.float32)
    images = np.empty_like(basis)
    block = np.random.default_rng(0).standard_normal((len(products), BLOCK), np.float32)
    for at in range(0, BLOCK * BLOCKS, BLOCK):
        known = basis[:, :at]
        for _ in range(3):  # fewer leave what rounding puts back where few directions are strong
            block = np.linalg.qr(block - known @ (known.T @ block))[0]
        basis[:, at : at + BLOCK] = block
        images[:, at : at + BLOCK] = block = products @ block
    _, mixes = np.linalg.eigh(basis.T @ images)
    return np.asarray(basis @ mixes[:, -count:], np.float32)
