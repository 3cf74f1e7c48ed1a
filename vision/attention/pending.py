"""Looks that have been started and whose tiles may still be being read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np

from vision.arrays import Bytes, Doubles
from vision.attention.motion import MotionState, StillMask, show_the_same
from vision.attention.regions import (
    FOUND,
    middles,
    missing_px,
    region_around,
    region_moved,
    selected,
    tiles_moved,
    within,
)
from vision.attention.tint import TintWatch, Whitening, whitened, without_colour
from vision.camera.frames import Frame
from vision.camera.noise import NoiseWatch
from vision.camera.pictures import Region
from vision.detect import Detection, TileReader
from vision.notice import Notice
from vision.tiles.classes import Side

NOWHERE: Final = np.zeros((0, 2))
KEPT_READS: Final = 48
"""Parts whose last reading is kept."""
SURE: Final = 0.5
"""A reading is sure if the finder's score is at least this, and the face is told."""
ENOUGH: Final = 2
"""A place is read so often at once while it shows the same, however doubtful that is: looks at what
lies still share all but a fifth of their errors."""
LATER_S: Final = 3.0
"""After so long, about a turn of the game, light or an encoder may show the same place better."""
SAME_S: Final = 6.0
"""What a hand passed over is read again, though it looks the same, once its last reading is older
than two turns: several readings tell more than one. While tiles are dealt, hands pass every second.
"""

AROUND: Final = 0.6
"""How far around the middle of a doubtful tile is read again, in tile widths."""
CONTEXT: Final = 1.6
"""Margin of a part that is read, in tile widths, so that no tile is cut."""
SMALLEST: Final = 8.0
"""Reading a smaller part costs as much as a square of this side, in tile widths."""
WORTH: Final = 0.75
"""Parts are read in place of the whole region if they cost at most this share of it."""

TilesOfRegions = Callable[[Sequence[Detection]], list[list[Detection]]]
"""Wait until the tiles have been read, and return those of each region.

The argument is what is known by then: it stays where a region was read in part and is not clear.
"""


@dataclass(frozen=True, eq=False)
class PendingLook:
    """Regions of one frame that are being read."""

    regions: tuple[Region, ...] = ()
    tiles: TilesOfRegions = lambda now: []
    is_read: Callable[[], bool] = lambda: True
    """Whether ``tiles`` need not wait."""

    def together(self, other: PendingLook) -> PendingLook:
        """Both looks as one."""
        return PendingLook(
            self.regions + other.regions,
            lambda now: [*self.tiles(now), *other.tiles(now)],
            lambda: self.is_read() and other.is_read(),
        )


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

    @property
    def is_read(self) -> bool:
        return self.look is None or self.look.is_read()


@dataclass(frozen=True, eq=False)
class _Read:
    """A region that has been read."""

    time_s: float
    box: Region
    """Its cells."""
    clear: StillMask
    """What of it counts."""
    tiles: list[Detection]
    grey: Bytes
    """The small picture in which it was read."""


@dataclass(frozen=True, eq=False)
class _Asked:
    """What is asked of one frame."""

    frame: Frame
    tile_px: float
    known: Sequence[Detection]
    whitening: Whitening | None
    lying_px: Doubles
    grey: bool
    """The picture has no colours."""


@dataclass(frozen=True, eq=False)
class _Plan:
    """What of a region is read, and what earlier readings tell of the rest."""

    region: Region
    boxes: tuple[Region, ...]
    """The parts to read."""
    clear: StillMask | None = None
    """Where the region counts; None where all of it is read."""
    told: Sequence[Detection] = ()
    """What earlier readings show there."""


@dataclass(frozen=True, eq=False)
class _Answer:
    """The tiles of a region."""

    plan: _Plan
    tiles: list[Detection]
    near_px: float

    def beside(self, now: Sequence[Detection]) -> list[Detection]:
        """The tiles, with those known by now where the region is not clear."""
        clear = self.plan.clear
        if clear is None:
            return self.tiles
        here = selected(now, within(now, [self.plan.region]))
        return self.tiles + _others(selected(here, ~clear(middles(here))), self.tiles, self.near_px)


