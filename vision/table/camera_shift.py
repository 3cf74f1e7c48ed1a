"""Notice that the camera was knocked, and find the table again before reading goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes, Floats
from vision.camera.decoded import small_size
from vision.camera.frames import Frame
from vision.camera.pictures import Picture
from vision.notice import Notice
from vision.table.calibrate import NoTable, find_table
from vision.table.placed_tile import PlacedTile
from vision.table.quality import cut_off
from vision.table.registration import ReferencePicture, moved_px
from vision.table.relocate import LEAST_TILES, Shift, found_again
from vision.table.view import TableView
from vision.tiles.classes import DetectedTile

SHAKEN: Final = 0.12
"""Share of the field that moves when the camera is knocked or tiles are washed."""
CALM: Final = 0.04
"""Most motion, as a share of the field, at which the table is searched."""
MOVED: Final = 0.2
"""Least movement of the table's corners that counts, in tile widths."""
RENEWED_S: Final = 60.0
"""Age at which the reference picture is replaced, because light and surroundings change."""
STILL: Final = 0.01
"""Most motion, as a share of the field, at which a reference picture is taken."""
ALIKE: Final = 0.4
"""Two correct comparisons in a row differ by less than this, in tile widths."""
CHECK_S: Final = 10.0
"""Interval at which a quiet picture is compared, because a camera may sink slowly."""
TRY_S: Final = 0.3
"""Interval between two comparisons after a shake, and between two attempts to find the table."""
PATIENCE_S: Final = 2.0
"""For this long a lost table is searched only while nothing moves on it."""
PLAYED_ON_S: Final = 3.0
"""For this long even a few tiles must lie where they lay, and most of many, unless two comparisons
agree; later some may have been taken."""
CLEARED_S: Final = 6.0
"""After this time all tiles may be others: two comparisons that agree are enough."""
GIVE_UP_S: Final = 1.5
"""After this long without a comparison, either the table is where it was or it cannot be seen."""
TURNED: Final = np.radians(30.0)
"""A picture that is turned by more is known again by the looks of what is in it."""

ReadTiles = Callable[[], Sequence[DetectedTile]]
"""Read the tiles of the whole picture."""


