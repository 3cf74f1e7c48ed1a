"""Reads one picture and prints the peak memory of this process.

``python -m service.benchmark.peak_memory PICTURE``
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from service.weights import load_detector
from vision.camera.pictures import read_picture


def main(path: str) -> None:
    """Print the number of tiles and the peak memory in megabytes."""
    tiles = load_detector().read(read_picture(Path(path)))
    print(json.dumps({"tiles": len(tiles), "megabytes": own_peak_megabytes()}))


def own_peak_megabytes() -> float | None:
    """Peak memory of this process on Linux; None elsewhere.

    ``getrusage`` would tell the size of whoever started this process where that was larger.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    for line in status.read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return None


if __name__ == "__main__":
    main(sys.argv[1])
