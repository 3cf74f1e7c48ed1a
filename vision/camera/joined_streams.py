"""Joined transport streams (ISO 13818-1) whose parts number their streams differently.

FFmpeg goes on with the numbers of the first part: what has others is lost without a word.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import IO, Final

import numpy as np

from vision.arrays import Bytes, Ints
from vision.camera.containers import HEAD_BYTES

PACKETS: Final = ((188, 0), (192, 4), (204, 0))
"""Sizes of a packet, and where in it the first byte lies that all packets have."""
PACKET_BYTES: Final = 188
LARGEST_PACKET: Final = max(size for size, _ in PACKETS)
SYNC: Final = 0x47
SEEN_TO_BE: Final = 5
"""So many packets in a row tell their size."""
PLACES: Final = 64
"""Places of a file at which its tables are looked up: a part of less than this share may be missed,
if the parts around it are numbered alike."""
NEAR: Final = 8192
"""Packets among which both tables come: they are sent ten times a second."""
NUMBERS: Final = 0x1FFF
NOTHING: Final = (0x1F, 0xFF, 0x10)
"""Begins a packet that means nothing, behind its first byte."""
VIDEO: Final = {0x01: 0, 0x02: 0, 0x10: 1, 0x1B: 2, 0x24: 3, 0x33: 4, 0xEA: 5}
"""Types of streams with pictures; equal values are decoded alike."""


@dataclass(frozen=True)
class StreamTable:
    """What a part of the file says of its streams."""

    pmt: int
    """The number of the table itself."""
    kinds: tuple[tuple[int, int], ...]
    """Each stream's number and type."""

    @property
    def video(self) -> tuple[int, int] | None:
        """Number and kind of the first stream with pictures."""
        found = ((number, VIDEO[kind]) for number, kind in self.kinds if kind in VIDEO)
        return next(found, None)


@dataclass(frozen=True)
class StreamPart:
    """A part of the file."""

    begins: int
    """Its first byte."""
    ends: int
    """The byte behind it."""
    packet: tuple[int, int]
    """Size of its packets, and where in each the byte lies with which it begins."""
    table: StreamTable