class LookReader:
    """Reads the regions of looks: on demand, or beside further frames.

    A second look at a region in which nothing has moved is answered by the first one where that
    was sure: it would show the same pixels. Only the rest of the region is read.
    """

    def __init__(
        self,
        detector: TileReader,
        tint: TintWatch,
        noise: NoiseWatch,
        pool: Executor | None = None,
        has_read: Callable[[], None] | None = None,
    ) -> None:
        """``pool``: who reads beside further frames; None: each look is read on demand.

        ``has_read`` is called by the pool when it has read a look.
        """
        self.detector, self.tint, self.noise = detector, tint, noise
        self._has_read = has_read
        self._pool = pool
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
        asked = _Asked(frame, tile_px, known, self.tint.whitening, lying_px, self.tint.grey)
        reads = self._reads

        def look() -> list[_Answer]:
            near_px = FOUND * tile_px
            plans = [_Plan(region, (region,)) for region in regions]
            if motion is None:
                found = self._read(asked, regions)
                return [_Answer(*each, near_px) for each in zip(plans, found, strict=True)]
            plans = [_planned(asked, motion, region, reads) for region in regions]
            boxes = [box for plan in plans for box in plan.boxes]
            masks = [motion.clear_in([box]) for box in boxes]
            found = self._read(asked, boxes)
            reads.extendleft(
                _Read(frame.time_s, motion.box_of(box), mask, tiles, motion.grey)
                for box, mask, tiles in zip(boxes, masks, found, strict=True)
            )
            each_box = zip(found, masks, strict=True)
            return [
                _Answer(
                    plan, _put_together(plan, islice(each_box, len(plan.boxes)), near_px), near_px
                )
                for plan in plans
            ]

        if self._pool is None:
            return PendingLook(tuple(regions), lambda now: [one.beside(now) for one in look()])
        read = self._pool.submit(look)
        if (has_read := self._has_read) is not None:
            read.add_done_callback(lambda _: has_read())
        return PendingLook(
            tuple(regions), lambda now: [one.beside(now) for one in read.result()], read.done
        )

    def _read(self, asked: _Asked, regions: list[Region]) -> list[list[Detection]]:
        if not regions:
            return []
        frame, seen, tile_px = asked.frame, regions, asked.tile_px
        others = selected(asked.known, ~within(asked.known, regions))
        if frame.shift is not None:
            seen = [region_moved(region, frame.shift, frame.size_px) for region in regions]
            others = tiles_moved(others, frame.shift)
            tile_px *= float(np.sqrt(np.linalg.det(frame.shift[:2, :2])))
        # The colours of the tiles beside are compared with those in the regions.
        parts = [*seen, *map(region_around, others)]
        image_bgr = whitened(frame.parts(parts), parts, asked.whitening)
        found = [self.detector.read(image_bgr, region, tile_px, others) for region in seen]
        found = [without_colour(tiles) for tiles in found] if asked.grey else found
        if frame.shift is None:
            return found
        back = np.asarray(np.linalg.inv(frame.shift), np.float64)
        return [tiles_moved(tiles, back) for tiles in found]

    def know(self, frame: Frame, tiles: Sequence[Detection], motion: MotionState) -> None:
        """Take the tiles of a whole frame that was just read; call it between ``forget`` and
        ``start``."""
        as_it_is = self.tint.whitening is None and not self.tint.grey
        if as_it_is and frame.shift is None:
            whole = (0, 0, *frame.size_px)
            mask = motion.clear_in([whole])
            read = _Read(frame.time_s, motion.box_of(whole), mask, list(tiles), motion.grey)
            self._reads.appendleft(read)

    def forget(self) -> None:
        """Read every region anew, whether something has moved in it or not."""
        self._reads = deque(maxlen=KEPT_READS)

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _planned(asked: _Asked, motion: MotionState, region: Region, reads: Iterable[_Read]) -> _Plan:
    """Read what was not read while it showed the same as now, and once more what was read with
    doubt."""
    clear = motion.clear_in([region])
    whole = _Plan(region, (region,))
    if not clear.cells.any():
        return whole
    box = motion.box_of(region)
    here = np.s_[box[1] : box[3], box[0] : box[2]]
    asked_cells, moved_s = clear.cells[here], clear.moved_s[here]
    unread, times = asked_cells.copy(), np.zeros(asked_cells.shape, np.int8)
    last_s = np.full(asked_cells.shape, -np.inf)
    told: list[Detection] = []
    near_px = FOUND * asked.tile_px
    for read in tuple(reads):
        if _apart(box, read.box):
            continue
        held = asked_cells & read.clear.cells[here]
        if not held.any():
            continue
        since_s = np.maximum(moved_s, read.clear.moved_s[here])
        rests = since_s <= min(read.time_s, asked.frame.time_s)
        younger = abs(asked.frame.time_s - read.time_s) < SAME_S
        if younger and not rests[held].all():  # a hand may have passed over it
            rests |= show_the_same(motion.grey, read.grey, box)
        held &= rests
        times += held
        last_s[held] = np.maximum(last_s[held], read.time_s)
        new = unread & held
        if new.any():
            cells = np.zeros_like(clear.cells)
            cells[here] = new
            there = selected(read.tiles, replace(clear, cells=cells)(middles(read.tiles)))
            # They are seen anew, in this picture.
            told += [replace(tile) for tile in _others(there, told, near_px)]
            unread &= ~new
        if (times >= ENOUGH)[asked_cells].all():
            break
    unsure = [tile for tile in told if not _sure(tile)]
    missing = missing_px(told, asked.lying_px, region, asked.tile_px)
    open_cells = np.zeros_like(clear.cells)
    open_cells[here] = (times < ENOUGH) | (asked.frame.time_s - last_s >= LATER_S)
    doubtful_px = np.vstack([middles(unsure), missing])
    doubtful_px = doubtful_px[replace(clear, cells=open_cells)(doubtful_px)]
    again = clear.cells & motion.cells_around(doubtful_px, AROUND * asked.tile_px)
    again[here] |= unread
    boxes = [_common(box, region) for box in motion.boxes(again, CONTEXT * asked.tile_px)]
    least = (SMALLEST * asked.tile_px) ** 2
    if sum(max(least, _area(box)) for box in boxes) > WORTH * max(least, _area(region)):
        return whole
    return _Plan(region, tuple(boxes), clear, told)


