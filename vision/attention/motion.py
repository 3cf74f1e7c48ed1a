"""Find motion in small grey pictures, and with it the parts of the table that are worth reading."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from vision.arrays import Bools, Bytes, Doubles, Floats
from vision.camera.decoded import SMALL_PX, small_size
from vision.camera.frames import Frame
from vision.camera.light import light_between, lit
from vision.camera.pictures import Region
from vision.table.quads import filled
from vision.table.view import Points, TableView, rectangle, to_seat

CELL_PX: Final = 8
"""Side of a cell in the small picture, in pixels."""
STILL_S: Final = 0.18
"""A cell is still when nothing has changed in it for this long."""
PATIENCE_S: Final = 0.35
"""A still part waits at most this long for the motion beside it to end before it is read."""
LEFT_S: Final = 0.48
"""A part that was still for this long may have shown a tile, even if it moved again before it was
read."""
CHANGED_GREY: Final = 11.0
"""Least change of grey that counts: noise and compression change less."""
CHANGED_SHARE: Final = 0.10
"""Share of a cell's pixels that must change for the cell to move."""
AS_ONE: Final = 1.15
"""Two regions are joined if their common box is at most this many times as large as both."""
READS: Final = 3
"""Looks that a cell gets after it has changed; the readings are added up."""
ENOUGH: Final = 2
"""Looks that are enough if they agree and are sure."""
OTHERWISE_GREY: Final = 8.0
OTHERWISE_SHARE: Final = 0.05
"""A cell that moved is not read again if less than this share of it differs from when it was read.
"""
NOISE: Final = 5.0
"""Noise leaves differences of at most this many times the usual one."""
BUSY_SHARE: Final = 0.012
"""A hand is before a player if more than this share of the strip there moves."""

HELD_PX: Final = 0.7
"""While the camera swings, pictures are shifted to hold still; they may be off by so many small
pixels."""

LIGHTER: Final = 0.04
"""Least change of light, as the logarithm of its gain, that is corrected before motion is measured.
"""
ANOTHER_LIGHT: Final = 70.0
"""Extra change of grey that is ignored at ``BRIGHTER``, per unit of that logarithm. At ``DULL``
none is ignored, and twice as much where the picture is overexposed."""
DULL, BRIGHTER = 60, 140
LIT_GREY: Final = 120.0
"""A room is well lit if its tiles are at least this bright. In a darker room changes are smaller.
"""
DIMMEST: Final = 0.4
STRIPED: Final = 0.7
"""A lamp that flickers leaves bright and dark bands. They are another light if they cover this
share of a quarter."""
DARK, BRIGHT = 12, 245
LEAST_USABLE: Final = 0.2
"""Least share of the picture that must be neither too dark nor too bright to measure the gain."""
_ONES, _HIGHEST = np.uint64(0x0101010101010101), np.uint64(56)
"""A product with the first, shifted by the second, is the sum of the eight bytes of a word: the
pixels of a row of a cell."""
_GREYS: Final = np.arange(256)
_BRIGHTER: Final = np.minimum(np.floor(_GREYS * np.exp(LIGHTER)), 255).astype(np.uint8)
_DARKER: Final = np.ceil(_GREYS * np.exp(-LIGHTER)).astype(np.uint8)
"""Greys above the first and below the second are in another light than the grey they are for."""


