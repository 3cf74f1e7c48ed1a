"""Augment the pictures of a profile: turned, shifted, small, and in other light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes, Doubles, Floats, Ints
from vision.tile_set.profile import PATCH_MARGIN, PATCH_PX, Profile
from vision.tiles.rectify import CROP_PX, MARGIN, rectify

WIDTHS_PX: Final = (48, 40, 32, 26, 22, 18, 14)
"""Tried tile widths, because a distant tile shows less than one laid out near the camera."""
SPREAD: Final = 0.045
SPREAD_RAD: Final = 0.09
"""Measured errors of the finder's outlines, in sides of the tile and in radians."""
PLAIN: Final = 0.4
"""Share of the copies that keep the light of the picture."""
ACROSS: Final = 0.12
"""Share of the copies with an outline that lies across the tile, because the finder may take rows
of dots or sticks for the sides of a tile."""
COVERED: Final = 0.2
"""Share of the copies of which something covers an edge."""
_SQUARE: Final = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


@dataclass(frozen=True)
class CopyPlan:
    """How many copies are made of a set, and how far they differ from its pictures."""

    of_a_face: int
    """Copies of each face, however many pictures it has."""
    wear: float
    """Strength of light and colour."""
    seed: int


TO_LEARN: Final = CopyPlan(of_a_face=96, wear=1.4, seed=1)
TO_CHECK: Final = CopyPlan(of_a_face=24, wear=2.0, seed=2)
"""Copies that are worn more than those learnt from."""


def copies_of(profile: Profile, plan: CopyPlan = TO_LEARN) -> tuple[Bytes, Ints]:
    """The recogniser's crops (k, 64, 48, 3) of a profile's pictures, with their faces (k,)."""
    rng = np.random.default_rng(plan.seed)
    crops: list[Bytes] = []
    faces: list[int] = []
    for face in np.unique(profile.faces):
        patches = profile.patches_bgr[profile.faces == face]
        for copy in range(plan.of_a_face):
            crop = _aside(patches[copy % len(patches)], rng)
            if rng.random() < COVERED:
                _cover(crop, rng)
            crops.append(crop if rng.random() < PLAIN else _in_other_light(crop, plan.wear, rng))
            faces.append(int(face))
    return np.stack(crops), np.array(faces, np.int64)


def _aside(patch: Bytes, rng: np.random.Generator) -> Bytes:
    """Cut with an inexact outline, and from a distance."""
    share = PATCH_MARGIN / (1 + 2 * PATCH_MARGIN)
    size = np.array(PATCH_PX) * (1 - 2 * share)
    if rng.random() < ACROSS:
        quad = _outline_across(size, rng)
    else:
        quad = _SQUARE * size * np.exp(rng.normal(0, SPREAD, 2))
    angle = rng.normal(0, SPREAD_RAD)
    quad = quad @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    quad += np.array(PATCH_PX) / 2 + rng.normal(0, SPREAD, 2) * size
    crop = rectify(patch, quad.astype(np.float32), CROP_PX, MARGIN)
    width_px = int(rng.choice(WIDTHS_PX))
    if width_px < CROP_PX[0]:
        small = (width_px, round(width_px * CROP_PX[1] / CROP_PX[0]))
        shrunk = cv2.resize(crop, small, interpolation=cv2.INTER_AREA)
        crop = np.asarray(cv2.resize(shrunk, CROP_PX), np.uint8)
    return crop


def _outline_across(size: Doubles, rng: np.random.Generator) -> Doubles:
    """(4, 2): an outline as long as the tile is wide, somewhere between its top and bottom."""
    long = size[0] * np.exp(rng.normal(0, SPREAD))
    high = long * CROP_PX[0] / CROP_PX[1]
    quad = np.roll(_SQUARE * np.array([long, high]), -1, axis=0)
    return np.asarray(quad + np.array([0, rng.uniform(-0.5, 0.5) * (size[1] - high)]))


def _cover(crop: Bytes, rng: np.random.Generator) -> None:
    """Paint a strip of one side over."""
    view = np.rot90(crop, int(rng.integers(4)))
    view[: round(view.shape[0] * rng.uniform(0.05, 0.3))] = rng.integers(0, 255, 3)


def _in_other_light(crop: Bytes, wear: float, rng: np.random.Generator) -> Bytes:
    """Blur, shift the brightness and colours, add reflections and noise."""
    seen = crop.astype(np.float32)
    if rng.random() < 0.6:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.5, 2.6)), np.float32)
    if rng.random() < 0.25:
        seen = np.asarray(cv2.filter2D(seen, -1, _streak(rng)), np.float32)
    seen = seen * np.exp(wear * (rng.normal(0, 0.12, 3) + rng.normal(0, 0.25))).astype(np.float32)
    if rng.random() < 0.3:
        seen += rng.uniform(0, 90)
    if rng.random() < 0.25:  # burnt out
        seen *= rng.uniform(1.1, 1.7)
    if rng.random() < 0.3:  # a reflection that grows to one side
        side = np.rot90(seen, int(rng.integers(4)))
        side += np.linspace(0, rng.uniform(0, 120), len(side), dtype=np.float32)[:, None, None]
    if rng.random() < 0.08:
        seen[:] = seen.mean(axis=2, keepdims=True)
    bent = 255 * np.clip(seen / 255, 0, 1) ** np.exp(wear * rng.normal(0, 0.2))
    noisy = bent + rng.normal(0, rng.uniform(0, 8), bent.shape)
    return np.asarray(noisy.clip(0, 255), np.uint8)


def _streak(rng: np.random.Generator) -> Floats:
    """The kernel of a motion blur."""
    length = int(rng.integers(3, 10))
    line = np.zeros((length, length), np.float32)
    line[length // 2] = 1.0
    middle = ((length - 1) / 2, (length - 1) / 2)
    turn = cv2.getRotationMatrix2D(middle, rng.uniform(0, 180), 1)
    turned = np.asarray(cv2.warpAffine(line, turn, (length, length)), np.float32)
    return np.asarray(turned / max(float(turned.sum()), 1e-3), np.float32)
