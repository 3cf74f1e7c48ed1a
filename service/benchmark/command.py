"""``tilesight benchmark``: how fast this machine reads a table, beside the plain way."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table as Grid

from service.live.reading import Reader
from service.weights import load_detector
from vision.camera.frames import Frame, VideoFile
from vision.detect import Detection
from vision.draw import resized
from vision.pipeline import Reads
from vision.table.motion import Region

WIDTHS_PX: Final = (1280, 1920, 3840)
WHOLE_FRAMES: Final = 8
"""Enough for a median: every one costs the same."""


class Timed:
    """A detector that adds up its own time."""

    def __init__(self, detector: Reads) -> None:
        self._detector = detector
        self.looks = 0
        self.seconds = 0.0

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        region: Region | None = None,
        tile_px: float | None = None,
    ) -> list[Detection]:
        begun_s = time.perf_counter()
        detections = self._detector.read(image_bgr, region, tile_px)
        self.seconds += time.perf_counter() - begun_s
        self.looks += 1
        return detections


@dataclass(frozen=True)
class Figures:
    """One size of picture; all but the counts in seconds a frame."""

    width: int
    height: int
    frames: int
    decode: float
    looks: int
    """Times that the detector looked at a part of a picture."""
    detector: float
    tracker: float
    """Finding what changed, following tiles, and the rules."""
    whole: float
    """Detector and tracker together."""
    baseline: float
    """The same weights over every whole frame, without a tracker."""

    @property
    def ratio(self) -> float:
        """How many times as fast as the baseline."""
        return self.baseline / self.whole


def run(video: Path, seconds: float, as_json: bool, make_reader: Callable[[Timed], Reader]) -> int:
    """Measure every size on the first ``seconds`` of a recorded game and print the figures."""
    source = VideoFile(video)
    detector = load_detector()
    decode_s = _decoding(source, seconds)
    detector.read(next(source.frames()).image_bgr)  # the first time, nets set themselves up
    figures = [
        measure(source, width / source.width_px, seconds, decode_s, detector, make_reader)
        for width in WIDTHS_PX
    ]
    if as_json:
        print(json.dumps([asdict(one) | {"ratio": one.ratio} for one in figures]))
    else:
        _show(figures, source)
    return 0


def measure(
    source: VideoFile,
    scale: float,
    seconds: float,
    decode_s: float,
    detector: Reads,
    make_reader: Callable[[Timed], Reader],
) -> Figures:
    """Read the beginning of a video at another size; enlarging it is not counted."""
    timed, watch = Timed(detector), _Stopwatch()
    begun_s = time.perf_counter()
    frames = 0
    for reading in make_reader(timed).read(watch.outside(_scaled(source, scale, seconds))):
        height, width = reading.frame.image_bgr.shape[:2]
        frames = watch.count
    total_s = time.perf_counter() - begun_s - watch.seconds
    return Figures(
        width=width,
        height=height,
        frames=frames,
        decode=decode_s,
        looks=timed.looks,
        detector=timed.seconds / frames,
        tracker=(total_s - timed.seconds) / frames,
        whole=total_s / frames,
        baseline=_every_whole_frame(source, scale, seconds, detector),
    )


class _Stopwatch:
    """Time spent on making frames, to be taken off."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.count = 0

    def outside(self, frames: Iterable[Frame]) -> Iterator[Frame]:
        made = iter(frames)
        while True:
            begun_s = time.perf_counter()
            frame = next(made, None)
            self.seconds += time.perf_counter() - begun_s
            if frame is None:
                return
            self.count += 1
            yield frame


def _scaled(source: VideoFile, scale: float, seconds: float) -> Iterator[Frame]:
    for frame in source.frames():
        if frame.time_s >= seconds:
            return
        yield Frame(resized(frame.image_bgr, scale), frame.time_s, frame.index)


def _decoding(source: VideoFile, seconds: float) -> float:
    begun_s = time.perf_counter()
    frames = sum(1 for _ in _scaled(source, 1.0, seconds))
    return (time.perf_counter() - begun_s) / frames


def _every_whole_frame(source: VideoFile, scale: float, seconds: float, detector: Reads) -> float:
    step_s = min(seconds, source.duration_s) / WHOLE_FRAMES
    times = []
    for frame in islice(source.frames(step_s), WHOLE_FRAMES):
        image = resized(frame.image_bgr, scale)
        begun_s = time.perf_counter()
        detector.read(image)
        times.append(time.perf_counter() - begun_s)
    return float(np.median(times))


ROWS: Final[tuple[tuple[str, Callable[[Figures], str]], ...]] = (
    ("frames", lambda one: f"{one.frames}"),
    ("closer looks", lambda one: f"{one.looks}"),
    ("decoding the file, ms a frame", lambda one: f"{one.decode * 1000:.1f}"),
    ("detector, ms a frame", lambda one: f"{one.detector * 1000:.1f}"),
    ("tracker and rules, ms a frame", lambda one: f"{one.tracker * 1000:.1f}"),
    ("detector, tracker and rules, s a frame", lambda one: f"{one.whole:.4f}"),
    ("  frames a second", lambda one: f"{1 / one.whole:.1f}"),
    ("the same weights on every whole frame, s a frame", lambda one: f"{one.baseline:.4f}"),
    ("  frames a second", lambda one: f"{1 / one.baseline:.2f}"),
    ("times as fast", lambda one: f"{one.ratio:.1f}"),
)


def _show(figures: Sequence[Figures], source: VideoFile) -> None:
    grid = Grid(title=f"{source.name}, {os.cpu_count()} cores of {platform.machine()}")
    grid.add_column()
    for one in figures:
        grid.add_column(f"{one.width}x{one.height}", justify="right")
    for name, text in ROWS:
        grid.add_row(name, *map(text, figures))
    Console().print(grid)
