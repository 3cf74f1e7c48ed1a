"""Looks that have been started and whose tiles may still be being read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from vision.arrays import Doubles
from vision.attention.motion import MotionState, StillMask
from vision.attention.regions import (
    lacks,
    middles,
    region_around,
    region_moved,
    selected,
    tiles_moved,
    within,
)
from vision.attention.tint import TintWatch, whitened
from vision.camera.frames import Frame
from vision.camera.noise import NoiseWatch
from vision.camera.pictures import Region
from vision.detect import Detection, TileReader
from vision.notice import Notice
from vision.tiles.classes import Side

NOWHERE: Final = np.zeros((0, 2))
KEPT_READS: Final = 24
"""Regions whose last reading is kept."""
SURE: Final = 0.5
"""A reading is sure if the finder's score is at least this, and the face is told."""

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


@dataclass(frozen=True, eq=False)
class _Read:
    """A region that has been read."""

    time_s: float
    clear: StillMask
    """What of it counts."""
    tiles: list[Detection]


class LookReader:
    """Reads the regions of looks: on demand, or by threads of its own.

    A second look at a region in which nothing has moved is answered by the first one where that
    was sure: it would show the same pixels.
    """

    def __init__(
        self, detector: TileReader, tint: TintWatch, noise: NoiseWatch, threads: int = 0
    ) -> None:
        self.detector, self.tint, self.noise = detector, tint, noise
        self._threads = ThreadPoolExecutor(threads, "reads tiles") if threads else None
        self._reads: deque[_Read] = deque(maxlen=KEPT_READS)

    def start(
        self,
        frame: Frame,
        regions: list[Region],
        tile_px: float,
        known: Sequence[Detection],
        motion: MotionState | None = None,
        lying_px: Doubles = NOWHERE,
    ) -> PendingLook:
        """Start to read; the ``known`` tiles elsewhere tell how large a tile is.

        ``motion``: the regions need not be read where nothing has moved since they were; None to
        read them anyway. ``lying_px`` (n, 2): where tiles are believed to lie. Regions and tiles
        are those of the picture that holds still; the pixels are the frame's own.
        """
        beside = selected(known, ~within(known, regions))
        whitening, reads = self.tint.whitening, self._reads

        def read(regions: list[Region]) -> list[list[Detection]]:
            if not regions:
                return []
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

        def look() -> list[list[Detection]]:
            masks = [] if motion is None else [motion.clear_in([region]) for region in regions]
            answers: dict[int, list[Detection]] = {}
            for row, clear in enumerate(masks):
                here = selected(known, within(known, [regions[row]]))
                before = _as_read(reads, clear, here)
                if before is not None and not lacks(before, lying_px, regions[row], tile_px):
                    answers[row] = before
            new = [row for row in range(len(regions)) if row not in answers]
            for row, tiles in zip(new, read([regions[row] for row in new]), strict=True):
                answers[row] = tiles
                if masks:
                    reads.appendleft(_Read(frame.time_s, masks[row], tiles))
            return [answers[row] for row in range(len(regions))]

        tiles = look if self._threads is None else self._threads.submit(look).result
        return PendingLook(tuple(regions), tiles)

    def forget(self) -> None:
        """Read every region anew, whether something has moved in it or not."""
        self._reads = deque(maxlen=KEPT_READS)

    def close(self) -> None:
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)


def _as_read(
    reads: Iterable[_Read], clear: StillMask, known: Sequence[Detection]
) -> list[Detection] | None:
    """The tiles of a region where all that is clear was read since it is still, and surely.

    ``known``: the tiles that were in it before; they are taken where it is not clear.
    """
    unread = clear.cells.copy()
    tiles: list[Detection] = []
    for read in tuple(reads):
        held = unread & read.clear.cells & (clear.moved_s < read.time_s)
        if held.any():
            tiles += selected(read.tiles, replace(clear, cells=held)(middles(read.tiles)))
            unread &= ~held
    if not clear.cells.any() or unread.any() or not all(map(_sure, tiles)):
        return None
    return tiles + selected(known, ~clear(middles(known)))


def _sure(tile: Detection) -> bool:
    """Whether another look at the same pixels could hardly tell more."""
    return tile.score >= SURE and (tile.side is not Side.FACE or tile.tile.known)
