"""Patches composed from pictures of single faces: photos, drawings, or glyphs of a tile font."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from recogniser.data import EDGE_X, EDGE_Y, PATCH_H, PATCH_W, TILE_H, TILE_W, Image, Patches

from engine.tiles import Tile
from studio.faces.photos import labelled_faces
from vision.tiles.classes import FACE_INDEX, face_class

_WIND_FIRST = ["1z", "2z", "3z", "4z", "7z", "6z", "5z"]
GLYPHS = (
    *_WIND_FIRST,
    *(f"{rank}{suit}" for suit in "msp" for rank in range(1, 10)),
    *(f"{rank}f" for rank in (5, 6, 7, 8, 1, 2, 3, 4)),
)
"""The tiles of the Unicode block at U+1F000, in its order."""


SIGNS = {"1z": "E", "2z": "S", "3z": "W", "4z": "N", "5z": "P", "6z": "F", "7z": "C"}
_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
)
HEIGHT, WIDTH = 160, 120


def _floats(values: object) -> NDArray[np.float32]:
    return np.asarray(values, np.float32)


@dataclass(frozen=True, eq=False)
class FacePicture:
    """One face: colour (h, w, 3) BGR, and coverage of the body (h, w), 0..1."""

    tile: str
    style: str
    colour: Image
    cover: NDArray[np.float32]


def photographed(folder: Path) -> list[FacePicture]:
    """Read the face photos of a folder with its ``faces.json``; each is its own style."""
    faces = []
    for row in labelled_faces(folder):
        image = cv2.imread(str(folder / row["file"]))
        if image is not None:
            small = np.asarray(
                cv2.resize(image, (120, 160), interpolation=cv2.INTER_AREA), np.uint8
            )
            faces.append(
                FacePicture(row["tile"], row["file"], small, np.ones((160, 120), np.float32))
            )
    return faces


def pictures(folder: Path, style: str, names: Mapping[str, str]) -> list[FacePicture]:
    """Read faces from PNG files named ``names[tile]``.png, transparent or with the body drawn."""
    faces = []
    for tile, name in names.items():
        image = cv2.imread(str(folder / f"{name}.png"), cv2.IMREAD_UNCHANGED)
        if image is None:
            continue
        image = cv2.resize(image, (120, 160), interpolation=cv2.INTER_AREA)
        cover = np.ones(image.shape[:2], np.float32)
        if image.shape[2] == 4:
            cover = image[:, :, 3].astype(np.float32) / 255
        faces.append(FacePicture(tile, style, np.asarray(image[:, :, :3], np.uint8), cover))
    return faces


def font_faces(font_file: Path, rng: np.random.Generator, count: int) -> Iterator[FacePicture]:
    """Yield ``count`` sets of coloured glyphs of a tile font."""
    from PIL import Image as Pillow
    from PIL import ImageDraw, ImageFont

    font = ImageFont.truetype(str(font_file), 200)
    inks: dict[str, NDArray[np.float32]] = {}
    for place, tile in enumerate(GLYPHS):
        canvas = Pillow.new("L", (300, 300), 0)
        ImageDraw.Draw(canvas).text((60, 20), chr(0x1F000 + place), fill=255, font=font)
        ink = _floats(np.asarray(canvas, np.float32) / 255)
        ys, xs = np.nonzero(ink > 0.5)
        ink = ink[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
        # The glyph includes the tile's frame; only its inside is the face.
        ey, ex = round(ink.shape[0] * 0.065), round(ink.shape[1] * 0.085)
        glyph = cv2.resize(ink[ey:-ey, ex:-ex], (120, 160), interpolation=cv2.INTER_AREA)
        inks[tile] = _floats(glyph)
    for _ in range(count):
        dark = {s: _ink(rng, "m") for s in "mpszf"}
        for tile, ink in inks.items():
            for code in (tile, f"0{tile[1]}") if tile in ("5m", "5p", "5s") else (tile,):
                colour = np.empty((160, 120, 3), np.float32)
                colour[:] = dark[tile[1]] if tile not in ("6z", "7z") else _ink(rng, tile[0])
                if code[0] == "0":
                    colour[:] = _ink(rng, "7")
                elif tile[1] == "m":
                    colour[75:] = _ink(rng, "7") if rng.random() < 0.8 else dark["m"]
                elif tile[1] in "psf":
                    for y in range(0, 160, 54):
                        for x in range(0, 120, 40):
                            pick = _ink(rng, str(rng.choice(["6", "7", "m"])))
                            colour[y : y + 54, x : x + 40] = pick
                    if rng.random() < 0.5:
                        colour[:] = _ink(rng, "6" if tile[1] == "s" else "m")
                yield FacePicture(code, font_file.stem, colour.astype(np.uint8), _floats(ink))


def _ink(rng: np.random.Generator, kind: str) -> NDArray[np.float32]:
    """Draw a BGR ink: 6 green, 7 red, otherwise black or blue."""
    if kind == "6":
        return _floats([rng.uniform(10, 90), rng.uniform(70, 150), rng.uniform(0, 60)])
    if kind == "7":
        return _floats([rng.uniform(10, 70), rng.uniform(10, 60), rng.uniform(140, 225)])
    if rng.random() < 0.5:
        return _floats(rng.uniform(10, 60, 3))
    return _floats([rng.uniform(90, 190), rng.uniform(20, 90), rng.uniform(10, 60)])


def compose(faces: list[FacePicture], count: int, grounds: list[Image], seed: int) -> Patches:
    """Lay faces on tiles in simple surroundings: cloth, neighbours, the tile's own side."""
    rng = np.random.default_rng(seed)
    by_class: dict[str, list[int]] = defaultdict(list)
    for place, face in enumerate(faces):
        name = face_class(Tile(face.tile))
        assert name is not None
        by_class[name].append(place)
    names = sorted(by_class)
    images, labels, groups = [], [], []
    for _ in range(count):
        name = names[int(rng.integers(len(names)))]
        face = faces[by_class[name][int(rng.integers(len(by_class[name])))]]
        images.append(_scene(face, faces, grounds, rng))
        labels.append(FACE_INDEX[name])
        groups.append(face.style)
    return Patches(
        np.stack(images), np.array(labels, np.int64), np.ones(count, bool), np.array(groups, "U80")
    )


