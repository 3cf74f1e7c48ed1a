"""Large blocks of memory are given back where the system's allocator can be asked to."""

from __future__ import annotations

import subprocess
import sys

import pytest

from service.machine.memory import LARGE_BYTES
from tests.support.patience import PATIENCE_S

# A process of its own: in one that has run for long, a picture may fall into a gap of its heap.
PROGRAM = """
from pathlib import Path
import numpy as np
from service.machine.memory import LARGE_BYTES, give_back_large_blocks

def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

# After such a block has come and gone, glibc keeps later ones of that size, if not told.
np.ones(3 * LARGE_BYTES, np.uint8)
if give_back_large_blocks():
    pictures = [np.ones(2 * LARGE_BYTES, np.uint8) for _ in range(4)]
    held = resident_bytes()
    del pictures[::2]
    print(held - resident_bytes())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what is resident")
def test_a_picture_that_nobody_needs_takes_no_memory() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    if not ran.stdout:
        pytest.skip("another allocator than glibc's")
    assert int(ran.stdout) > 3.5 * LARGE_BYTES
