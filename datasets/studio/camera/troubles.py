"""What arms, lamps and cheap cameras do to a film that is otherwise good."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from studio.camera.sensor import SensorImage, VideoLoss, rows_shifted

PICTURE_PX = 1920.0
"""Amplitudes are pixels of a picture this wide, and are scaled to others."""
ROWS_S = 0.03
"""How long a rolling shutter takes from the first row to the last."""
HAND_HZ: Final = np.array([0.3, 0.7, 1.3, 2.1])
"""Strokes of a hand that holds a camera."""
SHOT_GREY, READ_GREY = 0.006, 0.15
"""At ISO 100: variance of the noise for each grey level of light, and its deviation in the dark."""

TimedPicture = tuple[float, SensorImage]
"""Time in seconds, and the picture taken then."""


@dataclass(frozen=True)
class Trouble:
    """All that is wrong with a camera; by default nothing is."""

    swing_px: float = 0.0
    """How far the picture goes to either side, as on a boom that swings or shakes."""
    swing_hz: float = 0.8
    sway_deg: float = 0.0
    """How far it turns to either side meanwhile."""
    wobble_px: float = 0.0
    """How far single rows go, because a rolling shutter is slower than what shakes the camera."""
    wobble_hz: float = 17.0
    held_px: float = 0.0
    """How far a hand that holds the camera strays; it holds it for ..."""
    held_s: float = 6.0
    held_every_s: float = 15.0
    knock_px: float = 0.0
    """How far a knock moves the picture, at ``at_s``; it turns and grows, too."""
    at_s: float = 20.0
    """When a knock happens or a lamp is switched, from the first picture on."""
    gain: float = 0.0
    """How much brighter and darker an exposure that hunts makes the picture, as a share."""
    gain_hz: float = 1.7
    balance: float = 0.0
    """How much redder and bluer a white balance that hunts makes it, as a share."""
    balance_hz: float = 0.3
    warm: float = 0.0
    """How much redder and less blue the lamp is than daylight, as a share."""
    lamp: float = 0.0
    """How much darker the side of a lamp gets that is switched off at ``at_s``, as a share."""
    cloud: float = 0.0
    """How much darker the shade of a cloud is, or of a projector's picture, as a share."""
    bands: float = 0.0
    """Depth of the bands that a lamp leaves under a rolling shutter, as a share."""
    lamp_hz: float = 100.0
    noise_grey: float = 0.0
    """Standard deviation of the noise."""
    iso: float = 0.0
    """Sensitivity: more means more noise, most of it in bright places."""
    light: float = 1.0
    """Brightness of the room, as a share of the usual one."""
    focus_px: float = 0.0
    """Blur, as a standard deviation, at the worst moment of a focus that hunts."""
    focus_hz: float = 0.2
    barrel: float = 0.0
    """How much nearer to the middle a lens draws the ends of the picture, as a share."""
    exposed_frames: float = 1.0
    """Over how many pictures whatever moves is smeared."""
    dropped: float = 0.0
    """Share of the frames that are lost."""
    slow_s: float = 0.0
    """Longest interval of two pictures, where the frame rate comes and goes."""
    freezes_s: float = 0.0
    """How long the picture stands still, ..."""
    freezes_every_s: float = 10.0
    """... and how often."""
    size: float = 1.0
    """Width and height of the pictures that are sent, as a share."""
    kbit: float = 0.0
    """Size of a compressed picture, in the mean; 0 for no compression."""


GOOD: Final = Trouble()
STRENGTHS: Final = ("mild", "ordinary", "strong")
KINDS: Final[Mapping[str, Mapping[str, tuple[float, float, float]]]] = {
    "swing": {"swing_px": (6, 14, 24), "sway_deg": (0.1, 0.2, 0.4)},
    "vibration": {"swing_px": (1, 2.5, 6), "swing_hz": (7.3, 11.3, 13.7)},
    "wobble": {"wobble_px": (1, 2.5, 6)},
    "hand-held": {"held_px": (8, 20, 40)},
    "knock": {"knock_px": (15, 60, 160)},
    "exposure": {"gain": (0.03, 0.06, 0.15), "warm": (0.05, 0.1, 0.15)},
    "white-balance": {"balance": (0.05, 0.12, 0.25)},
    "flicker": {"bands": (0.03, 0.08, 0.18), "lamp_hz": (100.7, 100.7, 119.6)},
    "lamp": {"lamp": (0.15, 0.35, 0.6)},
    "cloud": {"cloud": (0.1, 0.25, 0.5)},
    "cast": {"warm": (0.1, 0.25, 0.4)},
    "noise": {"iso": (1600, 6400, 12800), "light": (0.8, 0.5, 0.4)},
    "focus": {"focus_px": (1.5, 3, 6)},
    "motion-blur": {"exposed_frames": (2, 3, 5)},
    "drops": {"dropped": (0.1, 0.3, 0.6)},
    "freezes": {"freezes_s": (0.7, 1.5, 3), "freezes_every_s": (12, 12, 12)},
    "frame-rate": {"slow_s": (0.25, 0.4, 0.8)},
    "compression": {"kbit": (60, 30, 15)},
    "half-size": {"size": (0.75, 0.5, 0.4)},
    "lens": {"barrel": (0.02, 0.05, 0.1)},
}
"""Every kind of trouble, and its three strengths."""