class CameraShiftMonitor:
    """Decides whether the table still lies where ``view`` says, and finds it if it does not."""

    def __init__(self, view: TableView, frame: Frame) -> None:
        self.view = view
        self._felt = _felt_px(frame.image_bgr)
        self.notices: list[Notice] = []
        """New notices; the caller clears the list."""
        self._background = ReferencePicture(_small(frame), view)
        self._suspect_s: float | None = None
        self._lost_s: float | None = None
        self._shift: Shift | None = None
        self._own: Shift | None = None
        """What the background said at the last attempt to find the table."""
        self._drift: Shift = np.eye(3)
        """Maps pixels of the picture in which ``view`` was right to the reference picture."""
        self._checked_s = -np.inf
        self._taken_s = -np.inf

    @property
    def lost(self) -> bool:
        """Whether the camera has moved and the table has not been found yet."""
        return self._lost_s is not None

    @property
    def holds(self) -> bool:
        """Whether the table lies where ``view`` says, as far as is known."""
        return self._lost_s is None and self._suspect_s is None

    def swings(self) -> None:
        """The camera swings and is followed: what was suspected was that."""
        if self._lost_s is None:
            self._suspect_s = self._shift = None

    def suspect(self, time_s: float) -> None:
        """The picture shows something else than before: is it still the table?"""
        if self._lost_s is None and self._suspect_s is None:
            self._suspect_s = time_s

    def update(
        self, frame: Frame, unrest: float, placed: Sequence[PlacedTile], read: ReadTiles
    ) -> TableView | None:
        """Take a frame; return the new view if the table was found elsewhere."""
        if unrest >= SHAKEN and self._suspect_s is None:
            self._suspect_s = frame.time_s
        since_s = frame.time_s - self._checked_s
        if self._lost_s is not None:
            calm = unrest < CALM or frame.time_s - self._lost_s > PATIENCE_S
            return self._find(frame, placed, read) if calm and since_s >= TRY_S else None
        if unrest < SHAKEN and since_s >= (CHECK_S if self._suspect_s is None else TRY_S):
            self._check(frame, unrest, read)
        return None

    def _check(self, frame: Frame, unrest: float, read: ReadTiles) -> None:
        self._checked_s = frame.time_s
        shift = self._background.shift_to(_small(frame))
        if shift is None:
            self._compare_tables(frame, read)
            return
        shift = shift @ self._drift
        if moved_px(shift, self.view) <= MOVED * self.view.tile_px:
            self._settle(frame, shift, unrest)
        else:
            self._doubt(frame, shift)

    def _doubt(self, frame: Frame, shift: Shift) -> None:
        """Believe that the table has moved if two comparisons agree; one may be a sleeve."""
        if self._shift is not None and self._alike(shift, self._shift):
            self._lose(frame, shift)
            return
        self._shift = shift
        if self._suspect_s is None:
            self._suspect_s = frame.time_s

    def _alike(self, one: Shift, other: Shift) -> bool:
        """Whether two comparisons agree about where the table is."""
        return moved_px(one @ np.linalg.inv(other), self.view) < ALIKE * self.view.tile_px

    def _compare_tables(self, frame: Frame, read: ReadTiles) -> None:
        """Compare the edge of the felt, when the picture has changed too much to be compared."""
        shift = self._turned(frame)
        shift = self._by_felt(frame) if shift is None else shift
        if shift is not None and moved_px(shift, self.view) > self.view.tile_px:
            self._doubt(frame, shift)
            return
        since_s = np.inf if self._suspect_s is None else frame.time_s - self._suspect_s
        if shift is not None:
            self._settle(frame, self._drift, np.inf)
        elif since_s > GIVE_UP_S:
            if len(read()) >= LEAST_TILES:
                self._settle(frame, self._drift, 0.0)
            else:
                self._lose(frame, None)

    def _turned(self, frame: Frame) -> Shift | None:
        """How the picture has turned by the looks of things in it; None if it is upright."""
        shift = self._background.turned_to(_small(frame))
        if shift is None or abs(np.arctan2(shift[1, 0], shift[0, 0])) < TURNED:
            return None
        return np.asarray(shift @ self._drift, np.float64)

    def _by_felt(self, frame: Frame) -> Shift | None:
        seen = _felt_px(frame.image_bgr) if self._felt is not None else None
        if self._felt is None or seen is None:
            return None
        return np.asarray(cv2.getPerspectiveTransform(self._felt, seen), np.float64)

    def _settle(self, frame: Frame, drift: Shift, unrest: float) -> None:
        """The table lies where it was; ``drift`` is the remaining difference."""
        self._suspect_s, self._shift = None, None
        # Every new reference picture adds its own error to the table's position.
        if unrest < STILL and frame.time_s - self._taken_s > RENEWED_S:
            self._take(frame, drift)

    def _take(self, frame: Frame, drift: Shift) -> None:
        self._drift, self._taken_s = drift, frame.time_s
        self._background = ReferencePicture(_small(frame), self.view)

    def _lose(self, frame: Frame, shift: Shift | None) -> None:
        self._suspect_s, self._lost_s, self._shift = None, frame.time_s, shift
        self._own = None
        self._checked_s = -np.inf
        what = "the camera was moved" if shift is not None else "the table cannot be seen"
        text = f"{what}; nothing is read until the table is found again"
        self.notices.append(Notice("moved", frame.time_s, text, lasts=True))

    def _find(
        self, frame: Frame, placed: Sequence[PlacedTile], read: ReadTiles
    ) -> TableView | None:
        self._checked_s = frame.time_s
        shift = self._background.shift_to(_small(frame))
        if shift is None:  # turned or grown too far to be followed point by point
            shift = self._background.turned_to(_small(frame))
        before, own = self._own, None if shift is None else shift @ self._drift
        self._own = own
        guesses = [self._shift if own is None else own, self._by_felt(frame)]
        readings = read()
        lost_s = 0.0 if self._lost_s is None else frame.time_s - self._lost_s
        twice = own is not None and before is not None and self._alike(own, before)
        few_agree, played_on = lost_s < PLAYED_ON_S, twice or lost_s >= PLAYED_ON_S
        for guess in guesses:
            if guess is None:
                continue
            view = found_again(self.view, placed, readings, guess, few_agree, played_on)
            if view is None and guess is own and twice and lost_s >= CLEARED_S:
                view = found_again(self.view, (), readings, guess)
            if view is not None:
                self.view = view
                self._lost_s = None
                self._felt = _felt_px(frame.image_bgr)
                self._suspect_s, self._shift = None, None
                self._take(frame, np.eye(3))
                cut = ", but is cut off: move the camera back" if cut_off(view).corners else ""
                text = f"the table was found again{cut}; the game goes on"
                self.notices.append(Notice("moved", frame.time_s, text, lasts=False))
                return self.view
        return None


def _small(frame: Frame) -> Bytes:
    return frame.small_grey(small_size(frame.size_px))


def _felt_px(image_bgr: Picture) -> Floats | None:
    """(4, 2) corners of the felt; None if its edge is not seen."""
    try:
        return find_table(image_bgr).field_px.astype(np.float32)
    except NoTable:
        return None
