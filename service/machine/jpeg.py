"""JPEG pictures: our own decoded and checked, and those of a phone checked by their header."""

from __future__ import annotations

from io import BytesIO
from typing import Final

import cv2
import numpy as np
from PIL import Image

from vision.camera.native_stderr import native_stderr_dropped
from vision.camera.pictures import Picture, SourceError

MOST_PX: Final = 4096
_JPEG: Final = b"\xff\xd8\xff"
_END: Final = b"\xff\xd9"
_UNREADABLE: Final = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)
"""What the library raises for a broken header."""
NO_PICTURE: Final = f"expected a whole JPEG picture of at most {MOST_PX} pixels each way"


def is_whole(data: bytes) -> bool:
    """Whether a JPEG file that we wrote ourselves has its beginning and its end."""
    return data.endswith(_END) and max(_claimed_px(data)) > 0


def decoded(data: bytes) -> Picture:
    """Decode a JPEG file that we wrote ourselves; raises ``SourceError``."""
    refuse_claims(data)
    with native_stderr_dropped():
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            image = None
    if image is None:
        raise SourceError(NO_PICTURE)
    return np.asarray(image, np.uint8)


def refuse_claims(data: bytes) -> None:
    """Raise ``SourceError`` unless the header is that of a JPEG picture of a usual size."""
    if not data.startswith(_JPEG):
        raise SourceError("expected a JPEG picture")
    # A few bytes can decode to gigabytes of pixels, so the claimed size is checked first.
    if not 0 < max(_claimed_px(data)) <= MOST_PX:
        raise SourceError(NO_PICTURE)


def _claimed_px(data: bytes) -> tuple[int, int]:
    """Width and height in the header; zeros where it has none."""
    try:
        with Image.open(BytesIO(data), formats=["JPEG"]) as picture:
            return picture.width, picture.height
    except _UNREADABLE:
        return 0, 0
