"""Tiles gathered from a table, and a net that tells them apart by their grey level."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats
from vision.tile_set.gather import Gathered, GatheredTile
from vision.tile_set.profile import PATCH_PX
from vision.tiles.classes import FACE_INDEX, FACES
from vision.tracking.track import MOST_EVIDENCE

WIDTH = 64


def embed(crops: NDArray[np.uint8]) -> Floats:
    """A picture's grey level stands for its face: equal levels look alike, others do not."""
    levels = crops[:, 20, 20, 0].astype(int)
    vectors = np.zeros((len(crops), WIDTH), np.float32)
    vectors[np.arange(len(crops)), levels % WIDTH] = 1.0
    noise = np.random.default_rng(1).normal(0, 0.02, vectors.shape)
    vectors += noise.astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def tile(looks: int, read: str, sure: float = 0.99, or_else: str | None = None) -> GatheredTile:
    """A tile that looks like face number ``looks`` and is read as ``read`` in every look."""
    patches = np.full((2, PATCH_PX[1], PATCH_PX[0], 3), looks, np.uint8)
    of_a_look = np.full(len(FACES), (1 - sure) / (len(FACES) - 1))
    of_a_look[FACE_INDEX[read]] = sure
    if or_else is not None:
        of_a_look[FACE_INDEX[or_else]] = 0.97 - sure
    # Several looks are added up, as the tracker does.
    sharpened = of_a_look**MOST_EVIDENCE
    return GatheredTile(patches, (sharpened / sharpened.sum()).astype(np.float32))


def gathered(tiles: list[GatheredTile], together: bool = True) -> Gathered:
    """Tiles of one table: all of them at once, or each at a moment of its own."""
    count = len(tiles)
    return Gathered(tuple(tiles), np.ones((1, count), bool) if together else np.eye(count) > 0)
