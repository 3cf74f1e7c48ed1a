"""A set of tiles enrolled from a game: groups of tiles, and the answers about them.

It is stored in the profile's own file, so that answers can name tiles later without the video.
``Profile.load`` reads the part that has names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np

from vision.errors import ProfileError
from vision.tile_set.arrays import read_arrays
from vision.tile_set.groups import TileGroups
from vision.tile_set.naming import LEFT_OUT, GroupNames, named
from vision.tile_set.profile import Profile, are_patches
from vision.tiles.classes import FACES

_ARRAYS: Final = ("patches_bgr", "group", "log_faces", "sizes", "together")


@dataclass(frozen=True, eq=False)
class PlayedSet:
    """What a game showed of a set, and what a person said about it."""

    groups: TileGroups
    pinned: Mapping[int, int]
    """Index in ``FACES`` of the groups that a person named, or ``LEFT_OUT``."""
    earlier: Profile | None = None
    """The profile that this one extends."""

    @cached_property
    def naming(self) -> GroupNames:
        """Raises ``ProfileError`` if the answers contradict the pictures."""
        return named(self.groups, self.pinned)

    @cached_property
    def profile(self) -> Profile:
        """The earlier pictures, then the ones with a certain name."""
        faces = np.full(len(self.groups), LEFT_OUT, np.int64)
        sure = list(self.naming.certain)
        faces[sure] = np.array(self.naming.faces, np.int64)[sure]
        of_picture = faces[self.groups.group]
        patches = self.groups.patches_bgr[of_picture != LEFT_OUT]
        of_picture = of_picture[of_picture != LEFT_OUT]
        if self.earlier is not None:
            patches = np.concatenate([self.earlier.patches_bgr, patches])
            of_picture = np.concatenate([self.earlier.faces, of_picture])
        return Profile(patches, of_picture)

    @cached_property
    def mark(self) -> str:
        """Identifies the pictures that a question is about."""
        return hashlib.sha256(self.groups.patches_bgr.tobytes()).hexdigest()[:12]

    def with_pinned(self, pinned: Mapping[int, int]) -> PlayedSet:
        """The set with more answers; raises ``ProfileError`` if they are impossible."""
        fuller = replace(self, pinned={**self.pinned, **pinned})
        _ = fuller.naming
        return fuller

    def save(self, path: Path) -> None:
        """Write the profile and the open questions, whole or not at all."""
        kept = {f"played_{name}": np.asarray(getattr(self.groups, name)) for name in _ARRAYS}
        kept["played_told"] = np.array(sorted(self.pinned.items()), np.int64).reshape(-1, 2)
        kept["played_earlier"] = np.array(0 if self.earlier is None else len(self.earlier.faces))
        self.profile.save(path, kept)

    @classmethod
    def load(cls, path: Path) -> PlayedSet | None:
        """None for a profile that was not made from a game; raises ``ProfileError``."""
        profile = Profile.read(path)
        names = [f"played_{name}" for name in _ARRAYS]
        try:
            kept = read_arrays(path, (*names, "played_told", "played_earlier"))
            if "played_told" not in kept:
                return None
            groups = TileGroups(*(kept[name] for name in names))
            pinned = {int(row): int(face) for row, face in kept["played_told"]}
            count = int(kept["played_earlier"])
            _refuse_unlike(groups, pinned)
        except (KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
            raise ProfileError(f"{path} is not a profile of a set of tiles") from error
        earlier = Profile(profile.patches_bgr[:count], profile.faces[:count]) if count else None
        return cls(groups, pinned, earlier)


def _refuse_unlike(groups: TileGroups, pinned: Mapping[int, int]) -> None:
    """Raise ``ValueError`` unless the arrays belong to the same groups."""
    count = len(groups.sizes)
    numbers = (groups.group, groups.sizes, groups.together)
    fit = (
        are_patches(groups.patches_bgr)
        and all(np.issubdtype(array.dtype, np.integer) for array in numbers)
        and all(array.min(initial=0) >= 0 for array in numbers)
        and groups.sizes.ndim == 1
        and groups.group.shape == groups.patches_bgr.shape[:1]
        and groups.together.shape[1:] == (count,)
        and np.array_equal(np.unique(groups.group), np.arange(count))
        and groups.log_faces.shape == (count, len(FACES))
        and groups.log_faces.dtype == np.float32
        and bool(np.isfinite(groups.log_faces).all())
    )
    if not fit or not all(
        0 <= row < count and LEFT_OUT <= face < len(FACES) for row, face in pinned.items()
    ):
        raise ValueError("arrays of different sets")
