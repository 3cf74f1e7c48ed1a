"""Measure the speed of reading one picture.

``python models/speed_picture.py FILM_OR_PICTURE [--json]``
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table as Grid

from vision.arrays import Floats
from vision.camera.pictures import Picture, SourceError, read_picture
from vision.camera.video_file import VideoFile
from vision.detect import Detection, Detector
from vision.draw import resized
from vision.tiles.classes import Side
from vision.tiles.finder import TILE_PX, WINDOW_PX
from vision.tiles.rectify import rectify

WIDTH_PX: Final = 3840
TILES: Final = 64
REPEATS: Final = 11
PICTURES: Final = (".jpg", ".jpeg", ".png", ".webp")
WHOLE_REPEATS: Final = 3


@dataclass(frozen=True)
class PictureTiming:
    name: str
    seconds: float
    goal_seconds: float
    """On two cores of a 2024 laptop."""


@dataclass(frozen=True)
class Memory:
    """The memory of a process that reads the whole picture."""

    name: str
    megabytes: float | None
    """Peak memory; None where the system does not report it."""
    goal_megabytes: float


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="a film, or a picture of a table")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    try:
        return run(_whole(given.source), given.json)
    except SourceError as error:
        parser.error(str(error))


def run(image: Picture, as_json: bool) -> int:
    """Measure and print the figures."""
    detector = Detector.load()
    found = detector.read(image)  # the first time, nets set themselves up
    rows = [
        _window(detector, image, found),
        _tiles(detector, image, found),
        PictureTiming(
            f"a whole picture of {_size(image)} read from scratch",
            _seconds(lambda: detector.read(image), WHOLE_REPEATS),
            0.7,
        ),
    ]
    memory = Memory(f"memory, {_size(image)} read", peak_megabytes(image), 600)
    if as_json:
        print(json.dumps([*map(asdict, rows), asdict(memory)]))
    else:
        _show(rows, memory, len(found))
    return 0


def _whole(path: Path) -> Picture:
    """The given picture, or one from the middle of a film, as wide as that of a 4K camera."""
    if path.suffix.lower() in PICTURES:
        return read_picture(path)
    source = VideoFile(path)
    middle = next(iter(source.frames()))
    for frame in source.frames(5.0):
        middle = frame
        if frame.time_s >= source.duration_s / 2:
            break
    return resized(middle.image_bgr, WIDTH_PX / source.width_px)


def _window(detector: Detector, image: Picture, found: Sequence[Detection]) -> PictureTiming:
    """Time the finder on one window, with tiles of its working size."""
    small = resized(image, TILE_PX / _tile_px(found))
    window: Picture = np.full((WINDOW_PX, WINDOW_PX, 3), 114, np.uint8)
    top, left = (max(0, (side - WINDOW_PX) // 2) for side in small.shape[:2])
    part = small[top : top + WINDOW_PX, left : left + WINDOW_PX]
    window[: part.shape[0], : part.shape[1]] = part
    seconds = _seconds(lambda: detector.finder.find(window, TILE_PX), REPEATS)
    return PictureTiming(f"finder, a working crop of {WINDOW_PX}x{WINDOW_PX}", seconds, 0.020)


def _tiles(detector: Detector, image: Picture, found: Sequence[Detection]) -> PictureTiming:
    """Time the recogniser on as many tiles as a table shows."""
    faces = [tile.corners_px for tile in found if tile.side is Side.FACE] or [_anywhere(image)]
    crops = np.stack([rectify(image, faces[place % len(faces)]) for place in range(TILES)])
    seconds = _seconds(lambda: detector.recogniser.read_crops(crops), REPEATS)
    return PictureTiming(f"recogniser, {TILES} tile crops", seconds, 0.015)


def _seconds(work: Callable[[], object], repeats: int) -> float:
    """Return the median time of several runs after one that is not counted."""
    work()
    times = []
    for _ in range(repeats):
        begun_s = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun_s)
    return median(times)


def peak_megabytes(image: Picture) -> float | None:
    """Peak memory of a new process that reads the picture, loading included.

    None where the system does not tell it.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        cv2.imwrite(str(path), image, [cv2.IMWRITE_PNG_COMPRESSION, 1])
        command = [sys.executable, "-c", _READS, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    peak = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("VmHWM:")]
    return int(peak[0]) / 1024 if peak else None


_READS: Final = """
import sys
from pathlib import Path
from vision.camera.pictures import read_picture
from vision.detect import Detector
Detector.load().read(read_picture(Path(sys.argv[1])))
status = Path("/proc/self/status")  # getrusage would count the process that started this one
print(status.read_text() if status.exists() else "")
"""


def _tile_px(found: Sequence[Detection]) -> float:
    return float(np.median([tile.width_px for tile in found])) if found else TILE_PX


def _anywhere(image: NDArray[np.uint8]) -> Floats:
    """A place for a tile in a picture without any: reading it costs the same."""
    corners = [[0, 0], [TILE_PX, 0], [TILE_PX, TILE_PX], [0, TILE_PX]]
    return np.array(corners, np.float32) + np.float32(min(image.shape[:2]) / 2)


def _size(image: NDArray[np.uint8]) -> str:
    return f"{image.shape[1]}x{image.shape[0]}"


def _show(rows: Sequence[PictureTiming], memory: Memory, tiles: int) -> None:
    title = f"reading one picture ({tiles} tiles found), {os.cpu_count()} cores"
    grid = Grid(title=f"{title} of {platform.machine()}")
    grid.add_column()
    for name in ("ms", "goal, ms"):
        grid.add_column(name, justify="right")
    for row in rows:
        grid.add_row(row.name, f"{row.seconds * 1000:.1f}", f"{row.goal_seconds * 1000:g}")
    used = "not told by this system" if memory.megabytes is None else f"{memory.megabytes:.0f}"
    grid.add_row(f"{memory.name}, MB", used, f"{memory.goal_megabytes:g}")
    Console().print(grid)


if __name__ == "__main__":
    sys.exit(main())
