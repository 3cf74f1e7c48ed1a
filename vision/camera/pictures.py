"""Read single pictures from files and refuse damaged ones."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import cv2
import numpy as np
from PIL import Image, UnidentifiedImageError

from vision.arrays import Bytes
from vision.camera.address import shown
from vision.camera.native_stderr import native_stderr_dropped
from vision.given_files import open_given

Picture = Bytes
"""(H, W, 3) uint8, BGR."""
Region = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels of the whole picture."""

SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})

_open_head: Final = Image.open  # Ultralytics replaces it with one that fetches packages

MOST_WHOLE: Final = 32_000_000
"""Pictures with more pixels are read at a half, a quarter or an eighth of their size."""
MOST_PIXELS: Final = 128_000_000
"""Pictures with more pixels are refused, because some formats are decoded before they are reduced.
"""
MOST_BYTES: Final = 4 * MOST_PIXELS
"""Such a picture has hardly more, even where its format packs nothing."""
_REDUCED: Final = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
}

_PNG_END: Final = b"IEND\xaeB`\x82"


class SourceError(ValueError):
    """A picture, video or camera cannot be used; the message says why and what to do."""


@dataclass(frozen=True, eq=False)
class ReducedPicture:
    """A picture, reduced in size if its file is very large."""

    image_bgr: Picture
    by: int
    """How many pixels of the file one pixel stands for, in each direction."""


def read_picture(path: Path) -> Picture:
    """Read one picture, upright; raises ``SourceError`` unless it is whole."""
    return read_reduced(path).image_bgr


def read_reduced(path: Path) -> ReducedPicture:
    """As ``read_picture``, with the scale for callers that report places in the file's pixels."""
    try:
        with open_given(path, MOST_BYTES) as file:
            width, height = _size(file)
            file.seek(0)
            data = file.read(MOST_BYTES) if width * height <= MOST_PIXELS else None
    except FileNotFoundError:
        raise SourceError(f"there is no picture {shown(path)}") from None
    except Image.DecompressionBombError:
        raise _too_large(path) from None
    except (UnidentifiedImageError, SyntaxError, ValueError, EOFError):
        raise _no_picture(path) from None
    except OSError as error:
        if error.errno is None:  # the error is about the contents, not the file
            raise _no_picture(path) from None
        raise SourceError(f"{path} cannot be read: {error.strerror}") from error
    if data is None:
        raise _too_large(path)
    by = next(by for by in _REDUCED if width * height <= MOST_WHOLE * by * by)
    # OpenCV fills a truncated picture with grey and reports success.
    if _cut_off(data):
        raise SourceError(f"{path} is cut off; copy the picture again")
    with native_stderr_dropped():
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), _REDUCED[by])
        except cv2.error:
            image = None
    if image is None:
        raise _no_picture(path)
    return ReducedPicture(image.astype(np.uint8, copy=False), by)


def _size(file: IO[bytes]) -> tuple[int, int]:
    """Width and height from the header; nothing is decoded yet."""
    with warnings.catch_warnings():
        # The size limit is checked here, and odd metadata is no reason for a warning.
        warnings.simplefilter("ignore")
        with _open_head(file) as head:
            width, height = head.size
            return width, height


def _too_large(path: Path) -> SourceError:
    most = MOST_PIXELS // 1_000_000
    return SourceError(f"{path} has more than {most} million pixels; save it smaller")


def _no_picture(path: Path) -> SourceError:
    return SourceError(f"{path} is not a picture that can be read; give a JPEG or PNG file")


def find_pictures(sources: Iterable[Path]) -> list[Path]:
    """Named files as they are; each folder as its pictures, sorted by name."""
    paths: list[Path] = []
    for source in sources:
        if not source.is_dir():
            paths.append(source)
            continue
        inside = sorted(path for path in source.iterdir() if path.suffix.lower() in SUFFIXES)
        if not inside:
            raise SourceError(f"there is no picture in the folder {source}")
        paths += inside
    return paths


def _cut_off(data: bytes) -> bool:
    if data.startswith(b"\x89PNG"):
        return _PNG_END not in data[-64:]
    if not data.startswith(b"\xff\xd8"):
        return False
    # Markers before the scan carry their length. A preview inside one of them has an end marker of
    # its own, so the end is searched only after them.
    place = 2
    while place + 4 <= len(data) and data[place] == 0xFF and data[place + 1] != 0xDA:
        place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return data.find(b"\xff\xd9", place) < 0
