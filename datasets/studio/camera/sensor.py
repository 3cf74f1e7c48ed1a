"""Faults of lenses, shutters and sensors, in single pictures and in films."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

import av
import cv2
import numpy as np
from numpy.typing import NDArray

SensorImage = NDArray[np.uint8]  # (H, W, 3) BGR
LinearPicture = NDArray[np.float32]  # (H, W, 3) BGR on its way through lens and sensor
Developed = TypeVar("Developed", SensorImage, LinearPicture)
VIDEO_SHARE = 0.2  # share of the pictures that are compressed as a video frame
GRAIN_PX = 160  # how much wider and higher the noise picture is than a frame


def expose(
    image_bgr: NDArray[np.uint8], rng: np.random.Generator, tile_px: float = 40.0
) -> NDArray[np.uint8]:
    """Return a picture as a random camera takes it; the same generator state gives the same one.

    Small tiles (``tile_px`` wide) are blurred less, or nobody could read them.
    """
    picture = _develop(image_bgr, rng).astype(np.float32)
    picture = through_lens(picture, rng, float(np.clip(tile_px / 34, 0.45, 1.0)))
    if rng.random() < 0.4:
        picture = _sharpened(picture, rng)
    picture += _noise(picture.shape[:2], rng)
    out = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        out = _cleaned(out, rng)
    return compress(out, rng)


def _develop(image_bgr: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """White balance, exposure, contrast and saturation."""
    cast = rng.normal(0, 0.05) * np.array([1.0, 0.0, -1.0]) + rng.normal(0, 0.02, 3)
    gains = np.exp(cast) * np.exp(rng.normal(0, 0.1))
    levels = np.clip(np.arange(256)[:, None] / 255.0 * gains, 0, 1.2)
    bend = rng.normal(0.15, 0.25)  # an S-curve, or its opposite as in mist
    curve = levels + bend * (levels - 0.5) * levels * (1 - levels) * 2
    curve = np.clip(curve, 0, None) ** np.exp(rng.normal(0, 0.1))
    black = rng.uniform(0, 0.08) if rng.random() < 0.25 else 0.0
    table = np.clip((black + (1 - black) * np.clip(curve, 0, 1)) * 255, 0, 255).astype(np.uint8)
    out = cv2.LUT(image_bgr, table[None])
    if rng.random() < 0.5:
        colour = 0.0 if rng.random() < 0.06 else min(1.45, float(np.exp(rng.normal(0, 0.22))))
        # Mix with the grey picture; the weights are those of luma.
        luma = np.array([0.114, 0.587, 0.299])
        mix = colour * np.eye(3) + (1 - colour) * np.tile(luma, (3, 1))
        out = cv2.transform(out, mix)
    return np.asarray(out, np.uint8)


def _sharpened(picture: LinearPicture, rng: np.random.Generator) -> LinearPicture:
    """Sharpen with halos around edges: thin ones, or the broad ones of a phone."""
    if rng.random() < 0.75:
        width, strength = float(rng.uniform(0.7, 1.8)), float(rng.uniform(0.3, 2.2))
    else:
        width, strength = float(rng.uniform(3, 12)), float(rng.uniform(0.2, 0.7))
    # A broad blur is the same on a smaller picture, and much cheaper.
    share = 1.0 if width < 3 else 0.25
    small = picture if share == 1 else cv2.resize(picture, None, fx=share, fy=share)
    soft = cv2.GaussianBlur(small, (0, 0), width * share)
    if share < 1:
        soft = cv2.resize(soft, picture.shape[1::-1])
    return np.asarray(picture + (picture - soft) * strength, np.float32)


def _noise(size: tuple[int, int], rng: np.random.Generator) -> LinearPicture:
    """Return noise (H, W, 3): fine grain of lightness, coarser grain of colour."""
    height, width = size
    strength = float(np.exp(rng.normal(0.6, 0.8)))
    grain = rng.standard_normal(size, np.float32) * np.float32(strength)
    if rng.random() < 0.5:
        return np.repeat(grain[..., None], 3, axis=2)
    half = rng.standard_normal((height // 2, width // 2, 3), np.float32) * np.float32(strength)
    return np.asarray(cv2.resize(half, (width, height)) + grain[..., None], np.float32)


def _cleaned(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Remove noise as a cheap camera does, and fine detail with it."""
    if rng.random() < 0.5:
        return np.asarray(cv2.medianBlur(picture, 3), np.uint8)
    return np.asarray(cv2.bilateralFilter(picture, 5, float(rng.uniform(10, 35)), 2), np.uint8)


