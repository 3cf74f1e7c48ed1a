"""Faces with large Latin numerals: the face is smaller, and the sign stands beside it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray
from recogniser.faces import FacePicture

SIGNS = {"1z": "E", "2z": "S", "3z": "W", "4z": "N", "5z": "P", "6z": "F", "7z": "C"}
_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
)
HEIGHT, WIDTH = 160, 120


def with_numerals(faces: list[FacePicture], seed: int) -> list[FacePicture]:
    """Return the same faces with numerals; sign, place and colour differ from set to set."""
    rng = np.random.default_rng(seed)
    return [_with_sign(face, rng) for face in faces]


def _with_sign(face: FacePicture, rng: np.random.Generator) -> FacePicture:
    rank = "5" if face.tile[0] == "0" else face.tile[0]
    sign = SIGNS.get(face.tile, rank)
    large = rng.uniform(0.22, 0.42) * HEIGHT
    small = rng.uniform(0.58, 0.85)
    w, h = round(WIDTH * small), round(HEIGHT * small)
    photographed = bool(face.cover.min() >= 0.5)
    colour, cover = face.colour, face.cover
    if photographed:  # only the inner part: its own rim would show
        colour, cover = colour[8:-8, 6:-6], cover[8:-8, 6:-6]
    ground = np.percentile(colour.reshape(-1, 3), 70, axis=0)
    out = np.empty((HEIGHT, WIDTH, 3), np.float32)
    out[:] = ground if photographed else 128
    covered = np.full((HEIGHT, WIDTH), float(photographed), np.float32)
    right = rng.random() < 0.5
    spare = WIDTH - w
    x = round(spare * (rng.uniform(0, 0.6) if right else rng.uniform(0.4, 1)))
    y = round((HEIGHT - h) * rng.uniform(0.4, 1))
    part = np.asarray(cv2.resize(colour, (w, h), interpolation=cv2.INTER_AREA), np.float32)
    share = np.asarray(cv2.resize(cover, (w, h), interpolation=cv2.INTER_AREA), np.float32)
    if photographed:
        share = np.zeros((h, w), np.float32)
        share[4:-4, 4:-4] = 1
        share = np.asarray(cv2.GaussianBlur(share, (0, 0), 2), np.float32)
        there = out[y : y + h, x : x + w]
        there[:] = there * (1 - share[..., None]) + part * share[..., None]
    else:
        out[y : y + h, x : x + w] = part
        covered[y : y + h, x : x + w] = share
    mask = _sign(sign, large, right, rng)
    if rng.random() < 0.4:  # again upside down in the opposite corner
        mask = np.maximum(mask, mask[::-1, ::-1])
    ink = _colour(rng)
    out = out * (1 - mask[..., None]) + ink * mask[..., None]
    return FacePicture(
        face.tile,
        f"{face.style}+numeral",
        out.clip(0, 255).astype(np.uint8),
        np.asarray(np.maximum(covered, mask), np.float32),
    )


def _sign(sign: str, height: float, right: bool, rng: np.random.Generator) -> NDArray[np.float32]:
    mask = np.zeros((HEIGHT, WIDTH), np.uint8)
    font = int(rng.choice(_FONTS))
    scale, thick = height / 22, int(rng.integers(2, 7))
    (w, h), _ = cv2.getTextSize(sign, font, scale, thick)
    x = WIDTH - w - int(rng.integers(2, 14)) if right else int(rng.integers(2, 14))
    y = h + int(rng.integers(3, 14))
    cv2.putText(mask, sign, (x, y), font, scale, 255, thick, cv2.LINE_AA)
    return np.asarray(mask / 255, np.float32)


def _colour(rng: np.random.Generator) -> NDArray[np.float32]:
    """Draw a BGR colour: most often red, otherwise black, blue or green."""
    kind = rng.random()
    if kind < 0.55:
        return np.array([rng.uniform(10, 80), rng.uniform(10, 70), rng.uniform(140, 230)], "f4")
    if kind < 0.75:
        return np.asarray(rng.uniform(10, 60, 3), np.float32)
    if kind < 0.9:
        return np.array([rng.uniform(110, 190), rng.uniform(30, 90), rng.uniform(10, 60)], "f4")
    return np.array([rng.uniform(20, 80), rng.uniform(90, 140), rng.uniform(10, 50)], "f4")
