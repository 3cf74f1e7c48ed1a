"""Recorded video files: read in order, from a known frame on, or in real time."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import av

from vision.camera.address import readable, shown
from vision.camera.containers import HEAD_BYTES, is_picture
from vision.camera.decoded import DecodedFrame, Orientation
from vision.camera.frames import FilmGap, Frame, FramePosition, Frames
from vision.camera.joined_streams import JoinedStream, left_out, parts_of
from vision.camera.opened import RAW, NoVideo, open_container, opened_file
from vision.camera.packets import (
    JUMP_S,
    KEYS_APART_S,
    ClockBreak,
    DecodedPicture,
    PictureDecoder,
    packet_time_s,
    packets_of,
    steady,
    with_need,
)
from vision.camera.pictures import SourceError

TS_PACKET_BYTES: Final = (188, 192, 204)
"""Sizes of a packet of an MPEG transport stream, which nowhere states its length."""
NO_LENGTH: Final = frozenset({"mpegts", "mpeg", "flv"}) | RAW
"""FFmpeg's names for containers that do not state their length, or not that of joined files."""
MISSING_END_S: Final = 0.5
"""A video that ends this much before its claimed length has been cut off."""
LONGEST_S: Final = 48 * 3600.0
"""A claimed length of more is damaged."""
FIRST_S: Final = 120.0
"""The first picture comes within this much of a video that can be read."""
MISSING_S, MISSING = 0.8, 4
"""Where no picture comes for so long, and for so many pictures, some are missing."""
GLIMPSES: Final = (0.5, 0.75, 0.25, 0.9, 0.4, 0.6, 0.1, 0.99)
"""Places of glimpses, as shares of the length."""
USUAL_FPS: Final = 25.0
"""Frame rate of a video that does not state one."""
LEAST_FPS, MOST_FPS = 0.5, 1000.0
"""A stated frame rate of less is seldom right; one of more is damaged."""
LONGEST_GAP_S: Final = 0.5
"""Longest gap between two frames when the machine is too slow for the recording."""
SAME_S: Final = 1e-6
"""Largest difference between two times of one frame, read in order and after a seek."""
ONE_THREAD_PX: Final = 1920 * 1080
"""Pictures of up to this size are decoded by one thread, which takes a tenth less of the processor
than two: what reads them is slower. Larger ones take two."""


