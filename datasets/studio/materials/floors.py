"""Patterns of floors: boards, parquet, terrazzo, carpet."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.materials.appearance import Colour, Sheet
from studio.materials.patterns import felt, noise, weave
from studio.scene import triple

SIDE_PX = 512


def random_floor(rng: np.random.Generator) -> tuple[Colour, Sheet]:
    """Draw a colour and the pattern that multiplies it."""
    kind = rng.random()
    brown = np.array([0.5, 0.29, 0.15]) * rng.uniform(0.12, 1.3) * rng.uniform(0.85, 1.15, 3)
    if kind < 0.4:
        return _colour(brown), Sheet(_boards(rng), float(rng.uniform(700, 1500)))
    if kind < 0.5:
        return _colour(brown), Sheet(_parquet(rng), float(rng.uniform(500, 1200)))
    grey = np.full(3, rng.uniform(0.03, 0.7)) * rng.uniform(0.9, 1.1, 3)
    if kind < 0.65:
        return _colour(grey), Sheet(_stone(rng), float(rng.uniform(700, 1600)))
    if kind < 0.8:
        return _colour(grey), Sheet(weave(rng), float(rng.uniform(400, 1600)))
    return _colour(rng.uniform(0.02, 0.4, 3)), Sheet(felt(rng), float(rng.uniform(150, 500)))


def _colour(values: NDArray[np.float64]) -> Colour:
    return triple(np.clip(values, 0.01, 0.85))


def _boards(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw boards side by side, each with its own tone and ends."""
    sheet = np.ones((SIDE_PX, SIDE_PX))
    count = int(rng.integers(4, 11))
    edges = np.linspace(0, SIDE_PX, count + 1).astype(int)
    spread, seam = rng.uniform(0.02, 0.16), rng.uniform(0.35, 0.9)
    for low, high in pairwise(edges):
        cuts = np.sort(rng.integers(0, SIDE_PX, int(rng.integers(1, 3))))
        for start, end in zip(cuts, [*cuts[1:], cuts[0] + SIDE_PX], strict=True):
            places = np.arange(start, end) % SIDE_PX
            sheet[low:high, places] = 0.85 + rng.normal(0, spread)
            sheet[low:high, places[:2]] *= seam
        sheet[low : low + 2] *= seam
    grain = _large(noise(rng, float(rng.uniform(8, 25)), 1.0))
    return _finished(rng, sheet * (1 + rng.uniform(0.02, 0.12) * grain))


def _parquet(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw squares of short boards, every other square turned."""
    count, boards = int(rng.choice([2, 4])), int(rng.integers(3, 7))
    side = SIDE_PX // count
    sheet = np.ones((SIDE_PX, SIDE_PX))
    for row in range(count):
        for column in range(count):
            tones = 0.85 + rng.normal(0, 0.1, boards)
            tile = np.repeat(tones, -(-side // boards))[:side, None] * np.ones((1, side))
            tile[np.arange(0, side, -(-side // boards))] *= 0.6
            tile = tile if (row + column) % 2 else tile.T
            sheet[row * side : (row + 1) * side, column * side : (column + 1) * side] = tile
    return _finished(rng, sheet * (1 + 0.04 * _large(noise(rng, 4.0, 1.0))))


def _stone(rng: np.random.Generator) -> NDArray[np.uint8]:
    """Draw terrazzo: chips of many sizes."""
    sheet = np.full((SIDE_PX, SIDE_PX, 3), 215, np.uint8)
    for _ in range(int(rng.integers(60, 500))):
        middle, size = rng.integers(12, SIDE_PX - 12, 2), rng.uniform(2, 12)
        turns = np.sort(rng.uniform(0, 2 * np.pi, 5))
        chip = middle + size * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        colour = [int(tone) for tone in rng.integers(60, 255, 3)]
        cv2.fillConvexPoly(sheet, chip.astype(np.int32), colour, cv2.LINE_AA)
    return sheet


def _large(cloud: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(cv2.resize(cloud, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC))


def _finished(rng: np.random.Generator, tone: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return a warm white sheet of these tones, with its boards across or down."""
    turned = tone if rng.random() < 0.5 else tone.T
    warm = np.clip(turned, 0.1, 1.0)[..., None] ** np.array([0.9, 1.0, 1.15])
    return np.ascontiguousarray(warm * 255, np.uint8)
