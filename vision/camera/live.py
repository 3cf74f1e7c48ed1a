"""Live sources of frames: cameras, network streams, and files played in real time."""

from __future__ import annotations

import errno
import os
import re
import time
from itertools import count
from pathlib import Path
from typing import Any, Final

import av
import cv2

from vision.camera.address import shown
from vision.camera.buffer import ahead, newest
from vision.camera.cameras import cameras_named, find_cameras, listed
from vision.camera.decoded import DecodedFrame
from vision.camera.frames import Frame, Frames, FrameSource, RecordedSource
from vision.camera.opened import largest_video, open_container
from vision.camera.packets import PictureDecoder, packets_of
from vision.camera.pictures import SourceError
from vision.camera.video_file import VideoFile

OPEN_TIMEOUT_S: Final = 10.0
SILENT_S: Final = 10.0
"""A camera that sends nothing for this long is gone."""
FIRST_PICTURE_S: Final = 60.0
"""Pictures that need others cannot be read before one that needs none; some cameras send those
seldom."""


class PacedFile(RecordedSource):
    """A recorded video played like a camera: in real time, with late frames lost."""

    def __init__(self, path: Path, every: bool = False) -> None:
        """``every``: lose no frame; a slow machine then takes longer."""
        self._video = VideoFile(path)
        self.path = path
        self._every = every
        self.name = self._video.name
        self.remarks = self._video.remarks

    def frames(self, step_s: float = 0.0) -> Frames:
        if self._hurried:
            return ahead(self._video.frames(step_s))
        frames = _apart(self._video.in_real_time(self._every), step_s)
        return frames if self._every else newest(frames)

    def between(self, from_s: float, to_s: float) -> Frames:
        """Every frame between two times, as fast as the machine can."""
        return self._video.between(from_s, to_s)


class LocalCamera:
    """A camera of this computer, by its number, its name or its path below ``/dev``."""

    def __init__(self, given: str) -> None:
        self.name = f"camera {given}" if given.isdecimal() else given
        self._capture = cv2.VideoCapture(_number_of(given))
        # Without it most cameras send large pictures whole, which USB carries five times a second.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, 3840)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, 2160)
        if not self._capture.isOpened():
            raise SourceError(
                f"{self.name} cannot be opened; is it plugged in, allowed and not in use? "
                f"Cameras here: {listed(find_cameras())}"
            )

    def frames(self, step_s: float = 0.0) -> Frames:
        return newest(self._grabbed(step_s), SILENT_S)

    def _grabbed(self, step_s: float) -> Frames:
        """The pictures so far apart; those between are taken from the camera and not decoded."""
        begun_s, last_s = time.monotonic(), float("-inf")
        for index in count():
            ok = self._capture.grab()
            now_s = time.monotonic() - begun_s
            if ok and now_s - last_s < step_s:
                continue
            ok, image = self._capture.retrieve() if ok else (False, None)
            if not ok or image is None:
                raise SourceError(f"{self.name} stopped sending pictures; plug it in again")
            last_s = now_s
            yield Frame(image.astype("uint8", copy=False), now_s, index)


def _number_of(given: str) -> int:
    """What OpenCV opens a camera by; raises ``SourceError`` where none or several are meant."""
    if given.isdecimal():
        return int(given)
    path = Path(given)
    device = re.fullmatch(r"/dev/video(\d+)", os.path.realpath(path))
    if device is not None and path.exists():
        return int(device[1])
    match cameras_named(given):
        case [camera]:
            return camera.number
        case []:
            raise SourceError(
                f"{given} is no camera that is plugged in; cameras here: {listed(find_cameras())}"
            )
        case several:
            raise SourceError(
                f"several cameras are called {given}; give one's number: {listed(several)}"
            )


class NetworkStream:
    """A camera with an address such as ``rtsp://host/stream``."""

    def __init__(self, address: str) -> None:
        self.name = shown(address)
        try:
            self._container = _connected(address)
        except (av.FFmpegError, OSError) as error:
            raise SourceError(f"{self.name} {_trouble(error)}") from error
        self._stream = largest_video(self._container)
        if self._stream is None:
            raise SourceError(f"{self.name} sends no video; give the address of a camera's video")

    def frames(self, step_s: float = 0.0) -> Frames:
        # What sends nothing at all is broken off sooner, by the timeout of the connection.
        return newest(_apart(self._received(), step_s), FIRST_PICTURE_S)

    def _received(self) -> Frames:
        begun_s, index = time.monotonic(), 0
        decoder = PictureDecoder(self._stream)
        try:
            for packet in packets_of(self._container, self._stream):
                for picture in decoder.decode(packet, packet.is_corrupt):
                    pixels = DecodedFrame(picture.frame, picture.lies)
                    now_s = time.monotonic() - begun_s
                    yield Frame(pixels, now_s, index, whole=picture.whole)
                    index += 1
        except (av.FFmpegError, OSError) as error:
            raise SourceError(f"{self.name} stopped sending pictures") from error
        raise SourceError(f"{self.name} ended the stream")


def _connected(address: str) -> Any:
    """TCP loses nothing, but some cameras send over UDP alone; not all say so as they should."""
    if not address.startswith("rtsp"):
        return open_container(address, timeout_s=OPEN_TIMEOUT_S)
    try:
        first = {"rtsp_flags": "prefer_tcp"}
        return open_container(address, options=first, timeout_s=OPEN_TIMEOUT_S)
    except REFUSED:
        over_udp = {"rtsp_transport": "udp"}
        return open_container(address, options=over_udp, timeout_s=OPEN_TIMEOUT_S)


REFUSED: Final = (av.HTTPBadRequestError, av.HTTPOtherClientError, av.HTTPServerError)


def _trouble(error: Exception) -> str:
    """What is wrong with a camera that could not be opened, and what to do."""
    if isinstance(error, av.HTTPUnauthorizedError | av.HTTPForbiddenError):
        return "refuses the name or password; check both in the address"
    if isinstance(error, av.HTTPNotFoundError):
        return "has no video at this address; check the part behind the host"
    if isinstance(error, REFUSED) or getattr(error, "errno", None) == errno.EPROTONOSUPPORT:
        return "sends its video neither over TCP nor over UDP; choose another of its streams"
    return "does not answer; check address and password"


def is_live(text: str) -> bool:
    """Whether this names a camera or a stream, and no file."""
    if text.isdecimal() or "://" in text or _is_device(text):
        return True
    return not os.path.lexists(text) and bool(cameras_named(text))


def _is_device(text: str) -> bool:
    path = Path(text)
    gone = text.startswith("/dev/") and not path.is_file()  # films may lie in memory, too
    return gone or path.is_char_device()


def open_live(text: str, every: bool = False) -> FrameSource:
    """Open a camera by its number, name, path or address, or a video file.

    ``every``: lose no frame of a file, however long that takes.
    """
    if "://" in text:
        return NetworkStream(text)
    return LocalCamera(text) if is_live(text) else PacedFile(Path(text), every)


def _apart(frames: Frames, step_s: float) -> Frames:
    last_s = float("-inf")
    for frame in frames:
        if frame.time_s - last_s >= step_s - 1e-6:
            last_s = frame.time_s
            yield frame