class VideoFile:
    """A recorded video, read as fast as the machine can."""

    def __init__(self, path: Path, form: str | None = None) -> None:
        """Check both ends of the file; raises ``SourceError`` unless some of it can be read.

        ``form``: FFmpeg's name for the container; None to detect it.
        """
        self.path = path
        self._form = form
        self.name = readable(path.name)
        if not path.is_file():
            raise SourceError(f"there is no video file {shown(path)}")
        _refuse_picture(path)
        self._breaks: list[ClockBreak] = []
        """Where the clock breaks, as far as it has been read."""
        self.cut_off: str | None = None
        """One line for the user if the end of the file is missing."""
        self._remarks: list[str] = []
        try:
            with opened_file(path, form) as (container, stream):
                self.fps = _fps(stream)
                self.begun = _begun(container)
                """When the camera began to film, by its own clock; None where it does not say."""
                self._measure(container, stream)
            first, begins_s = self._first()
        except NoVideo:
            raise SourceError(f"{shown(path)} has no video in it; give a video file") from None
        except (av.FFmpegError, StopIteration, OverflowError) as error:
            raise SourceError(
                f"{shown(path)} cannot be read as a video; give a file that a video player can play"
            ) from error
        if begins_s > MISSING_END_S:
            self._remarks.append(
                f"{shown(path)} begins between two whole pictures: "
                f"its first {begins_s:.1f} s cannot be read"
            )
        self._start_s: float | None = first.time
        self.width_px, self.height_px = DecodedFrame(first, Orientation.of(first)).size_px

    @property
    def remarks(self) -> tuple[str, ...]:
        """Lines for the user about the whole file."""
        return (*self._remarks, *([self.cut_off] if self.cut_off else ()))

    def _measure(self, container: Any, stream: Any) -> None:
        """Find how much of the file can be read, and what is to be said of that."""
        path, forms = shown(self.path), set(container.format.name.split(","))
        self._remarks += _left_out(self.path) if forms & {"mpegts"} else ()
        claimed_s = None if forms & NO_LENGTH else _claimed_s(container, stream)
        self.duration_s = claimed_s or 0.0
        """Length of the readable part."""
        if forms & RAW:
            self._remarks.append(
                f"{path} has no times: it is read at {self.fps:g} pictures a second; put it into "
                "a container with its true rate if the game was played faster or slower"
            )
        if forms & {"mpegts"} and _within_packet(self.path):
            self.cut_off = (
                f"{path} is cut off in the middle of a packet; the rest is read, "
                "copy the file again for its end"
            )
        if claimed_s and abs(claimed_s - _last_s(container, stream, claimed_s)) <= MISSING_END_S:
            return
        # An index may be damaged, or list pictures that are missing: only the packets tell.
        with opened_file(self.path, self._form) as again:
            self.duration_s = self._read_s(*again)
        if claimed_s and claimed_s - self.duration_s > MISSING_END_S:
            missing_s = claimed_s - self.duration_s
            missing = f"the last {missing_s:.1f} of {claimed_s:.1f} s are missing"
            if not self.duration_s:
                raise SourceError(f"{path} is cut off: {missing}; copy the file again")
            self.cut_off = (
                f"{path} is cut off: {missing}; the rest is read, copy the file again for its end"
            )

    def _read_s(self, container: Any, stream: Any) -> float:
        """How many seconds can be read, by every packet of the file."""
        first_s, end_s = None, 0.0
        packets = steady(packets_of(container, stream), 1 / self.fps, self._breaks)
        with contextlib.suppress(av.FFmpegError):
            for packet in packets:
                begun_s = packet_time_s(packet)
                if packet.is_corrupt or not packet.size:
                    continue
                if begun_s is None:  # without a container, there are no times
                    end_s += 1 / self.fps
                    continue
                first_s = begun_s if first_s is None else min(first_s, begun_s)
                end_s = max(end_s, begun_s + _lasts_s(packet, 1 / self.fps))
        return end_s - (first_s or 0.0)

    def _first(self) -> tuple[Any, float]:
        """The first picture that decodes, and the seconds before it."""
        first_s = None
        with opened_file(self.path, self._form) as (container, stream):
            pictures = PictureDecoder(stream)
            for packet in packets_of(container, stream):
                now_s = packet_time_s(packet)
                first_s = now_s if first_s is None else first_s
                for picture in pictures.decode(packet):
                    shown_s = picture.frame.time
                    return picture.frame, 0.0 if shown_s is None else shown_s - (first_s or 0.0)
                if now_s is not None and abs(now_s - (first_s or 0.0)) > FIRST_S:
                    break
        raise StopIteration

    def frames(self, step_s: float = 0.0, since: FramePosition | None = None) -> Frames:
        """Frames in order; skipped ones are not decoded if no other picture needs them.

        ``since``: begin with this frame, which was read before.
        """
        return self._frames(_apart(step_s), since, step_s)

    def glimpses(self) -> Frames:
        """A few readable frames from all over the video, beginning in its middle."""
        with (
            contextlib.suppress(av.FFmpegError, NoVideo),
            opened_file(self.path, self._form) as (it, stream),
        ):
            for place in GLIMPSES:
                with contextlib.suppress(av.FFmpegError):
                    at_s = (self._start_s or 0.0) + place * self.duration_s
                    it.seek(round(at_s / stream.time_base), stream=stream)
                    decoder, packets = PictureDecoder(stream), packets_of(it, stream)
                    pictures = (one for packet in packets for one in decoder.decode(packet))
                    if (first := next(pictures, None)) is not None:
                        pixels = DecodedFrame(first.frame, first.lies)
                        yield Frame(pixels, place * self.duration_s, 0)

    def frame_at(self, time_s: float) -> Frame | None:
        """The first frame at a time or after it; None where none can be read there."""
        asked = FramePosition(time_s, 0, 0)
        for near in (asked, FramePosition(max(0.0, time_s - KEYS_APART_S), 0, 0), None):
            if near is not None and not self._can_enter(near.time_s):
                continue
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

    def between(self, from_s: float, to_s: float) -> Frames:
        """Every frame between two times; the file is entered near the first where it can be."""
        asked = FramePosition(from_s, 0, 0)
        for near in (asked, None) if self._can_enter(from_s) else (None,):
            with contextlib.closing(self._decoded(near, asked)) as frames:
                for number, frame in enumerate(frames):
                    if near is not None and not number and frame.time_s > from_s:
                        break  # without an index, the file may have been entered too late
                    if frame.time_s > to_s:
                        return
                    if frame.time_s >= from_s - SAME_S:
                        yield frame
                else:
                    return

    def _can_enter(self, time_s: float) -> bool:
        """Whether the file's own times are those of the film there."""
        broken_s = min((one.at_s for one in self._breaks), default=math.inf)
        return self._start_s is not None and self._start_s + time_s < broken_s

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
        last_s, gap = float("-inf"), None
        try:
            with contextlib.closing(self._from(since, step_s)) as frames:
                for frame in frames:
                    gap = gap or frame.gap
                    if wanted(frame.time_s, last_s):
                        last_s = frame.time_s
                        yield replace(frame, gap=gap) if gap else frame
                        gap = None
        except av.FFmpegError as error:
            at_s = max(last_s, 0.0)
            raise SourceError(
                f"{shown(self.path)} cannot be decoded after {at_s:.1f} s; copy the file again"
            ) from error

    def _from(self, since: FramePosition | None, step_s: float) -> Frames:
        """Every frame, or every frame from ``since`` on; not every file can be entered there.

        Without those that nobody needs where frames are to be ``step_s`` apart.
        """
        if since is None:
            yield from self._decoded(step_s=step_s)
            return
        for near in (since, None) if self._can_enter(since.time_s) else (None,):
            with contextlib.closing(self._decoded(near, since, step_s)) as frames:
                first = next((one for one in frames if one.time_s > since.time_s - SAME_S), None)
                if first is not None and FramePosition.of(first).mark == since.mark:
                    yield replace(first, time_s=since.time_s, index=since.index, gap=None)
                    for frame in frames:
                        yield replace(frame, index=since.index + frame.index - first.index)
                    return
        at = f"{shown(self.path)} shows something else at {since.time_s:.1f} s than before"
        raise SourceError(at)

    def _decoded(
        self,
        near: FramePosition | None = None,
        since: FramePosition | None = None,
        step_s: float = 0.0,
    ) -> Frames:
        """Every frame that is needed for frames ``step_s`` apart from ``since`` on.

        With ``near``, from some point before it, indexed from there.
        """
        with opened_file(self.path, self._form) as (container, stream):
            stream.thread_type = "AUTO"
            if step_s:
                large = stream.width * stream.height > ONE_THREAD_PX
                stream.codec_context.thread_count = 2 if large else 1
            start_s = None
            if near is not None and self._start_s is not None and stream.time_base is not None:
                start_s = self._start_s
                container.seek(round((start_s + near.time_s) / stream.time_base), stream=stream)
            from_s = -math.inf if since is None else (self._start_s or 0.0) + since.time_s - SAME_S
            timed = _Timed(self.fps, start_s, step_s > 0)
            decoder = PictureDecoder(stream)
            pictures = self._pictures(container, stream, decoder, _apart(step_s), from_s, timed)
            yield from (frame for picture in pictures if (frame := timed.frame(picture)))
            if decoder.damaged_s is not None and (lost := timed.lost(decoder.damaged_s)):
                yield lost
            if near is None:
                self._breaks = timed.breaks

    def _pictures(
        self,
        container: Any,
        stream: Any,
        decoder: PictureDecoder,
        wanted: Callable[[float, float], bool],
        from_s: float,
        timed: _Timed,
    ) -> Iterator[DecodedPicture]:
        """Decoded pictures; if the file is damaged, also those that the decoder holds back.

        ``timed`` hears of those that need not be shown.
        """
        packets = steady(packets_of(container, stream), 1 / self.fps, timed.breaks)
        try:
            for packet, needed in with_need(packets, wanted, from_s):
                if self.cut_off and packet.is_corrupt:
                    continue
                stream.codec_context.skip_frame = "DEFAULT" if needed else "NONREF"
                if not needed and packet.pts is not None:
                    timed.dropped.add(packet.pts)
                joined = packet.is_corrupt and any(one.tears(packet) for one in timed.breaks)
                yield from decoder.decode(packet, packet.is_corrupt and not joined)
        except av.FFmpegError:
            if not self.cut_off:
                raise
            yield from decoder.decode(None)


