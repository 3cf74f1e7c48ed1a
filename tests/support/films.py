"""Small videos made on the spot."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import av
import cv2
import numpy as np

from vision.camera.pictures import Picture, read_picture

FELT_BGR = (70, 110, 60)
QUICKLY = {"preset": "superfast", "bf": "2", "coder": "1", "threads": "1"}
"""Options of x264 and x265: a quarter of the time, with pictures that need later ones, as films
have them. One thread does not wait for others where the machine is busy."""


def film(
    path: Path,
    frames: int = 20,
    fps: int = 10,
    width: int = 320,
    height: int = 180,
    movflags: str | None = None,
) -> Path:
    """A video of ``frames`` pictures; the brightness of a picture's top left tells its number.

    Equal ones are encoded once.
    """
    path.write_bytes(_encoded(path.suffix, frames, fps, width, height, movflags))
    return path


@cache
def _encoded(
    suffix: str, frames: int, fps: int, width: int, height: int, movflags: str | None
) -> bytes:
    options = {} if movflags is None else {"movflags": movflags}
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"film{suffix}"
        with av.open(str(path), "w", options=options) as container:
            given = QUICKLY | {"crf": "18", "g": "10"}
            stream = container.add_stream("libx264", rate=fps, options=given)
            stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
            for number in range(frames):
                picture = av.VideoFrame.from_ndarray(shown(number, width, height), format="bgr24")
                container.mux(stream.encode(picture))
            container.mux(stream.encode())
        return path.read_bytes()


def mirrored(source: Path, target: Path, times_s: Sequence[float]) -> Path:
    """The frames of a video at these times as a selfie camera films them, five a second."""
    with av.open(str(source)) as video, av.open(str(target), "w") as out:
        stream = out.add_stream("libx264", rate=5, options={"crf": "20", "preset": "ultrafast"})
        stream.width, stream.height = video.streams.video[0].width, video.streams.video[0].height
        stream.pix_fmt = "yuv420p"
        for time_s in times_s:
            video.seek(round(time_s * 1e6))
            decoded = next(frame for frame in video.decode(video=0) if frame.time >= time_s - 0.01)
            picture = np.ascontiguousarray(decoded.to_ndarray(format="bgr24")[:, ::-1])
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        out.mux(stream.encode())
    return target


def shown(number: int, width: int, height: int) -> Picture:
    """The picture with this number: felt, noise that does not compress, and a grey square."""
    picture = np.full((height, width, 3), FELT_BGR, np.uint8)
    noise = np.random.default_rng(number).integers(0, 60, picture.shape, np.uint8)
    picture += noise
    picture[:40, :40] = number_grey(number)
    return picture


def number_grey(number: int) -> int:
    return 20 + 10 * (number % 23)


def number_of(picture: Picture) -> int:
    """Which picture of ``film`` this is."""
    return round((float(picture[10:30, 10:30].mean()) - 20) / 10)


def still_film(picture: Path, film: Path) -> None:
    """A film that shows one picture for ten seconds."""
    image = read_picture(picture)
    height, width = image.shape[:2]
    size = (width // 2 * 2, height // 2 * 2)
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"mp4v"), 10, size)
    for _ in range(100):
        writer.write(image[: size[1], : size[0]])
    writer.release()
