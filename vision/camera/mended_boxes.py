"""MP4 files whose chain of boxes is damaged: what follows the damaged place is found again."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

HEADER: Final = 8
"""Bytes of a box's size and type (ISO 14496-12, 4.2)."""
LONG: Final = 16
"""Bytes of a header whose size has 64 bits."""
TO_THE_END, IS_LONG = 0, 1
"""Sizes that say something else."""
SOUGHT: Final = (b"moof", b"moov")
"""Boxes behind which a film goes on."""
SEARCHED: Final = 1 << 20
"""Bytes that are searched at once."""


def mended(path: Path) -> io.RawIOBase | None:
    """The file with its damaged places called free space; None where it has none.

    Without that, nothing behind the first of them is found. Nothing moves, because fragments of a
    film may name their places in the file. Raises ``OSError``.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        patches = dict(_damaged(file, size))
    return _Patched(path, patches) if patches else None


def _damaged(file: IO[bytes], size: int) -> Iterator[tuple[int, bytes]]:
    """Where no box begins, and the header that such a place gets."""
    at = 0
    while at + HEADER <= size:
        file.seek(at)
        header = file.read(LONG)
        length = int.from_bytes(header[:4])
        if length == IS_LONG:
            length = int.from_bytes(header[HEADER:])
        elif length == TO_THE_END:
            length = size - at
        if header[4:HEADER].isalnum() and length >= HEADER:
            at += length
            continue
        found = _next(file, at + HEADER, size)
        if found is None or found - at >= 1 << 32:
            return
        yield at, (found - at).to_bytes(4) + b"free"
        at = found


def _next(file: IO[bytes], at: int, size: int) -> int | None:
    """The next place where a box begins behind which a film goes on."""
    while at < size:
        file.seek(at)
        data = file.read(SEARCHED + HEADER)
        places = (data.find(kind, 4) for kind in SOUGHT)
        for place in sorted(place - 4 for place in places if place >= 0):
            length = int.from_bytes(data[place : place + 4])
            if HEADER <= length <= size - at - place:
                return at + place
        at += SEARCHED
    return None


class _Patched(io.RawIOBase):
    """A file of which some bytes are others."""

    def __init__(self, path: Path, patches: dict[int, bytes]) -> None:
        self._file = path.open("rb")
        self._patches = patches

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def read(self, size: int = -1, /) -> bytes:
        begin = self._file.tell()
        data = bytearray(self._file.read(size))
        for at, patch in self._patches.items():
            for place, value in enumerate(patch, at - begin):
                if 0 <= place < len(data):
                    data[place] = value
        return bytes(data)

    def close(self) -> None:
        self._file.close()
        super().close()
