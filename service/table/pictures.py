"""The pictures of one table: each moment at which something changed, with the tiles read in it.

The live page, questions, disputes, the folder of a scored film and kept tiles ask for them here.
"""

from __future__ import annotations

import contextlib
import errno
import shutil
import threading
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from engine.errors import NotThere
from engine.events import Entry
from engine.tiles import Tile
from service.machine.files import keep_private
from service.machine.jpeg import decoded, is_whole
from service.table.evidence import clearest, may_show, shows_the_same
from service.table.picture_files import moment_name, moments_in, pictures_folder
from service.table.reader import LookResult
from vision.arrays import Floats
from vision.camera.frames import Frame
from vision.camera.pictures import Picture, SourceError
from vision.detect import Detection
from vision.draw import DrawableTile, jpeg, overlay, resized
from vision.given_files import MIB
from vision.tiles.classes import Side


@dataclass(frozen=True)
class Keeping:
    """How many pictures are kept, and which go when there are more."""

    most: int
    with_tiles: int
    """Of so many, the newest, it is known what was read in them."""
    thinned: bool = False
    """Whether every second one of the older half goes; else the oldest goes."""


NEWEST_ALONE: Final = Keeping(0, 0)
OF_TABLE: Final = Keeping(4000, 600, thinned=True)
"""Of a table that is watched, as files, some 600 MB: an evening can be disputed as a whole."""
OF_FILM: Final = Keeping(600, 600)
"""Of a film that is scored, in memory, some 100 MB: an event may be decided as late as the end of
the hand."""

LATE_S: Final = 1.5
"""A picture this late still shows an event, where none was taken before."""
FILM_LATE_S: Final = 15.0
"""So late does a picture of a scored film, in which events alone have one: a later one may be of
the next hand, and show nothing of how the last one ended."""
EARLIER_S: Final = 1.2
"""Seconds before an event at which its tile was not on the table yet."""
TOO_OLD_S: Final = 1.0
"""An event so long before the first picture is not shown by it."""
OLDER_S: Final = 4.0
"""A picture so long before a moment still shows it, where nothing was taken since."""
APART_S: Final = 0.4
TRIED: Final = 5
"""Pictures that are searched for an event's tiles."""
LEFT_FREE: Final = 4 * MIB
"""Bytes of the disk that no picture takes: a record of a long evening has a tenth."""
WIDTH_PX: Final = 1600
"""Wider pictures are scaled down to this: a tile stays readable."""
LIVE_WIDTH_PX: Final = 1280
QUALITY, LIVE_QUALITY = 85, 75


@dataclass(frozen=True, eq=False)
class SeenTile:
    """A tile as it was read, at its place in a kept picture."""

    side: Side
    corners_px: Floats
    """(4, 2) float32, clockwise from the tile's own top left."""
    tile: Tile
    confidence: float | None
    """None where the reader tells none."""


@dataclass(frozen=True, eq=False)
class TablePicture:
    number: int
    time_s: float
    """In the time of the record."""
    stored: Path | bytes
    """The JPEG file, or what it would hold; raw pictures would not fit into memory."""
    tiles: tuple[SeenTile, ...] | None = None
    """What was read in it; None where that is not known any more."""


