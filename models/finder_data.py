"""Samples for the finder: windows of labelled pictures, turned, scaled and spoiled at random."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from finder_net import CLASSES
from numpy.typing import NDArray

from vision.boxes import Boxes

TILE_PX: Final = (16.0, 60.0)
"""Short side of a tile in a sample, drawn evenly in the logarithm."""
LEAST_VISIBLE: Final = 0.4
"""Tiles less visible than this are neither wanted nor punished."""


@dataclass(frozen=True, eq=False)
class Picture:
    """One labelled picture, still compressed."""

    path: Path
    corners_px: NDArray[np.float32]
    """(n, 4, 2)"""
    classes: NDArray[np.int64]
    """(n,) places in ``CLASSES``; -1: neither wanted nor punished."""
    complete: bool
    """False: only the surroundings of the labelled tiles are to be trusted."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One window that the net is trained on."""

    image_bgr: NDArray[np.uint8]
    """(S, S, 3)"""
    boxes: Boxes
    trusted: NDArray[np.float32]
    """(S / 8, S / 8): 1 where the labels are right, 0 where nothing is known."""


def read_crops(folder: Path) -> list[Picture]:
    """The rendered pictures of a folder written by ``datasets/crops.py``."""
    pictures = []
    for line in (folder / "labels.jsonl").read_text().splitlines():
        row = json.loads(line)
        corners = [tile["corners"] for tile in row["tiles"]]
        classes = [
            CLASSES.index(tile["side"]) if tile["visible"] >= LEAST_VISIBLE else -1
            for tile in row["tiles"]
        ]
        pictures.append(
            Picture(
                folder / row["file"],
                np.array(corners, np.float32).reshape(-1, 4, 2),
                np.array(classes, np.int64),
                complete=True,
            )
        )
    return pictures


def read_photos(labels: Path) -> list[Picture]:
    """Real photos whose labels ``models/complete_photos.py`` has completed."""
    pictures = []
    for line in labels.read_text().splitlines():
        row = json.loads(line)
        pictures.append(
            Picture(
                Path(row["file"]),
                np.array([tile["corners"] for tile in row["tiles"]], np.float32).reshape(-1, 4, 2),
                np.array([tile["class"] for tile in row["tiles"]], np.int64),
                complete=bool(row["complete"]),
            )
        )
    return pictures


class Samples:
    """An endless stream of samples; the same seed gives the same ones."""

    def __init__(
        self,
        crops: list[Picture],
        photos: list[Picture],
        photo_share: float,
        size_px: int,
        seed: int,
    ) -> None:
        self._groups = [group for group in (crops, photos) if group]
        share = photo_share if crops and photos else 0.0
        self._shares = [1 - share, share][: len(self._groups)] if crops else [1.0]
        self._size = size_px
        self._rng = np.random.default_rng(seed)

    def batches(self, count: int) -> Iterator[list[Sample]]:
        """Batches of ``count`` samples, made ahead in a thread of their own."""
        ready: queue.Queue[list[Sample]] = queue.Queue(maxsize=4)

        def fill() -> None:
            while True:
                ready.put([self._draw() for _ in range(count)])

        threading.Thread(target=fill, daemon=True).start()
        while True:
            yield ready.get()

    def _draw(self) -> Sample:
        rng = self._rng
        group = self._groups[int(rng.choice(len(self._groups), p=self._shares))]
        picture = group[int(rng.integers(len(group)))]
        image = cv2.imread(str(picture.path))
        if image is None:
            raise FileNotFoundError(f"cannot read the picture {picture.path}")
        return window(np.asarray(image, np.uint8), picture, self._size, rng)