class _Timed:
    """Gives decoded pictures their times and places in the film, and says what is missing."""

    def __init__(self, fps: float, start_s: float | None, quick: bool) -> None:
        """``start_s``: the file's own time of the first picture; None if that comes now."""
        self.breaks: list[ClockBreak] = []
        self.dropped: set[int] = set()
        """The file's own times of pictures that are not shown."""
        self._fps, self._start_s, self._quick = fps, start_s, quick
        self._entered = start_s is not None
        self._index = 0
        self._last_s = -math.inf
        self._last: Frame | None = None
        self._whole_s: float | None = None
        self._joined = 0
        """Breaks of the clock that have been passed."""

    def frame(self, picture: DecodedPicture) -> Frame | None:
        """None for what is left of a picture whose time is over."""
        decoded = picture.frame
        missed = 0
        if decoded.pts is not None:
            earlier = {pts for pts in self.dropped if pts < decoded.pts}
            missed = len(earlier)
            self.dropped -= earlier | {decoded.pts}
        self._index += missed
        taken_s = decoded.time if decoded.time is not None else self._index / self._fps
        self._start_s = taken_s if self._start_s is None else self._start_s
        time_s = taken_s - self._start_s
        if time_s <= self._last_s:  # pictures come in the order in which they are shown
            if not picture.whole:
                return None
            time_s = self._last_s + 1 / self._fps
        gap = self._gap(picture, time_s, missed)
        self._last_s = time_s
        if picture.whole:
            self._whole_s = time_s
        index, self._index = self._index, self._index + 1
        pixels = DecodedFrame(decoded, picture.lies, self._quick)
        self._last = Frame(pixels, time_s, index, whole=picture.whole, gap=gap)
        return self._last

    def lost(self, taken_s: float) -> Frame | None:
        """What stands for the last pictures of a film, if none of them can be decoded."""
        time_s = taken_s - (self._start_s or 0.0)
        if self._last is None or time_s - self._last_s < MISSING_S:
            return None
        return replace(self._last, time_s=time_s, index=self._index, whole=False, gap=None)

    def _gap(self, picture: DecodedPicture, time_s: float, missed: int) -> FilmGap | None:
        """What is missing before a whole picture."""
        if self._whole_s is None or not picture.whole:
            return None
        passed = sum(one.at_s <= (picture.frame.time or 0.0) for one in self.breaks)
        joined, self._joined = passed > self._joined, passed
        if joined:
            return FilmGap(self._whole_s, "clock")
        if picture.mended:
            return FilmGap(self._whole_s, "damaged")
        if time_s - self._whole_s > max(MISSING_S, (missed + MISSING) / self._fps):
            return FilmGap(self._whole_s, "missing")
        return None


