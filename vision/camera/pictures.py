"""Single pictures: read from files, refused unless they are whole."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from vision.camera.address import shown
from vision.camera.native_stderr import native_stderr_dropped

Picture = NDArray[np.uint8]
"""(H, W, 3) uint8, blue green red."""
Region = tuple[int, int, int, int]
"""x0, y0, x1, y1 in pixels of the whole picture."""

SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})

_open_head: Final = Image.open  # Ultralytics later puts one there that fetches packages

MOST_WHOLE: Final = 32_000_000
"""Pictures of more pixels are read at a half, a quarter or an eighth of their size."""
MOST_PIXELS: Final = 128_000_000
"""Pictures of more pixels are refused: some formats are decoded whole before they are reduced."""
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
    """A picture, smaller than its file where that is very large."""

    image_bgr: Picture
    by: int
    """How many pixels of the file one pixel stands for, each way."""


def read_picture(path: Path) -> Picture:
    """Read one picture, upright; raises ``SourceError`` unless it is whole."""
    return read_reduced(path).image_bgr


def read_reduced(path: Path) -> ReducedPicture:
    """As ``read_picture``, with the scale: for those who tell places in the file's pixels."""
    try:
        width, height = _size(path)
        data = path.read_bytes() if width * height <= MOST_PIXELS else None
    except FileNotFoundError:
        raise SourceError(f"there is no picture {shown(path)}") from None
    except Image.DecompressionBombError:
        raise _too_large(path) from None
    except (UnidentifiedImageError, SyntaxError, ValueError, EOFError):
        raise _no_picture(path) from None
    except OSError as error:
        if error.errno is None:  # the library means what is in the file, not the file
            raise _no_picture(path) from None
        raise SourceError(f"{path} cannot be read: {error.strerror}") from error
    if data is None:
        raise _too_large(path)
    by = next(by for by in _REDUCED if width * height <= MOST_WHOLE * by * by)
    # The decoders fill a cut-off picture up with grey and call it a picture.
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


def _size(path: Path) -> tuple[int, int]:
    """Width and height by the head of the file; nothing is decoded yet."""
    with warnings.catch_warnings():
        # How large is too large is decided here; odd metadata is no reason to say anything.
        warnings.simplefilter("ignore")
        with _open_head(path) as head:
            width, height = head.size
            return width, height


def _too_large(path: Path) -> SourceError:
    most = MOST_PIXELS // 1_000_000
    return SourceError(f"{path} has more than {most} million pixels; save it smaller")


def _no_picture(path: Path) -> SourceError:
    return SourceError(f"{path} is not a picture that can be read; give a JPEG or PNG file")


def find_pictures(sources: Iterable[Path]) -> list[Path]:
    """Files as they are named, folders as the pictures in them, sorted by name."""
    found: list[Path] = []
    for source in sources:
        if not source.is_dir():
            found.append(source)
            continue
        inside = sorted(path for path in source.iterdir() if path.suffix.lower() in SUFFIXES)
        if not inside:
            raise SourceError(f"there is no picture in the folder {source}")
        found += inside
    return found


def _cut_off(data: bytes) -> bool:
    if data.startswith(b"\x89PNG"):
        return _PNG_END not in data[-64:]
    if not data.startswith(b"\xff\xd8"):
        return False
    # Markers up to the start of the scan carry their length; a small preview inside one of
    # them has an end of its own, so the end is looked for behind them only.
    place = 2
    while place + 4 <= len(data) and data[place] == 0xFF and data[place + 1] != 0xDA:
        place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return data.find(b"\xff\xd9", place) < 0
