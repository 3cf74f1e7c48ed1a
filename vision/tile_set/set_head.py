"""A last layer for one owner's set, trained on copies of its tiles.

The recogniser's face layer is linear in the embedding. What is learnt is added to it and kept
small, so that it starts from the shipped layer and stays near it: softmax regression with a ridge,
fitted by Nesterov's accelerated gradient descent (Nesterov 1983).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.arrays import Floats, Ints
from vision.tile_set.seen_copies import SeenCopies

RIDGE: Final = 30.0
"""Penalty of the squared weights, in copies: 100 is worse on sets that nothing was trained on."""
STEPS: Final = 200
CHECK_EVERY: Final = 10
PATIENCE: Final = 3
"""Checks without a gain on the held-back copies that end the training."""
_LEAST: Final = 1e-7


@dataclass(frozen=True, eq=False)
class SetHead:
    """Weights that are added to the recogniser's face layer."""

    weights: Floats
    """(d, 38) for each number of the embedding; zeros for faces without a picture."""
    middle: Floats
    """(d,) the embedding to which nothing is added."""

    @classmethod
    def trained(
        cls,
        copies: SeenCopies,
        held_back: SeenCopies,
        axes: Floats,
        advance: Callable[[float], None] = lambda share: None,
    ) -> SetHead:
        """Train on ``copies`` until ``held_back`` gains no more.

        ``axes`` (d, r): directions of the embedding that are used. ``advance`` is told the share
        of the steps that are done.
        """
        known = np.unique(copies.faces)
        middle = copies.embeddings.mean(axis=0)
        inputs = (copies.embeddings - middle) @ axes
        scale = float(np.sqrt((inputs**2).mean()))
        logits = np.asarray(np.log(copies.probabilities + _LEAST), np.float32)
        slope = _Slope(np.asarray(inputs / scale, np.float32), logits, copies.faces, known)
        stride = 1 / slope.steepest()
        best = cls(np.zeros((len(middle), copies.probabilities.shape[1]), np.float32), middle)
        least, waited = held_back.loss(held_back.probabilities), 0
        at = ahead = np.zeros((axes.shape[1], len(known)), np.float32)
        for step in range(1, STEPS + 1):
            before, at = at, ahead - np.float32(stride) * slope.of(ahead)
            ahead = at + np.float32((step - 1) / (step + 2)) * (at - before)
            if step % CHECK_EVERY:
                continue
            advance(step / STEPS)
            weights = np.zeros_like(best.weights)
            weights[:, known] = axes @ at / scale
            tried = cls(weights, middle)
            loss = held_back.loss(tried.fuse(held_back.probabilities, held_back.embeddings))
            waited = 0 if loss < least else waited + 1
            if loss < least:
                best, least = tried, loss
            elif waited == PATIENCE:
                break
        return best

    def fuse(self, probabilities: Floats, embeddings: Floats) -> Floats:
        """(n, 38): the distributions, as the trained layer has them."""
        learnt = (embeddings - self.middle) @ self.weights
        return softmax(np.asarray(np.log(probabilities + _LEAST) + learnt, np.float32))


@dataclass(frozen=True, eq=False)
class _Slope:
    """The gradient of the penalised loss."""

    inputs: Floats
    """(k, r)"""
    logits: Floats
    """(k, 38) of the shipped layer."""
    faces: Ints
    known: Ints
    """Faces that have weights."""

    def steepest(self) -> float:
        """Upper bound of the curvature, by which the length of a step is safe."""
        count = len(self.inputs)
        spread = np.linalg.eigvalsh(self.inputs.T @ self.inputs / count)
        return float(spread[-1] / 2 + RIDGE / count)

    def of(self, weights: Floats) -> Floats:
        logits = self.logits.copy()
        logits[:, self.known] += self.inputs @ weights
        off = softmax(logits)
        off[np.arange(len(off)), self.faces] -= 1
        rows = self.inputs.T @ off[:, self.known] + np.float32(RIDGE) * weights
        return np.asarray(rows / len(off), np.float32)


def softmax(logits: Floats) -> Floats:
    """(n, 38) probabilities of logits."""
    out = np.exp(logits - logits.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(out / out.sum(axis=1, keepdims=True), np.float32)