def _scene(
    face: FacePicture, faces: list[FacePicture], grounds: list[Image], rng: np.random.Generator
) -> Image:
    canvas = np.empty((PATCH_H, PATCH_W, 3), np.uint8)
    if grounds and rng.random() < 0.6:
        sheet = grounds[int(rng.integers(len(grounds)))]
        y, x = rng.integers(sheet.shape[0] - PATCH_H), rng.integers(sheet.shape[1] - PATCH_W)
        tint = rng.uniform(0.3, 1.2, 3)
        canvas[:] = (sheet[y : y + PATCH_H, x : x + PATCH_W] * tint).clip(0, 255)
    else:
        canvas[:] = rng.uniform(0, 255, 3)
    body = _floats([205, 225, 232]) + rng.uniform(-45, 23, 3).astype(np.float32)
    if rng.random() < 0.12:  # a coloured set
        body = rng.uniform(60, 255, 3).astype(np.float32)
    tilt = rng.uniform(-1, 1, 2) * (0.2, 0.4) * (TILE_W, TILE_H)
    round_px = int(rng.integers(2, 11))
    gap = int(rng.integers(0, 5))
    for step in (-1, 1):
        if rng.random() < 0.45:
            other = faces[int(rng.integers(len(faces)))]
            if rng.random() < 0.75:
                _lay(canvas, other, step * (TILE_W + gap), 0, tilt, body, round_px, rng)
            else:
                _lay(canvas, other, 0, step * (TILE_H + gap), tilt, body, round_px, rng)
    _lay(canvas, face, 0, 0, tilt, body, round_px, rng)
    return canvas


def _lay(
    canvas: Image,
    face: FacePicture,
    dx: int,
    dy: int,
    tilt: NDArray[np.float64],
    body: NDArray[np.float32],
    round_px: int,
    rng: np.random.Generator,
) -> None:
    x0, y0 = EDGE_X + dx, EDGE_Y + dy
    shade = body * rng.uniform(0.45, 0.95)
    for part in np.linspace(1, 0, 8):  # the side: the upper face moved along the tilt
        at = np.round([x0 + tilt[0] * part, y0 + tilt[1] * part]).astype(int)
        colour = body if part == 0 else shade
        _rounded(canvas, int(at[0]), int(at[1]), round_px, colour)
    inside = rng.uniform(0.80, 0.97) if face.cover.min() < 0.5 else 0.99
    w, h = round(TILE_W * inside), round(TILE_H * inside)
    cover: NDArray[np.float32] = _floats(
        cv2.resize(face.cover, (w, h), interpolation=cv2.INTER_AREA)
    )
    if face.cover.min() >= 0.5:  # blend a photo into the body so that its corners do not show
        mask = np.zeros((h, w), np.float32)
        mask[2:-2, 2:-2] = 1
        cover = _floats(cover * cv2.GaussianBlur(mask, (0, 0), 1.2))
    paint = np.asarray(cv2.resize(face.colour, (w, h), interpolation=cv2.INTER_AREA), np.uint8)
    x, y = x0 + (TILE_W - w) // 2, y0 + (TILE_H - h) // 2
    top, left = max(0, -y), max(0, -x)
    bottom, right = min(h, PATCH_H - y), min(w, PATCH_W - x)
    if top >= bottom or left >= right:
        return
    there = canvas[y + top : y + bottom, x + left : x + right]
    share = cover[top:bottom, left:right, None]
    there[:] = there * (1 - share) + paint[top:bottom, left:right] * share


def _rounded(canvas: Image, x: int, y: int, radius: int, colour: NDArray[np.float32]) -> None:
    bgr = tuple(float(c) for c in colour.clip(0, 255))
    x1, y1 = x + TILE_W - 1, y + TILE_H - 1
    cv2.rectangle(canvas, (x + radius, y), (x1 - radius, y1), bgr, -1)
    cv2.rectangle(canvas, (x, y + radius), (x1, y1 - radius), bgr, -1)
    for cx in (x + radius, x1 - radius):
        for cy in (y + radius, y1 - radius):
            cv2.circle(canvas, (cx, cy), radius, bgr, -1)


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
