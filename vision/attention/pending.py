"""Looks that have been started and whose tiles may still be being read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from vision.attention.motion import MotionState
from vision.attention.regions import region_around, region_moved, selected, tiles_moved, within
from vision.attention.tint import TintWatch, whitened
from vision.camera.frames import Frame
from vision.camera.noise import NoiseWatch
from vision.camera.pictures import Region
from vision.detect import Detection, TileReader
from vision.notice import Notice

TilesOfRegions = Callable[[], list[list[Detection]]]
"""Wait until the tiles have been read, and return those of each region."""


@dataclass(frozen=True, eq=False)
class PendingLook:
    """Regions of one frame that are being read."""

    regions: tuple[Region, ...] = ()
    tiles: TilesOfRegions = list

    def together(self, other: PendingLook) -> PendingLook:
        """Both looks as one."""
        return PendingLook(self.regions + other.regions, lambda: [*self.tiles(), *other.tiles()])


@dataclass(frozen=True, eq=False)
class PendingFrame:
    """A frame and what was decided about it before its tiles are known."""

    frame: Frame
    notices: tuple[Notice, ...] = ()
    motion: MotionState | None = None
    """None where nothing can be concluded from this frame."""
    look: PendingLook | None = None
    """None where the decoder need not be asked."""
    later: PendingLook | None = None
    """A look at a later frame. Its regions that show something new are read here too."""
    seen: bool = True
    """Whether the table can be seen."""


class LookReader:
    """Reads the regions of looks: on demand, or by threads of its own."""

    def __init__(
        self, detector: TileReader, tint: TintWatch, noise: NoiseWatch, threads: int = 0
    ) -> None:
        self.detector, self.tint, self.noise = detector, tint, noise
        self._threads = ThreadPoolExecutor(threads, "reads tiles") if threads else None

    def start(
        self, frame: Frame, regions: list[Region], tile_px: float, known: Sequence[Detection]
    ) -> PendingLook:
        """Start to read; the ``known`` tiles elsewhere tell how large a tile is.

        Regions and tiles are those of the picture that holds still; the pixels are the frame's own.
        """
        beside = selected(known, ~within(known, regions))
        whitening = self.tint.whitening

        def read() -> list[list[Detection]]:
            seen, others = regions, beside
            if frame.shift is not None:
                seen = [region_moved(region, frame.shift, frame.size_px) for region in regions]
                others = tiles_moved(beside, frame.shift)
            # The colours of the tiles beside are compared with those in the regions.
            parts = [*seen, *map(region_around, others)]
            image_bgr = whitened(frame.parts(parts), parts, whitening)
            found = [self.detector.read(image_bgr, region, tile_px, others) for region in seen]
            if frame.shift is None:
                return found
            back = np.asarray(np.linalg.inv(frame.shift), np.float64)
            return [tiles_moved(tiles, back) for tiles in found]

        tiles = read if self._threads is None else self._threads.submit(read).result
        return PendingLook(tuple(regions), tiles)

    def close(self) -> None:
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
