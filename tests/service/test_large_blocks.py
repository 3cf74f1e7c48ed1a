"""Large blocks of memory are given back where the system's allocator can be asked to."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from service.large_blocks import LARGE_BYTES, give_back_large_blocks

PAGE_BYTES = 4096


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is resident")
def test_a_picture_that_nobody_needs_takes_no_memory() -> None:
    # After such a block has come and gone, glibc keeps later ones of that size, if not told.
    np.ones(30 * LARGE_BYTES, np.uint8)
    if not give_back_large_blocks():
        pytest.skip("another allocator than glibc's")
    pictures = [np.ones(20 * LARGE_BYTES, np.uint8) for _ in range(4)]
    held = resident_bytes()
    del pictures[::2]
    assert held - resident_bytes() > 35 * LARGE_BYTES
