"""Pictures of a table on disk beside its record, for disputes and for the replay."""

from __future__ import annotations

import contextlib
import errno
import re
import shutil
import threading
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from service.machine.files import keep_private
from service.table.evidence import APART_S, kept_picture, shows_the_same
from service.table.reader import LookResult
from vision.draw import DrawableTile
from vision.given_files import MIB

LATE_S: Final = 1.5
"""A picture this late still shows an event, where none was taken before."""
LEFT_FREE: Final = 4 * MIB
"""Bytes of the disk that no picture takes: a record of a long evening has a tenth."""
MOST: Final = 4000
"""Pictures, some 600 MB; when there are more, every second of the older ones is deleted."""
_NAME: Final = re.compile(r"(\d{6})-(\d+)\.jpg")


@dataclass(frozen=True)
class GalleryPicture:
    number: int
    time_s: float
    """In the time of the record."""
    path: Path


class Gallery:
    """One thread adds pictures, any thread reads them."""

    def __init__(self, folder: Path, most: int = MOST) -> None:
        """Take over the pictures of an earlier run; ``folder`` is made with the first picture."""
        self.folder = folder
        self._most = most
        self._changing = threading.Lock()
        self._shots: list[GalleryPicture] = sorted(_kept(folder), key=lambda shot: shot.time_s)
        keep_private(folder)
        self._last: tuple[float, tuple[DrawableTile, ...]] | None = None
        self.full = False
        """The disk had no room for the last picture."""
        self.upright: Mapping[str, Path] = {}
        """Pictures of what a film asks that are drawn already, by the question's id."""

    def show(self, pictures: Sequence[tuple[float, Path]], upright: Mapping[str, Path]) -> None:
        """Show pictures of other names, given as (time in seconds, file)."""
        self._shots = [GalleryPicture(at, *picture) for at, picture in enumerate(sorted(pictures))]
        self.upright = upright

    def add(self, reading: LookResult, since_s: float = 0.0) -> None:
        """Keep a picture, unless it shows nothing new or follows too soon."""
        time_s = since_s + reading.frame.time_s
        seen = tuple(reading.detections)
        if self._last is not None and reading.decoding is None:
            last_s, before = self._last
            if abs(time_s - last_s) < APART_S or shows_the_same(seen, before):
                return
        self._last = (time_s, seen)
        _, data = kept_picture(reading.frame)
        with self._changing, contextlib.suppress(OSError):
            self.full = True
            self._write(time_s, data)
            self.full = False

    def at(self, time_s: float) -> GalleryPicture | None:
        """The first picture at a time or after it; the last one before where none follows soon."""
        with self._changing:
            if not self._shots:
                return None
            place = bisect_left([shot.time_s for shot in self._shots], time_s - 1e-6)
            before = self._shots[max(place - 1, 0)]
            after = self._shots[min(place, len(self._shots) - 1)]
            return after if after.time_s - time_s <= LATE_S else before

    def between(self, from_s: float, to_s: float) -> list[GalleryPicture]:
        """The pictures between two times, and the last one before: nothing moved until then."""
        with self._changing:
            times = [shot.time_s for shot in self._shots]
            begin, end = bisect_left(times, from_s), bisect_left(times, to_s + 1e-6)
            return self._shots[max(begin - 1, 0) : end]

    def picture(self, number: int) -> bytes | None:
        """A picture as a JPEG file; None where it was never taken, or was deleted."""
        with self._changing:
            found = next((shot for shot in self._shots if shot.number == number), None)
            try:
                return None if found is None else found.path.read_bytes()
            except OSError:
                return None

    def _write(self, time_s: float, data: bytes) -> None:
        self.folder.mkdir(0o700, exist_ok=True)
        number = max((shot.number for shot in self._shots), default=-1) + 1
        path = self.folder / f"{number:06}-{round(time_s * 100)}.jpg"
        if shutil.disk_usage(self.folder).free < LEFT_FREE + len(data):
            raise OSError(errno.ENOSPC, "the rest of the disk is for the record")
        path.write_bytes(data)
        times = [shot.time_s for shot in self._shots]
        self._shots.insert(bisect_left(times, time_s), GalleryPicture(number, time_s, path))
        if len(self._shots) > self._most:
            self._thin()

    def _thin(self) -> None:
        older = self._shots[: self._most // 2]
        for shot in older[1::2]:
            shot.path.unlink(missing_ok=True)
        self._shots = older[::2] + self._shots[self._most // 2 :]


def pictures_folder(record: Path) -> Path:
    """The folder of a record's pictures."""
    return record.with_name(f"{record.stem}-pictures")


def gallery_beside(record: Path) -> Gallery:
    return Gallery(pictures_folder(record))


def _kept(folder: Path) -> list[GalleryPicture]:
    if not folder.is_dir():
        return []
    named = [(path, _NAME.fullmatch(path.name)) for path in folder.iterdir()]
    return [GalleryPicture(int(name[1]), int(name[2]) / 100, path) for path, name in named if name]
