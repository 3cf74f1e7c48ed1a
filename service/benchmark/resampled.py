"""Resamples a recorded game to another size and frame rate, as a better camera would send it."""

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
"""Standard deviation of the grain added to each picture: repeated pictures would cost nothing."""
GRAINS: Final = 7
"""Number of grain patterns, used in turn."""
QUALITY: Final = {"crf": "23", "preset": "ultrafast", "g": str(2 * FPS), "bf": "0"}
"""Compressed as by cameras: a key frame every other second, no frames that wait for later ones."""


def resampled(source: VideoFile, size_px: tuple[int, int], seconds: float, path: Path) -> None:
    """Write the beginning of a video at 30 frames a second, each frame with its own grain."""
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
