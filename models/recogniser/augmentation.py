"""Training samples for the recogniser: augmented windows of patches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from recogniser.data import NONSENSE, PATCH_H, PATCH_W, TILE_H, TILE_W, Image, Patches

from vision.tiles.classes import FACE_INDEX
from vision.tiles.rectify import CROP_PX, MARGIN

INPUT_W, INPUT_H = CROP_PX
_CORNERS = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
LOOSENESS = (1.0, 2.0, 2.5)  # how badly windows are placed: as usual, in rows, in hands on film
LOOSENESS_SHARES = (0.64, 0.28, 0.08)
RAIL = 0.5  # share of the covered edges that are hidden as a rail or a hand hides them
OFTEN = {"5z": 2.0, "1f": 1.6, "9p": 1.6, "1s": 1.3}  # faces that real pictures leave in doubt
_OUT = _CORNERS * np.array(CROP_PX, np.float32)
_YX = np.array(np.mgrid[0:INPUT_H, 0:INPUT_W], np.float32) / INPUT_H - 0.5


@dataclass(frozen=True, eq=False)
class Batch:
    inputs: Image
    """(n, INPUT_H, INPUT_W, 3), RGB."""
    faces: NDArray[np.int64]
    """(n,) indices into ``FACES``, or ``NONSENSE``."""
    first: NDArray[np.int64]
    """(n,) the corner of the crop at the tile's own top left, 0..3; -1 if unknown."""
    outlines: NDArray[np.float32]
    """(n, 8) the tile's corners, as in RecogniserNet; 0 where ``first`` is -1."""


class Sampler:
    """Draws batches from several sources by their shares; the seed fixes the sequence."""

    def __init__(
        self, sources: Sequence[Patches], shares: Sequence[float], seed: int, nonsense: float = 0.08
    ) -> None:
        self._sources = sources
        self._shares = np.array(shares) / np.sum(shares)
        self._rng = np.random.default_rng(seed)
        self._nonsense = nonsense
        # Rare classes are drawn more often, by the root of their rarity.
        self._weights = []
        for source in sources:
            count = np.bincount(source.faces - NONSENSE, minlength=40).clip(1)
            often = np.ones(len(count))
            for face, times in OFTEN.items():
                often[FACE_INDEX[face] - NONSENSE] = times
            weight = (often / np.sqrt(count))[source.faces - NONSENSE]
            self._weights.append(np.cumsum(weight / weight.sum()))

    def batch(self, size: int) -> Batch:
        rng = self._rng
        inputs = np.empty((size, INPUT_H, INPUT_W, 3), np.uint8)
        faces, first = np.empty(size, np.int64), np.empty(size, np.int64)
        outlines = np.zeros((size, 8), np.float32)
        for i, which in enumerate(rng.choice(len(self._sources), size, p=self._shares)):
            source, weights = self._sources[which], self._weights[which]
            row = min(int(np.searchsorted(weights, rng.random())), len(source) - 1)
            face = int(source.faces[row])
            if rng.random() < self._nonsense:
                window, quarter, face = no_single_tile(source.images[row], rng), 0, NONSENSE
            else:
                window, quarter, outline = _window(source.images[row], rng)
            inputs[i] = worn(window, rng)[:, :, ::-1]
            faces[i] = face
            first[i] = quarter if source.upright[row] and face != NONSENSE else -1
            if first[i] >= 0:
                outlines[i] = outline
        return Batch(inputs, faces, first, outlines)


def view(image: Image, first: int = 0) -> Image:
    """Return the input (RGB) that the reader would cut from a perfect outline."""
    return np.asarray(_cut(image, _middle(1 + 2 * MARGIN, 1 + 2 * MARGIN), first)[:, :, ::-1])


def _middle(wide: float, high: float) -> NDArray[np.float32]:
    size = np.array([TILE_W * wide, TILE_H * high])
    quad = (_CORNERS - 0.5) * size + np.array([PATCH_W / 2, PATCH_H / 2])
    return np.asarray(quad, np.float32)


