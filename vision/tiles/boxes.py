"""Oriented boxes: decode a net's output, drop doubles, compute corners."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class Boxes:
    """Oriented boxes in the pixels of one picture; the width runs along the angle."""

    xywhr: Floats
    """(n, 5): centre, width, height in pixels, angle in radians, clockwise in the picture."""
    scores: Floats
    """(n,) 0..1"""
    classes: Ints
    """(n,)"""

    def __len__(self) -> int:
        return len(self.scores)

    def take(self, rows: Ints | Bools) -> Boxes:
        return Boxes(self.xywhr[rows], self.scores[rows], self.classes[rows])

    def moved(self, scale: float, shift_px: tuple[float, float]) -> Boxes:
        """The boxes after scaling the picture, then shifting it."""
        xywhr = self.xywhr.copy()
        xywhr[:, :4] *= scale
        xywhr[:, 0] += shift_px[0]
        xywhr[:, 1] += shift_px[1]
        return Boxes(xywhr, self.scores, self.classes)

    @property
    def short_px(self) -> Floats:
        """(n,) the shorter side of each box."""
        return np.asarray(self.xywhr[:, 2:4].min(axis=1), np.float32)


def join(parts: list[Boxes]) -> Boxes:
    """The boxes of several pictures' parts, in order."""
    if not parts:
        return Boxes(np.zeros((0, 5), np.float32), np.zeros(0, np.float32), np.zeros(0, np.int64))
    return Boxes(
        np.concatenate([part.xywhr for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.classes for part in parts]),
    )


def decode(output: Floats, least: float) -> Boxes:
    """Decode a YOLO OBB head's output (4 + classes + 1, anchors), without boxes below ``least``."""
    scores = output[4:-1]
    best = scores.max(axis=0)
    keep = np.flatnonzero(best >= least)
    xywhr = np.concatenate([output[:4, keep], output[-1:, keep]]).T
    return Boxes(
        np.ascontiguousarray(xywhr, np.float32),
        best[keep].astype(np.float32),
        scores[:, keep].argmax(axis=0),
    )


def corners_of(xywhr: Floats) -> Floats:
    """(n, 4, 2) corners, clockwise in the picture, beginning with a short side."""
    x, y, w, h, r = xywhr.T
    turned = w > h
    angle = np.where(turned, r + np.pi / 2, r)
    short, long = np.where(turned, h, w) / 2, np.where(turned, w, h) / 2
    across = np.stack([np.cos(angle), np.sin(angle)], 1) * short[:, None]
    along = np.stack([-np.sin(angle), np.cos(angle)], 1) * long[:, None]
    centre = np.stack([x, y], 1)
    corners = [-across - along, across - along, across + along, -across + along]
    return np.asarray(np.stack([centre + corner for corner in corners], 1), np.float32)


OVERLAP = 0.45
"""Two boxes with a greater overlap are one tile."""


def without_doubles(boxes: Boxes, overlap: float = OVERLAP) -> Boxes:
    """Keep the best of boxes that overlap, whatever their class."""
    return boxes.take(distinct(boxes.xywhr, boxes.scores, overlap))


def distinct(xywhr: Floats, worth: Floats, overlap: float = OVERLAP, most: int = 600) -> Ints:
    """Rows of the boxes (n, 5) that overlap no better one, best first."""
    order = np.argsort(-worth, kind="stable")[: 4 * most]
    xywhr = xywhr[order]
    x, y = xywhr[:, 0], xywhr[:, 1]
    reach = np.hypot(xywhr[:, 2], xywhr[:, 3])
    gone = np.zeros(len(order), bool)
    kept: list[int] = []
    for row in range(len(order)):
        if gone[row]:
            continue
        kept.append(row)
        if len(kept) == most:
            break
        near = np.flatnonzero(
            ~gone[row + 1 :] & (np.hypot(x[row + 1 :] - x[row], y[row + 1 :] - y[row]) < reach[row])
        )
        if len(near):
            near += row + 1
            gone[near[_overlap(xywhr[row], xywhr[near]) > overlap]] = True
    return order[kept].astype(np.int64)


def _overlap(one: Floats, many: Floats) -> Floats:
    """(n,) probabilistic IoU (Llerena et al. 2021), which Ultralytics trains with."""
    a1, b1, c1 = (value[0] for value in _covariance(one[None]))
    a2, b2, c2 = _covariance(many)
    dx, dy = one[0] - many[:, 0], one[1] - many[:, 1]
    a, b, c = a1 + a2, b1 + b2, c1 + c2
    area = a * b - c * c
    spread = (a * dy * dy + b * dx * dx) / area * 0.25 - c * dx * dy / area * 0.5
    shape = np.log(
        area / (4 * np.sqrt(np.clip(a1 * b1 - c1 * c1, 0, None) * (a2 * b2 - c2 * c2)) + 1e-7)
    )
    distance = np.clip(spread + 0.5 * shape, 1e-7, 100)
    return np.asarray(1 - np.sqrt(1 - np.exp(-distance) + 1e-7), np.float32)


def _covariance(xywhr: Floats) -> tuple[Floats, Floats, Floats]:
    a, b = xywhr[:, 2] ** 2 / 12, xywhr[:, 3] ** 2 / 12
    cos, sin = np.cos(xywhr[:, 4]), np.sin(xywhr[:, 4])
    both = np.asarray((a - b) * cos * sin, np.float32)
    return a * cos**2 + b * sin**2, a * sin**2 + b * cos**2, both