def window(
    image_bgr: NDArray[np.uint8], picture: Picture, size: int, rng: np.random.Generator
) -> Sample:
    """A random square window of a picture, around one of its tiles where it has any."""
    height, width = image_bgr.shape[:2]
    corners = picture.corners_px
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    # A tile seen from the side has a narrow top edge, so the longer side tells its size better.
    short = float(np.median(sides.max(axis=1))) / 1.33 if len(corners) else 40.0
    scale = float(np.exp(rng.uniform(*np.log(TILE_PX)))) / max(short, 4.0)
    scale = min(scale, 2.5)
    angle = rng.uniform(0, 360) if rng.random() < 0.5 else 90.0 * rng.integers(4)
    angle += rng.normal(0, 3)
    if len(corners) and rng.random() < 0.9:
        centre = corners[int(rng.integers(len(corners)))].mean(axis=0)
        centre = centre + rng.uniform(-0.45, 0.45, 2) * size / scale
    else:
        centre = rng.uniform(0, 1, 2) * (width, height)
    matrix = cv2.getRotationMatrix2D((float(centre[0]), float(centre[1])), float(angle), scale)
    matrix[:, 2] += size / 2 - centre
    stretch = np.diag([*np.exp(rng.normal(0, 0.06, 2))])  # photos are not always in proportion
    matrix = stretch @ matrix
    if rng.random() < 0.5:
        matrix[0] = [-matrix[0, 0], -matrix[0, 1], size - matrix[0, 2]]
    if scale < 0.6:  # shrinking without this would alias in a way that run time does not
        image_bgr = np.asarray(cv2.GaussianBlur(image_bgr, (0, 0), 0.35 / scale), np.uint8)
    pad = tuple(int(v) for v in rng.integers(0, 256, 3)) if rng.random() < 0.5 else (114,) * 3
    out = cv2.warpAffine(image_bgr, matrix, (size, size), flags=cv2.INTER_LINEAR, borderValue=pad)
    moved = corners @ matrix[:, :2].T.astype(np.float32) + matrix[:, 2].astype(np.float32)
    trusted = np.ones((size // 8, size // 8), np.float32)
    if not picture.complete:
        trusted[:] = 0
        for quad, kind in zip(moved, picture.classes, strict=True):
            if kind >= 0:
                grown = quad.mean(0) + (quad - quad.mean(0)) * 1.5
                cv2.fillConvexPoly(trusted, np.round(grown / 8 - 0.5).astype(np.int32), 1.0)
    inside = _share_inside(moved, size)
    for quad, kind, share in zip(moved, picture.classes, inside, strict=True):
        if share > 0 and (kind < 0 or share < 0.55):
            cv2.fillConvexPoly(trusted, np.round(quad / 8 - 0.5).astype(np.int32), 0.0)
    rows = (picture.classes >= 0) & (inside >= 0.55)
    boxes = Boxes(
        _boxes_of(moved[rows]), np.ones(int(rows.sum()), np.float32), picture.classes[rows]
    )
    return Sample(_spoil(np.asarray(out, np.uint8), rng), boxes, trusted)


def _share_inside(corners: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """(n,): how much of each tile lies inside the window, by a grid of points on it."""
    steps = np.linspace(0.1, 0.9, 5, dtype=np.float32)
    u, v = (grid.ravel()[None, :, None] for grid in np.meshgrid(steps, steps))
    a, b, c, d = (corners[:, i][:, None, :] for i in range(4))
    points = (a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v
    ok = ((points >= 0) & (points < size)).all(axis=2)
    return np.asarray(ok.mean(axis=1), np.float32)


def _boxes_of(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n, 5): the least rectangle around each tile, the long side as width, angle in [-45, 135)."""
    rows = np.zeros((len(corners), 5), np.float32)
    for row, quad in zip(rows, corners, strict=True):
        (x, y), (w, h), degrees = cv2.minAreaRect(quad)
        radians = np.deg2rad(degrees)
        if w < h:
            w, h, radians = h, w, radians + np.pi / 2
        radians = (radians + np.pi / 4) % np.pi - np.pi / 4
        row[:] = x, y, w, h, radians
    return rows


def _spoil(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Light, colour, blur, noise and compression as cameras make them."""
    picture = image.astype(np.float32)
    picture *= np.exp(rng.normal(0, 0.18)) * np.exp(rng.normal(0, 0.07, 3)).astype(np.float32)
    picture += rng.normal(0, 10)
    if rng.random() < 0.1:
        picture[:] = picture.mean(axis=2, keepdims=True)
    if rng.random() < 0.3:
        picture = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, 1.6)))
    if rng.random() < 0.3:
        picture += rng.normal(0, rng.uniform(1, 12), picture.shape).astype(np.float32)
    out = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))]
        out = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", out, quality)[1], cv2.IMREAD_COLOR), np.uint8
        )
    return out
