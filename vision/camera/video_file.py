"""Recorded video files: read in order, from a known frame on, or in real time."""

from __future__ import annotations

import contextlib
import heapq
import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

import av

from vision.camera.address import shown
from vision.camera.decoded import DecodedFrame
from vision.camera.frames import Frame, FramePosition, Frames
from vision.camera.pictures import SourceError

TS_PACKET_BYTES: Final = (188, 192, 204)
"""Sizes of a packet of an MPEG transport stream, which nowhere states its length."""
MISSING_END_S: Final = 0.5
"""A video that ends this much before its claimed length has been cut off."""
GLIMPSES: Final = (0.5, 0.75, 0.25, 0.9, 0.4, 0.6, 0.1, 0.99)
"""Places of glimpses, as shares of the length."""
USUAL_FPS: Final = 25.0
"""Frame rate of a video that does not state one."""
LONGEST_GAP_S: Final = 0.5
"""Longest gap between two frames when the machine is too slow for the recording."""
SAME_S: Final = 1e-6
"""Largest difference between two times of one frame, read in order and after a seek."""
ONE_THREAD_PX: Final = 1920 * 1080
"""Pictures of up to this size are decoded by one thread, which takes a tenth less of the processor
than two: what reads them is slower. Larger ones take two."""
KEYS_APART_S: Final = 12.0
"""Usual encoders put a picture that needs no other at least so often."""
REORDERED: Final = 32
"""A picture comes at most so many packets before one that is shown earlier."""