def compress(picture: SensorImage, rng: np.random.Generator) -> SensorImage:
    """Compress the picture once or not at all, as JPEG or as a video frame."""
    if rng.random() < VIDEO_SHARE:
        return as_video(picture, int(rng.integers(24, 41)))
    if rng.random() < 0.5:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 92))]
        picture = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", picture, quality)[1], cv2.IMREAD_COLOR), np.uint8
        )
    return picture


def as_video(picture: SensorImage, loss: int) -> SensorImage:
    """Return an H.264 frame of the picture; quantiser 24 is hardly visible, 40 very coarse."""
    return VideoLoss((picture.shape[1], picture.shape[0]), loss).through(picture)


class VideoLoss:
    """Compresses pictures of one size in order, as H.264, each into one frame."""

    def __init__(self, size_px: tuple[int, int], loss: int | None = None, kbit: float = 0) -> None:
        """``loss``: the quantiser; without one ``kbit`` is the mean size of a frame."""
        fps, rate = 25, str(round(25000 * kbit))
        coder = av.VideoCodecContext.create("libx264", "w")
        coder.width, coder.height = (side // 2 * 2 for side in size_px)
        coder.pix_fmt, coder.framerate, coder.time_base = "yuv420p", Fraction(fps), Fraction(1, fps)
        how = {"b": rate, "maxrate": rate, "bufsize": rate} if loss is None else {"qp": str(loss)}
        coder.options = {"preset": "superfast", "tune": "zerolatency", "threads": "1"} | how
        self._coder, self._decoder = coder, av.VideoCodecContext.create("h264", "r")
        self._decoder.thread_count = 1
        self._sent = 0

    def through(self, picture: SensorImage) -> SensorImage:
        """The picture as it is seen once it is decoded."""
        height, width = picture.shape[:2]
        even = np.ascontiguousarray(picture[: height // 2 * 2, : width // 2 * 2])
        frame = av.VideoFrame.from_ndarray(even, format="bgr24")
        frame.pts, self._sent = self._sent, self._sent + 1
        (packet,) = self._coder.encode(frame)
        seen = self._decoder.decode(packet)[0].to_ndarray(format="bgr24")
        off = height - seen.shape[0], width - seen.shape[1]
        whole = cv2.copyMakeBorder(seen, 0, off[0], 0, off[1], cv2.BORDER_REPLICATE)
        return np.asarray(whole, np.uint8)


def through_lens(
    picture: LinearPicture, rng: np.random.Generator, strength: float = 1.0
) -> LinearPicture:
    """Return the picture as it reaches the sensor; each fault affects only some pictures.

    ``strength`` scales the worst blurs, from 0 to 1.
    """
    height, width = picture.shape[:2]
    luck = rng.random(6)
    if luck[0] < 0.25:
        picture = _dimmed_edges(picture, rng)
    if luck[1] < 0.15:
        picture = _fringed(picture, rng)
    if luck[2] < 0.15:  # a sensor with fewer pixels than its pictures
        share = 1 - strength * float(rng.uniform(0.15, 0.6))
        small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        picture = np.asarray(
            cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32
        )
    elif luck[2] < 0.75:
        sigma = float(rng.uniform(0.35, 1.2))
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.float32)
    elif luck[2] < 0.83:
        picture = _out_of_focus(picture, rng, strength)
    if luck[3] < 0.1:
        picture = np.asarray(cv2.filter2D(picture, -1, _motion(rng, strength)), np.float32)
    if luck[4] < 0.06:
        picture = _rolled(picture, rng)
    if luck[5] < 0.2:
        picture = _bloomed(picture, rng)
    return picture


def _dimmed_edges(picture: LinearPicture, rng: np.random.Generator) -> LinearPicture:
    height, width = picture.shape[:2]
    y, x = np.mgrid[-1:1:9j, -1:1:9j]
    fall = 1 - rng.uniform(0.05, 0.4) * (x**2 + y**2) / 2
    return np.asarray(picture * cv2.resize(fall.astype(np.float32), (width, height))[..., None])


def _fringed(picture: LinearPicture, rng: np.random.Generator) -> LinearPicture:
    """Draw blue and red at a slightly different size from green."""
    height, width = picture.shape[:2]
    out = picture.copy()
    for channel, sign in ((0, 1.0), (2, -1.0)):
        scale = 1 + sign * rng.uniform(0.0005, 0.0022)
        move = np.array([[scale, 0, (1 - scale) * width / 2], [0, scale, (1 - scale) * height / 2]])
        out[..., channel] = cv2.warpAffine(
            picture[..., channel], move, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
    return np.asarray(out, np.float32)


def _out_of_focus(
    picture: LinearPicture, rng: np.random.Generator, strength: float
) -> LinearPicture:
    radius = strength * float(rng.uniform(1.2, 3.4))
    side = 2 * int(np.ceil(radius)) + 1
    y, x = np.mgrid[:side, :side] - side // 2
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(cv2.filter2D(picture, -1, (disc / disc.sum()).astype(np.float32)))


def _rolled(picture: LinearPicture, rng: np.random.Generator) -> LinearPicture:
    """Shift and smear each row by its time: a rolling shutter on a shaking camera."""
    height = picture.shape[0]
    rows = np.arange(height, dtype=np.float32) / height
    waves, strength = float(rng.uniform(0.5, 4)), float(rng.uniform(0.4, 1.6))
    shift = strength * np.sin(2 * np.pi * (waves * rows + rng.random())).astype(np.float32)
    moved, late = rows_shifted(picture, shift), rows_shifted(picture, -1.5 * shift)
    return np.asarray((moved + late) / 2, np.float32)


def rows_shifted(picture: Developed, shift: NDArray[np.float32]) -> Developed:
    """Each row, as many pixels further to the left as ``shift`` (H,) says."""
    height, width = picture.shape[:2]
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    moved = cv2.remap(
        picture, x + shift[:, None], y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(moved, picture.dtype)


def _bloomed(picture: LinearPicture, rng: np.random.Generator) -> LinearPicture:
    """Let bright places glow into their surroundings, as on a greasy lens."""
    small = cv2.resize(picture, None, fx=0.125, fy=0.125, interpolation=cv2.INTER_AREA)
    glow = cv2.GaussianBlur(np.maximum(small - 150, 0), (0, 0), float(rng.uniform(1.5, 6)))
    wide = cv2.resize(glow, picture.shape[1::-1])
    return np.asarray(picture + wide * np.float32(rng.uniform(0.1, 0.45)), np.float32)


def _motion(rng: np.random.Generator, strength: float) -> NDArray[np.float32]:
    """Return a kernel that smears along a line."""
    length = max(2, round(strength * int(rng.integers(3, 11))))
    kernel = np.zeros((13, 13), np.float32)
    angle = rng.uniform(0, np.pi)
    for step in np.linspace(-length / 2, length / 2, 2 * length):
        x, y = 6 + step * np.cos(angle), 6 + step * np.sin(angle)
        kernel[round(y), round(x)] = 1
    return np.asarray(kernel / kernel.sum(), np.float32)


class VideoSensor:
    """Develops ideal pictures; its properties are drawn once from the generator."""

    def __init__(self, width_px: int, height_px: int, rng: np.random.Generator) -> None:
        self._blur = float(rng.uniform(0.3, 0.9))
        self._sharpen = float(rng.choice([0.0, rng.uniform(0.2, 0.9)]))
        gains = np.exp(rng.normal(0, 0.06, 3)) * np.exp(rng.normal(0, 0.1))
        levels = np.arange(256)[:, None] * gains
        self._curve = np.clip(levels, 0, 255).astype(np.uint8)[None]
        strength = float(rng.uniform(0.4, 3.5))
        size = (height_px + GRAIN_PX, width_px + GRAIN_PX)
        grain = rng.normal(0, strength, size)
        self._lighter = np.clip(np.rint(grain), 0, 255).astype(np.uint8)
        self._darker = np.clip(np.rint(-grain), 0, 255).astype(np.uint8)
        self._rng = rng
        self.open_s = float(rng.uniform(1 / 200, 1 / 40))
        """Exposure time of a frame, in seconds."""

    def develop(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Apply lens blur, sharpening, white balance and exposure: constant for a still table."""
        out = cv2.GaussianBlur(image_bgr, (0, 0), self._blur)
        if self._sharpen:
            soft = cv2.GaussianBlur(out, (0, 0), 1.2)
            out = cv2.addWeighted(out, 1 + self._sharpen, soft, -self._sharpen, 0)
        return np.asarray(cv2.LUT(out, self._curve), np.uint8)

    def grain(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Add the noise of one frame."""
        height, width = image_bgr.shape[:2]
        x, y = (int(at) for at in self._rng.integers(0, GRAIN_PX, 2))
        part = np.s_[y : y + height, x : x + width]
        lighter, darker = (
            cv2.cvtColor(noise[part], cv2.COLOR_GRAY2BGR) for noise in (self._lighter, self._darker)
        )
        return np.asarray(cv2.subtract(cv2.add(image_bgr, lighter), darker), np.uint8)
