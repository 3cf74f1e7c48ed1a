"""Measure how far a picture has moved against an earlier one, by what does not move by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bools, Bytes, Floats
from vision.camera.decoded import Grey, small_size
from vision.camera.pictures import Picture
from vision.table.relocate import Shift, shift_of
from vision.table.view import Points, TableView

MOST_POINTS: Final = 160
"""Points to follow on each side of the table's edge."""
LEAST_BEYOND: Final = 16
"""Beyond the tiles this many points are enough, because nobody moves a floor."""
THERE_AND_BACK_PX: Final = 1.0
"""Largest error of a point that is followed there and back."""
SAME_START_PX: Final = 1.0
"""From starts that are nearer than this, points are followed to the same places."""
AGREE: Final = 0.4
"""Share of the points that must have moved together; hands cover some of them."""
OFF_PX: Final = 1.0
STAYS: Final = 0.15
"""Least share of points, exactly where they were, that shows that nothing has moved."""
STAYS_BESIDE: Final = 0.6
"""The same threshold, relative to the points that seem to have moved together."""
SPREAD: Final = 0.4
"""Share of the picture's width and height over which those points must spread."""
BEYOND: Final = 1.04
"""Size of the area that players touch, relative to the field."""
FEATURES: Final = 800
"""Things by whose looks a picture is known again that was turned or moved far."""
LEAST_FEATURES, FEATURES_AGREE = 40, 0.25
"""Number and share of them that must have moved alike: 0.38 after knocks, 0.15 in another room."""
FEATURES_OFF_PX: Final = 3.0


@dataclass(frozen=True, eq=False)
class _Track:
    """Points that were followed from one picture to another."""

    before: Points
    after: Points
    sure: Bools

    def shift(self, asked: Bools) -> Shift | None:
        """The common movement of these points; None if unclear."""
        use = self.sure & asked
        return shift_of(self.before[use], self.after[use], OFF_PX)

    def agrees(self, shift: Shift) -> Bools:
        """Which points have moved like this."""
        moved = np.column_stack([self.before, np.ones(len(self.before))]) @ shift.T
        off = np.linalg.norm(moved[:, :2] / moved[:, 2:] - self.after, axis=1)
        return np.asarray(self.sure & (off < OFF_PX), np.bool_)


def _agreement(tracks: Sequence[_Track], shift: Shift) -> Bools:
    """Which points have moved like this in any of the tracks."""
    return np.asarray(np.any([track.agrees(shift) for track in tracks], axis=0), np.bool_)


