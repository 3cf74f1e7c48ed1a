"""Memory of pictures and tensors goes back to the system as soon as nobody needs it."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Final

LARGE_BYTES: Final = 1_000_000
MMAP_THRESHOLD: Final = -3
"""glibc's number of that setting (malloc.h)."""


def give_back_large_blocks() -> bool:
    """Whether that could be set: with glibc alone, which else keeps up to 32 MB a block for later.

    Several threads that take and leave pictures of 4K would hold some 100 MB so.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):
        return bool(ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, LARGE_BYTES))
    return False
