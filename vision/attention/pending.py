"""Frames of which it is decided what to look at, while their tiles are still being read."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.attention.motion import MotionState
from vision.attention.schedule import Schedule
from vision.camera.frames import Frame
from vision.camera.pictures import Region
from vision.detect import Detection
from vision.notice import Notice


class TileReader(Protocol):
    """What is asked of a detector."""

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        region: Region | None = None,
        tile_px: float | None = None,
    ) -> list[Detection]: ...


Found = Callable[[], list[list[Detection]]]
"""Waits until tiles have been read, and answers them: those of every part that was asked for."""
Begin = Callable[[Found], Found]
"""Has tiles read, at once or by another thread; answers how to wait for them."""


def at_once(reads: Found) -> Found:
    """By who waits, when he asks."""
    return reads


@contextlib.contextmanager
def reading_beside(pace: Schedule) -> Iterator[Begin]:
    """Threads that read tiles as long as this lasts, if the pace has any."""
    if not pace.readers:
        yield at_once
        return
    threads = ThreadPoolExecutor(pace.readers, "reads tiles")
    try:
        yield lambda reads: threads.submit(reads).result
    finally:
        threads.shutdown(cancel_futures=True)


def nothing_found() -> list[list[Detection]]:
    """Where nothing was looked at."""
    return []


def read_parts(
    detector: TileReader, frame: Frame, regions: list[Region], tile_px: float
) -> list[list[Detection]]:
    """The tiles of these parts of a frame, by any thread."""
    image_bgr = frame.parts(regions)
    return [detector.read(image_bgr, part, tile_px) for part in regions]


@dataclass(frozen=True, eq=False)
class PendingLook:
    """What is looked at in a frame."""

    regions: tuple[Region, ...] = ()
    found: Found = nothing_found

    def together(self, other: PendingLook) -> PendingLook:
        """Both looks as one."""
        return PendingLook(self.regions + other.regions, lambda: [*self.found(), *other.found()])


@dataclass(frozen=True, eq=False)
class PendingFrame:
    """A frame that was looked at, as far as that is known without its tiles."""

    frame: Frame
    notices: tuple[Notice, ...] = ()
    moment: MotionState | None = None
    """None where nothing can be concluded from this frame."""
    look: PendingLook | None = None
    """None where there is nothing to think about."""
    later: PendingLook | None = None
    """A look at a later frame: the parts that show something new there are looked at here too."""
    seen: bool = True
    """Whether the table can be seen."""