class ReferencePicture:
    """A picture of the table at rest, with which others are compared.

    Pictures may be smaller than the view's. Movements are in pixels of the view's pictures.
    """

    def __init__(self, image: Picture | Grey, view: TableView) -> None:
        self._grey = self._small(image)
        self._scale = self._grey.shape[1] / view.picture_px[0]
        mask = np.zeros(self._grey.shape, np.uint8)
        middle = view.field_px.mean(axis=0)
        field = (middle + BEYOND * (view.field_px - middle)) * self._scale
        cv2.fillConvexPoly(mask, np.rint(field).astype(np.int32), 255)
        beyond = self._corners(255 - mask)
        self._points = np.concatenate([beyond, self._corners(mask)])
        self._beyond = np.arange(len(self._points)) < len(beyond)

    def shift_to(self, image: Picture | Grey) -> Shift | None:
        """Return how the picture has moved since the reference; None if unclear."""
        grey = self._small(image)
        if grey.shape != self._grey.shape:
            return None
        here = self._followed(grey, (0.0, 0.0))
        # So many points stay that nothing that has moved can outnumber them.
        if self._stays([here], 1.0):
            return np.eye(3)
        window = cv2.createHanningWindow((grey.shape[1], grey.shape[0]), cv2.CV_32F)
        (dx, dy), _ = cv2.phaseCorrelate(
            self._grey.astype(np.float32), grey.astype(np.float32), window
        )
        tracks = [here]
        if np.hypot(dx, dy) > SAME_START_PX:
            tracks.append(self._followed(grey, (dx, dy)))
        every = np.ones(len(self._points), bool)
        for asked in (self._beyond, every):
            if asked.sum() < LEAST_BEYOND:
                continue
            shifts = [shift for track in tracks if (shift := track.shift(asked)) is not None]
            if not shifts:
                continue
            shift = max(shifts, key=lambda one: _agreement(tracks, one)[asked].mean())
            if _agreement(tracks, shift)[asked].mean() >= AGREE:
                if self._stays(tracks, float(_agreement(tracks, shift).mean())):
                    return np.eye(3)
                zoom = np.diag([self._scale, self._scale, 1.0])
                return np.asarray(np.linalg.inv(zoom) @ shift @ zoom, np.float64)
        return np.eye(3) if self._stays(tracks, 0.0) else None

    def turned_to(self, image: Picture | Grey) -> Shift | None:
        """How the picture has turned, moved and grown, however far; None where others are seen."""
        by_looks, grey = cv2.ORB.create(FEATURES), self._small(image)
        one, other = (by_looks.detectAndCompute(seen, None) for seen in (self._grey, grey))
        if min(len(one[0]), len(other[0])) < LEAST_FEATURES:
            return None
        found = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(one[1], other[1])
        if len(found) < LEAST_FEATURES:
            return None
        before = np.array([one[0][pair.queryIdx].pt for pair in found], np.float32)
        after = np.array([other[0][pair.trainIdx].pt for pair in found], np.float32)
        shift, agree = cv2.estimateAffinePartial2D(
            before, after, ransacReprojThreshold=FEATURES_OFF_PX
        )
        if int(np.sum(agree)) < max(LEAST_FEATURES, FEATURES_AGREE * len(found)):
            return None
        zoom = np.diag([self._scale, self._scale, 1.0])
        return np.asarray(np.linalg.inv(zoom) @ np.vstack([shift, (0, 0, 1)]) @ zoom, np.float64)

    def _stays(self, tracks: Sequence[_Track], moves: float) -> bool:
        """Whether many points, spread over the picture, are exactly where they were.

        Sleeves and bodies can hide most of the picture and move together, but after a real movement
        hardly any point stays. ``moves``: share of the points that seem to have moved together.
        """
        still = _agreement(tracks, np.eye(3))
        share = float(still.mean()) if len(still) else 0.0
        if still.sum() < LEAST_BEYOND or share < max(STAYS, STAYS_BESIDE * moves):
            return False
        spread = np.ptp(self._points[still].reshape(-1, 2), axis=0)
        height, width = self._grey.shape
        return bool((spread > SPREAD * np.array([width, height])).all())

    def _followed(self, grey: Bytes, start: tuple[float, float]) -> _Track:
        """Follow the points from near ``start``, there and back."""
        points = self._points
        if not len(points):
            return _Track(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0, bool))
        there, found = _flow(
            self._grey, grey, points, (points + np.array(start)).astype(np.float32)
        )
        back, again = _flow(grey, self._grey, there, points)
        off = np.linalg.norm((back - points).reshape(-1, 2), axis=1)
        sure = (found.ravel() > 0) & (again.ravel() > 0) & (off < THERE_AND_BACK_PX)
        return _Track(
            points.reshape(-1, 2).astype(np.float64),
            there.reshape(-1, 2).astype(np.float64),
            np.asarray(sure, np.bool_),
        )

    def _small(self, image: Picture | Grey) -> Bytes:
        size_px = small_size((image.shape[1], image.shape[0]))
        small = np.asarray(cv2.resize(image, size_px, interpolation=cv2.INTER_AREA), np.uint8)
        grey = small if small.ndim == 2 else cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
        return np.asarray(grey, np.uint8)

    def _corners(self, mask: Bytes) -> Floats:
        found = cv2.goodFeaturesToTrack(self._grey, MOST_POINTS, 0.02, 6, mask=mask)
        if found is None:
            return np.zeros((0, 1, 2), np.float32)
        return np.asarray(found, np.float32)


def _flow(before: Bytes, after: Bytes, points: Floats, guess: Floats) -> tuple[Floats, Bytes]:
    """Follow points (n, 1, 2) from a guess; also return which were found (n, 1)."""
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        before,
        after,
        points,
        guess.copy(),
        winSize=(21, 21),
        maxLevel=3,
        flags=cv2.OPTFLOW_USE_INITIAL_FLOW,
    )
    return np.asarray(there, np.float32), np.asarray(found, np.uint8)


def moved_px(shift: Shift, view: TableView) -> float:
    """Largest distance that a corner of the table moves."""
    corners = np.column_stack([view.field_px, np.ones(4)]) @ shift.T
    return float(np.abs(corners[:, :2] / corners[:, 2:] - view.field_px).max())
