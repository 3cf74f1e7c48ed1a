"""What arms, lamps and cheap cameras do to a film that is otherwise good."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.camera.sensor import SensorImage

PICTURE_PX = 1920.0
"""Amplitudes are pixels of a picture this wide, and are scaled to others."""
ROWS_S = 0.03
"""How long a rolling shutter takes from the first row to the last."""

TimedPicture = tuple[float, SensorImage]
"""Time in seconds, and the picture taken then."""


@dataclass(frozen=True)
class Trouble:
    """All that is wrong with a camera; by default nothing is."""

    swing_px: float = 0.0
    """How far the picture goes to either side, as on a boom that swings."""
    swing_hz: float = 0.8
    sway_deg: float = 0.0
    """How far it turns to either side meanwhile."""
    gain: float = 0.0
    """How much brighter and darker an exposure that hunts makes the picture, as a share."""
    gain_hz: float = 1.7
    balance: float = 0.0
    """How much redder and bluer a white balance that hunts makes it, as a share."""
    balance_hz: float = 0.3
    warm: float = 0.0
    """How much redder and less blue the lamp is than daylight, as a share."""
    bands: float = 0.0
    """Depth of the bands that a lamp leaves under a rolling shutter, as a share."""
    lamp_hz: float = 100.0
    noise_grey: float = 0.0
    """Standard deviation of the noise."""
    light: float = 1.0
    """Brightness of the room, as a share of the usual one."""
    focus_px: float = 0.0
    """Blur, as a standard deviation, at the worst moment of a focus that hunts."""
    focus_hz: float = 0.2
    dropped: float = 0.0
    """Share of the frames that are lost."""
    freezes_s: float = 0.0
    """How long the picture stands still, ..."""
    freezes_every_s: float = 10.0
    """... and how often."""


def spoilt(
    trouble: Trouble, frames: Iterable[TimedPicture], seed: int = 0
) -> Iterator[TimedPicture]:
    """The frames as this camera sends them; the same seed gives the same ones."""
    rng = np.random.default_rng(seed)
    frozen: SensorImage | None = None
    for time_s, image_bgr in frames:
        if rng.random() < trouble.dropped:
            continue
        if frozen is None or time_s % trouble.freezes_every_s >= trouble.freezes_s:
            frozen = taken(trouble, time_s, image_bgr, rng)
        yield time_s, frozen


def taken(
    trouble: Trouble, time_s: float, image_bgr: SensorImage, rng: np.random.Generator
) -> SensorImage:
    """One picture, as this camera takes it at this time."""
    image_bgr = _swung(trouble, time_s, image_bgr)
    blur = trouble.focus_px * _scale(image_bgr) * max(0.0, _wave(trouble.focus_hz, time_s))
    if blur > 0.1:
        image_bgr = np.asarray(cv2.GaussianBlur(image_bgr, (0, 0), blur), np.uint8)
    rows = _light(trouble, time_s, image_bgr.shape[0])
    if np.abs(rows - 1).max() < 1e-6 and not trouble.noise_grey:
        return image_bgr
    picture = np.asarray(image_bgr * rows, np.float32)
    if trouble.noise_grey:
        grain = rng.standard_normal(picture.shape, np.float32)
        picture = picture + grain * np.float32(trouble.noise_grey)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _swung(trouble: Trouble, time_s: float, image_bgr: SensorImage) -> SensorImage:
    if not trouble.swing_px and not trouble.sway_deg:
        return image_bgr
    height, width = image_bgr.shape[:2]
    wave = _wave(trouble.swing_hz, time_s)
    middle = (width / 2, height / 2)
    move = np.asarray(cv2.getRotationMatrix2D(middle, trouble.sway_deg * wave, 1.0), np.float64)
    # A boom swings more to one side than forth and back.
    across = trouble.swing_px * _scale(image_bgr)
    along = 0.3 * across * _wave(0.9 * trouble.swing_hz, time_s)
    move = move + np.array([[0, 0, across * wave], [0, 0, along]])
    moved = cv2.warpAffine(image_bgr, move, (width, height), borderMode=cv2.BORDER_REFLECT_101)
    return np.asarray(moved, np.uint8)


def _light(trouble: Trouble, time_s: float, height: int) -> NDArray[np.float64]:
    """(height, 1, 3): by what each row's blue, green and red are multiplied."""
    times_s = time_s + ROWS_S * np.arange(height) / height
    rows = 1 + trouble.bands * np.sin(2 * np.pi * trouble.lamp_hz * times_s)
    level = trouble.light * (1 + trouble.gain * _wave(trouble.gain_hz, time_s))
    balance = trouble.warm + trouble.balance * _wave(trouble.balance_hz, time_s)
    colours = np.array([1 - balance, 1.0, 1 + balance])
    return np.asarray(level * rows[:, None, None] * colours)


def _scale(image_bgr: SensorImage) -> float:
    return int(image_bgr.shape[1]) / PICTURE_PX


def _wave(hz: float, time_s: float) -> float:
    return float(np.sin(2 * np.pi * hz * time_s))
