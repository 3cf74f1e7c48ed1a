"""Training samples for the finder: augmented windows of labelled pictures."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from finder.no_tiles import FlatThing, flat_thing
from numpy.typing import NDArray

from vision.tiles.boxes import Boxes
from vision.tiles.classes import Side

CLASSES: Final = tuple(side.value for side in Side)
"""Sides of a tile, in the order of the net's outputs."""

IGNORED: Final = -1
"""Class of what may or may not be a tile: nothing is learnt there."""
NO_TILE: Final = -2
"""Class of what looks like a tile and is none."""

TILE_PX: Final = (16.0, 60.0)  # short side of a tile in a sample, log-uniform
COARSE_PX: Final = (2.2, 9.0)
"""Short side of a tile in a coarse sample, where a chair or a hand is as large as other tiles."""
SPECK_PX: Final = (7.0, 13.0)
"""A tile in a coarse sample narrower than the first is nothing; up to the second it is ignored."""
REREAD_BATCHES: Final = 150
MOST_DECODED: Final = 1500
"""Decoded pictures in memory; a 960x960 one takes 3.5 MB with its half-size copy."""
SQUEEZED: Final = 0.15
"""Share of the samples that are stretched by ``OUT_OF_PROPORTION`` (spread of the log)."""
OUT_OF_PROPORTION: Final = 0.3
LEAST_VISIBLE: Final = 0.4  # tiles less visible than this are ignored
HIDDEN: Final = 0.1
"""A tile less visible than this cannot be found: what lies over it is learnt there."""
LITTERED: Final = 0.3
"""Share of the samples on which flat things lie that are no tiles, ..."""
MOST_THINGS: Final = 4
"""... and how many at most."""
POOR: Final = 0.25
"""Share of the samples that a poor camera takes: few pixels, noise, burnt-out whites."""


@dataclass(frozen=True, eq=False)
class TrainingPicture:
    """One labelled picture, still compressed."""

    path: Path
    corners_px: NDArray[np.float32]
    """(n, 4, 2)"""
    classes: NDArray[np.int64]
    """(n,) indices into ``CLASSES``, or ``IGNORED``, or ``NO_TILE``."""
    complete: bool
    """False: trust only the surroundings of the labelled tiles."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One window that the net is trained on."""

    image_bgr: NDArray[np.uint8]
    """(S, S, 3)"""
    boxes: Boxes
    trusted: NDArray[np.float32]
    """(S / 8, S / 8): 1 where the labels are right, 0 where nothing is known."""


def read_crops(folder: Path) -> list[TrainingPicture]:
    """Read the rendered pictures in all folders below this one."""
    pictures = []
    for file in sorted(folder.glob("**/labels.jsonl")):
        # Parts of a ring (datasets/render.py ring) come and go.
        with contextlib.suppress(FileNotFoundError):
            for line in file.read_text().splitlines():
                row = json.loads(line)
                row["tiles"] = [tile for tile in row["tiles"] if tile["visible"] >= HIDDEN]
                classes = [
                    CLASSES.index(tile["side"])
                    if tile["side"] in CLASSES and tile["visible"] >= LEAST_VISIBLE
                    else IGNORED
                    for tile in row["tiles"]
                ]
                pictures.append(_picture(file.parent / row["file"], row, classes, complete=True))
    return pictures


def read_photos(labels: Path) -> list[TrainingPicture]:
    """Read real photos that ``models/complete_photos.py`` has completed."""
    rows = [json.loads(line) for line in labels.read_text().splitlines()]
    return [
        _picture(Path(row["file"]), row, [t["class"] for t in row["tiles"]], row["complete"])
        for row in rows
        if not row["held_out"]
    ]


def _picture(
    path: Path, row: dict[str, Any], classes: list[int], complete: bool
) -> TrainingPicture:
    corners = np.array([tile["corners"] for tile in row["tiles"]], np.float32).reshape(-1, 4, 2)
    return TrainingPicture(path, corners, np.array(classes, np.int64), complete)