def _cut(image: Image, quad: NDArray[np.float32], first: int) -> Image:
    warp = _warp(quad, first)
    cut = cv2.warpPerspective(image, warp, CROP_PX, borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(cut, np.uint8)


def _warp(quad: NDArray[np.float32], first: int) -> NDArray[np.float64]:
    # Rolled by ``first``, the tile's own top left is at that corner of the crop.
    rolled = np.roll(quad.astype(np.float32), first, axis=0)
    return np.asarray(cv2.getPerspectiveTransform(rolled, _OUT), np.float64)


def _window(image: Image, rng: np.random.Generator) -> tuple[Image, int, NDArray[np.float32]]:
    """Return a window of an imperfect finder, its quarter turns, and the tile's corners."""
    # Nine of ten of the finder's outlines are off by 5 % of a tile; the rest may be far off.
    loose = float(rng.choice(LOOSENESS, p=LOOSENESS_SHARES))
    scale = (1 + 2 * MARGIN) * np.exp(loose * rng.normal(0, 0.06, 2).clip(-0.13, 0.13))
    quad = _middle(*scale)
    angle = np.radians(loose * rng.normal(0, 3.5))
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    centre = quad.mean(0)
    moved = (quad - centre) @ turn + centre
    moved += loose * rng.normal(0, 0.03, 2).clip(-0.08, 0.08) * (TILE_W, TILE_H)
    if rng.random() < 0.5:
        moved += loose * rng.normal(0, 0.02, (4, 2)) * (TILE_W, TILE_H)
    quarter = int(rng.choice(4, p=[0.44, 0.07, 0.42, 0.07]))
    quad = np.asarray(moved, np.float32)
    return _cut(image, quad, quarter), quarter, _outline(quad, quarter)


def _outline(quad: NDArray[np.float32], first: int) -> NDArray[np.float32]:
    """Return the offsets (8,) of the tile's corners from their perfect places in the window."""
    tile = np.roll(_middle(1.0, 1.0), first, axis=0)
    there = cv2.perspectiveTransform(tile[None], _warp(quad, first))[0] / CROP_PX
    perfect = (_CORNERS + MARGIN) / (1 + 2 * MARGIN)
    return np.asarray(there - perfect, np.float32).ravel()


def no_single_tile(image: Image, rng: np.random.Generator) -> Image:
    """Return half a tile with half of what is beside it, a part, or one of which half is hidden."""
    luck, side = rng.random(), np.array([TILE_W, TILE_H])
    if luck < 0.2:
        window = _cut(image, _middle(1 + 2 * MARGIN, 1 + 2 * MARGIN), int(rng.integers(4)))
        return _behind(window, rng, rng.uniform(0.5, 0.65), _cover_colour(window, rng))
    if luck < 0.45:
        angle = rng.uniform(0, 2 * np.pi)
        far = np.array([np.cos(angle), np.sin(angle)])
        quad = _middle(1.0, 1.0) + far / np.abs(far).max() * rng.uniform(0.48, 0.7) * side
    elif luck < 0.74:  # half of a 4p must not be a sure 2p
        share, across = rng.uniform(0.45, 0.72), np.roll([1, 0], int(rng.integers(2)))
        shown = 1 - (1 - share) * across
        quad = _middle(*shown) + rng.choice([-0.5, 0.5]) * (1 - share) * across * side
    else:
        quad = _middle(*rng.uniform(0.2, 0.4, 2)) + rng.uniform(-0.5, 0.5, 2) * side
    return _cut(image, np.asarray(quad, np.float32), int(rng.integers(4)))


def worn(window: Image, rng: np.random.Generator) -> Image:
    """Add light, colour, blur, noise and compression of a real picture."""
    luck = rng.random(8)
    if luck[0] < 0.2:
        window = _covered(window, rng)
    if luck[1] < 0.25:
        window = _blurred(window, rng)
    wide = INPUT_W if luck[3] < 0.35 else int(INPUT_W * np.exp(-rng.uniform(0, 1.23)))
    size = (wide, max(8, round(wide * INPUT_H / INPUT_W)))
    if wide < INPUT_W - 2:
        window = np.asarray(cv2.resize(window, size, interpolation=cv2.INTER_AREA), np.uint8)
    else:
        size = CROP_PX
    light = window.astype(np.float32)
    light *= np.exp(rng.normal(0, 0.09, 3) + rng.normal(-0.05, 0.25)).astype(np.float32)
    if luck[4] < 0.5:
        mean = light.mean()
        light = (light - mean) * np.float32(np.exp(rng.normal(-0.1, 0.25))) + mean
        light += np.float32(rng.normal(0, 12))
    if luck[2] < 0.12:  # a lamp's reflection veils the whole face
        veil = np.float32(rng.uniform(0.15, 0.7))
        light = light * (1 - veil) + np.float32(rng.uniform(170, 255)) * veil
    elif luck[2] < 0.2:  # hardly any light
        light *= np.float32(rng.uniform(0.2, 0.6))
    elif luck[2] < 0.26:  # the whites are blown out, and thin lines with them
        light = light.clip(0, 255) * np.float32(rng.uniform(1.3, 2.0))
    if luck[5] < 0.35:  # uneven light, or glare
        slope = rng.normal(0, 0.35, 2).astype(np.float32)
        light *= 1 + cv2.resize(slope[0] * _YX[0] + slope[1] * _YX[1], size)[..., None]
        if luck[6] < 0.35:
            spot = rng.uniform(-0.5, 0.5, 2).astype(np.float32)
            far = (_YX[0] - spot[0]) ** 2 + (_YX[1] - spot[1]) ** 2
            glare = np.exp(-far / np.float32(rng.uniform(0.01, 0.12))) * rng.uniform(30, 200)
            light += cv2.resize(glare.astype(np.float32), size)[..., None]
    if luck[6] > 0.4:
        light += rng.standard_normal(light.shape, np.float32) * np.float32(rng.uniform(1, 12))
    window = np.asarray(light.clip(0, 255), np.uint8)
    if luck[7] < 0.4:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 92))]
        _, packed = cv2.imencode(".jpg", window, quality)
        window = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    if size != CROP_PX:
        window = np.asarray(cv2.resize(window, CROP_PX), np.uint8)
    return window


