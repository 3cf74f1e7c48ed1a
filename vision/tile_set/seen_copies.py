"""Copies of an owner's tiles as the recogniser sees them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats, Ints
from vision.tile_set.augment import CopyPlan, copies_of
from vision.tile_set.profile import Profile
from vision.tiles.recogniser import Recogniser


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
