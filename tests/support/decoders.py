"""The decoders that this process has started."""

from __future__ import annotations

import contextlib
from pathlib import Path


def decoders() -> set[int]:
    """Process numbers of the decoders that this process has started and that live."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        # Threads and processes may end while they are looked at.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            for child in (task / "children").read_text().split():
                line = Path(f"/proc/{child}/cmdline").read_bytes()
                if b"vision.camera.decoder_process" in line:
                    found.add(int(child))
    return found
