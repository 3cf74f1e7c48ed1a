"""Correct readings by their similarity to copies of the owner's tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.tiles import REDS, Tile
from vision.arrays import Bools, Doubles, Floats, Ints
from vision.tile_set.seen_copies import SeenCopies
from vision.tiles.classes import FACE_INDEX
from vision.tiles.recogniser import unit

NEAREST: Final = 8
"""Number of the most similar copies of a face that are averaged."""
DIMENSIONS: Final = 256
"""Principal components that are kept. A tenth of all of them was measured to be as good."""

# Fitted for the likelihood of the truth on rendered tables with drawn sets (datasets/render.py sets
# --seed 2), with whole profiles and with ten kinds missing from each. A higher weight makes wrong
# answers sure. Measure again with every new recogniser.
LIKE_WEIGHT: Final = 22.0
READ_WEIGHT: Final = 0.25
LEAST_PROBABILITY: Final = 1e-3
ITSELF: Final = 0.65
"""Similarity above which a tile must be one of the faces with pictures. Of tiles of missing kinds
90 % are below it (flowers below 0.5); of tiles with pictures 75 % are above 0.8."""
STEEP: Final = 40.0
THE_VERY_SAME: Final = 0.8
"""Threshold for red fives: 90 % are less similar to the plain five, and 75 % of plain fives are
more similar to their own pictures."""


@dataclass(frozen=True, eq=False)
class NearestCopies:
    """The embeddings of the copies."""

    embeddings: Floats
    """(k, c), unit length."""
    faces: Ints
    """(k,) indices in ``FACES``."""
    axes: Floats
    """(d, c) basis in the recogniser's embedding space."""

    @classmethod
    def of(cls, copies: SeenCopies, axes: Floats) -> NearestCopies:
        """``axes`` (d, r): the directions of the embedding, the strongest last."""
        axes = axes[:, -DIMENSIONS:]
        return cls(unit(copies.embeddings @ axes), copies.faces, axes)

    def fuse(self, probabilities: Floats, embeddings: Floats) -> Floats:
        """(n, 38): the distributions, corrected by the set's own faces."""
        if not len(embeddings):
            return probabilities
        known = np.unique(self.faces)
        similar = unit(embeddings) @ self.axes @ self.embeddings.T
        like = np.stack(
            [
                np.sort(similar[:, self.faces == face], axis=1)[:, -NEAREST:].mean(axis=1)
                for face in known
            ],
            axis=1,
        )
        best = like.max(axis=1, keepdims=True)
        own = np.exp(LIKE_WEIGHT * (like - best))
        # Faces without a picture keep their share, unless the tile is clearly another face.
        others = probabilities.astype(np.float64)
        others[:, known] = 0.0
        odds = others / np.maximum(
            probabilities[:, known].sum(axis=1, keepdims=True), LEAST_PROBABILITY
        )
        fused = odds * np.exp(-STEEP * np.maximum(best - ITSELF, 0.0))
        fused[:, known] = own / own.sum(axis=1, keepdims=True)
        _part_fives(fused, probabilities, known, best[:, 0] < THE_VERY_SAME)
        fused /= fused.sum(axis=1, keepdims=True)
        score = np.log(fused + LEAST_PROBABILITY)
        score += READ_WEIGHT * np.log(probabilities + LEAST_PROBABILITY)
        out = np.exp(score - score.max(axis=1, keepdims=True))
        return np.asarray(out / out.sum(axis=1, keepdims=True), np.float32)


def _part_fives(fused: Doubles, probabilities: Floats, known: Ints, where: Bools) -> None:
    """Use the reading to tell a red five from a plain one where one of them has no picture."""
    for red in REDS:
        pair = [FACE_INDEX[red], FACE_INDEX[Tile(red).kind]]
        if np.isin(pair, known).sum() == 1:
            both = fused[:, pair].sum(axis=1, keepdims=True)
            read = np.maximum(probabilities[:, pair], LEAST_PROBABILITY)
            parted = both * read / read.sum(axis=1, keepdims=True)
            fused[:, pair] = np.where(where[:, None], parted, fused[:, pair])