def _covered(window: Image, rng: np.random.Generator) -> Image:
    """Cover an edge or a corner: a finger, a neighbour, a rail, a sleeve."""
    colour = _cover_colour(window, rng)
    if rng.random() < 0.5:
        if rng.random() < RAIL:
            return _behind(window, rng, rng.uniform(0.22, 0.42), colour)
        depth, turns = rng.uniform(0.04, 0.22), int(rng.integers(4))
        sides = np.rot90(window, turns).copy()
        sides[: int(depth * sides.shape[0])] = colour.clip(0, 255)
        return np.ascontiguousarray(np.rot90(sides, -turns))
    out = window.copy()
    angle = rng.uniform(0, 2 * np.pi)
    ahead = np.array([np.cos(angle), np.sin(angle)])
    thick = rng.uniform(0.15, 0.45) * INPUT_W
    middle = np.array([INPUT_W, INPUT_H]) / 2
    # The tip reaches in from the edge by up to a quarter of the tile.
    tip = middle + ahead * (np.abs(ahead) @ middle * rng.uniform(0.75, 1.1))
    ends = [tuple(int(v) for v in tip + ahead * (thick / 2 + far)) for far in (0.0, 99.0)]
    tones = tuple(float(tone) for tone in colour.clip(0, 255))
    cv2.line(out, ends[0], ends[1], tones, max(2, int(thick)), cv2.LINE_AA)
    return out


def _cover_colour(window: Image, rng: np.random.Generator) -> NDArray[np.float64]:
    if (luck := rng.random()) < 0.4:  # skin, from pale to dark
        return np.array([150, 180, 225]) * rng.uniform(0.25, 1.05) * rng.uniform(0.85, 1.1, 3)
    if luck < 0.65:
        return np.asarray(window[rng.integers(INPUT_H), 0].astype(float))
    return rng.uniform(0, 255, 3)


def _behind(
    window: Image, rng: np.random.Generator, depth: float, colour: NDArray[np.float64]
) -> Image:
    """Hide the share ``depth`` at one short side behind a shaded edge that lies askew."""
    edge = (depth + rng.normal(0, 0.06) * (_YX[1] * INPUT_H / INPUT_W)) * INPUT_H
    rows = (_YX[0] + 0.5) * INPUT_H
    shade = 1 + rng.normal(0, 0.25) * _YX[0] + rng.normal(0, 0.25) * _YX[1]
    share = (edge - rows).clip(0, 1)[..., None]
    hidden = window * (1 - share) + (colour * shade[..., None]).clip(0, 255) * share
    over = np.asarray(hidden, np.uint8)
    return over if rng.random() < 0.3 else np.ascontiguousarray(over[::-1])


def _blurred(window: Image, rng: np.random.Generator) -> Image:
    """Blur by defocus or motion."""
    if rng.random() < 0.6:
        return np.asarray(cv2.GaussianBlur(window, (0, 0), rng.uniform(0.4, 1.8)), np.uint8)
    kernel = np.zeros((15, 15), np.float32)
    angle, half = rng.uniform(0, np.pi), min(7.0, rng.exponential(3) + 0.5)
    step = np.array([np.cos(angle), np.sin(angle)]) * half
    ends = [np.round(16 * (7 + sign * step)).astype(int).tolist() for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(window, -1, kernel / max(float(kernel.sum()), 1e-3)), np.uint8)
