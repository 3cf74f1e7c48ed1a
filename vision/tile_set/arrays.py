"""Read arrays from untrusted files, checking their size before unpacking."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from vision.given_files import open_given

MOST_BYTES: Final = 256 * 1024 * 1024
"""Most bytes, unpacked: 12,000 pictures of tiles, where a long game gives 2,000."""
_HEADERS: Final = {(1, 0): npy.read_array_header_1_0}
"""Later forms begin with a header of any length, which is unpacked before it is looked at."""
_PACKED: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


class ArrayFileError(ValueError):
    """The file is damaged, holds something else, or claims more than any profile holds."""


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a file for ``read_arrays``, whole or not at all; raises ``ArrayFileError``."""
    if sum(array.nbytes for array in arrays.values()) > MOST_BYTES:
        raise ArrayFileError(f"more than {MOST_BYTES} bytes of arrays")
    part = path.with_name(path.name + ".part")
    named: dict[str, Any] = dict(arrays)
    with part.open("wb") as file:
        np.savez_compressed(file, **named)
    part.replace(path)


def read_arrays(path: Path, names: Iterable[str]) -> dict[str, NDArray[Any]]:
    """Read the named arrays that the file holds.

    Raises ``ArrayFileError``, and ``OSError`` for a file that cannot be opened.
    """
    with open_given(path, 2 * MOST_BYTES) as opened:  # packing may add a little
        try:
            with zipfile.ZipFile(opened) as archive:
                held = set(archive.namelist())
                files = {name: f"{name}.npy" for name in names if f"{name}.npy" in held}
                there = {name: archive.getinfo(file) for name, file in files.items()}
                claimed = sum(_claimed_bytes(archive, member) for member in there.values())
                if claimed > MOST_BYTES:
                    raise ArrayFileError(f"{claimed} bytes of arrays")
                return {name: _read(archive, member) for name, member in there.items()}
        except Exception as error:  # unpacking and parsing such files raises almost anything
            raise ArrayFileError(str(error)) from error


def _claimed_bytes(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> int:
    """Unpacked size of an array. Items of size 0 count as 1, because there may be 10^12 of them."""
    if one.compress_type not in _PACKED:
        raise ArrayFileError("packed in a way in which no profile is")
    with archive.open(one) as member:
        shape, _, dtype = _HEADERS[npy.read_magic(member)](member)
    return math.prod(map(abs, shape)) * max(dtype.itemsize, 1)


def _read(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> NDArray[Any]:
    with archive.open(one) as member:
        return np.asarray(npy.read_array(member, allow_pickle=False))
