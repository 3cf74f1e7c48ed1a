"""What a sensor makes of a picture: colour, noise, sharpening, compression."""

from __future__ import annotations

import io

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from studio.camera.lens import Picture, through_lens


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


def _sharpened(picture: Picture, rng: np.random.Generator) -> Picture:
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


def _noise(size: tuple[int, int], rng: np.random.Generator) -> Picture:
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


Image = NDArray[np.uint8]
VIDEO_SHARE = 0.2


def compress(picture: Image, rng: np.random.Generator) -> Image:
    """Compress the picture once or not at all, as JPEG or as a video frame."""
    if rng.random() < VIDEO_SHARE:
        return as_video(picture, int(rng.integers(24, 41)))
    if rng.random() < 0.5:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 92))]
        picture = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", picture, quality)[1], cv2.IMREAD_COLOR), np.uint8
        )
    return picture


def as_video(picture: Image, loss: int) -> Image:
    """Return an H.264 frame of the picture; quantiser 24 is hardly visible, 40 very coarse."""
    height, width = picture.shape[:2]
    even = np.ascontiguousarray(picture[: height // 2 * 2, : width // 2 * 2])
    file = io.BytesIO()
    with av.open(file, "w", format="matroska") as film:
        stream = film.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = even.shape[1], even.shape[0], "yuv420p"
        stream.options = {"preset": "superfast", "qp": str(loss), "threads": "1"}
        for packet in stream.encode(av.VideoFrame.from_ndarray(even, format="bgr24")):
            film.mux(packet)
        for packet in stream.encode():
            film.mux(packet)
    file.seek(0)
    with av.open(file) as film:
        frame = next(film.decode(video=0)).to_ndarray(format="bgr24")
    return np.asarray(
        cv2.copyMakeBorder(
            frame, 0, height - frame.shape[0], 0, width - frame.shape[1], cv2.BORDER_REPLICATE
        ),
        np.uint8,
    )
