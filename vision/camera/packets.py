"""The packets of a film or stream: a clock that only goes forward, and pictures behind damage."""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import av

from vision.camera.decoded import Orientation

BACK_S: Final = 0.2
"""A clock that goes back by more has begun again; by less, pictures come out of order."""
JUMP_S: Final = 60.0
"""A clock that goes forward by more was set; by less, no pictures were taken meanwhile."""
UNREADABLE: Final = 1000
"""After so many places in a row that are no packets, the rest is given up."""
TORN_S: Final = 1.0
"""The first and last packets of joined films lie within this much of their joint."""
KEYS_APART_S: Final = 12.0
"""Usual encoders put a picture that needs no other at least so often."""
MOST_TICKS: Final = 1_000_000
REORDERED: Final = 32
"""A picture comes at most so many packets before one that is shown earlier."""


@dataclass(frozen=True)
class ClockBreak:
    """Where a film's own clock goes back or jumps, in the time that only goes forward."""

    at_s: float

    def tears(self, packet: Any) -> bool:
        """Whether a packet may only seem to be torn because another film follows it."""
        now_s = packet_time_s(packet)
        return now_s is not None and abs(now_s - self.at_s) < TORN_S


def packets_of(container: Any, stream: Any) -> Iterator[Any]:
    """The packets of a stream; places that are none are passed over."""
    failed = 0
    while True:
        try:
            for packet in container.demux(stream):
                failed = 0
                yield packet
            return
        except IndexError:
            continue  # of a stream that began in the middle
        except av.InvalidDataError:
            failed += 1
            if failed > UNREADABLE:
                raise


def steady(packets: Iterable[Any], frame_s: float, breaks: list[ClockBreak]) -> Iterator[Any]:
    """The packets with a clock that only goes forward: films are joined, cameras start again.

    Where it breaks, as much time passes as before, or ``frame_s``; ``breaks`` receives where.
    """
    decoded, shown = _Clock(BACK_S), _Clock(max(BACK_S, REORDERED * frame_s))
    offset = 0
    for packet in packets:
        # Some containers have no times of decoding, or not of the first packets.
        clock, now = (shown, packet.pts) if packet.dts is None else (decoded, packet.dts)
        if now is not None and packet.time_base:
            base = packet.time_base
            broken = clock.breaks((now + offset) * base)
            if broken and clock.last_s is not None:
                step_s = clock.step_s or Fraction(frame_s).limit_denominator(MOST_TICKS)
                offset = round((clock.last_s + step_s) / base) - now
            _shift(packet, offset)
            if broken:
                breaks.append(ClockBreak(packet_time_s(packet) or 0.0))
            for each, ticks in ((decoded, packet.dts), (shown, packet.pts)):
                if ticks is not None:
                    each.take(ticks * base)
        yield packet


class _Clock:
    """The times of packets, by when they are decoded or shown."""

    def __init__(self, back_s: float) -> None:
        """``back_s``: how far it may go back for reasons of its own."""
        self._back_s = back_s
        self.last_s: Fraction | None = None
        self.step_s: Fraction | None = None

    def breaks(self, now_s: Fraction) -> bool:
        return self.last_s is not None and not -self._back_s <= now_s - self.last_s <= JUMP_S

    def take(self, now_s: Fraction) -> None:
        if self.last_s is not None and now_s > self.last_s:
            self.step_s = now_s - self.last_s
        self.last_s = now_s if self.last_s is None else max(self.last_s, now_s)


def _shift(packet: Any, offset: int) -> None:
    pts, dts = packet.pts, packet.dts
    if pts is not None and dts is not None and abs(pts - dts) * packet.time_base > JUMP_S:
        pts = packet.pts = dts  # a damaged table: no picture is shown so long after it came
    if offset:
        packet.pts = None if pts is None else pts + offset
        packet.dts = None if dts is None else dts + offset


def with_need(
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


@dataclass(frozen=True, eq=False)
class DecodedPicture:
    """A picture as the decoder gives it."""

    frame: Any
    """An ``av.VideoFrame``."""
    lies: Orientation
    whole: bool
    """False behind a damaged place, until a picture comes that needs no other."""
    mended: bool
    """The first whole one behind a damaged place."""


class PictureDecoder:
    """Decodes packets in order. A damaged one costs the pictures that need it, and no more."""

    def __init__(self, stream: Any) -> None:
        self._context = stream.codec_context
        self._lies: tuple[int, Orientation] | None = None
        """By how much the last picture is turned, in degrees, and how it lies."""
        self._begun = False
        self._complains = False
        """The decoder takes every picture for damaged, which then says nothing."""
        self._first_s: float | None = None
        self._hurt_s: float | None = -math.inf
        """When the film was damaged; None while pictures are whole. It begins as behind damage:
        nothing is whole before a picture that needs no other."""

    @property
    def damaged_s(self) -> float | None:
        """When the film was damaged last, if no whole picture has come since."""
        return self._hurt_s if self._begun else None

    def decode(self, packet: Any | None, torn: bool = False) -> Iterator[DecodedPicture]:
        """The pictures that come out with a packet; None for those that are held back.

        ``torn``: a part of the packet is missing.
        """
        now_s = None if packet is None else packet_time_s(packet)
        self._first_s = now_s if self._first_s is None else self._first_s
        if torn:
            self._hurt(now_s)
        try:
            frames = self._context.decode(packet)
        except av.EOFError:
            return
        except av.FFmpegError:
            self._hurt(now_s)
            return
        for frame in frames:
            if frame.is_corrupt and not self._complains:
                self._hurt(frame.time)
            mended = self._hurt_s is not None and self._heals(frame, self._hurt_s)
            if mended:
                self._hurt_s = None
            if self._begun or self._hurt_s is None:
                whole = self._hurt_s is None
                yield DecodedPicture(frame, self._orientation(frame), whole, mended and self._begun)
                self._begun = True

    def _orientation(self, frame: Any) -> Orientation:
        """How a picture lies: as the one before, unless it is turned otherwise.

        Its rotation does not tell every flip; no stream changes only that.
        """
        turned = int(frame.rotation)
        if self._lies is None or self._lies[0] != turned:
            self._lies = turned, Orientation.of(frame)
        return self._lies[1]

    def _hurt(self, now_s: float | None) -> None:
        if self._begun:
            before_s = -math.inf if self._hurt_s is None else self._hurt_s
            self._hurt_s = max(before_s, before_s if now_s is None else now_s)

    def _heals(self, frame: Any, hurt_s: float) -> bool:
        time_s = math.inf if frame.time is None else frame.time
        late = time_s - max(hurt_s, self._first_s or 0.0) > KEYS_APART_S
        if frame.is_corrupt and not self._complains:
            self._complains = late and not self._begun
            return self._complains
        return late or bool(frame.key_frame and time_s > hurt_s)


def packet_time_s(packet: Any) -> float | None:
    now = packet.dts if packet.pts is None else packet.pts
    return None if now is None or not packet.time_base else float(now * packet.time_base)
