"""Live sources of frames: cameras, network streams, and files played in real time."""

from __future__ import annotations

import contextlib
import copy
import threading
import time
from pathlib import Path
from typing import Final

import av
import cv2

from vision.camera.address import shown
from vision.camera.decoded import DecodedFrame
from vision.camera.frames import Frame, Frames, FrameSource
from vision.camera.pictures import SourceError
from vision.camera.video_file import VideoFile

OPEN_TIMEOUT_S: Final = 10.0
SILENT_S: Final = 10.0
"""A camera that sends nothing for this long is gone."""
STOP_S: Final = 2.0
"""How long to wait at the end for a camera that sends nothing."""


class PacedFile:
    """A recorded video played like a camera: in real time, with late frames lost."""

    def __init__(self, path: Path, every: bool = False) -> None:
        """``every``: lose no frame; a slow machine then takes longer."""
        self._video = VideoFile(path)
        self._every = every
        self._hurried = False
        self.name = self._video.name
        self.cut_off = self._video.cut_off

    def hurried(self) -> PacedFile:
        """The same frames without waiting for real time."""
        other = copy.copy(self)
        other._hurried = True
        return other

    def frames(self, step_s: float = 0.0) -> Frames:
        if self._hurried:
            return self._video.frames(step_s)
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


def newest(frames: Frames, silent_s: float | None = None) -> Frames:
    """The newest frame each time one is asked for; older ones are lost.

    Raises ``SourceError`` when no frame has come for ``silent_s``. A thread takes the frames, so
    that the camera's buffer never fills.
    """
    slot = _Slot()
    thread = threading.Thread(target=_fill, args=(slot, frames), daemon=True)
    thread.start()
    try:
        while (frame := slot.take(silent_s)) is not None:
            yield frame
    finally:
        slot.close()
        thread.join(STOP_S)


class _Slot:
    """Room for one frame between two threads; a newer frame replaces an older one."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._error: SourceError | None = None
        self._closed = False

    def put(self, frame: Frame) -> bool:
        """Returns False once the slot is closed."""
        with self._changed:
            self._frame = frame
            self._changed.notify()
            return not self._closed

    def close(self, error: SourceError | None = None) -> None:
        with self._changed:
            self._closed, self._error = True, error
            self._changed.notify()

    def take(self, silent_s: float | None) -> Frame | None:
        """Wait for the next frame; None at the end."""
        with self._changed:
            if not self._changed.wait_for(
                lambda: self._frame is not None or self._closed, silent_s
            ):
                raise SourceError(f"no picture has come for {silent_s:g} s")
            frame, self._frame = self._frame, None
            if frame is None and self._error is not None:
                raise self._error
            return frame


def _fill(slot: _Slot, frames: Frames) -> None:
    try:
        with contextlib.closing(frames):
            for frame in frames:
                if not slot.put(frame):
                    return
    except SourceError as error:
        slot.close(error)
    else:
        slot.close()


def _apart(frames: Frames, step_s: float) -> Frames:
    last_s = float("-inf")
    for frame in frames:
        if frame.time_s - last_s >= step_s - 1e-6:
            last_s = frame.time_s
            yield frame
