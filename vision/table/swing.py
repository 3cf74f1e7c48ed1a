"""Hold the picture still: how each frame of a camera that swings lies against one picture."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes, Floats
from vision.camera.decoded import small_size
from vision.camera.frames import Frame
from vision.notice import Notice
from vision.table.registration import moved_px
from vision.table.relocate import Shift
from vision.table.view import TableView

ON_TABLE, BEYOND = 48, 36
"""Points to follow on the table and its rim, and around it."""
RIM: Final = 1.08
"""Size of the table with its rim, relative to the field."""
APART_PX: Final = 12
WINDOW_PX, LEVELS = 11, 3
ENOUGH: Final = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 10, 0.03)
OFF_PX: Final = 0.8
"""A point that was followed rightly is off by less, in pixels of the small picture. Moving hands
carry points away."""
AGREE, LEAST_POINTS = 0.25, 12
"""Share and number of the points that must have moved together."""
FRESH: Final = 0.55
"""Where a smaller share of the points agrees, too much has changed on the table. Then a newer
picture is compared with, unless the one that holds still fits better, so that errors do not add up.
"""
SWINGS: Final = 0.06
"""Least movement that is followed, in tile widths."""
MOST: Final = 1.5
"""A camera that has moved further, in tile widths, does not swing: it was knocked."""
RESTS_S: Final = 2.0
"""A camera that has not moved for so long is at rest."""
FAR: Final = 0.2
"""A first movement larger than this, in tile widths, is a swing only if the shifted picture fits
better ..."""
FITS: Final = 0.6
"""... than the picture as it is: it must differ by less than this share of what that one does."""
LOOKS_S: Final = 1.0
"""Interval at which a camera that stands is looked at where little moves."""
UNREST: Final = 0.05
"""Share of the field that moves when the camera may have begun to swing."""
STILL: Final = 0.01
RENEWED_S, SOON_S = 10.0, 2.0
"""Age at which the picture to compare with is renewed: the first where less than ``STILL`` moves,
the second where too few points agree."""
LOST_S: Final = 1.0
"""After so long without enough points the camera is no longer followed."""
SAID_S, WORTH_SAYING = 3.0, 0.25
"""A swing is told when it has lasted so long and is so wide, in tile widths to either side."""
GAIN: Final = 0.02
"""Least change of light, as a logarithm, that is taken out."""


@dataclass(frozen=True, eq=False)
class _Compared:
    """A picture with which others are compared."""

    grey: Bytes
    """The small picture."""
    points: Floats
    """(n, 1, 2): what is followed from it, in its pixels."""
    shift: Shift
    """From the picture that holds still to this one, in pixels of the frame."""
    level: float
    """How bright it is."""


class SwingWatch:
    """Follows a camera that swings, sways or shakes; costs nothing while it stands."""

    def __init__(self, view: TableView, frame: Frame) -> None:
        self.view = view
        self._size = small_size(view.picture_px)
        self._zoom = np.diag([self._size[0] / view.picture_px[0]] * 2 + [1.0])
        self.shift: Shift | None = None
        """From the picture that holds still to the frame, in pixels; None while the camera is at
        rest."""
        self.swing_px = 0.0
        """How far the table's corners have moved to either side in the last moments."""
        self.widest_px = 0.0
        """How far the table's corners have moved to either side while it swung."""
        self.notices: list[Notice] = []
        """New notices; the caller clears the list."""
        self.unlike_s = self.astray_s = -np.inf
        """When a picture was compared last that shows something else, and when none had been alike
        for ``LOST_S``."""
        self._begun_s: float | None = None
        """Since when it swings."""
        self._said = False
        self._recent: deque[tuple[float, Floats]] = deque()
        """The last moments, and how far the table's corners had moved then."""
        self._looked_s = self._taken_s = self._agreed_s = frame.time_s
        self._still = self._last = self._compared(frame.small_grey(self._size), np.eye(3))
        """The picture that holds still, and the one with which frames are compared."""

    def held(self, frame: Frame, unrest: float, sees_table: bool = True) -> Frame:
        """The frame with its shift. ``unrest``: share of the field that moved before.

        Before another picture is compared with, the caller must have had time to say whether it
        shows the table at all: a hand before the lens swings, too.
        """
        if frame.size_px != self.view.picture_px:
            return frame
        due = unrest >= UNREST or frame.time_s - self._looked_s >= LOOKS_S
        if self.shift is None and not due:
            return frame
        self._looked_s = frame.time_s
        grey = frame.small_grey(self._size)
        found = self._best_followed(grey)
        if found is None:
            self.unlike_s = frame.time_s
            if frame.time_s - self._agreed_s > LOST_S:
                self._stand(frame.time_s)
                if sees_table and self.astray_s > self._agreed_s:
                    self._hold(grey, frame.time_s)
                else:
                    self.astray_s = frame.time_s
            return replace(frame, shift=self.shift)
        self._agreed_s = frame.time_s
        shift, agree = found
        moved = moved_px(shift, self.view) / self.view.tile_px
        age_s = frame.time_s - self._taken_s
        begins = self.shift is None and moved > FAR
        if moved > MOST or (begins and not self._fits(replace(frame, shift=shift))):
            self._stand(frame.time_s)
        elif self.shift is not None or moved >= SWINGS:
            self._swing(shift, frame.time_s)
            if self.shift is not None and agree < FRESH and age_s > SOON_S:
                self._last, self._taken_s = self._compared(grey, shift), frame.time_s
        elif unrest < STILL and age_s > RENEWED_S:
            self._hold(grey, frame.time_s)
        return replace(frame, shift=self.shift)

    def _swing(self, shift: Shift, time_s: float) -> None:
        self.shift = shift
        self._begun_s = time_s if self._begun_s is None else self._begun_s
        self._recent.append((time_s, self._off(shift)))
        while time_s - self._recent[0][0] > RESTS_S:
            self._recent.popleft()
        spread_px = float(np.ptp([off_px for _, off_px in self._recent], axis=0).max())
        self.swing_px = spread_px / 2
        self.widest_px = max(self.widest_px, self.swing_px)
        if time_s - self._recent[0][0] > 0.8 * RESTS_S and spread_px < SWINGS * self.view.tile_px:
            self._stand(time_s)
        elif not self._said and time_s - self._begun_s > SAID_S:
            self._say(time_s)

    def _say(self, time_s: float) -> None:
        share = self.widest_px / self.view.tile_px
        if share < WORTH_SAYING:
            return
        self._said = True
        text = f"the camera swings by {share:.1f} of a tile's width: fix the arm; the game goes on"
        self.notices.append(Notice("swing", time_s, text, lasts=True))

    def _stand(self, time_s: float) -> None:
        if self._said:
            text = "the camera stands still again"
            self.notices.append(Notice("swing", time_s, text, lasts=False))
        self.shift, self._begun_s, self._said = None, None, False
        self.swing_px = self.widest_px = 0.0
        self._recent.clear()

    def _off(self, shift: Shift) -> Floats:
        """(4, 2): how far the table's corners have moved."""
        field_px = self.view.field_px.astype(np.float64)
        moved = field_px @ shift[:2, :2].T + shift[:2, 2]
        return np.asarray(moved - field_px, np.float32)

    def _fits(self, frame: Frame) -> bool:
        """Whether the shifted picture fits better than the picture as it is. A row of tiles looks
        the same when it is shifted by one tile, so points alone may mislead."""
        off, held = (
            float(cv2.absdiff(one.held_grey(self._size), self._still.grey).mean())
            for one in (replace(frame, shift=None), frame)
        )
        return held < FITS * off

    # --- points ---

    def _hold(self, grey: Bytes, time_s: float) -> None:
        """Let this picture be the one that holds still."""
        self._still = self._last = self._compared(grey, np.eye(3))
        self._taken_s = self._agreed_s = time_s

    def _compared(self, grey: Bytes, shift: Shift) -> _Compared:
        middle = self.view.field_px.mean(axis=0)
        table = (middle + RIM * (self.view.field_px - middle)) @ self._zoom[:2, :2]
        mask = np.zeros(grey.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.rint(table).astype(np.int32), 255)
        points = [_corners(grey, ON_TABLE, mask), _corners(grey, BEYOND, 255 - mask)]
        return _Compared(grey, np.concatenate(points), shift, _level(grey))

    def _best_followed(self, grey: Bytes) -> tuple[Shift, float] | None:
        """The shift of a picture, from the last picture compared with or from the one that holds
        still."""
        found = self._followed(grey, self._last)
        if self._last is self._still or (found is not None and found[1] >= FRESH):
            return found
        other = self._followed(grey, self._still)
        if other is None or (found is not None and found[1] >= other[1]):
            return found
        self._last = self._still
        return other

    def _followed(self, grey: Bytes, known: _Compared) -> tuple[Shift, float] | None:
        """The shift of a picture and the share of the points that agree on it; None if that is
        unclear."""
        points = known.points
        if len(points) < LEAST_POINTS:
            return None
        gain = known.level / _level(grey)
        if abs(np.log(gain)) > GAIN:
            grey = np.asarray(cv2.convertScaleAbs(grey, alpha=gain), np.uint8)
        last = np.eye(3) if self.shift is None else self.shift
        guess = self._zoom @ last @ np.linalg.inv(known.shift) @ np.linalg.inv(self._zoom)
        there, found, _ = cv2.calcOpticalFlowPyrLK(
            known.grey,
            grey,
            points,
            cv2.perspectiveTransform(points.astype(np.float64), guess).astype(np.float32),
            winSize=(WINDOW_PX, WINDOW_PX),
            maxLevel=LEVELS,
            criteria=ENOUGH,
            flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
        )
        use = found.ravel() > 0
        if int(use.sum()) < LEAST_POINTS:
            return None
        move, agrees = cv2.estimateAffine2D(points[use], there[use], ransacReprojThreshold=OFF_PX)
        if move is None or int(agrees.sum()) < max(LEAST_POINTS, AGREE * len(points)):
            return None
        small = np.vstack([np.asarray(move, np.float64), [0.0, 0.0, 1.0]])
        shift = np.linalg.inv(self._zoom) @ small @ self._zoom @ known.shift
        return np.asarray(shift, np.float64), float(agrees.sum()) / len(points)


def _level(grey: Bytes) -> float:
    return float(np.median(grey[::8, ::8])) + 1.0


def _corners(grey: Bytes, most: int, mask: Bytes) -> Floats:
    found = cv2.goodFeaturesToTrack(grey, most, 0.02, APART_PX, mask=mask)
    return np.zeros((0, 1, 2), np.float32) if found is None else np.asarray(found, np.float32)
