"""How pictures are packed: JPEG's blocks, and the smeared ones of H.264."""

from __future__ import annotations

import io

import av
import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
VIDEO_SHARE = 0.2


def compress(picture: Image, rng: np.random.Generator) -> Image:
    """The picture after one or two lossy packings, or none."""
    if rng.random() < VIDEO_SHARE:
        return as_video(picture, int(rng.integers(24, 41)))
    if rng.random() < 0.5:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 92))]
        picture = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", picture, quality)[1], cv2.IMREAD_COLOR), np.uint8
        )
    return picture


def as_video(picture: Image, loss: int) -> Image:
    """A frame of an H.264 film; ``loss`` is the quantiser, 24 hardly seen, 40 very coarse."""
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