class VideoFile:
    """A recorded video, read as fast as the machine can."""

    def __init__(self, path: Path, form: str | None = None) -> None:
        """Check both ends of the file; raises ``SourceError`` unless some of it can be read.

        ``form``: FFmpeg's name for the container; None to detect it.
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
                """Length of the readable part."""
                torn = container.format.name == "mpegts" and _within_packet(path)
            with av.open(str(path), format=form) as container:
                first = next(container.decode(video=0))
        except (av.FFmpegError, StopIteration) as error:
            raise SourceError(
                f"{path} cannot be read as a video; give a file that a video player can play"
            ) from error
        self.cut_off: str | None = None
        """One line for the user if the end of the file is missing."""
        if torn:
            self.cut_off = (
                f"{path} is cut off in the middle of a packet; the rest is read, "
                "copy the file again for its end"
            )
        missing_s = claimed_s - self.duration_s
        if missing_s > MISSING_END_S:
            missing = f"the last {missing_s:.1f} of {claimed_s:.1f} s are missing"
            if not self.duration_s:
                raise SourceError(f"{path} is cut off: {missing}; copy the file again")
            self.cut_off = (
                f"{path} is cut off: {missing}; the rest is read, copy the file again for its end"
            )
        self._start_s: float | None = first.time
        self.width_px, self.height_px = DecodedFrame(first).size_px

    def frames(self, step_s: float = 0.0, since: FramePosition | None = None) -> Frames:
        """Frames in order; skipped ones are not decoded if no other picture needs them.

        ``since``: begin with this frame, which was read before.
        """
        return self._frames(_apart(step_s), since, step_s)

    def glimpses(self) -> Frames:
        """A few readable frames from all over the video, beginning in its middle."""
        with contextlib.suppress(av.FFmpegError), av.open(str(self.path), format=self._form) as it:
            stream = it.streams.video[0]
            for place in GLIMPSES:
                with contextlib.suppress(av.FFmpegError):
                    it.seek(round(place * self.duration_s * av.time_base))
                    for decoded in it.decode(stream):
                        yield Frame(DecodedFrame(decoded), place * self.duration_s, 0)
                        break

    def frame_at(self, time_s: float) -> Frame | None:
        """The first frame at a time or after it; None where none can be read there."""
        asked = FramePosition(time_s, 0, 0)
        for near in (asked, FramePosition(max(0.0, time_s - KEYS_APART_S), 0, 0), None):
            with (
                contextlib.suppress(av.FFmpegError),
                contextlib.closing(self._decoded(near, asked)) as frames,
            ):
                found = next(frames, None)
                if near is not None and (found is None or found.time_s > time_s):
                    continue  # without an index, the file may have been entered too late
                while found is not None and found.time_s <= time_s - SAME_S:
                    found = next(frames, None)
                return found
        return None

    def in_real_time(self, every: bool = False) -> Frames:
        """Frames no faster than they were recorded.

        Late frames are skipped, but never for long; with ``every``, none is.
        """
        begun_s: float | None = None

        def due(time_s: float, last_s: float) -> bool:
            nonlocal begun_s
            # The clock starts with the first frame, because opening the file may take time.
            begun_s = time.monotonic() if begun_s is None else begun_s
            wait_s = begun_s + time_s - time.monotonic()
            if wait_s > 0:
                time.sleep(wait_s)
            return every or wait_s > -1.0 / self.fps or time_s - last_s >= LONGEST_GAP_S

        return self._frames(due)

    def _frames(
        self,
        wanted: Callable[[float, float], bool],
        since: FramePosition | None = None,
        step_s: float = 0.0,
    ) -> Frames:
        last_s = float("-inf")
        try:
            with contextlib.closing(self._from(since, step_s)) as frames:
                for frame in frames:
                    if wanted(frame.time_s, last_s):
                        last_s = frame.time_s
                        yield frame
        except av.FFmpegError as error:
            at_s = max(last_s, 0.0)
            raise SourceError(
                f"{self.path} cannot be decoded after {at_s:.1f} s; copy the file again"
            ) from error

    def _from(self, since: FramePosition | None, step_s: float) -> Frames:
        """Every frame, or every frame from ``since`` on; not every file can be entered there.

        Without those that nobody needs where frames are to be ``step_s`` apart.
        """
        if since is None:
            yield from self._decoded(step_s=step_s)
            return
        for near in (since, None) if self._start_s is not None else (None,):
            with contextlib.closing(self._decoded(near, since, step_s)) as frames:
                first = next((one for one in frames if one.time_s > since.time_s - SAME_S), None)
                if first is not None and FramePosition.of(first).mark == since.mark:
                    yield Frame(first.pixels, since.time_s, since.index)
                    for frame in frames:
                        index = since.index + frame.index - first.index
                        yield Frame(frame.pixels, frame.time_s, index)
                    return
        raise SourceError(f"{self.path} shows something else at {since.time_s:.1f} s than before")

    def _decoded(
        self,
        near: FramePosition | None = None,
        since: FramePosition | None = None,
        step_s: float = 0.0,
    ) -> Frames:
        """Every frame that is needed for frames ``step_s`` apart from ``since`` on.

        With ``near``, from some point before it, indexed from there.
        """
        start_s = None
        with av.open(str(self.path), format=self._form) as container:
            stream = container.streams.video[0]
            stream.thread_type = "AUTO"
            if step_s:
                large = stream.width * stream.height > ONE_THREAD_PX
                stream.codec_context.thread_count = 2 if large else 1
            if near is not None and self._start_s is not None and stream.time_base is not None:
                start_s = self._start_s
                container.seek(round((start_s + near.time_s) / stream.time_base), stream=stream)
            from_s = -math.inf if since is None else (self._start_s or 0.0) + since.time_s - SAME_S
            index = 0
            dropped: set[int] = set()
            for decoded in self._pictures(container, stream, _apart(step_s), from_s, dropped):
                if decoded.pts is not None:
                    index += sum(pts < decoded.pts for pts in dropped)
                    dropped -= {pts for pts in dropped if pts <= decoded.pts}
                taken_s = decoded.time if decoded.time is not None else index / self.fps
                start_s = taken_s if start_s is None else start_s
                pixels = DecodedFrame(decoded, quick=step_s > 0)
                yield Frame(pixels, taken_s - start_s, index)
                index += 1

    def _pictures(
        self,
        container: Any,
        stream: Any,
        wanted: Callable[[float, float], bool],
        from_s: float,
        dropped: set[int],
    ) -> Iterator[Any]:
        """Decoded frames; if the file is cut off, also those that the decoder holds back.

        ``dropped`` receives the times of those that it need not show.
        """
        try:
            for packet, shown in _with_need(container.demux(stream), wanted, from_s):
                if self.cut_off and packet.is_corrupt:
                    continue
                stream.codec_context.skip_frame = "DEFAULT" if shown else "NONREF"
                if not shown and packet.pts is not None:
                    dropped.add(packet.pts)
                yield from packet.decode()
        except av.FFmpegError:
            if not self.cut_off:
                raise
            with contextlib.suppress(av.FFmpegError):
                yield from stream.decode(None)


def _apart(step_s: float) -> Callable[[float, float], bool]:
    """Whether a frame is wanted at a time, after one at another."""
    return lambda time_s, last_s: time_s - last_s >= step_s - SAME_S


def _with_need(
    packets: Iterable[Any], wanted: Callable[[float, float], bool], from_s: float
) -> Iterator[tuple[Any, bool]]:
    """The packets in their order, and whether anybody wants to see the picture of each."""
    waiting: deque[Any] = deque()
    known: list[int] = []
    """Times of the pictures in ``waiting`` of which it is not known, the earliest first."""
    shown: dict[int, bool] = {}
    last_s = -math.inf
    need = True

    def taken() -> tuple[Any, bool]:
        nonlocal last_s, need
        packet = waiting.popleft()
        while packet.pts is not None and known and known[0] <= packet.pts:
            pts = heapq.heappop(known)
            time_s = float(pts * packet.time_base)
            shown[pts] = time_s >= from_s and wanted(time_s, last_s)
            last_s = time_s if shown[pts] else last_s
        if packet.pts is not None:  # the second half of an interlaced picture has no time
            need = shown.pop(packet.pts, True)
        elif not packet.size:  # the end, when what is left comes out
            need = True
        return packet, need

    for packet in packets:
        waiting.append(packet)
        if packet.pts is not None:
            heapq.heappush(known, packet.pts)
        if len(waiting) > REORDERED:
            yield taken()
    while waiting:
        yield taken()


def _within_packet(path: Path) -> bool:
    """Whether a transport stream ends in the middle of a packet."""
    return all(path.stat().st_size % size for size in TS_PACKET_BYTES)


def _duration_s(container: Any, stream: Any) -> float:
    if stream.duration is not None:
        return float(stream.duration * stream.time_base)
    return float(container.duration or 0) / float(av.time_base)


def _readable_s(container: Any, stream: Any, claimed_s: float) -> float:
    """How many seconds can be read of those that the video claims to have."""
    last_s = _last_s(container, stream, claimed_s)
    if claimed_s - last_s <= MISSING_END_S:
        return claimed_s
    # An index at the beginning of the file also lists frames that are missing.
    here_s, beyond_s = 0.0, claimed_s
    while beyond_s - here_s > MISSING_END_S:
        middle_s = (here_s + beyond_s) / 2
        if _last_s(container, stream, middle_s, 1):
            here_s = middle_s
        else:
            beyond_s = middle_s
    return max(last_s, _last_s(container, stream, here_s))


def _last_s(container: Any, stream: Any, from_s: float, most: int | None = None) -> float:
    """Time of the last readable frame, in seconds from the first; 0 if nothing is readable.

    ``from_s``: where to begin; ``most``: how many packets to read.
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