def parts_of(path: Path) -> tuple[StreamPart, ...]:
    """The parts of a transport stream, if there are several; raises ``OSError``."""
    stat = path.stat()
    return _parts_of(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(8)
def _parts_of(path: Path, size: int, changed_ns: int) -> tuple[StreamPart, ...]:
    with path.open("rb") as file:
        packet, _ = _packet_of(file.read(HEAD_BYTES))
        if packet is None:
            return ()
        near = NEAR * packet[0]
        places = {size * at // PLACES for at in range(PLACES)} | {max(0, size - near)}
        looked = [(at, found) for at in sorted(places) if (found := _table_at(file, at, near))]
        begun = [(0, packet, looked[0][1])] if looked else []
        for one, other in pairwise(looked):
            if one[1].video != other[1].video:
                begun.append(_begun(file, one, other, near))
    ends = [begins for begins, *_ in begun[1:]] + [size]
    parts = (
        StreamPart(begins, end, packet, table)
        for (begins, packet, table), end in zip(begun, ends, strict=True)
    )
    return tuple(parts) if len(begun) > 1 else ()


def _packet_of(data: bytes) -> tuple[tuple[int, int] | None, int]:
    """The size of packets and where each begins, and the place of the first whole one."""
    for size, sync in PACKETS:
        for start in range(size):
            here = data[start + sync :: size][:SEEN_TO_BE]
            if len(here) == SEEN_TO_BE and set(here) == {SYNC}:
                return (size, sync), start
    return None, 0


def _begun(
    file: IO[bytes], one: tuple[int, StreamTable], other: tuple[int, StreamTable], near: int
) -> tuple[int, tuple[int, int], StreamTable]:
    """Where the second table replaces the first one: byte, packets, and the table."""
    (low, before), (high, after) = one, other
    while high - low > near:
        middle = (low + high) // 2
        found = _table_at(file, middle, near)
        if found is None or found.video == before.video:
            low = middle
        else:
            high, after = middle, found
    # The parts may not be a whole number of packets apart: the later one's are looked for.
    file.seek(high)
    packet, start = _packet_of(file.read(HEAD_BYTES))
    assert packet is not None, "tables were found there"
    first = high + start - (high + start - low) // packet[0] * packet[0]
    for at, table in _tables(_packets(file, first, high - first + near, packet), None):
        if table.video == after.video:
            return first + at * packet[0], packet, table
    return high + start, packet, after


def _table_at(file: IO[bytes], at: int, near: int) -> StreamTable | None:
    """The first whole table from a byte on; None where none is near."""
    file.seek(at)
    packet, start = _packet_of(file.read(HEAD_BYTES))
    if packet is None:
        return None
    for length in (near // 16, near):  # usually both come soon
        tables = _tables(_packets(file, at + start, length, packet), None)
        if (found := next(tables, None)) is not None:
            return found[1]
    return None


def _packets(file: IO[bytes], at: int, length: int, packet: tuple[int, int]) -> Bytes:
    """(n, 188) packets from a byte on."""
    file.seek(at)
    return _in_packets(np.frombuffer(file.read(length), np.uint8), packet)


def _in_packets(data: Bytes, packet: tuple[int, int]) -> Bytes:
    """(n, 188) the packets with which bytes begin, in place."""
    size, sync = packet
    whole = data[: len(data) // size * size].reshape(-1, size)
    return np.asarray(whole[:, sync : sync + PACKET_BYTES], np.uint8)


def numbers_of(packets: Bytes) -> Ints:
    """(n,) number of the stream that each packet belongs to."""
    return (packets[:, 1].astype(np.int32) & 0x1F) << 8 | packets[:, 2]


def _tables(packets: Bytes, known: StreamTable | None) -> Iterator[tuple[int, StreamTable]]:
    """Each table of streams, with the packet of the list of programs before it."""
    numbers = numbers_of(packets)
    pmt = None if known is None else known.pmt
    begins = 0
    for at in np.flatnonzero((numbers == 0) | (packets[:, 1] & 0x40 > 0)).tolist():
        number = int(numbers[at])
        if number not in (0, pmt) or packets[at, 0] != SYNC:
            continue
        section = _section(packets[at].tobytes())
        if section is None:
            continue
        if number == 0:
            programs = (section[i : i + 4] for i in range(8, len(section) - 3, 4))
            named = [_number(one[2:]) for one in programs if one[:2] != b"\0\0"]
            pmt, begins = (named[0] if named else None), at
        elif pmt is not None:
            yield begins, StreamTable(pmt, tuple(_streams(section)))


def _section(packet: bytes) -> bytes | None:
    """The section that begins in a packet, without its checksum; None where it is not whole."""
    if not packet[3] & 0x10 or not packet[1] & 0x40:
        return None
    at = 4 + (1 + packet[4] if packet[3] & 0x20 else 0)
    if at >= len(packet):
        return None
    at += 1 + packet[at]
    length = _number(packet[at + 1 : at + 3]) & 0xFFF if at + 3 <= len(packet) else 0
    section = packet[at : at + 3 + length - 4]
    return section if length > 9 and len(section) == length - 1 else None


def _streams(section: bytes) -> Iterator[tuple[int, int]]:
    at = 12 + (_number(section[10:12]) & 0xFFF)
    while at + 5 <= len(section):
        yield _number(section[at + 1 : at + 3]), section[at]
        at += 5 + (_number(section[at + 3 : at + 5]) & 0xFFF)


def _number(two: bytes) -> int:
    """13 bits."""
    return int.from_bytes(two[:2]) & NUMBERS


class JoinedStream(io.RawIOBase):
    """The file with the pictures of all parts in one stream, as far as they are decoded alike."""

    def __init__(self, path: Path, parts: Sequence[StreamPart], alone: bool = False) -> None:
        """``alone``: the first of these parts, as if it were the whole file."""
        self._file = path.open("rb")
        self._parts = [(part, _renumbered(parts[0].table, part.table)) for part in parts[1:]]
        self._begins = parts[0].begins if alone else 0
        self._size = (parts[0].ends if alone else parts[-1].ends) - self._begins
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        self._at = max(0, offset + {io.SEEK_CUR: self._at, io.SEEK_END: self._size}.get(whence, 0))
        return self._at

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1, /) -> bytes:
        begin, left = self._begins + self._at, max(0, self._size - self._at)
        end = begin + (left if size < 0 else min(size, left))
        first = max(0, begin - LARGEST_PACKET)  # one may begin before what is asked for
        self._file.seek(first)
        data = np.frombuffer(bytearray(self._file.read(end + LARGEST_PACKET - first)), np.uint8)
        for part, numbers in self._parts:
            length = part.packet[0]
            before = max(0, first - part.begins)
            low = part.begins + -(-before // length) * length - first
            high = min(part.ends - first, len(data))
            if low < high:
                _renumber(_in_packets(data[low:high], part.packet), numbers)
        told = data[begin - first : end - first].tobytes()
        self._at += len(told)
        return told

    def close(self) -> None:
        self._file.close()
        super().close()


def _renumbered(first: StreamTable, table: StreamTable) -> Mapping[int, int]:
    """The number of each stream of a part in the first one; pictures alone are taken over."""
    one, other = first.video, table.video
    alike = one is not None and other is not None and one[1] == other[1]
    return {other[0]: one[0]} if alike and one and other else {}


def _renumber(packets: Bytes, numbers: Mapping[int, int]) -> None:
    """Give packets other numbers, in place; those of no kept stream mean nothing."""
    was, there = numbers_of(packets), packets[:, 0] == SYNC
    unread = there.copy()
    for number, becomes in numbers.items():
        here = there & (was == number)
        packets[here, 1] = packets[here, 1] & 0xE0 | becomes >> 8
        packets[here, 2] = becomes & 0xFF
        unread &= ~here
    packets[unread, 1:4] = NOTHING


def left_out(parts: Sequence[StreamPart]) -> Iterator[StreamPart]:
    """The parts whose pictures are decoded otherwise than those of the first one."""
    for part in parts[1:]:
        if part.table.video and not _renumbered(parts[0].table, part.table):
            yield part
