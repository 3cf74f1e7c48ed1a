"""Where moving pictures come from: video files, cameras and network streams."""

from __future__ import annotations

import contextlib
import copy
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable
from zlib import crc32

import av
import cv2

from vision.camera.address import shown
from vision.camera.decoded import DecodedFrame, Pixels, every_nth, mirror_image, size_of
from vision.camera.pictures import Picture, Region, SourceError

MISSING_END_S: Final = 0.5
"""A video that stops this much before the length it claims has been cut off."""
OPEN_TIMEOUT_S: Final = 10.0
SILENT_S: Final = 10.0
"""A camera that sends nothing for so long has gone."""
LONGEST_GAP_S: Final = 0.5
"""A machine that is too slow for a recording still shows a frame so often."""
GLIMPSES: Final = (0.5, 0.75, 0.25, 0.9, 0.4, 0.6, 0.1, 0.99)
"""Places in a video, as shares of it: the faces of one moment may say little."""
STOP_S: Final = 2.0
"""A camera that sends nothing is waited for no longer than this at the end."""
USUAL_FPS: Final = 25.0
"""Of a video that does not say."""
MARKED: Final = 7
"""Every so many rows and columns of a frame are compared with one that is to be found again."""
SAME_S: Final = 1e-6
"""Times of one frame, read in order or after a seek, differ by no more."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the table and when it was taken."""

    pixels: Pixels
    """Upright: the rotation that a phone notes in its file is applied."""
    time_s: float
    """Seconds from the start of the source."""
    index: int
    """Place in the source, frames that were passed over counted."""

    @property
    def image_bgr(self) -> Picture:
        """(H, W, 3) uint8."""
        return self.pixels.bgr() if isinstance(self.pixels, DecodedFrame) else self.pixels

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return size_of(self.pixels)

    def mirror_image(self) -> Frame:
        """The same frame with left and right exchanged."""
        pixels = self.pixels
        if isinstance(pixels, DecodedFrame):
            return replace(self, pixels=pixels.mirror_image())
        return replace(self, pixels=mirror_image(pixels))

    def parts(self, parts: Sequence[Region]) -> Picture:
        """The picture of which nothing but these parts is looked at."""
        if isinstance(self.pixels, DecodedFrame):
            return self.pixels.parts(parts)
        return self.pixels


@dataclass(frozen=True)
class FramePosition:
    """One frame of a recording, by which it is found again."""

    time_s: float
    index: int
    mark: int
    """Sum over some of its pixels."""

    @classmethod
    def of(cls, frame: Frame) -> FramePosition:
        return cls(frame.time_s, frame.index, crc32(every_nth(frame.pixels, MARKED).tobytes()))


Frames = Generator[Frame, None, None]
"""Frames in order; closing it lets the camera or file go."""


class Source(Protocol):
    """Anything that shows the table over time."""

    name: str

    def frames(self, step_s: float = 0.0) -> Frames:
        """Frames in order, at least ``step_s`` apart; raises ``SourceError``."""
        ...


@runtime_checkable
class RecordedSource(Source, Protocol):
    """A source that need not be waited for."""

    def hurried(self) -> Source:
        """The same pictures, each as soon as the one before has been looked at."""
        ...