def _apart(step_s: float) -> Callable[[float, float], bool]:
    """Whether a frame is wanted at a time, after one at another."""
    return lambda time_s, last_s: time_s - last_s >= step_s - SAME_S


def _refuse_picture(path: Path) -> None:
    """Raise ``SourceError`` for a single picture."""
    try:
        with path.open("rb") as file:
            picture = is_picture(file.read(HEAD_BYTES))
    except OSError as error:
        raise SourceError(f"{shown(path)} cannot be read: {error.strerror}") from error
    if picture:
        raise SourceError(f"{shown(path)} is a picture; give a video of the game")


def _within_packet(path: Path) -> bool:
    """Whether a transport stream ends in the middle of a packet."""
    return all(path.stat().st_size % size for size in TS_PACKET_BYTES)


def _left_out(path: Path) -> Iterator[str]:
    """One line for each part of a joined stream that cannot be read with the others."""
    parts = parts_of(path)
    for part in left_out(parts):
        missing_s = 0.0
        with (
            contextlib.suppress(av.FFmpegError),
            JoinedStream(path, [part], alone=True) as alone,
            open_container(alone) as container,
        ):
            missing_s = float(container.duration or 0) / float(av.time_base)
        at = f"after {100 * part.begins // parts[-1].ends} % of the file"
        yield (
            f"{shown(path)}: {missing_s:.1f} s {at} are missing: their pictures are coded "
            "otherwise than those before them; give that part as a file of its own"
        )


def _fps(stream: Any) -> float:
    stated = [stream.average_rate, stream.guessed_rate, stream.codec_context.framerate]
    usable = [float(one) for one in stated if one and 0 < one <= MOST_FPS]
    # The mean of a film whose clock jumps by hours says nothing.
    return next((one for one in usable if one >= LEAST_FPS), usable[0] if usable else USUAL_FPS)


def _begun(container: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(container.metadata["creation_time"])
    except (KeyError, ValueError):
        return None


def _claimed_s(container: Any, stream: Any) -> float | None:
    """The length that the file states; None where that is nonsense."""
    if stream.duration is not None and stream.time_base:
        claimed_s = float(stream.duration * stream.time_base)
    else:
        claimed_s = float(container.duration or 0) / float(av.time_base)
    return claimed_s if 0 < claimed_s <= LONGEST_S else None


def _lasts_s(packet: Any, usual_s: float) -> float:
    lasts_s = float((packet.duration or 0) * packet.time_base)
    return lasts_s if 0 <= lasts_s <= JUMP_S else usual_s


def _last_s(container: Any, stream: Any, from_s: float) -> float:
    """Time of the last readable frame, in seconds from the first; 0 if nothing is readable.

    ``from_s``: where to begin.
    """
    start_s = float((stream.start_time or 0) * stream.time_base)
    last_s = 0.0
    with contextlib.suppress(av.FFmpegError, OverflowError):
        container.seek(round((start_s + from_s) / stream.time_base), stream=stream)
        for packet in container.demux(stream):
            if packet.pts is None or packet.is_corrupt:
                continue
            end_s = float(packet.pts * packet.time_base) + _lasts_s(packet, 0.0)
            last_s = max(last_s, end_s - start_s)
    return last_s