def trouble_of(name: str) -> Trouble:
    """Read KIND or KIND:STRENGTH; raises ``ValueError``."""
    kind, _, strength = name.partition(":")
    if kind not in KINDS or (strength or "ordinary") not in STRENGTHS:
        raise ValueError(
            f"no such trouble: {name!r}; expected KIND or KIND:STRENGTH, where KIND is one of "
            f"{', '.join(KINDS)}, and STRENGTH one of {', '.join(STRENGTHS)}"
        )
    at = STRENGTHS.index(strength or "ordinary")
    return Trouble(**{name: values[at] for name, values in KINDS[kind].items()})


def spoilt(
    trouble: Trouble, frames: Iterable[TimedPicture], seed: int = 0
) -> Iterator[TimedPicture]:
    """The frames as this camera sends them; the same seed gives the same ones."""
    camera = TroubledCamera(trouble, seed)
    for time_s, image_bgr in frames:
        sent = camera.send(time_s, image_bgr)
        if sent is not None:
            yield time_s, sent


class TroubledCamera:
    """Takes every picture of a good camera in order, and sends what a poor one would."""

    def __init__(self, trouble: Trouble, seed: int = 0) -> None:
        self._trouble = trouble
        self._rng = np.random.default_rng(seed)
        self._hand = np.random.default_rng([seed, 1]).uniform(0, 2 * np.pi, (3, 4))
        """Phases of a hand's strokes: across, along and turning."""
        self._first_s: float | None = None
        self._sent_s = -np.inf
        self._frozen: SensorImage | None = None
        self._exposures: list[SensorImage] = []
        self._loss: VideoLoss | None = None
        self._lens: tuple[NDArray[np.float32], NDArray[np.float32]] | None = None

    def send(self, time_s: float, image_bgr: SensorImage) -> SensorImage | None:
        """The picture that is sent, or None where none is."""
        trouble = self._trouble
        if self._first_s is None:
            self._first_s = time_s
        lost = self._rng.random() < trouble.dropped
        wait_s = trouble.slow_s * (0.5 + 0.5 * _wave(0.13, time_s))
        if lost or time_s - self._sent_s < wait_s - 1e-6:
            return None
        self._sent_s = time_s
        if self._frozen is None or time_s % trouble.freezes_every_s >= trouble.freezes_s:
            self._frozen = self._taken(time_s, time_s - self._first_s, image_bgr)
        return self._frozen

    def _taken(self, time_s: float, since_s: float, image_bgr: SensorImage) -> SensorImage:
        """One picture, as this camera takes it at this time."""
        trouble = self._trouble
        picture = self._smeared(self._through_lens(image_bgr))
        scale = _scale(picture)
        picture = self._moved(time_s, since_s, picture)
        if trouble.wobble_px:
            shift = _wave(trouble.wobble_hz, _row_times_s(time_s, picture.shape[0]))
            picture = rows_shifted(picture, (trouble.wobble_px * scale * shift).astype(np.float32))
        blur = trouble.focus_px * scale * max(0.0, float(_wave(trouble.focus_hz, time_s)))
        if blur > 0.1:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
        if trouble.size != 1:
            size = sent_size(trouble, (picture.shape[1], picture.shape[0]))
            picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
        picture = self._exposed(time_s, since_s, picture)
        if not trouble.kbit:
            return picture
        self._loss = self._loss or VideoLoss(
            (picture.shape[1], picture.shape[0]), kbit=trouble.kbit
        )
        return self._loss.through(picture)

    def _through_lens(self, image_bgr: SensorImage) -> SensorImage:
        if not self._trouble.barrel:
            return image_bgr
        if self._lens is None:
            height, width = image_bgr.shape[:2]
            y, x = np.mgrid[:height, :width].astype(np.float32)
            x, y = x - width / 2, y - height / 2
            far = (x**2 + y**2) / (width / 2) ** 2
            # Slightly nearer, so that the lens still fills the picture.
            grown = (1 + self._trouble.barrel * far) / (1 + 0.5 * self._trouble.barrel)
            self._lens = x * grown + width / 2, y * grown + height / 2
        seen = cv2.remap(
            image_bgr, *self._lens, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
        )
        return np.asarray(seen, np.uint8)

    def _smeared(self, picture: SensorImage) -> SensorImage:
        frames = round(self._trouble.exposed_frames)
        if frames == 1:
            return picture
        self._exposures = [*self._exposures, picture][-frames:]
        return np.asarray(np.rint(np.mean(self._exposures, axis=0, dtype=np.float32)), np.uint8)

    def _moved(self, time_s: float, since_s: float, picture: SensorImage) -> SensorImage:
        trouble, scale = self._trouble, _scale(picture)
        wave = float(_wave(trouble.swing_hz, time_s))
        # A boom swings more to one side than forth and back.
        along = 0.3 * wave * float(_wave(0.9 * trouble.swing_hz, time_s))
        move = trouble.swing_px * np.array([wave, along])
        turn_deg, grown = trouble.sway_deg * wave, 1.0
        if trouble.held_px and since_s % trouble.held_every_s < trouble.held_s:
            strokes = np.sin(2 * np.pi * time_s * HAND_HZ + self._hand).mean(axis=1)
            move = move + trouble.held_px * strokes[:2]
            turn_deg += trouble.held_px / 20 * strokes[2]
        if since_s >= trouble.at_s:
            move = move + trouble.knock_px * np.array([0.8, 0.6])
            turn_deg, grown = turn_deg + trouble.knock_px / 20, 1 + trouble.knock_px / 2000
        if not (move.any() or turn_deg):
            return picture
        height, width = picture.shape[:2]
        shift = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, grown)
        shift = np.asarray(shift, np.float64) + np.column_stack([np.zeros((2, 2)), move * scale])
        seen = cv2.warpAffine(picture, shift, (width, height), borderMode=cv2.BORDER_REFLECT_101)
        return np.asarray(seen, np.uint8)

    def _exposed(self, time_s: float, since_s: float, picture: SensorImage) -> SensorImage:
        """The picture in this camera's light, with its noise."""
        trouble = self._trouble
        light = self._light(time_s, since_s, *picture.shape[:2])
        noisy = trouble.noise_grey or trouble.iso
        if np.abs(light - 1).max() < 1e-6 and not noisy:
            return picture
        seen = np.asarray(picture * light, np.float32)
        if noisy:
            sensed = trouble.iso / 100
            spread = np.sqrt(
                trouble.noise_grey**2 + (READ_GREY * sensed**0.75) ** 2 + SHOT_GREY * sensed * seen
            )
            seen = seen + self._rng.standard_normal(seen.shape, np.float32) * spread
        return np.clip(seen, 0, 255).astype(np.uint8)

    def _light(self, time_s: float, since_s: float, height: int, width: int) -> NDArray[np.float32]:
        """(height, width or 1, 3): by what each blue, green and red is multiplied."""
        trouble = self._trouble
        rows = 1 + trouble.bands * _wave(trouble.lamp_hz, _row_times_s(time_s, height))
        level = trouble.light * (1 + trouble.gain * float(_wave(trouble.gain_hz, time_s)))
        balance = trouble.warm + trouble.balance * float(_wave(trouble.balance_hz, time_s))
        light = level * rows[:, None, None] * np.array([1 - balance, 1.0, 1 + balance])
        across = np.linspace(0, 1, width)[:, None]
        if trouble.lamp and since_s >= trouble.at_s:
            light = light * (1 - trouble.lamp * (1 - 0.6 * across))
        if trouble.cloud:
            # Its edge goes to and fro over the table, and it comes within two seconds.
            edge = 0.5 + 0.5 * float(_wave(0.07, time_s))
            shade = np.clip((edge - across) / 0.3 + 0.5, 0, 1) * (0.5 + 0.5 * _wave(0.23, time_s))
            light = light * (1 - trouble.cloud * shade)
        return np.asarray(light, np.float32)


def sent_size(trouble: Trouble, size_px: tuple[int, int]) -> tuple[int, int]:
    """Width and height of what is sent, in whole pairs of pixels."""
    width, height = (2 * round(side * trouble.size / 2) for side in size_px)
    return width, height


def _row_times_s(time_s: float, height: int) -> NDArray[np.float64]:
    return np.asarray(time_s + ROWS_S * np.arange(height) / height)


def _scale(image_bgr: SensorImage) -> float:
    return int(image_bgr.shape[1]) / PICTURE_PX


def _wave(hz: float, time_s: float | NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(np.sin(2 * np.pi * hz * np.asarray(time_s)))
