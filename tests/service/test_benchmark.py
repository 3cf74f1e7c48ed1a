"""Speed is measured on what is measured, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from service.benchmark import WHOLE_FRAMES, Timed, measure
from service.reading import Look
from tests.films import film
from vision.detect import Detection
from vision.frames import Frame, VideoFile
from vision.motion import Region

LOOK_S = 0.01


class SlowDetector:
    """Finds nothing, in a known time; remembers the sizes of what it was given."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, ...]] = []

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        region: Region | None = None,
        tile_px: float | None = None,
    ) -> list[Detection]:
        self.sizes.append(image_bgr.shape)
        time.sleep(LOOK_S)
        return []


class EveryFifth:
    """Looks at every fifth frame only, and thinks for a while about each frame."""

    def __init__(self, detector: Timed) -> None:
        self._detector = detector

    def read(self, frames: Iterable[Frame]) -> Iterator[Look]:
        for frame in frames:
            if frame.index % 5 == 0:
                self._detector.read(frame.image_bgr)
            time.sleep(LOOK_S / 10)
            yield Look(frame)


def test_time_is_told_apart_and_compared_with_every_whole_frame(tmp_path: Path) -> None:
    source = VideoFile(film(tmp_path / "game.mp4", frames=20, fps=10))
    detector = SlowDetector()
    figures = measure(source, 2.0, 1.5, 0.001, detector, EveryFifth)
    assert (figures.width, figures.height, figures.frames, figures.looks) == (640, 360, 15, 3)
    assert set(detector.sizes) == {(360, 640, 3)}
    assert len(detector.sizes) == 3 + WHOLE_FRAMES
    assert LOOK_S <= figures.baseline < LOOK_S * 3
    assert LOOK_S / 5 <= figures.detector < LOOK_S
    assert LOOK_S / 10 <= figures.tracker < LOOK_S
    assert figures.whole == pytest.approx(figures.detector + figures.tracker)
    assert figures.ratio == figures.baseline / figures.whole
