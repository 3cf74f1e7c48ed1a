"""A profile is read whole or refused, whatever else a file holds."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vision.errors import ProfileError
from vision.tile_set.arrays import MOST_BYTES
from vision.tile_set.profile import PATCH_PX, Profile

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


def lone_claim() -> bytes:
    array = lone_array()
    return array.replace(b"(2, 96, 72, 3), ", b"(2000000000,), }")


def damaged() -> bytes:
    """A profile in whose pictures some bytes were lost on the way."""
    file = io.BytesIO()
    np.savez_compressed(file, patches=PATCHES, faces=np.array(["1m", "2m"]))
    content = bytearray(file.getvalue())
    content[2000:2100] = bytes(100)
    return bytes(content)


def claiming(shape: str, dtype: str = "|u1", name: str = "patches") -> bytes:
    """A file of a few hundred bytes whose header claims much more."""
    head = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}}}"
    array = b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(f"{name}.npy", array)
        archive.writestr("patches.npy" if name == "faces" else "faces.npy", array)
    return file.getvalue()


def packed_otherwise() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("patches.npy", b"")
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        lambda: claiming("(1000000000000, 96, 72, 3)"),
        lambda: claiming("(1000000000000,)", "|S0", "faces"),
        lambda: claiming("(2,)", "<U1000000000", "faces"),
        lambda: claiming("(-1, 96, 72, 3)"),
        lambda: claiming("(" * 500 + ")" * 500),
        lambda: claiming("(2"),
        lone_claim,
        packed_otherwise,
    ],
    ids=["many", "nothing", "long", "negative", "deep", "torn", "array", "packing"],
)
def test_what_claims_too_much_is_refused(content: Callable[[], bytes], tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    path.write_bytes(content())
    with pytest.raises(ProfileError, match="is not a profile of a set of tiles"):
        Profile.load(path)


def blank_pictures(path: Path) -> None:
    blank = np.zeros((MOST_BYTES // PATCHES[0].nbytes + 1, *PATCHES.shape[1:]), np.uint8)
    with path.open("wb") as file:
        np.savez_compressed(file, patches=blank, faces=np.array(["1m"] * len(blank)))


def long_header(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        size = MOST_BYTES // 4
        head = b"\x93NUMPY\x02\x00" + size.to_bytes(4, "little")
        archive.writestr("patches.npy", head + b" " * size)


@pytest.mark.parametrize("write", [blank_pictures, long_header])
def test_a_small_file_never_takes_much_memory(
    write: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "mine.tiles"
    write(path)
    assert path.stat().st_size < 2_000_000
    tracemalloc.start()
    with pytest.raises(ProfileError):
        Profile.load(path)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_more_pictures_than_can_be_read_again_are_not_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    many = np.broadcast_to(PATCHES[:1], (20_000, *PATCHES.shape[1:]))
    with pytest.raises(ProfileError, match="begin another profile"):
        Profile(many, np.zeros(20_000, np.int64)).save(path)
    assert not list(tmp_path.iterdir())


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
    with pytest.raises(ProfileError, match="is not a profile of a set of tiles"):
        Profile.load(path)


def test_a_profile_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.tiles"
    Profile(PATCHES, np.array([0, 37])).save(path)
    again = Profile.load(path)
    assert (again.patches_bgr == PATCHES).all()
    assert again.faces.tolist() == [0, 37]