class VideoFile:
    """A recorded video, read at the speed of the machine."""

    def __init__(self, path: Path, form: str | None = None) -> None:
        """Look at both ends of the file; raises ``SourceError`` unless some of it can be read.

        ``form``: the library's name for its form; without it, the library finds out.
        """
        self.path = path
        self._form = form
        self.name = path.name
        if not path.is_file():
            raise SourceError(f"there is no video file {shown(path)}")
        try:
            with av.open(str(path), format=form) as container:
                if not container.streams.video:
                    raise SourceError(f"{path} has no video in it; give a video file")
                stream = container.streams.video[0]
                self.fps = float(stream.average_rate or stream.guessed_rate or USUAL_FPS)
                claimed_s = _duration_s(container, stream)
                self.duration_s = _readable_s(container, stream, claimed_s)
                """Of what can be read."""
            with av.open(str(path), format=form) as container:
                first = next(container.decode(video=0))
        except (av.FFmpegError, StopIteration) as error:
            raise SourceError(
                f"{path} cannot be read as a video; give a file that a video player can play"
            ) from error
        self.cut_off: str | None = None
        """One line for who gave the file, where its end is missing."""
        missing_s = claimed_s - self.duration_s
        if missing_s > MISSING_END_S:
            missing = f"the last {missing_s:.1f} of {claimed_s:.1f} s are missing"
            if not self.duration_s:
                raise SourceError(f"{path} is cut off: {missing}; copy the file again")
            self.cut_off = (
                f"{path} is cut off: {missing}; what there is of it is read, "
                "copy the file again for the rest"
            )
        self._start_s: float | None = first.time
        self.width_px, self.height_px = DecodedFrame(first).size_px

    def frames(self, step_s: float = 0.0, since: FramePosition | None = None) -> Frames:
        """Frames in order; those passed over cost no colour conversion.

        ``since``: a frame that was read before; it comes first then, as the same as before.
        """
        return self._frames(lambda time_s, last_s: time_s - last_s >= step_s - SAME_S, since)

    def glimpses(self) -> Frames:
        """A few frames from all over the video, the first from its middle; what cannot be read is
        left out."""
        with contextlib.suppress(av.FFmpegError), av.open(str(self.path), format=self._form) as it:
            stream = it.streams.video[0]
            for place in GLIMPSES:
                with contextlib.suppress(av.FFmpegError):
                    it.seek(round(place * self.duration_s * av.time_base))
                    for decoded in it.decode(stream):
                        yield Frame(DecodedFrame(decoded), place * self.duration_s, 0)
                        break

    def in_real_time(self, every: bool = False) -> Frames:
        """Frames no faster than they were recorded.

        Late ones are passed over, but never for long; with ``every``, none is.
        """
        begun_s: float | None = None

        def due(time_s: float, last_s: float) -> bool:
            nonlocal begun_s
            # The clock starts with the first frame: opening the file may take its time.
            begun_s = time.monotonic() if begun_s is None else begun_s
            wait_s = begun_s + time_s - time.monotonic()
            if wait_s > 0:
                time.sleep(wait_s)
            return every or wait_s > -1.0 / self.fps or time_s - last_s >= LONGEST_GAP_S

        return self._frames(due)

    def _frames(
        self, wanted: Callable[[float, float], bool], since: FramePosition | None = None
    ) -> Frames:
        last_s = float("-inf")
        try:
            with contextlib.closing(self._from(since)) as frames:
                for frame in frames:
                    if wanted(frame.time_s, last_s):
                        last_s = frame.time_s
                        yield frame
        except av.FFmpegError as error:
            at_s = max(last_s, 0.0)
            raise SourceError(
                f"{self.path} cannot be decoded after {at_s:.1f} s; copy the file again"
            ) from error

    def _from(self, since: FramePosition | None) -> Frames:
        """Every frame, or all from one on: not every form of file can be entered at any frame."""
        if since is None:
            yield from self._decoded()
            return
        for near in (since, None) if self._start_s is not None else (None,):
            with contextlib.closing(self._decoded(near)) as frames:
                first = next((one for one in frames if one.time_s > since.time_s - SAME_S), None)
                if first is not None and FramePosition.of(first).mark == since.mark:
                    yield Frame(first.pixels, since.time_s, since.index)
                    for frame in frames:
                        index = since.index + frame.index - first.index
                        yield Frame(frame.pixels, frame.time_s, index)
                    return
        raise SourceError(f"{self.path} shows something else at {since.time_s:.1f} s than before")

    def _decoded(self, near: FramePosition | None = None) -> Frames:
        """Every frame; from some way before a place on, counted from there."""
        start_s = None
        with av.open(str(self.path), format=self._form) as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            if near is not None and self._start_s is not None and stream.time_base is not None:
                start_s = self._start_s
                container.seek(round((start_s + near.time_s) / stream.time_base), stream=stream)
            for index, decoded in enumerate(self._pictures(container, stream)):
                taken_s = decoded.time if decoded.time is not None else index / self.fps
                start_s = taken_s if start_s is None else start_s
                yield Frame(DecodedFrame(decoded), taken_s - start_s, index)

    def _pictures(self, container: Any, stream: Any) -> Iterator[Any]:
        """What a decoder gives; where the file is cut off, also what it still holds back."""
        try:
            for packet in container.demux(stream):
                if not (self.cut_off and packet.is_corrupt):
                    yield from packet.decode()
        except av.FFmpegError:
            if not self.cut_off:
                raise
            with contextlib.suppress(av.FFmpegError):
                yield from stream.decode(None)


