"""A profile is read whole or refused: whatever else a file holds, nothing of it is taken."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vision.errors import ProfileError
from vision.own_set.profile import PATCH_PX, Profile

PATCHES = np.random.default_rng(1).integers(0, 255, (2, PATCH_PX[1], PATCH_PX[0], 3), np.uint8)


def packed(patches: object, faces: object) -> bytes:
    file = io.BytesIO()
    np.savez(file, patches=np.asarray(patches), faces=np.asarray(faces))
    return file.getvalue()


def unrelated() -> bytes:
    file = io.BytesIO()
    np.savez(file, other=PATCHES)
    return file.getvalue()


def lone_array() -> bytes:
    file = io.BytesIO()
    np.save(file, PATCHES)
    return file.getvalue()


def damaged() -> bytes:
    """A profile in whose pictures some bytes were lost on the way."""
    file = io.BytesIO()
    np.savez_compressed(file, patches=PATCHES, faces=np.array(["1m", "2m"]))
    content = bytearray(file.getvalue())
    content[2000:2100] = bytes(100)
    return bytes(content)


@pytest.mark.parametrize(
    "content",
    [
        lambda: b"",
        lambda: b"junk",
        lone_array,
        damaged,
        unrelated,
        lambda: packed(0, "1m"),
        lambda: packed(PATCHES, ["1m", "no tile"]),
        lambda: packed(PATCHES, ["1m"]),
        lambda: packed(PATCHES[:, ::2], ["1m", "2m"]),
    ],
    ids=["empty", "junk", "array", "damaged", "unrelated", "scalars", "names", "count", "size"],
)
def test_what_is_no_profile_is_refused(content: Callable[[], bytes], tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    path.write_bytes(content())
    with pytest.raises(ProfileError, match="is no profile of a set of tiles"):
        Profile.load(path)


def test_a_profile_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    Profile(PATCHES, np.array([0, 37])).save(path)
    again = Profile.load(path)
    assert (again.patches_bgr == PATCHES).all()
    assert again.faces.tolist() == [0, 37]
