"""Single pictures: read from files, refused unless they are whole."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""(H, W, 3) uint8, blue green red."""

SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})

_PNG_END: Final = b"IEND\xaeB`\x82"


class SourceError(ValueError):
    """A picture, video or camera cannot be used; the message says why and what to do."""


def read_picture(path: Path) -> Picture:
    """Read one picture, upright; raises ``SourceError`` unless it is whole."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise SourceError(f"there is no picture {path}") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}") from error
    # The decoders fill a cut-off picture up with grey and call it a picture.
    if _cut_off(data):
        raise SourceError(f"{path} is cut off; copy the picture again")
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if image is None:
        raise SourceError(f"{path} is not a picture that can be read; give a JPEG or PNG file")
    return image.astype(np.uint8, copy=False)


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