class PacedFile:
    """A recorded video that plays as a camera would: in real time, late frames lost."""

    def __init__(self, path: Path, every: bool = False) -> None:
        """With ``every``, no frame is lost, and a slow machine takes longer."""
        self._video = VideoFile(path)
        self._every = every
        self._hurried = False
        self.name = self._video.name
        self.cut_off = self._video.cut_off

    def hurried(self) -> PacedFile:
        """The same pictures, each as soon as the one before has been looked at."""
        other = copy.copy(self)
        other._hurried = True
        return other

    def frames(self, step_s: float = 0.0) -> Frames:
        if self._hurried:
            return self._video.frames(step_s)
        frames = _apart(self._video.in_real_time(self._every), step_s)
        return frames if self._every else newest(frames)


class LocalCamera:
    """A camera of this machine, by its number."""

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
    """A camera that is reached by an address such as ``rtsp://host/stream``."""

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


def open_live(text: str, every: bool = False) -> Source:
    """The source that a person named: a camera's number, an address or a video file.

    ``every`` frame of a file can be asked for, however long it takes; a camera waits for nobody.
    """
    if text.isdecimal():
        return LocalCamera(int(text))
    if "://" in text:
        return NetworkStream(text)
    return PacedFile(Path(text), every)


def newest(frames: Frames, silent_s: float | None = None) -> Frames:
    """The newest frame each time one is asked for; what came in between is lost.

    Raises ``SourceError`` when no frame has come for ``silent_s``.

    A thread of its own takes the frames, so that a camera's buffer never fills and what is
    looked at is never old.
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
    """Room for one frame between two threads; a newer frame takes the older one's place."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._frame: Frame | None = None
        self._error: SourceError | None = None
        self._closed = False

    def put(self, frame: Frame) -> bool:
        """False once nobody wants frames any more."""
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


def _duration_s(container: Any, stream: Any) -> float:
    if stream.duration is not None:
        return float(stream.duration * stream.time_base)
    return float(container.duration or 0) / float(av.time_base)


def _readable_s(container: Any, stream: Any, claimed_s: float) -> float:
    """How many seconds of a video can be read, of those that it claims to have."""
    last_s = _last_s(container, stream, claimed_s)
    if claimed_s - last_s <= MISSING_END_S:
        return claimed_s
    # An index that stands first tells of pictures that are not there any more.
    here_s, beyond_s = 0.0, claimed_s
    while beyond_s - here_s > MISSING_END_S:
        middle_s = (here_s + beyond_s) / 2
        if _last_s(container, stream, middle_s, 1):
            here_s = middle_s
        else:
            beyond_s = middle_s
    return max(last_s, _last_s(container, stream, here_s))


def _last_s(container: Any, stream: Any, from_s: float, most: int | None = None) -> float:
    """Where the readable pictures end, in seconds from the first; 0 when nothing is readable.

    ``from_s``: where to begin; ``most``: so many pictures are enough.
    """
    start_s = float((stream.start_time or 0) * stream.time_base)
    last_s = 0.0
    with contextlib.suppress(av.FFmpegError):
        container.seek(round((start_s + from_s) / stream.time_base), stream=stream)
        for packet in islice(container.demux(stream), most):
            if packet.pts is None or packet.is_corrupt:
                continue
            end_s = float((packet.pts + (packet.duration or 0)) * stream.time_base)
            last_s = max(last_s, end_s - start_s)
    return last_s
