"""Tells the allocator which memory of pictures and tensors is returned to the system."""

from __future__ import annotations

import contextlib
import ctypes
import gc
from collections.abc import Iterator
from typing import Final

LARGE_BYTES: Final = 8_000_000
"""Pictures of 4K. Memory that is given back has to be cleared for its next use: with smaller blocks
that would take a tenth of the time of reading a film."""
KEPT_BYTES: Final = 32_000_000
"""So much may be free at the top of the heap. Once ``MMAP_THRESHOLD`` is set, glibc would give back
more than 128 kB, with every small picture that goes."""
HEAPS: Final = 2
"""Heaps that all threads share: by itself glibc makes one for each, and each keeps what is free."""
MMAP_THRESHOLD, TRIM_THRESHOLD, ARENA_MAX = -3, -1, -8
"""The numbers of these options in glibc's malloc.h."""


def give_back_large_blocks() -> bool:
    """Return large blocks at once, and keep small ones; returns whether the allocator can be asked.

    By itself glibc keeps blocks of up to 32 MB for each thread: several that take and leave
    pictures of 4K would hold some 100 MB so.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):
        set_option = ctypes.CDLL(None).mallopt
        set_option(TRIM_THRESHOLD, KEPT_BYTES)
        set_option(ARENA_MAX, HEAPS)
        return bool(set_option(MMAP_THRESHOLD, LARGE_BYTES))
    return False


@contextlib.contextmanager
def without_collection() -> Iterator[None]:
    """Look for no unreachable cycles meanwhile.

    Thousands of states that all stay would be walked through again and again, for a third of the
    time of their replay.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
