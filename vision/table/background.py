"""How far a picture has moved against an earlier one, by what does not move by itself."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.pictures import Picture
from vision.table.steady import Shift, shift_of
from vision.table.view import TableView

SMALL_PX: Final = 640
MOST_POINTS: Final = 160
"""Points that are followed on each side of the table's edge."""
LEAST_BEYOND: Final = 16
"""So many points beyond the tiles speak for themselves: nobody moves a floor."""
THERE_AND_BACK_PX: Final = 1.0
"""A point that is followed there and back again is found within this."""
AGREE: Final = 0.4
"""Share of the points that must have moved as one: hands lie over some of them."""
OFF_PX: Final = 1.0
BEYOND: Final = 1.04
"""How much larger than the field what players touch is."""


class Background:
    """A picture of the table at rest; others are compared with it."""

    def __init__(self, image_bgr: Picture, view: TableView) -> None:
        self._scale = min(1.0, SMALL_PX / image_bgr.shape[1])
        self._grey = self._small(image_bgr)
        mask = np.zeros(self._grey.shape, np.uint8)
        middle = view.field_px.mean(axis=0)
        field = (middle + BEYOND * (view.field_px - middle)) * self._scale
        cv2.fillConvexPoly(mask, np.rint(field).astype(np.int32), 255)
        self._beyond = self._corners(255 - mask)
        self._within = self._corners(mask)

    def shift_to(self, image_bgr: Picture) -> Shift | None:
        """How what was seen then has moved in this picture of the same size; None if unclear."""
        grey = self._small(image_bgr)
        if grey.shape != self._grey.shape:
            return None
        window = cv2.createHanningWindow((grey.shape[1], grey.shape[0]), cv2.CV_32F)
        (dx, dy), _ = cv2.phaseCorrelate(
            self._grey.astype(np.float32), grey.astype(np.float32), window
        )
        for points in (self._beyond, np.concatenate([self._beyond, self._within])):
            if len(points) < LEAST_BEYOND:
                continue
            found = [self._followed(grey, points, start) for start in ((0.0, 0.0), (dx, dy))]
            agree, shift = max(found, key=lambda one: one[0])
            if agree >= AGREE:
                zoom = np.diag([self._scale, self._scale, 1.0])
                return np.asarray(np.linalg.inv(zoom) @ shift @ zoom, np.float64)
        return None

    def _followed(
        self, grey: NDArray[np.uint8], points: NDArray[np.float32], start: tuple[float, float]
    ) -> tuple[float, Shift]:
        """Share of the points (n, 1, 2) that have moved as one, and how they have."""
        guess = (points + np.array(start)).astype(np.float32)
        there, found = _flow(self._grey, grey, points, guess)
        back, again = _flow(grey, self._grey, there, points)
        off = np.linalg.norm((back - points).reshape(-1, 2), axis=1)
        sure = (found.ravel() > 0) & (again.ravel() > 0) & (off < THERE_AND_BACK_PX)
        before = points.reshape(-1, 2)[sure].astype(np.float64)
        after = there.reshape(-1, 2)[sure].astype(np.float64)
        shift = shift_of(before, after, OFF_PX)
        if shift is None:
            return 0.0, np.eye(3)
        moved = np.column_stack([before, np.ones(len(before))]) @ shift.T
        near = np.linalg.norm(moved[:, :2] / moved[:, 2:] - after, axis=1) < OFF_PX
        return float(near.sum()) / len(points), shift

    def _small(self, image_bgr: Picture) -> NDArray[np.uint8]:
        size = (
            max(8, round(image_bgr.shape[1] * self._scale)),
            max(8, round(image_bgr.shape[0] * self._scale)),
        )
        small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)

    def _corners(self, mask: NDArray[np.uint8]) -> NDArray[np.float32]:
        found = cv2.goodFeaturesToTrack(self._grey, MOST_POINTS, 0.02, 6, mask=mask)
        if found is None:
            return np.zeros((0, 1, 2), np.float32)
        return np.asarray(found, np.float32)


def _flow(
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
    points: NDArray[np.float32],
    guess: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Where points (n, 1, 2) have gone, near to a guess, and which were found (n, 1)."""
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
    """How far the table's corners move with the picture, the one that moves most."""
    corners = np.column_stack([view.field_px, np.ones(4)]) @ shift.T
    return float(np.abs(corners[:, :2] / corners[:, 2:] - view.field_px).max())
