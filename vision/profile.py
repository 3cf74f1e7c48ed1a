"""One owner's set of tiles: how its faces look, so that they are read better than any others.

A profile keeps pictures of the tiles, not what a net made of them, so that it outlives the net: the
embeddings that tiles are compared by are worked out anew when it is put to use.
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import Floats
from vision.classes import FACES
from vision.errors import ProfileError
from vision.rectify import CROP_PX, MARGIN, rectify

PATCH_PX: Final = (72, 96)
PATCH_MARGIN: Final = 0.25
"""How much of the surroundings a kept picture shows, in sides of the tile."""

WIDTHS_PX: Final = (48, 32, 22, 16)
"""A tile far away shows less than one that was laid out near the camera: both are compared with."""
SHIFTS: Final = 3
SPREAD: Final = 0.045
SPREAD_RAD: Final = 0.09
"""How far the finder's outlines are off, in sides of the tile and as an angle (measured)."""
NEAREST: Final = 3
"""So many of the most similar pictures of a face speak for it."""
# Measured on tables with drawn sets (datasets/own_sets.py --seed 2) of families that the recogniser
# knows, cut by the finder's outlines: these make the truth likeliest. More weight on the likeness
# makes wrong answers sure. To be measured anew with every recogniser.
LIKE_WEIGHT: Final = 16.0
READ_WEIGHT: Final = 0.5
LEAST_PROBABILITY: Final = 1e-3
UNLIKE: Final = 0.4
"""Similarity granted to faces that the profile has no picture of.

Flowers were found to be like enrolled faces by 0.25 to 0.4, nine of ten badly cut tiles like their
own by more than 0.5.
"""


@dataclass(frozen=True, eq=False)
class Profile:
    """Pictures of a set of tiles, each with its face."""

    patches_bgr: NDArray[np.uint8]
    """(n, 96, 72, 3): the tile upright, with some of its surroundings."""
    faces: NDArray[np.int64]
    """(n,) places in ``FACES``."""

    def save(self, path: Path, more: Mapping[str, NDArray[Any]] | None = None) -> None:
        """Write it, and ``more`` beside it in the same file, whole or not at all."""
        part = path.with_name(path.name + ".part")
        with part.open("wb") as file:
            names = np.array([FACES[face] for face in self.faces])
            arrays: dict[str, Any] = {**(more or {}), "patches": self.patches_bgr, "faces": names}
            np.savez_compressed(file, **arrays)
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Profile:
        """Raises ``ProfileError`` for a file that is no profile, or has no name in it yet."""
        profile = cls.read(path)
        if not len(profile.faces):
            raise ProfileError(
                f"no tile in {path} has a name yet: answer its questions, and run tilesight "
                "enroll with --answers"
            )
        return profile

    @classmethod
    def read(cls, path: Path) -> Profile:
        """As ``load``, with or without names in it."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                patches = np.asarray(kept["patches"], np.uint8)
                faces = np.array([FACES.index(str(face)) for face in kept["faces"]], np.int64)
        except FileNotFoundError:
            raise
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise ProfileError(f"{path} is no profile of a set of tiles") from error
        if patches.shape[1:] != (PATCH_PX[1], PATCH_PX[0], 3) or len(patches) != len(faces):
            raise ProfileError(f"{path} is no profile of a set of tiles")
        return cls(patches, faces)

    def crops(self, seed: int = 1) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """The recogniser's crops (k, 64, 48, 3) of every picture, as the table may show them.

        Upright and turned by half, a little aside, near and far; with their faces (k,).
        """
        rng = np.random.default_rng(seed)
        found: list[NDArray[np.uint8]] = []
        for patch in self.patches_bgr:
            for turn in (0, 2):
                for width_px in WIDTHS_PX:
                    for _ in range(SHIFTS):
                        found.append(_seen(patch, turn, width_px, rng))
        return np.stack(found), np.repeat(self.faces, len(found) // len(self.faces))


def patch_of(image_bgr: NDArray[np.uint8], corners_px: Floats) -> NDArray[np.uint8]:
    """What a profile keeps of a tile with corners (4, 2) from its own top left on."""
    return rectify(image_bgr, corners_px, PATCH_PX, PATCH_MARGIN)


def upright_crop(patch: NDArray[np.uint8], turn: int = 0) -> NDArray[np.uint8]:
    """The recogniser's crop (64, 48, 3) of a kept picture, turned by quarters."""
    width, height = PATCH_PX
    share = PATCH_MARGIN / (1 + 2 * PATCH_MARGIN)
    left, top = width * share, height * share
    right, bottom = width - left, height - top
    quad = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    return rectify(patch, np.roll(quad, -turn, axis=0), CROP_PX, MARGIN)


def _seen(
    patch: NDArray[np.uint8], turn: int, width_px: int, rng: np.random.Generator
) -> NDArray[np.uint8]:
    width, height = PATCH_PX
    share = PATCH_MARGIN / (1 + 2 * PATCH_MARGIN)
    left, top = width * share, height * share
    size = np.array([width - 2 * left, height - 2 * top])
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    quad = square * size * np.exp(rng.normal(0, SPREAD, 2))
    angle = rng.normal(0, SPREAD_RAD)
    quad = quad @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    quad += np.array(PATCH_PX) / 2 + rng.normal(0, SPREAD, 2) * size
    crop = rectify(patch, np.roll(quad, -turn, axis=0).astype(np.float32), CROP_PX, MARGIN)
    if width_px < CROP_PX[0]:
        small = (width_px, round(width_px * CROP_PX[1] / CROP_PX[0]))
        shrunk = cv2.resize(crop, small, interpolation=cv2.INTER_AREA)
        crop = np.asarray(cv2.resize(shrunk, CROP_PX), np.uint8)
    return crop


@dataclass(frozen=True, eq=False)
class Likeness:
    """A profile put to use: which of its faces a crop is like."""

    embeddings: Floats
    """(k, d), unit length."""
    faces: NDArray[np.int64]
    """(k,) places in ``FACES``, ascending."""

    @classmethod
    def of(cls, profile: Profile, embed: Callable[[NDArray[np.uint8]], Floats]) -> Likeness:
        """``embed`` maps crops (k, 64, 48, 3) to unit vectors (k, d)."""
        crops, faces = profile.crops()
        order = np.argsort(faces, kind="stable")
        return cls(embed(crops)[order], faces[order])

    def fuse(self, probabilities: Floats, embeddings: Floats) -> Floats:
        """(n, 38): the recogniser's distributions put right by how the set's own faces look."""
        like = np.full(probabilities.shape, UNLIKE, np.float32)
        similar = embeddings @ self.embeddings.T
        for face in np.unique(self.faces):
            of_face = np.sort(similar[:, self.faces == face], axis=1)[:, -NEAREST:]
            like[:, face] = of_face.mean(axis=1)
        score = READ_WEIGHT * np.log(probabilities + LEAST_PROBABILITY) + LIKE_WEIGHT * like
        out = np.exp(score - score.max(axis=1, keepdims=True))
        return np.asarray(out / out.sum(axis=1, keepdims=True), np.float32)
