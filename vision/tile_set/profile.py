"""One owner's set of tiles: pictures of its faces, by which they are read better.

A profile stores pictures, not embeddings, so that it outlives the net. Embeddings are computed when
it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Bytes, Floats, Ints
from vision.errors import ProfileError
from vision.tile_set.arrays import ArrayFileError, read_arrays, write_arrays
from vision.tiles.classes import FACES
from vision.tiles.rectify import CROP_PX, MARGIN, in_crop, rectify

PATCH_PX: Final = (72, 96)
PATCH_MARGIN: Final = 0.25
"""Surroundings shown in a stored picture, in sides of the tile."""


@dataclass(frozen=True, eq=False)
class Profile:
    """Pictures of a set of tiles, each with its face."""

    patches_bgr: Bytes
    """(n, 96, 72, 3): each tile upright, with some of its surroundings."""
    faces: Ints
    """(n,) indices in ``FACES``."""

    def save(self, path: Path, more: Mapping[str, NDArray[Any]] | None = None) -> None:
        """Write the profile, with ``more`` in the same file, whole or not at all.

        Raises ``ProfileError`` if there are too many pictures.
        """
        names = np.array([FACES[face] for face in self.faces])
        arrays = {**(more or {}), "patches": self.patches_bgr, "faces": names}
        try:
            write_arrays(path, arrays)
        except ArrayFileError:
            raise ProfileError(
                f"{path} would hold {len(self.faces)} pictures, more than can be read again; "
                "begin another profile"
            ) from None

    @classmethod
    def load(cls, path: Path) -> Profile:
        """Raises ``ProfileError`` for other files and for a profile without names."""
        profile = cls.read(path)
        if not len(profile.faces):
            raise ProfileError(
                f"no tile in {path} has a name yet: answer its questions, and run tilesight "
                "enroll with --answers"
            )
        return profile

    @classmethod
    def read(cls, path: Path) -> Profile:
        """As ``load``, but a profile without names is accepted."""
        try:
            kept = read_arrays(path, ("patches", "faces"))
            patches, named = kept["patches"], kept["faces"]
            faces = np.array([FACES.index(str(face)) for face in named], np.int64)
        except (KeyError, TypeError, ValueError) as error:
            raise ProfileError(f"{path} is not a profile of a set of tiles") from error
        if not are_patches(patches) or len(patches) != len(faces):
            raise ProfileError(f"{path} is not a profile of a set of tiles")
        return cls(patches, faces)


def are_patches(array: NDArray[Any]) -> bool:
    """Whether these have the shape of a profile's pictures."""
    return array.dtype == np.uint8 and array.shape[1:] == (PATCH_PX[1], PATCH_PX[0], 3)


def patch_of(image_bgr: Bytes, corners_px: Floats) -> Bytes:
    """The picture that a profile stores of a tile with corners (4, 2)."""
    return rectify(image_bgr, corners_px, PATCH_PX, PATCH_MARGIN)


def upright_crop(patch: Bytes, turn: int = 0) -> Bytes:
    """The recogniser's crop (64, 48, 3) of a stored picture, turned by quarters."""
    quad = np.roll(in_crop(PATCH_PX, PATCH_MARGIN), -turn, axis=0)
    return rectify(patch, quad, CROP_PX, MARGIN)