class Pictures:
    """One thread adds pictures, any thread reads them."""

    def __init__(
        self,
        keeping: Keeping = NEWEST_ALONE,
        folder: Path | None = None,
        shots: Sequence[TablePicture] = (),
    ) -> None:
        """``folder`` is made with the first picture; without one, pictures are kept in memory.

        ``shots`` are those to go on with.
        """
        self._folder = folder
        self._keeping = keeping
        self._changing = threading.Lock()
        self._shots = sorted(shots, key=lambda shot: shot.time_s)
        if folder is not None:
            keep_private(folder)
        self.newest: LookResult | None = None
        """The last look, whether its picture is kept or not."""
        self._drawn: tuple[int, bytes] = (-1, b"")
        last = self._shots[-1] if self._shots else None
        self._last = None if last is None or last.tiles is None else (last.time_s, last.tiles)
        self._read: dict[int, tuple[DrawableTile, SeenTile]] = {}
        """The tiles seen last, by identity: most lie still, and are held once."""
        self._asked: Mapping[str, Path] = {}
        self._late_s = LATE_S

    @classmethod
    def beside(cls, record: Path) -> Pictures:
        """The pictures of a table, with those of an earlier run."""
        return cls.kept_in(pictures_folder(record))

    @classmethod
    def kept_in(cls, folder: Path, keeping: Keeping = OF_TABLE) -> Pictures:
        return cls(keeping, folder, [TablePicture(*each) for each in moments_in(folder)])

    @classmethod
    def of_files(
        cls, folder: Path, shown: Sequence[tuple[float, Path]], asked: Mapping[str, Path]
    ) -> Pictures:
        """Pictures of other names, given as (time in seconds, file); none is added.

        ``asked``: pictures of what a film asks that are drawn already, by the question's id.
        """
        shots = [TablePicture(number, *each) for number, each in enumerate(sorted(shown))]
        pictures = cls(NEWEST_ALONE, folder, shots)
        pictures._asked = asked
        pictures._late_s = FILM_LATE_S
        return pictures

    def see(self, reading: LookResult, since_s: float = 0.0) -> None:
        """Take a look; its picture is kept unless it shows nothing new or follows too soon.

        ``since_s`` is the start of the reader's clock in the time of the record.
        """
        self.newest = reading
        if not self._keeping.most:
            return
        frame, time_s = reading.frame, since_s + reading.frame.time_s
        last = None if reading.decoding is not None else self._last
        if last is not None and abs(time_s - last[0]) < APART_S:
            return
        scale = min(1.0, WIDTH_PX / frame.size_px[0])
        tiles = self._seen(reading.detections, scale)
        if last is not None and shows_the_same(tiles, last[1], scale):
            return
        self._last = (time_s, tiles)
        data = _jpeg(frame, scale)
        with self._changing, contextlib.suppress(OSError):
            self._keep(time_s, data, tiles)

    def drawn(self) -> bytes:
        """The newest frame with its tiles outlined, as a JPEG file; empty before the first."""
        reading = self.newest
        if reading is None:
            return b""
        if self._drawn[0] != reading.frame.index:
            image = reading.frame.image_bgr
            scale = min(1.0, LIVE_WIDTH_PX / image.shape[1])
            shown = overlay(image, reading.detections, scale=scale)
            self._drawn = (reading.frame.index, jpeg(shown, LIVE_QUALITY))
        return self._drawn[1]

    @property
    def shots(self) -> tuple[TablePicture, ...]:
        """The pictures in order of time."""
        with self._changing:
            return tuple(self._shots)

    def at(self, time_s: float) -> TablePicture | None:
        """The first picture at a time or after it; the last one before where none follows soon."""
        shots = self.shots
        if not shots:
            return None
        place = bisect_left(shots, time_s - 1e-6, key=_time_s)
        before, after = shots[max(place - 1, 0)], shots[min(place, len(shots) - 1)]
        return after if after.time_s - time_s <= self._late_s else before

    def of_moment(self, time_s: float) -> TablePicture | None:
        """The picture of a moment; None where the nearest one is of another moment."""
        shot = self.at(time_s)
        near = shot is not None and -OLDER_S <= shot.time_s - time_s <= self._late_s
        return shot if near else None

    def between(self, from_s: float, to_s: float) -> Sequence[TablePicture]:
        """The pictures between two times, and the last one before: nothing moved until then."""
        shots = self.shots
        begin = bisect_left(shots, from_s, key=_time_s)
        return shots[max(begin - 1, 0) : bisect_left(shots, to_s + 1e-6, key=_time_s)]

    def showing(self, entry: Entry) -> tuple[TablePicture, tuple[int, ...]] | None:
        """The first picture in which tiles of an event were read, and the indices of these tiles.

        None where no picture can show it, or it is too old.
        """
        shots = [(shot, shot.tiles) for shot in self.shots if shot.tiles is not None]
        if not may_show(entry.event) or not shots:
            return None
        if entry.t is not None and entry.t < shots[0][0].time_s - TOO_OLD_S:
            return None
        place = _first_place(entry, [shot for shot, _ in shots])
        past_s = shots[place][0].time_s - EARLIER_S
        earlier = (tiles for shot, tiles in reversed(shots[:place]) if shot.time_s <= past_s)
        looks = shots[place : place + TRIED]
        return clearest(entry.event, next(earlier, ()), looks, enough=1)

    def knows_before(self, entry: Entry) -> bool:
        """Whether it is known what lay there before an event that a picture may be ``showing``.

        Else the tile that is found may have lain there.
        """
        shots = self.shots
        known = [shot for shot in shots if shot.tiles is not None]
        if not known:
            return False
        past_s = known[_first_place(entry, known)].time_s - EARLIER_S
        last = next((shot for shot in reversed(shots) if shot.time_s <= past_s), None)
        return last is None or last.tiles is not None

    def picture(self, number: int) -> bytes:
        """A picture as a JPEG file; raises ``NotThere`` where it is gone or damaged."""
        found = next((shot for shot in self.shots if shot.number == number), None)
        if found is None:
            raise NotThere(f"there is no picture {number}")
        return _whole(found.stored, f"picture {number}")

    def image(self, number: int) -> Picture:
        """A picture, decoded; raises as ``picture`` does."""
        try:
            return decoded(self.picture(number))
        except SourceError:
            raise NotThere(f"picture {number} is damaged") from None

    def asked(self, question: str) -> bytes | None:
        """What a film asks, as a JPEG file; None where it is not drawn beforehand.

        Raises ``NotThere`` where it is gone or damaged.
        """
        path = self._asked.get(question)
        return None if path is None else _whole(path, f"the picture of question {question}")

    def forget(self, before_s: float) -> None:
        """Forget the pictures in memory before a time, except the last one."""
        with self._changing:
            first = bisect_left(self._shots, before_s, key=_time_s)
            del self._shots[: min(first, len(self._shots) - 1)]

    def _seen(self, read: Sequence[DrawableTile], scale: float) -> tuple[SeenTile, ...]:
        before = self._read
        self._read = {id(tile): before.get(id(tile)) or (tile, _tile(tile, scale)) for tile in read}
        return tuple(self._read[id(tile)][1] for tile in read)

    def _keep(self, time_s: float, data: bytes, tiles: tuple[SeenTile, ...]) -> None:
        number = max((shot.number for shot in self._shots), default=-1) + 1
        stored = data if self._folder is None else _write(self._folder, number, time_s, data)
        shots, keeping = self._shots, self._keeping
        place = bisect_left(shots, time_s, key=_time_s)
        shots.insert(place, TablePicture(number, time_s, stored, tiles))
        for at, shot in enumerate(shots):
            if shot.number == number - keeping.with_tiles:
                shots[at] = replace(shot, tiles=None)
        if len(shots) > keeping.most:
            half = keeping.most // 2
            for shot in shots[1:half:2] if keeping.thinned else shots[:1]:
                if isinstance(shot.stored, Path):
                    shot.stored.unlink(missing_ok=True)
            self._shots = shots[:half:2] + shots[half:] if keeping.thinned else shots[1:]


