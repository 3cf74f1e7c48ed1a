"""Output files that get their names only once they are complete."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

KEYFRAME_S = 4


@contextmanager
def complete(path: Path) -> Iterator[Path]:
    """Yield a temporary path to write to; it becomes ``path`` unless an exception is raised."""
    part = path.with_name(f"{path.stem}.part{path.suffix}")
    try:
        yield part
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    part.replace(path)


@contextmanager
def json_lines(path: Path) -> Iterator[Callable[[dict[str, object]], object]]:
    """Yield a function that appends one line to a JSON Lines file."""
    with complete(path) as part, part.open("w", encoding="utf-8") as out:
        yield lambda line: out.write(json.dumps(line, ensure_ascii=False) + "\n")


@contextmanager
def video(
    path: Path, size_px: tuple[int, int], fps: float, crf: int
) -> Iterator[Callable[[NDArray[np.uint8]], None]]:
    """Yield a function that appends one (height, width, 3) BGR frame to an H.264 file."""
    with complete(path) as part, av.open(str(part), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1001))
        stream.width, stream.height, stream.pix_fmt = *size_px, "yuv420p"
        # One thread: the same frames must give the same file.
        keyframes = str(max(1, round(fps * KEYFRAME_S)))
        stream.options = {"crf": str(crf), "preset": "veryfast", "threads": "1", "g": keyframes}

        def write(image_bgr: NDArray[np.uint8]) -> None:
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(image_bgr), format="bgr24")
            for packet in stream.encode(frame):
                container.mux(packet)

        yield write
        for packet in stream.encode():
            container.mux(packet)
