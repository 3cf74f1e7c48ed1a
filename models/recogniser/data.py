"""Tile patches for the recogniser, kept on disk.

A patch shows one tile with its surroundings, rectified so that the tile is always the same
rectangle in the middle. Training samples are augmented windows of patches (windows.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from finder.data import NO_TILE
from numpy.typing import NDArray

from engine.tiles import Tile
from studio.held_out import is_held_out
from vision.tiles.classes import FACE_INDEX, face_class
from vision.tiles.rectify import rectify

Image = NDArray[np.uint8]

TILE_W, TILE_H = 60, 80
PATCH_MARGIN = 0.35
EDGE_X, EDGE_Y = round(TILE_W * PATCH_MARGIN), round(TILE_H * PATCH_MARGIN)
PATCH_W, PATCH_H = TILE_W + 2 * EDGE_X, TILE_H + 2 * EDGE_Y
NONSENSE = -1  # label of a window that shows no single tile; its target is the uniform distribution
_SAME_TURNED = "5z 1p 2p 3p 4p 5p 8p 9p 2s 4s 5s 6s 8s 9s 0p 0s"
SYMMETRIC = frozenset(FACE_INDEX[face] for face in _SAME_TURNED.split(" "))
"""Faces that look the same, or nearly so, when turned by half."""


@dataclass(frozen=True, eq=False)
class Patches:
    """n tiles of one source."""

    images: Image
    """(n, PATCH_H, PATCH_W, 3), BGR."""
    faces: NDArray[np.int64]
    """(n,) indices into ``FACES``, or ``NONSENSE``."""
    upright: NDArray[np.bool_]
    """(n,) whether the face's top is up; otherwise the tile may lie in any direction."""
    groups: NDArray[np.str_]
    """(n,) the photo or style; a group is never on both sides of a split."""

    def __len__(self) -> int:
        return len(self.faces)

    def take(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> Patches:
        return Patches(*(column[rows] for column in vars(self).values()))

    def split(self, share: float) -> tuple[Patches, Patches]:
        """Return (training, held out), by a fixed hash of the group."""
        out = np.array([is_held_out(str(group), share) for group in self.groups])
        return self.take(~out), self.take(out)


def join(parts: Sequence[Patches]) -> Patches:
    return Patches(
        np.concatenate([p.images for p in parts]),
        np.concatenate([p.faces for p in parts]),
        np.concatenate([p.upright for p in parts]),
        np.concatenate([p.groups.astype("U80") for p in parts]),
    )


def patches_of(images: list[Image], faces: list[int], groups: list[str], upright: bool) -> Patches:
    return Patches(
        np.stack(images),
        np.array(faces, np.int64),
        np.full(len(images), upright),
        np.array(groups, "U80"),
    )


def patch(picture: Image, quad: NDArray[np.float32]) -> Image:
    """Return the patch of a tile with outline ``quad`` (4, 2), clockwise from its top left."""
    return rectify(picture, quad, (PATCH_W, PATCH_H), PATCH_MARGIN)


def read_photos(completed: Path) -> Patches:
    """Read the tiles of photos that ``models/complete_photos.py`` has completed.

    Their direction is unknown. What is no tile is nonsense.
    """
    images, faces, groups = [], [], []
    for line in completed.read_text().splitlines():
        row = json.loads(line)
        if row["complete"] and row["held_out"]:
            continue  # the share of the split keeps out fewer of the pictures without tiles
        picture = cv2.imread(row["file"])
        if picture is None:
            continue
        for tile in row["tiles"]:
            quad = np.array(tile["corners"], np.float32)
            nothing = tile["class"] == NO_TILE
            face = None if nothing or tile["class"] < 0 else face_class(Tile(tile["tile"]))
            if not (nothing or face) or np.ptp(quad, axis=0).min() < 10:
                continue
            images.append(patch(np.asarray(picture, np.uint8), quad))
            faces.append(FACE_INDEX[face] if face else NONSENSE)
            groups.append(row["group"])
    return patches_of(images, faces, groups, upright=False)


def read_crops(folder: Path, least_visible: float = 0.75, most: int = 14) -> Patches:
    """Read tiles of rendered pictures (``render.py crops``); backs and standing tiles are nonsense.

    At most ``most`` of each picture, because the tiles of one table look alike.
    """
    images: list[Image] = []
    faces: list[int] = []
    groups: list[str] = []
    rng = np.random.default_rng(1)
    for line in (folder / "labels.jsonl").read_text().splitlines():
        row = json.loads(line)
        picture = cv2.imread(str(folder / row["file"]))
        if picture is None:
            continue
        taken = len(images)
        for place in rng.permutation(len(row["tiles"])):
            if len(images) == taken + most:
                break
            tile = row["tiles"][place]
            quad = np.array(tile["corners"], np.float32)
            side = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
            inside = quad.min() > 0 and (quad.max(0) < (row["width"], row["height"])).all()
            if not inside or side.min() < 10 or tile["visible"] < least_visible:
                continue
            if tile["side"] == "front":  # nobody could read it, but it is a face
                continue
            face = face_class(Tile(tile["tile"])) if tile["side"] == "face" else None
            if face is None and rng.random() > 0.1:
                continue
            images.append(patch(np.asarray(picture, np.uint8), quad))
            faces.append(NONSENSE if face is None else FACE_INDEX[face])
            groups.append(f"{folder.name}-{row['seed']}")
    return patches_of(images, faces, groups, upright=True)


def cached(path: Path, make: Callable[[], Patches]) -> Patches:
    """Read the patches in ``path`` (.npz); the first time, make and save them."""
    if not path.exists():
        made = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part.npz")
        np.savez(part, allow_pickle=False, **vars(made))
        part.replace(path)
        return made
    with np.load(path) as kept:
        return Patches(**kept)


def named_parts(parts: Mapping[str, Patches]) -> dict[str, Patches]:
    """Return the parts that have a face: a few photos may hold none."""
    return {name: part for name, part in parts.items() if (part.faces != NONSENSE).any()}


def with_red_fives(patches: Patches, seed: int = 1) -> Patches:
    """Add plain fives with red ink, as the red five of the same set."""
    rng = np.random.default_rng(seed)
    extra = []
    for face, red in (("5m", "0m"), ("5p", "0p"), ("5s", "0s")):
        rows = np.flatnonzero(patches.faces == FACE_INDEX[face])
        if len(rows):
            some = patches.take(rows)
            images = np.stack([_in_red(image, rng) for image in some.images])
            faces = np.full(len(rows), FACE_INDEX[red])
            extra.append(replace(some, images=images, faces=faces))
    return join([patches, *extra])


def _in_red(image: Image, rng: np.random.Generator) -> Image:
    """Recolour the ink of the middle tile: what is darker or more coloured than its body."""
    ys, xs = slice(EDGE_Y - 2, EDGE_Y + TILE_H + 2), slice(EDGE_X - 2, EDGE_X + TILE_W + 2)
    inner = image[ys, xs].astype(np.float32)
    body = np.percentile(inner.reshape(-1, 3), 75, axis=0).clip(30)
    ink = np.clip((1 - inner / body).max(-1, keepdims=True) * 1.8 - 0.2, 0, 1)
    red = np.array([rng.uniform(20, 70), rng.uniform(15, 60), rng.uniform(150, 230)])
    tone = 0.6 + 0.4 * inner.mean(-1, keepdims=True) / 255
    out = image.copy()
    out[ys, xs] = (inner * (1 - ink) + red * tone * (body.mean() / 220) * ink).clip(0, 255)
    return out