def _first_place(entry: Entry, shots: Sequence[TablePicture]) -> int:
    """Place of the first of these pictures that may show an event.

    Its time is when the table first showed it; the picture may be a later one.
    """
    last = len(shots) - 1
    return last if entry.t is None else min(bisect_left(shots, entry.t, key=_time_s), last)


def _time_s(shot: TablePicture) -> float:
    return shot.time_s


def _tile(tile: DrawableTile, scale: float) -> SeenTile:
    confidence = tile.confidence if isinstance(tile, Detection) else None
    return SeenTile(tile.side, (tile.corners_px * scale).astype(np.float32), tile.tile, confidence)


def _jpeg(frame: Frame, scale: float) -> bytes:
    """The frame as a JPEG file that is small enough to keep."""
    smaller = frame.scaled_bgr(scale) if scale < 1.0 else None
    return jpeg(resized(frame.image_bgr, scale) if smaller is None else smaller, QUALITY)


def refuse_full(folder: Path, size: int) -> None:
    """Raise ``OSError`` where a file of so many bytes would take what is left for the record."""
    if shutil.disk_usage(folder).free < LEFT_FREE + size:
        raise OSError(errno.ENOSPC, "the rest of the disk is for the record")


def _write(folder: Path, number: int, time_s: float, data: bytes) -> Path:
    folder.mkdir(0o700, exist_ok=True)
    refuse_full(folder, len(data))
    path = folder / moment_name(number, time_s)
    try:
        path.write_bytes(data)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return path


def _whole(stored: Path | bytes, name: str) -> bytes:
    try:
        data = stored if isinstance(stored, bytes) else stored.read_bytes()
    except OSError:
        raise NotThere(f"{name} is gone: its file was deleted or cannot be read") from None
    if not is_whole(data):
        raise NotThere(f"{name} is damaged")
    return data