class MotionMap:
    """Where something moves, and what has changed since it was last read."""

    def __init__(
        self, view: TableView, patience_s: float = PATIENCE_S, rest_s: float = STILL_S
    ) -> None:
        """``patience_s``: how long a still part waits for the motion beside it to end.

        ``rest_s``: how long that motion must have ended before the part is read.
        """
        width, height = view.picture_px
        self.view = view
        self._patience_s = patience_s
        self._rest_s = rest_s
        self.scale = min(1.0, SMALL_PX / width)
        self._size = small_size((width, height))
        self._shape = (-(-self._size[1] // CELL_PX), -(-self._size[0] // CELL_PX))
        self._before: Bytes | None = None
        self._noisy = False
        self._level = 0.0
        """How much most of the last picture differed from the one before, which is due to noise."""
        self._slack: Floats | None = None
        """(h, w): further change that is ignored, while the camera swings."""
        self._moved_s = np.full(self._shape, -np.inf)
        self._moves = np.zeros(self._shape, bool)
        self._due = np.zeros(self._shape, np.int8)
        self._as_read: Bytes | None = None
        """The small picture, with every cell as it looked when its reading was finished."""
        self._known = np.zeros(self._shape, bool)
        """Cells whose last reading still holds."""
        self._left = np.zeros(self._shape, bool)
        """Cells that move again and were read too rarely while they were still."""
        self._field = self._cells(view.field_px)
        self._near = _grown(self._field, round(1.5 * view.tile_px * self.scale / CELL_PX))
        self._strips = [self._cells(self._strip_px(seat)) for seat in range(4)]
        self.time_s = self._begun_s = -np.inf
        self.gain = 1.0
        """Brightness of the last picture relative to the one before."""
        self._other = 0.0
        """How far the light of its parts differs from the one before, as a mean logarithm."""

    def update(self, frame: Frame, noisy: bool = False, more_reads: int = 0) -> None:
        time_s = frame.time_s
        if noisy != self._noisy and self._before is not None and self._as_read is not None:
            self._before, self._as_read = (
                _soft(one, noisy) for one in (self._before, self._as_read)
            )
        self._noisy = noisy
        grey = _soft(frame.held_grey(self._size), noisy)
        self._slack = None if frame.shift is None else _edges(grey)
        if self._before is None:
            self._moves = np.zeros(self._shape, bool)
            self._due[self._near] = READS
            self._as_read = np.zeros_like(grey)
            self._begun_s = time_s
        else:
            change = cv2.absdiff(grey, self._lit(grey))
            # Light that changes everywhere is not motion.
            level = self._level = self._usual(change, grey)
            least: float | Floats = CHANGED_GREY + 2 * level
            if noisy:
                least = max(self._dimmed(grey) * CHANGED_GREY, NOISE * level)
            if self._other:
                # What is too bright in one colour, and its edges, change otherwise with the light.
                least = least + ANOTHER_LIGHT * self._other * _brightness(grey, self._before)
            self._moves = self._share_over(change, least) > CHANGED_SHARE
            self._moves &= self._near
            waited = self.time_s - self._moved_s >= LEFT_S - 1e-6
            self._left = self._moves & (self._due > READS - ENOUGH) & waited
        self._moved_s[self._moves] = time_s
        self._due[self._moves] = READS + more_reads
        self._before, self.time_s = grey, time_s
        self._leave_unchanged(grey)

    def stop(self) -> None:
        """Call this after the last frame: the parts that moved in it are never at rest."""
        self._moved_s[~self._still()] = np.inf

    def _leave_unchanged(self, grey: Bytes) -> None:
        """Drop what looks as it did when it was read: a hand passed over it and is gone."""
        assert self._as_read is not None, "there is a picture before this one"
        due = (self._due > 0) & self._still()
        if due.any():
            least = max(OTHERWISE_GREY, NOISE * self._level * self._noisy)
            otherwise = self._share_over(cv2.absdiff(grey, self._as_read), least)
            same = ~_grown((otherwise > OTHERWISE_SHARE) | ~self._known, 1)
            self._due[due & same] = 0

    def _dimmed(self, grey: Bytes) -> float:
        """By what share the differences in the picture are smaller than in a well-lit room."""
        middles = grey[CELL_PX // 2 :: CELL_PX, CELL_PX // 2 :: CELL_PX]
        field = self._field[: middles.shape[0], : middles.shape[1]]
        brightest = float(np.percentile(middles[field], 99)) if field.any() else LIT_GREY
        return float(np.clip(brightest / LIT_GREY, DIMMEST, 1.0))

    def _usual(self, change: MatLike, grey: Bytes) -> float:
        """How much most of the picture has changed; black pixels have no noise."""
        usual, bright = (
            np.asarray(one)[:: CELL_PX // 2, :: CELL_PX // 2] for one in (change, grey)
        )
        return float(np.median(usual[bright >= np.median(bright)] if self._noisy else usual))

    def _share_over(self, change: MatLike, least: float | Floats) -> Floats:
        """The share of each cell that has changed; while the camera swings, edges may be off by a
        little."""
        limit = least if self._slack is None else least + self._slack
        if isinstance(limit, float):
            over = cv2.threshold(change, int(limit), 1, cv2.THRESH_BINARY)[1]
        else:
            over = (np.asarray(change) > limit).astype(np.uint8)
        return _shares(over)

    def _lit(self, grey: Bytes) -> Bytes:
        """The previous picture, corrected to the light of this one."""
        assert self._before is not None, "there is a picture before this one"
        self.gain, self._other = 1.0, 0.0
        sampled = (
            np.ascontiguousarray(one[:: CELL_PX // 2, :: CELL_PX // 2])
            for one in (grey, self._before)
        )
        if not _other_light(*sampled):
            return self._before
        light = light_between(self._before, grey)
        if light is None:
            return self._before
        self.gain = float(np.exp(np.median(light)))
        self._other = float(np.abs(light).mean())
        return lit(self._before, light)

    @property
    def unrest(self) -> float:
        return _share_of(self._moves, self._field)

    @property
    def busy(self) -> frozenset[int]:
        """Seats with motion in front of them."""
        return frozenset(
            seat
            for seat, strip in enumerate(self._strips)
            if _share_of(self._moves, strip) > BUSY_SHARE
        )

    def regions(
        self, margin_px: float, awaited: Sequence[Region] = (), since_s: float = -np.inf
    ) -> list[Region]:
        """Return the parts of the full picture that have changed and are still now, with a margin.

        ``awaited``: regions whose tiles are still being read; that may be enough for them.
        ``since_s``: only what has moved since then.
        """
        due = (self._due > 0) & self._still() & self._near & (self._moved_s >= since_s)
        if awaited:
            due &= ~(self._inside(awaited) & (self._due <= READS - ENOUGH))
        return self._in_picture(box for box in self._boxes(due, margin_px) if self._ripe(box, due))

    def left_unread(self, margin_px: float) -> list[Region]:
        """Return the parts that were still before this frame, move now, and were read too rarely.

        In a recording they can still be read in the earlier frames.
        """
        # The tile may be gone when this part is still again, so it is read in the earlier frames.
        self._known &= ~self._left
        return self._in_picture(self._boxes(self._left, margin_px))

    def _boxes(self, cells: Bools, margin_px: float) -> list[Region]:
        """Boxes, in cells, around these cells with a margin."""
        return _boxes_around(cells, margin_px * self.scale / CELL_PX)

    def _in_picture(self, boxes: Iterable[Region]) -> list[Region]:
        return _in_picture(boxes, CELL_PX / self.scale, self.view.picture_px)

    def _ripe(self, box: Region, due: Bools) -> bool:
        """Whether a box, in cells, is still as a whole or has waited long enough."""
        x0, y0, x1, y1 = box
        here = due[y0:y1, x0:x1]
        since_s = self.time_s - self._moved_s[y0:y1, x0:x1]
        rests = (since_s >= self._rest_s - 1e-6).all()
        return bool(rests or since_s[here].max() >= self._patience_s)

    @property
    def since_s(self) -> Doubles:
        """(h, w): since when each cell and those beside it show the same."""
        return np.asarray(cv2.dilate(self._moved_s, np.ones((3, 3), np.uint8)), np.float64)

    def was_read(self, regions: Iterable[Region]) -> None:
        """Count one look at these regions."""
        inside = self._inside(regions) & self._still()
        self._due[inside & (self._due > 0)] -= 1
        # After two looks a tile may seem to be gone, although an arm only rested on it.
        self._known[inside & (self._due == READS - ENOUGH)] = False
        self._done(inside & (self._due == 0))

    def read_enough(self, region: Region, seen_s: float) -> None:
        """Finish the reading of what was looked at twice and has not moved since ``seen_s``."""
        inside = self._inside([region]) & self._still() & (self._moved_s <= seen_s)
        known = inside & (self._due <= READS - ENOUGH)
        self._due[known] = 0
        self._done(known)

    def read_again(self, regions: Sequence[Region]) -> None:
        """Read these regions anew, although nothing moves there."""
        inside = self._inside(regions) & self._near
        self._due[inside], self._known[inside] = READS, False

    def share_of(self, regions: Iterable[Region]) -> float:
        """Share of the playing field that these regions cover."""
        return _share_of(self._inside(regions), self._field)

    def _done(self, cells: Bools) -> None:
        """Remember how these cells look now: their reading is finished."""
        if self._before is None or self._as_read is None:
            return
        pixels = cells.repeat(CELL_PX, axis=0).repeat(CELL_PX, axis=1)
        pixels = pixels[: self._size[1], : self._size[0]]
        self._as_read[pixels] = self._before[pixels]
        self._known |= cells

    def state(self) -> MotionState:
        # Nobody knows what moved before the first frame.
        moved_s = np.maximum(self._moved_s, self._begun_s)
        still = _shrunk(self._still())
        cells_per_px = self.scale / CELL_PX
        assert self._before is not None, "a picture was taken"
        return MotionState(
            self.view, cells_per_px, still, moved_s, self.busy, self.unrest, self._before
        )

    def _still(self) -> Bools:
        return np.asarray(self.time_s - self._moved_s >= STILL_S - 1e-6)

    def _inside(self, regions: Iterable[Region]) -> Bools:
        return _cells_in(regions, self._shape, self.scale / CELL_PX)

    def _cells(self, corners_px: Doubles) -> Bools:
        return filled(self._shape, corners_px * self.scale / CELL_PX - 0.5)

    def _strip_px(self, seat: int) -> Doubles:
        half = self.view.half_mm[1 - seat % 2]
        along = 0.8 * self.view.half_mm[seat % 2]
        own = rectangle((-along, 0.74 * half), (along, 1.04 * half))
        return self.view.to_image(to_seat(own, -seat), self.view.lying_mm)


@dataclass(frozen=True, eq=False)
class MotionState:
    """What moved and what was still in one frame."""

    view: TableView
    cells_per_px: float
    """Cells per pixel of the full picture."""
    still: Bools
    """Cells that are still and whose neighbours are still."""
    moved_s: Doubles
    """When something last moved in each cell; the time of the first frame where nothing has."""
    busy: frozenset[int]
    """Seats with motion in front of them."""
    unrest: float
    """Share of the playing field that moves, 0..1."""
    grey: Bytes
    """The small picture."""

    def clear_in(self, regions: Iterable[Region]) -> StillMask:
        """The places whose readings count: they are still, and not near the edge of a region."""
        margin = round(self.view.tile_px)
        width, height = self.view.picture_px
        # A region's edge that is also the picture's edge needs no margin.
        inner = [
            (
                x0 + margin * (x0 > 0),
                y0 + margin * (y0 > 0),
                x1 - margin * (x1 < width),
                y1 - margin * (y1 < height),
            )
            for x0, y0, x1, y1 in regions
        ]
        cells = _cells_in(inner, self.still.shape, self.cells_per_px) & self.still
        return StillMask(cells, self.cells_per_px, self.moved_s)

    def boxes(self, cells: Bools, margin_px: float) -> list[Region]:
        """Parts of the full picture around these cells, with a margin."""
        boxes = _boxes_around(cells, margin_px * self.cells_per_px)
        return _in_picture(boxes, 1 / self.cells_per_px, self.view.picture_px)

    def box_of(self, region: Region) -> Region:
        """The cells that a region touches, as a box in cells."""
        rows, columns = self.still.shape
        x0, y0, x1, y1 = region
        share = self.cells_per_px
        return (
            max(0, int(x0 * share)),
            max(0, int(y0 * share)),
            min(columns, int(np.ceil(x1 * share))),
            min(rows, int(np.ceil(y1 * share))),
        )

    def cells_around(self, points_px: Points, reach_px: float) -> Bools:
        """The cells within this distance of the points (n, 2), along either axis."""
        low, high = (np.maximum(np.asarray(points_px) + by, 0) for by in (-reach_px, reach_px))
        squares = np.hstack([low, high])
        return _cells_in(squares.tolist(), self.still.shape, self.cells_per_px)


@dataclass(frozen=True, eq=False)
class StillMask:
    """Which places of the picture were still while they were read, and since when."""

    cells: Bools
    cells_per_px: float
    moved_s: Doubles

    def __call__(self, points_px: Points) -> Bools:
        inside, cell = self._cells_of(points_px)
        return np.asarray(inside & self.cells[cell[:, 1], cell[:, 0]])

    def since_s(self, points_px: Points) -> Doubles:
        """(n,): when something last moved at each point; infinity outside the picture."""
        inside, cell = self._cells_of(points_px)
        return np.where(inside, self.moved_s[cell[:, 1], cell[:, 0]], np.inf)

    def _cells_of(self, points_px: Points) -> tuple[Bools, NDArray[np.intp]]:
        rows, columns = self.cells.shape
        cell = np.floor(np.asarray(points_px) * self.cells_per_px).astype(np.intp)
        inside = (cell >= 0).all(axis=1) & (cell[:, 0] < columns) & (cell[:, 1] < rows)
        return np.asarray(inside), np.clip(cell, 0, [columns - 1, rows - 1])


def show_the_same(one: Bytes, other: Bytes, box: Region) -> Bools:
    """(h, w): the cells of a box, in cells, that look alike in two small pictures, with all beside
    them."""
    x0, y0, x1, y1 = (CELL_PX * side for side in box)
    change = cv2.absdiff(one[y0:y1, x0:x1], other[y0:y1, x0:x1])
    over = cv2.threshold(change, int(OTHERWISE_GREY), 1, cv2.THRESH_BINARY)[1]
    return ~_grown(_shares(over) > OTHERWISE_SHARE, 1)


def _shares(over: MatLike) -> Floats:
    """The share of ones in each cell of a picture of ones and zeros."""
    height, width = over.shape[:2]
    rows, columns = -(-height // CELL_PX), -(-width // CELL_PX)
    below, beside = rows * CELL_PX - height, columns * CELL_PX - width
    if below or beside:
        over = cv2.copyMakeBorder(over, 0, below, 0, beside, cv2.BORDER_CONSTANT, value=0)
    # Eight pixels side by side are one number: what is over is counted in all of them at once.
    counts = np.asarray(over).view(np.uint64).reshape(rows, CELL_PX, columns).sum(axis=1)
    return np.asarray(((counts * _ONES) >> _HIGHEST) / CELL_PX**2, np.float32)


def _edges(grey: Bytes) -> Floats:
    """How much a pixel may change if the picture is off by ``HELD_PX``."""
    around = np.ones((3, 3), np.uint8)
    range_grey = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, around)
    return np.asarray(range_grey * np.float32(HELD_PX / 2), np.float32)


def _soft(grey: Bytes, noisy: bool) -> Bytes:
    size = 5 if noisy else 3
    return np.asarray(cv2.GaussianBlur(grey, (size, size), 0), np.uint8)


def _brightness(grey: Bytes, before: Bytes) -> Floats:
    """How much change to ignore at each pixel when the light changes, in shares of
    ``ANOTHER_LIGHT``."""
    around = cv2.dilate(cv2.max(grey, before), np.ones((3, 3), np.uint8)).astype(np.float32)
    return np.asarray(np.clip((around - DULL) / (BRIGHTER - DULL), 0, 2), np.float32)


def _other_light(now: Bytes, before: Bytes) -> bool:
    """Whether a quarter of the picture is mostly brighter or darker by more than ``LIGHTER``, or
    striped."""
    usable = (before > DARK) & (now < BRIGHT) & (before < BRIGHT)
    brighter = (now > cv2.LUT(before, _BRIGHTER)) & usable
    darker = (now < cv2.LUT(before, _DARKER)) & usable
    high, wide = (side // 2 for side in now.shape)
    if np.count_nonzero(brighter | darker) <= LEAST_USABLE * high * wide / 2:
        return False
    for quarter in product((slice(high), slice(high, None)), (slice(wide), slice(wide, None))):
        more, less, all_ = (np.count_nonzero(one[quarter]) for one in (brighter, darker, usable))
        least = max(all_, LEAST_USABLE * high * wide)
        if max(more, less) > least / 2 or more + less > STRIPED * least:
            return True
    return False


def _share_of(cells: Bools, among: Bools) -> float:
    return float(np.count_nonzero(cells & among)) / max(1, int(np.count_nonzero(among)))


def _cells_in(regions: Iterable[Region], shape: tuple[int, ...], share: float) -> Bools:
    cells = np.zeros(shape, bool)
    for x0, y0, x1, y1 in regions:
        cells[
            int(np.ceil(y0 * share - 0.5)) : max(0, int(np.floor(y1 * share + 0.5))),
            int(np.ceil(x0 * share - 0.5)) : max(0, int(np.floor(x1 * share + 0.5))),
        ] = True
    return cells


def _grown(cells: Bools, by: int) -> Bools:
    if by < 1:
        return cells
    kernel = np.ones((2 * by + 1, 2 * by + 1), np.uint8)
    return np.asarray(cv2.dilate(cells.astype(np.uint8), kernel), np.uint8).astype(bool)


def _shrunk(cells: Bools) -> Bools:
    kernel = np.ones((3, 3), np.uint8)
    eroded = cv2.erode(cells.astype(np.uint8), kernel, borderValue=1)
    return np.asarray(eroded, np.uint8).astype(bool)


def _boxes_around(cells: Bools, margin: float) -> list[Region]:
    """Boxes, in cells, around these cells with a margin; those that are cheaper as one are one."""
    if not cells.any():
        return []
    grown = _grown(cells, max(1, round(margin)))
    count, _, boxes, _ = cv2.connectedComponentsWithStats(grown.astype(np.uint8))
    return _merged([(int(x), int(y), int(x + w), int(y + h)) for x, y, w, h, _ in boxes[1:count]])


def _in_picture(
    boxes: Iterable[Region], cell_px: float, picture_px: tuple[int, int]
) -> list[Region]:
    """Boxes in cells as parts of the full picture."""
    width, height = picture_px
    return [
        (
            max(0, int(x0 * cell_px)),
            max(0, int(y0 * cell_px)),
            min(width, round(x1 * cell_px)),
            min(height, round(y1 * cell_px)),
        )
        for x0, y0, x1, y1 in boxes
    ]


def _merged(boxes: list[Region]) -> list[Region]:
    """Join boxes that overlap or are cheaper to read as one."""
    boxes = list(boxes)
    pairs = combinations(range(len(boxes)), 2)
    while pair := next((ij for ij in pairs if _joins(*(boxes[at] for at in ij))), None):
        first, second = pair
        boxes[first] = _around(boxes[first], boxes.pop(second))
        pairs = combinations(range(len(boxes)), 2)
    return boxes


def _joins(first: Region, second: Region) -> bool:
    return _size(_around(first, second)) <= AS_ONE * (_size(first) + _size(second))


def _around(first: Region, second: Region) -> Region:
    return (
        min(first[0], second[0]),
        min(first[1], second[1]),
        max(first[2], second[2]),
        max(first[3], second[3]),
    )


def _size(box: Region) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
