"""Assigns detections to labelled tiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from evaluation.labels import LabelledPicture, TrueTile
from numpy.typing import NDArray

from vision.detect import Detection

LEAST_OVERLAP = 0.5
TOUCHES = 0.3  # a detection with a larger overlap is about that tile, however badly


@dataclass(frozen=True, eq=False)
class ReadPicture:
    """A labelled picture with what the detector found in it."""

    picture: LabelledPicture
    image_bgr: NDArray[np.uint8]
    detections: list[Detection]
    pairs: dict[int, int]
    """The index of the detection for each matched label."""
    extras: list[tuple[int, bool]]
    """Unmatched detections, each with whether all tiles there are labelled."""

    def tiles(self) -> Iterator[tuple[TrueTile, Detection | None]]:
        """Yield every tile with its detection."""
        for place, tile in enumerate(self.picture.tiles):
            at = self.pairs.get(place)
            yield tile, None if at is None else self.detections[at]


def matched(
    picture: LabelledPicture, image_bgr: NDArray[np.uint8], detections: list[Detection]
) -> ReadPicture:
    """Match the detections of a picture with its labels."""
    pairs = match(picture.tiles, detections)
    return ReadPicture(picture, image_bgr, detections, pairs, extras(picture, detections, pairs))


def overlaps(truth: TrueTile, detections: Sequence[Detection]) -> NDArray[np.float32]:
    """Return the intersection over union (n,) of a label and each detection."""
    out = np.zeros(len(detections), np.float32)
    low, high = truth.corners.min(axis=0), truth.corners.max(axis=0)
    for i, detection in enumerate(detections):
        corners = detection.corners_px
        if truth.upright:
            least, most = corners.min(axis=0), corners.max(axis=0)
            shared = float(np.prod(np.maximum(np.minimum(high, most) - np.maximum(low, least), 0)))
            total = float(np.prod(high - low) + np.prod(most - least)) - shared
        else:
            if (corners.min(axis=0) > high).any() or (corners.max(axis=0) < low).any():
                continue
            shared = float(cv2.intersectConvexConvex(truth.corners, corners)[0])
            total = float(cv2.contourArea(truth.corners) + cv2.contourArea(corners)) - shared
        out[i] = shared / max(total, 1e-6)
    return out


def match(
    tiles: Sequence[TrueTile], detections: Sequence[Detection], least: float = LEAST_OVERLAP
) -> dict[int, int]:
    """Return the index of the detection for each matched label.

    The best overlap is matched first, each detection once, and only on the same side.
    """
    table = np.zeros((len(tiles), len(detections)), np.float32)
    for i, tile in enumerate(tiles):
        table[i] = overlaps(tile, detections)
        for j, detection in enumerate(detections):
            if detection.side.value != tile.side:
                table[i, j] = 0
    pairs: dict[int, int] = {}
    while table.size and table.max() >= least:
        i, j = (int(v) for v in np.unravel_index(int(table.argmax()), table.shape))
        pairs[i] = j
        table[i], table[:, j] = 0, 0
    return pairs


def extras(
    picture: LabelledPicture, detections: Sequence[Detection], pairs: dict[int, int]
) -> list[tuple[int, bool]]:
    """Return the unmatched detections, each with whether all tiles there are labelled."""
    found = []
    taken = set(pairs.values())
    hull = (
        cv2.convexHull(np.concatenate([tile.corners for tile in picture.tiles]))
        if picture.tiles
        else None
    )
    for j, detection in enumerate(detections):
        if j in taken or (detection.side.value != "face" and not picture.complete):
            continue
        near = [t for t in picture.tiles if overlaps(t, [detection])[0] > TOUCHES]
        if any(not tile.wanted for tile in near):
            continue
        x, y = (float(v) for v in detection.corners_px.mean(axis=0))
        inside = (
            picture.complete
            or picture.no_face
            or (hull is not None and cv2.pointPolygonTest(hull, (x, y), False) >= 0)
        )
        found.append((j, inside))
    return found
