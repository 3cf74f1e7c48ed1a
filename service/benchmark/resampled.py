"""A recorded game at another size and pace: what a better camera would have sent."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np

from vision.camera.video_file import VideoFile

FPS: Final = 30
GRAIN_GREY: Final = 2.5
"""Spread of the grain that every picture gets anew: without it, repeated pictures cost nothing."""
GRAINS: Final = 7
"""Patterns of grain that take turns."""
QUALITY: Final = {"crf": "23", "preset": "ultrafast", "g": str(2 * FPS), "bf": "0"}
"""As cameras compress: a key frame every other second, nothing that waits for later frames."""


def resampled(source: VideoFile, size_px: tuple[int, int], seconds: float, path: Path) -> None:
    """Write the beginning of a video with 30 pictures a second, each with grain of its own."""
    width, height = size_px
    rng = np.random.default_rng(1)
    grains = [
        rng.normal(0, GRAIN_GREY, (height, width)).round().astype(np.int8) for _ in range(GRAINS)
    ]
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(FPS))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.options = dict(QUALITY)
        number = 0
        for frame in source.frames():
            if frame.time_s >= seconds:
                break
            image = cv2.resize(frame.image_bgr, size_px, interpolation=cv2.INTER_CUBIC)
            packed = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420)
            while number / FPS < frame.time_s + 1 / source.fps - 1e-6:
                shown = packed.copy()
                cv2.add(packed[:height], grains[number % GRAINS], shown[:height], dtype=cv2.CV_8U)
                for packet in stream.encode(av.VideoFrame.from_ndarray(shown, format="yuv420p")):
                    container.mux(packet)
                number += 1
        for packet in stream.encode():
            container.mux(packet)