class Samples:
    """An endless stream of samples; the same seed and pictures give the same ones."""

    def __init__(
        self,
        crops: Sequence[Path],
        photos: list[TrainingPicture],
        photo_share: float,
        size_px: int,
        seed: int,
        coarse_share: float = 0.0,
        most_decoded: int = MOST_DECODED,
    ) -> None:
        """``coarse_share`` is the share of samples without anything to find."""
        self._folders = crops
        self._groups = (self._rendered(), photos)
        if not self._groups[0]:
            places = ", ".join(map(str, crops))
            raise FileNotFoundError(
                f"no finished pictures under {places}: run datasets/render.py crops"
            )
        self._photo_share = photo_share if photos else 0.0
        self._size, self._coarse_share = size_px, coarse_share
        self._rng = np.random.default_rng(seed)
        self._decoded: dict[Path, tuple[NDArray[np.uint8], NDArray[np.uint8]]] = {}
        self._most_decoded = most_decoded
        self.seen = {picture.path for picture in self._groups[0]}
        """All rendered pictures seen so far."""

    def _rendered(self) -> list[TrainingPicture]:
        return [picture for folder in self._folders for picture in read_crops(folder)]

    def decode_all(self) -> None:
        """Decode the pictures now, as many as are kept: processes forked later share them."""
        pictures = [picture.path for group in self._groups for picture in group]
        with ThreadPoolExecutor() as pool:
            list(pool.map(self._decode, pictures[: self._most_decoded]))

    def reseed(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def batches(self, count: int) -> Iterator[list[Sample]]:
        """Yield batches of ``count`` samples."""
        for number in itertools.count(1):
            if number % REREAD_BATCHES == 0:  # more may have been rendered meanwhile
                self._reread()
            yield [self._draw() for _ in range(count)]

    def _reread(self) -> None:
        pictures = self._rendered()
        if pictures:
            self._groups = (pictures, self._groups[1])
            self.seen |= {picture.path for picture in pictures}

    def _draw(self) -> Sample:
        rng = self._rng
        while True:
            group = self._groups[int(rng.random() < self._photo_share)]
            picture = group[int(rng.integers(len(group)))]
            if picture.path in self._decoded or self._decode(picture.path):
                break
            if not picture.complete:
                raise FileNotFoundError(f"cannot read the picture {picture.path}")
            # Old pictures of a ring (datasets/render.py ring) disappear while they are drawn from.
            group.remove(picture)
            if not group:
                self._reread()
        make = coarse_window if rng.random() < self._coarse_share else window
        return make(*self._decoded[picture.path], picture, self._size, rng)

    def _decode(self, path: Path) -> bool:
        image = cv2.imread(str(path))
        if image is None:
            return False
        if len(self._decoded) >= self._most_decoded:
            self._decoded.pop(next(iter(self._decoded)))
        half = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        self._decoded[path] = np.asarray(image, np.uint8), np.asarray(half, np.uint8)
        return True


def window(
    image_bgr: NDArray[np.uint8],
    half_bgr: NDArray[np.uint8],
    picture: TrainingPicture,
    size: int,
    rng: np.random.Generator,
) -> Sample:
    """Return a random square window of a picture, around one of its tiles if it has any.

    ``half_bgr`` is the picture at half its size: it shrinks without aliasing.
    """
    height, width = image_bgr.shape[:2]
    corners = picture.corners_px
    short = float(np.median(_widths(corners))) if len(corners) else 40.0
    scale = float(np.exp(rng.uniform(*np.log(TILE_PX)))) / max(short, 4.0)
    scale = min(scale, 2.5)
    angle = rng.uniform(0, 360) if rng.random() < 0.5 else 90.0 * rng.integers(4)
    angle += rng.normal(0, 3)
    if len(corners) and rng.random() < 0.9:
        centre = corners[int(rng.integers(len(corners)))].mean(axis=0)
        centre = centre + rng.uniform(-0.45, 0.45, 2) * size / scale
    else:
        centre = rng.uniform(0, 1, 2) * (width, height)
    matrix = _placed(centre, float(angle), scale, size, rng)
    pad = tuple(int(v) for v in rng.integers(0, 256, 3)) if rng.random() < 0.5 else (114,) * 3
    source, steps = (half_bgr, 2.0) if scale < 0.7 else (image_bgr, 1.0)
    warp = matrix * (steps, steps, 1.0)
    out = cv2.warpAffine(source, warp, (size, size), flags=cv2.INTER_LINEAR, borderValue=pad)
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
        if share > 0 and kind != NO_TILE and (kind == IGNORED or share < 0.55):
            cv2.fillConvexPoly(trusted, np.round(quad / 8 - 0.5).astype(np.int32), 0.0)
    if rng.random() < LITTERED:
        out = littered(np.asarray(out, np.uint8), moved, trusted, short * scale, rng)
    rows = (picture.classes >= 0) & (inside >= 0.55)
    return _sample(out, moved[rows], picture.classes[rows], trusted, rng)


def littered(
    image_bgr: NDArray[np.uint8],
    corners: NDArray[np.float32],
    trusted: NDArray[np.float32],
    tile_px: float,
    rng: np.random.Generator,
) -> NDArray[np.uint8]:
    """Lay things that are no tiles where none of the tiles ``corners`` (n, 4, 2) lies.

    What may be learnt there is marked in ``trusted``.
    """
    taken = np.zeros(image_bgr.shape[:2], np.uint8)
    cv2.fillPoly(taken, [np.rint(quad).astype(np.int32) for quad in corners], 1)
    out = image_bgr.astype(np.float32)
    for _ in range(int(rng.integers(1, MOST_THINGS + 1))):
        thing, opacity = _thrown(flat_thing(tile_px, rng), image_bgr.shape[:2], rng)
        if not opacity.any() or taken[opacity > 0].mean() > 0:
            continue
        out += (thing - out) * opacity[..., None]
        covered = cv2.resize(opacity, trusted.shape[::-1], interpolation=cv2.INTER_AREA)
        trusted[covered > 0.3] = 1.0
        taken[opacity > 0] = 1
    return np.asarray(out, np.uint8)


def _thrown(
    thing: FlatThing, shape: tuple[int, ...], rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A thing somewhere in a picture of this shape (h, w), turned: (h, w, 3) and its opacity."""
    high, wide = thing.opacity.shape
    angle = rng.uniform(0, 360) if rng.random() < 0.5 else 90.0 * rng.integers(4)
    turn = cv2.getRotationMatrix2D((wide / 2, high / 2), float(angle), 1.0)
    matrix = np.asarray(turn, np.float64)
    matrix[:, 2] += rng.uniform(0, 1, 2) * shape[1::-1] - (wide / 2, high / 2)
    size = (shape[1], shape[0])
    image = cv2.warpAffine(thing.image_bgr, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    opacity = cv2.warpAffine(thing.opacity, matrix, size)
    return np.asarray(image, np.float32), np.asarray(opacity, np.float32)


def coarse_window(
    image_bgr: NDArray[np.uint8],
    half_bgr: NDArray[np.uint8],
    picture: TrainingPicture,
    size: int,
    rng: np.random.Generator,
) -> Sample:
    """Return a window at a scale at which nothing as large as a tile is one: chairs, people, trays.

    In a photo only some tiles are labelled. At this scale all of them are too small to find, so its
    labels are complete.
    """
    height, width = image_bgr.shape[:2]
    tiles = picture.corners_px
    short = float(np.median(_widths(tiles))) if len(tiles) else 30.0
    scale = float(np.exp(rng.uniform(*np.log(COARSE_PX)))) / max(short, 4.0)
    shrunk = max(0.02, min(1.0, scale * 1.5))
    small = cv2.resize(image_bgr, None, fx=shrunk, fy=shrunk, interpolation=cv2.INTER_AREA)
    angle = 90.0 * float(rng.integers(4)) + rng.normal(0, 4)
    centre = rng.uniform(0.25, 0.75, 2) * (width, height)
    matrix = _placed(centre, float(angle), scale, size, rng)
    pad = tuple(int(v) for v in rng.integers(0, 256, 3)) if rng.random() < 0.2 else (114,) * 3
    exact = np.array([width / small.shape[1], height / small.shape[0], 1.0])
    out = cv2.warpAffine(small, matrix * exact, (size, size), borderValue=pad)
    moved = tiles @ matrix[:, :2].T.astype(np.float32) + matrix[:, 2].astype(np.float32)
    trusted, widths = np.ones((size // 8, size // 8), np.float32), _widths(moved)
    inside = _share_inside(moved, size)
    wanted = (widths >= SPECK_PX[1]) & (picture.classes >= 0) & (inside >= 0.55)
    for quad in moved[(widths >= SPECK_PX[0]) & ~wanted & (inside > 0)]:
        cv2.fillConvexPoly(trusted, np.round(quad / 8 - 0.5).astype(np.int32), 0.0)
    return _sample(out, moved[wanted], picture.classes[wanted], trusted, rng)


def _sample(
    image_bgr: NDArray[Any],
    corners: NDArray[np.float32],
    classes: NDArray[np.int64],
    trusted: NDArray[np.float32],
    rng: np.random.Generator,
) -> Sample:
    boxes = Boxes(_boxes_of(corners), np.ones(len(corners), np.float32), classes)
    return Sample(_spoil(np.asarray(image_bgr, np.uint8), rng), boxes, trusted)


def _widths(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the short sides (n,) of tiles.

    A tile seen from the side has a narrow top edge, so its longer side is the better measure.
    """
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    return np.asarray(sides.max(axis=1, initial=0.0) / 1.33, np.float32)


def _placed(
    centre: NDArray[np.float64], angle: float, scale: float, size: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return (2, 3) from a picture to a window, slightly stretched and perhaps mirrored."""
    turn = cv2.getRotationMatrix2D((float(centre[0]), float(centre[1])), angle, scale)
    matrix = np.asarray(turn, np.float64)
    matrix[:, 2] += size / 2 - centre
    # Some public photos were squeezed to squares.
    spread = OUT_OF_PROPORTION if rng.random() < SQUEEZED else 0.06
    stretch = np.diag([*np.exp(rng.normal(0, spread, 2).clip(-0.7, 0.7))])
    matrix = stretch @ matrix
    if rng.random() < 0.5:
        matrix[0] = [-matrix[0, 0], -matrix[0, 1], size - matrix[0, 2]]
    return np.asarray(matrix)


def _share_inside(corners: NDArray[np.float32], size: int) -> NDArray[np.float32]:
    """Return how much of each tile (n,) lies inside the window, by a grid of points."""
    steps = np.linspace(0.1, 0.9, 5, dtype=np.float32)
    u, v = (grid.ravel()[None, :, None] for grid in np.meshgrid(steps, steps))
    a, b, c, d = (corners[:, i][:, None, :] for i in range(4))
    points = (a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v
    ok = ((points >= 0) & (points < size)).all(axis=2)
    return np.asarray(ok.mean(axis=1), np.float32)


def _boxes_of(corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return (n, 5): a rectangle for each tile, the long side as width, angle in [-45, 135).

    A tile seen obliquely is no rectangle. The smallest rectangle around it would reach far into its
    neighbours, so this one has its middle, area, aspect ratio and mean direction.
    """
    across = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
    down = (corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]) / 2
    area = np.abs(across[:, 0] * down[:, 1] - across[:, 1] * down[:, 0])
    width = np.hypot(*across.T)
    height = np.hypot(*down.T)
    fit = np.sqrt(area / np.maximum(width * height, 1e-6))
    first = np.arctan2(across[:, 1], across[:, 0])
    second = np.arctan2(down[:, 1], down[:, 0]) - np.pi / 2
    skew = (second - first + np.pi / 2) % np.pi - np.pi / 2
    angle = first + skew / 2 + np.where(width < height, np.pi / 2, 0.0)
    long, short = np.maximum(width, height) * fit, np.minimum(width, height) * fit
    angle = (angle + np.pi / 4) % np.pi - np.pi / 4
    return np.stack([*corners.mean(axis=1).T, long, short, angle], axis=1).astype(np.float32)


def _spoil(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Add light, colour, blur, noise and compression as cameras make them."""
    if rng.random() < POOR:
        image = poorly_taken(image, rng)
    gain = np.exp(rng.normal(0, 0.18) + rng.normal(0, 0.07, 3))[None]
    shift = rng.normal(0, 10)
    levels = np.clip(np.arange(256)[:, None] * gain + shift, 0, 255).astype(np.uint8)
    out = np.asarray(cv2.LUT(image, levels[:, None]), np.uint8)
    if rng.random() < 0.1:
        out = np.repeat(out.mean(axis=2, keepdims=True).astype(np.uint8), 3, axis=2)
    if rng.random() < 0.3:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.3, 1.6))), np.uint8)
    if rng.random() < 0.3:
        noise = rng.integers(-16, 17, out.shape, np.int16) * rng.uniform(0.1, 1.2)
        out = np.clip(out + noise, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 90))]
        out = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", out, quality)[1], cv2.IMREAD_COLOR), np.uint8
        )
    return out


def poorly_taken(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A webcam's picture: few pixels, out of focus, burnt out or dim and noisy, hard packed."""
    size = image.shape[1::-1]
    luck = rng.random(5)
    out = image
    if luck[0] < 0.6:
        share = float(np.exp(-rng.uniform(0.1, 1.1)))
        out = np.asarray(
            cv2.resize(out, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8
        )
    if luck[1] < 0.4:
        side = 2 * int(rng.integers(1, 4)) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)).astype(np.float32)
        out = np.asarray(cv2.filter2D(out, -1, disc / disc.sum()), np.uint8)
    light = out.astype(np.float32)
    if luck[2] < 0.3:
        light = light * np.float32(rng.uniform(1.3, 2.2))
    elif luck[2] < 0.6:
        light = light * np.float32(rng.uniform(0.2, 0.6))
    if luck[3] < 0.5:
        grain = rng.standard_normal(light.shape, np.float32)
        light += grain * np.float32(rng.uniform(3, 22))
    out = np.asarray(light.clip(0, 255), np.uint8)
    if luck[4] < 0.5:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(15, 50))]
        packed = cv2.imencode(".jpg", out, quality)[1]
        out = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return np.asarray(cv2.resize(out, size, interpolation=cv2.INTER_LINEAR), np.uint8)
