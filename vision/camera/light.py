"""How the light of one grey picture differs from that of another: lamps, bands, exposure."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.arrays import Bytes, Floats

SAMPLES: Final = 160
"""About how many pixels of a row are compared."""
PARTS: Final = 4
"""Into so many parts each way the picture is divided: an arm covers less than half of one."""
DARK, BRIGHT = 12, 245
LEAST_USABLE: Final = 0.2
"""Least share of the picture that must be neither too dark nor too bright to measure a gain."""
FLOOR: Final = 4.0
"""Added to every brightness, so that noise in the dark is no light."""
MOST: Final = 1.5
"""Largest logarithm of a gain; more is another scene."""

LightGain = Floats
"""(h, w): by what each pixel must be multiplied, as a logarithm."""


def light_between(before: Bytes, now: Bytes) -> LightGain | None:
    """The light of a picture against an earlier one; None if it cannot be measured.

    Every row has a gain, because a shutter that rolls past a lamp leaves bands; so has every part,
    because a lamp lights one side more. What moves covers less than half of a row and of a part.
    """
    step = max(1, round(now.shape[1] / SAMPLES))
    one, other = before[::step, ::step], now[::step, ::step]
    usable = (one > DARK) & (one < BRIGHT) & (other < BRIGHT)
    if usable.mean() <= LEAST_USABLE:
        return None
    ratio = np.log((other + np.float32(FLOOR)) / (one + np.float32(FLOOR)))
    if not usable.all():
        np.copyto(ratio, _medians(ratio[usable]), where=~usable)
    rows = _smooth(_medians(ratio)[:, None])
    parts = _of_parts(ratio - rows)
    size = (now.shape[1], now.shape[0])
    light = cv2.resize(rows, size) + cv2.resize(parts, size)
    return np.asarray(np.clip(light, -MOST, MOST), np.float32)


def lit(picture: Bytes, light: LightGain | None) -> Bytes:
    """A picture with this light on it."""
    if light is None:
        return picture
    return np.asarray(np.clip(picture * cv2.exp(light), 0, 255), np.uint8)


def _smooth(rows: Floats) -> Floats:
    """(n, 1): bands are broad, and what lies along a row is not."""
    return np.asarray(cv2.blur(rows.astype(np.float32), (1, 3)), np.float32)


def _medians(values: Floats) -> Floats:
    """(...,): the median along the last axis; half the work of NumPy's."""
    half = values.shape[-1] // 2
    parted = np.partition(values, half, axis=-1)
    upper = parted[..., half]
    if values.shape[-1] % 2:
        return np.asarray(upper)
    return np.asarray((parted[..., :half].max(axis=-1) + upper) / 2)


def _of_parts(values: Floats) -> Floats:
    """(PARTS, PARTS): the median of each part; those of one size are taken at once."""
    down, across = (_alike(side) for side in values.shape)
    return np.block(
        [
            [_medians(_parted(values[rows, columns], high, wide)) for columns, wide in across]
            for rows, high in down
        ]
    )


def _parted(values: Floats, down: int, across: int) -> Floats:
    """(down, across, n): the values of parts of one size."""
    height, width = values.shape
    cut = values.reshape(down, height // down, across, width // across)
    return cut.swapaxes(1, 2).reshape(down, across, -1)


def _alike(size: int) -> list[tuple[slice, int]]:
    """Where the parts of a side lie that have one length, and how many they are."""
    length, longer = divmod(size, PARTS)
    cut = longer * (length + 1)
    both = ((slice(0, cut), longer), (slice(cut, size), PARTS - longer))
    return [(where, count) for where, count in both if count]
