"""Live sources of frames: cameras, network streams, and files played in real time."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import av
import cv2

from vision.camera.address import shown
from vision.camera.buffer import ahead, newest
from vision.camera.decoded import DecodedFrame
from vision.camera.frames import Frame, Frames, FrameSource, RecordedSource
from vision.camera.pictures import SourceError
from vision.camera.video_file import VideoFile

OPEN_TIMEOUT_S: Final = 10.0
SILENT_S: Final = 10.0
"""A camera that sends nothing for this long is gone."""


class PacedFile(RecordedSource):
    """A recorded video played like a camera: in real time, with late frames lost."""

    def __init__(self, path: Path, every: bool = False) -> None:
        """``every``: lose no frame; a slow machine then takes longer."""
        self._video = VideoFile(path)
        self.path = path
        self._every = every
        self.name = self._video.name
        self.cut_off = self._video.cut_off

    def frames(self, step_s: float = 0.0) -> Frames:
        if self._hurried:
            return ahead(self._video.frames(step_s))
        frames = _apart(self._video.in_real_time(self._every), step_s)
        return frames if self._every else newest(frames)


class LocalCamera:
    """A camera of this computer, by its number."""

    def __init__(self, number: int) -> None:
        self.name = f"camera {number}"
        self._capture = cv2.VideoCapture(number)
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, 3840)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 2160)
        if not self._capture.isOpened():
            raise SourceError(f"{self.name} cannot be opened; is it plugged in and not in use?")

    def frames(self, step_s: float = 0.0) -> Frames:
        return newest(_apart(self._grabbed(), step_s), SILENT_S)

    def _grabbed(self) -> Frames:
        begun_s, index = time.monotonic(), 0
        while True:
            ok, image = self._capture.read()
            if not ok:
                raise SourceError(f"{self.name} stopped sending pictures; plug it in again")
            yield Frame(image.astype("uint8", copy=False), time.monotonic() - begun_s, index)
            index += 1


class NetworkStream:
    """A camera with an address such as ``rtsp://host/stream``."""

    def __init__(self, address: str) -> None:
        self.name = shown(address)
        options = {"rtsp_transport": "tcp"} if address.startswith("rtsp") else {}
        try:
            self._container = av.open(address, options=options, timeout=OPEN_TIMEOUT_S)
        except (av.FFmpegError, OSError) as error:
            raise SourceError(f"{self.name} does not answer; check address and password") from error
        if not self._container.streams.video:
            raise SourceError(f"{self.name} sends no video; give the address of a camera's video")

    def frames(self, step_s: float = 0.0) -> Frames:
        return newest(_apart(self._received(), step_s), SILENT_S)

    def _received(self) -> Frames:
        begun_s = time.monotonic()
        try:
            for index, decoded in enumerate(self._container.decode(video=0)):
                yield Frame(DecodedFrame(decoded), time.monotonic() - begun_s, index)
        except (av.FFmpegError, OSError) as error:
            raise SourceError(f"{self.name} stopped sending pictures") from error
        raise SourceError(f"{self.name} ended the stream")


def open_live(text: str, every: bool = False) -> FrameSource:
    """Open a camera by its number or address, or a video file.

    ``every``: lose no frame of a file, however long that takes.
    """
    if text.isdecimal():
        return LocalCamera(int(text))
    if "://" in text:
        return NetworkStream(text)
    return PacedFile(Path(text), every)


def _apart(frames: Frames, step_s: float) -> Frames:
    last_s = float("-inf")
    for frame in frames:
        if frame.time_s - last_s >= step_s - 1e-6:
            last_s = frame.time_s
            yield frame