def _put_together(
    plan: _Plan, found: Iterable[tuple[list[Detection], StillMask]], near_px: float
) -> list[Detection]:
    """The tiles of a region, with those ``found`` in each part where its mask says so."""
    if plan.clear is None:
        return [tile for tiles, _ in found for tile in tiles]
    told = list(plan.told)
    for tiles, mask in found:
        new = selected(tiles, mask(middles(tiles)))
        told = _others(selected(told, ~mask(middles(told))), new, near_px) + new
    return told


def _others(
    tiles: Sequence[Detection], known: Sequence[Detection], near_px: float
) -> list[Detection]:
    """The tiles that are none of those known."""
    far_px = np.linalg.norm(middles(tiles)[:, None] - middles(known)[None], axis=2)
    return selected(tiles, far_px.min(axis=1, initial=np.inf) > near_px)


def _common(one: Region, other: Region) -> Region:
    return (
        max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]),
    )  # fmt: skip


def _apart(one: Region, other: Region) -> bool:
    x0, y0, x1, y1 = _common(one, other)
    return x0 >= x1 or y0 >= y1


def _area(region: Region) -> int:
    return (region[2] - region[0]) * (region[3] - region[1])


def _sure(tile: Detection) -> bool:
    """Whether another look at the same pixels could hardly tell more."""
    return tile.score >= SURE and (tile.side is not Side.FACE or tile.tile.known)
