"""Speed is measured on what is measured, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from service.benchmark.command import WHOLE_FRAMES, Timed, measure
from service.live.reading import Look
from tests.films import film
from vision.camera.frames import Frame, VideoFile
from vision.camera.pictures import Picture
from vision.detect import Detection
from vision.draw import resized
from vision.table.motion import Region

LOOK_S, THINK_S = 0.25, 0.01


class Clock:
    """Time that passes only when it is told to, so that a busy machine changes nothing."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


class SlowDetector:
    """Finds nothing, in a known time; remembers the sizes of what it was given."""

    def __init__(self, clock: Clock) -> None:
        self.sizes: list[tuple[int, ...]] = []
        self._clock = clock

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        region: Region | None = None,
        tile_px: float | None = None,
    ) -> list[Detection]:
        self.sizes.append(image_bgr.shape)
        self._clock.now_s += LOOK_S
        return []


class EveryFifth:
    """Looks at every fifth frame only, and thinks for a while about each frame."""

    def __init__(self, detector: Timed, clock: Clock) -> None:
        self._detector = detector
        self._clock = clock

    def read(self, frames: Iterable[Frame]) -> Iterator[Look]:
        for frame in frames:
            if frame.index % 5 == 0:
                self._detector.read(frame.image_bgr)
            self._clock.now_s += THINK_S
            yield Look(frame)


def test_time_is_told_apart_and_compared_with_every_whole_frame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = VideoFile(film(tmp_path / "game.mp4", frames=20, fps=10))
    clock = Clock()
    detector = SlowDetector(clock)

    def enlarging(image: Picture, scale: float) -> Picture:
        clock.now_s += 100.0  # must not be counted
        return resized(image, scale)

    monkeypatch.setattr("service.benchmark.command.time.perf_counter", clock)
    monkeypatch.setattr("service.benchmark.command.resized", enlarging)
    figures = measure(source, 2.0, 1.5, 0.001, detector, lambda timed: EveryFifth(timed, clock))
    assert (figures.width, figures.height, figures.frames, figures.looks) == (640, 360, 15, 3)
    assert set(detector.sizes) == {(360, 640, 3)}
    assert len(detector.sizes) == 3 + WHOLE_FRAMES
    assert figures.detector == pytest.approx(LOOK_S / 5)
    assert figures.tracker == pytest.approx(THINK_S)
    assert figures.whole == pytest.approx(LOOK_S / 5 + THINK_S)
    assert figures.baseline == pytest.approx(LOOK_S)
    assert figures.ratio == pytest.approx(LOOK_S / (LOOK_S / 5 + THINK_S))
