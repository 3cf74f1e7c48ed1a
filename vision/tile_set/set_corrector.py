"""A profile put to use: which faces of the owner's set a tile is like, beside what was read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.tiles import REDS, Tile
from vision.tile_set.augment import copies_of
from vision.tile_set.profile import Profile
from vision.tiles.boxes import Floats
from vision.tiles.classes import FACE_INDEX
from vision.tiles.recogniser import Recogniser, unit

NEAREST: Final = 8
"""So many of the most similar copies of a face speak for it."""
DIMENSIONS: Final = 192
"""In which the pictures of the set differ most; a tenth of the numbers tells as much (measured)."""

# Measured on tables with drawn sets (datasets/own_sets.py --seed 2) of families that the recogniser
# knows, cut by the finder's outlines, with whole profiles and with ten kinds missing in each: these
# make the truth likeliest. More weight on the likeness makes wrong answers sure. To be measured
# anew with every recogniser.
LIKE_WEIGHT: Final = 22.0
READ_WEIGHT: Final = 0.25
SURE: Final = 0.99
"""The threshold of an enrolled set: none of 993 tiles there was named wrongly above it."""
LEAST_PROBABILITY: Final = 1e-3
ITSELF: Final = 0.65
"""A tile that is like a face of the set by more than this shows none that the set has no picture
of, whatever was read: nine of ten tiles of missing kinds are like others by less, flowers by less
than 0.5, three of four tiles like their own by more than 0.8."""
STEEP: Final = 40.0
THE_VERY_SAME: Final = 0.8
"""Nine of ten red fives are less like the plain one, three of four plain ones more like their own
pictures."""


@dataclass(frozen=True, eq=False)
class SetCorrector:
    """Copies of the pictures of a profile, as the recogniser sees them."""

    embeddings: Floats
    """(k, c), unit length."""
    faces: NDArray[np.int64]
    """(k,) places in ``FACES``."""
    axes: Floats
    """(d, c): the coordinates, in terms of the recogniser's embedding."""

    @classmethod
    def of(cls, profile: Profile, embed: Callable[[NDArray[np.uint8]], Floats]) -> SetCorrector:
        """``embed`` maps crops (k, 64, 48, 3) to unit vectors (k, d)."""
        crops, faces = copies_of(profile)
        seen = embed(crops)
        _, axes = np.linalg.eigh(seen.T @ seen)
        axes = np.asarray(axes[:, -DIMENSIONS:], np.float32)
        return cls(unit(seen @ axes), faces, axes)

    def fuse(self, probabilities: Floats, embeddings: Floats) -> Floats:
        """(n, 38): the recogniser's distributions put right by how the set's own faces look."""
        if not len(embeddings):
            return probabilities
        known = np.unique(self.faces)
        similar = embeddings @ self.axes @ self.embeddings.T
        like = np.stack(
            [
                np.sort(similar[:, self.faces == face], axis=1)[:, -NEAREST:].mean(axis=1)
                for face in known
            ],
            axis=1,
        )
        best = like.max(axis=1, keepdims=True)
        own = np.exp(LIKE_WEIGHT * (like - best))
        # Faces without a picture keep the share that was read, unless the tile is clearly another.
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


def _part_fives(
    fused: Floats, probabilities: Floats, known: NDArray[np.int64], where: NDArray[np.bool_]
) -> None:
    """A red five looks like the plain one: where one has no picture, the reading parts the two."""
    for red in REDS:
        pair = [FACE_INDEX[red], FACE_INDEX[Tile(red).kind]]
        if np.isin(pair, known).sum() == 1:
            both = fused[:, pair].sum(axis=1, keepdims=True)
            read = np.maximum(probabilities[:, pair], LEAST_PROBABILITY)
            parted = both * read / read.sum(axis=1, keepdims=True)
            fused[:, pair] = np.where(where[:, None], parted, fused[:, pair])


def fit(recogniser: Recogniser, profile: Profile) -> None:
    """Read the faces of one set of tiles by its own pictures from now on."""
    recogniser.corrected(SetCorrector.of(profile, recogniser.embed), SURE)
