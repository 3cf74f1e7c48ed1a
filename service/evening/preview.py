"""Tries a source out: its newest picture, where the table is, and how good the view is."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from vision.attention.mirror_watch import HandednessSource, wrong_way
from vision.attention.tint import TintWatch
from vision.camera.frames import Frame, FrameSource
from vision.camera.pictures import SourceError
from vision.detect import Detection
from vision.draw import jpeg, resized
from vision.pipeline import TileReader
from vision.table.calibrate import FIELD_MM, NoTable
from vision.table.quality import QualityCheck, QualityGrade, doubts, judge
from vision.table.search import table_in, tiles_in
from vision.table.steadiness import SteadinessWatch
from vision.table.view import Corners, TableView
from vision.tiles.classes import Side
from vision.tiles.handedness import Handedness
from vision.tracking.observe import Look, measured_tile_mm

STEP_S: Final = 0.2
SHOWN_PX: Final = 1280
READ_S: Final = 2.0
"""Between two readings of the tiles, each of which takes a second of processor time."""
KEPT_S: Final = 4.0
"""A found table stays in place for this long: a hand may hide a corner."""
STOP_S: Final = 5.0
FIRST_S: Final = 10.0
"""How long a camera may take until its first picture."""
WATCHED: Final = 100
"""Frames by which the camera's steadiness is judged: twenty seconds."""


@dataclass(frozen=True)
class PictureCheck:
    """The judgement of one picture."""

    size_px: tuple[int, int]
    view: TableView | None
    """Where the table is; None where it was not found."""
    by_person: bool
    findings: tuple[QualityCheck, ...]
    faces: int = 0
    """Tiles face up in the picture."""
    doubtful: int = 0
    read: bool = False
    """Whether tiles have been read: before that, the table may still be found."""
    mirrored: bool = False
    """Whether a person says that the camera mirrors its pictures: these are turned."""


class SourcePreview:
    """A thread takes the pictures; callers get the newest."""

    def __init__(self, source: FrameSource, load: Callable[[], TileReader]) -> None:
        self.source = source
        self.problem: str | None = None
        self._load = load
        self._frame: Frame | None = None
        self._given: Corners | None = None
        self._mirrored = False
        self._handed = Handedness()
        self._found: TableView | None = None
        self._found_s = 0.0
        self._tiles: Sequence[Detection] | None = None
        """The last reading."""
        self._steadiness = SteadinessWatch(STEP_S, WATCHED)
        self._tint = TintWatch()
        self._reading: threading.Thread | None = None
        self._read_s = 0.0
        self._checking = threading.Lock()
        self._stopping = threading.Event()
        self._came = threading.Event()
        """Set once there is a picture, or a reason why none comes."""
        self._thread = threading.Thread(target=self._watch, daemon=True, name="preview")
        self._thread.start()

    @property
    def mirrored(self) -> bool:
        """Whether a person says that the camera mirrors its pictures."""
        return self._mirrored

    def set_mirrored(self, mirrored: bool) -> None:
        """Set whether the camera mirrors its pictures; the table is searched for again."""
        with self._checking:
            if mirrored == self._mirrored:
                return
            self._mirrored = mirrored
            self._given = self._found = self._tiles = self._frame = None
            self._handed = Handedness()

    @property
    def number(self) -> int:
        """Index of the newest picture; -1 before the first."""
        return -1 if self._frame is None else self._frame.index

    def picture(self) -> bytes:
        """The newest picture as a JPEG file; empty before the first."""
        frame = self._frame
        if frame is None:
            return b""
        scale = min(1.0, SHOWN_PX / frame.image_bgr.shape[1])
        return jpeg(resized(frame.image_bgr, scale), quality=80)

    def newest(self) -> Frame | None:
        """The newest picture in full. Waits for the first; None where none comes."""
        self._came.wait(FIRST_S)
        return self._frame

    def read_with(self, load: Callable[[], TileReader]) -> None:
        """Read the tiles with another detector from now on."""
        with self._checking:
            self._load = load

    def give_corners(self, corners: Corners | None) -> None:
        """Set the corners of the table by hand; None searches for it again.

        Raises ``SourceError`` for corners that no table has.
        """
        frame = self._frame
        if corners is not None and frame is not None:
            _view(corners, frame)
        self._given, self._found = corners, None

    def check(self) -> PictureCheck | None:
        """Judge the newest picture; None before the first. Blocks: call it in a thread."""
        with self._checking:
            frame, given = self._frame, self._given
            if frame is None:
                return None
            height, width = frame.image_bgr.shape[:2]
            self._read_soon(frame)
            last = self._tiles
            tiles = last or ()
            faces = [tile for tile in tiles if tile.side is Side.FACE]
            doubtful = sum(not tile.tile.known for tile in faces)
            view = self._view(frame, given, tiles)
            check = PictureCheck(
                (width, height),
                view,
                given is not None,
                _wrong_way(self._mirrored, self._handed.mirrored),
                len(faces),
                doubtful,
                last is not None,
                self._mirrored,
            )
            if view is None:
                return replace(check, by_person=False)
            tile_mm = measured_tile_mm(Look(frame.time_s, tiles), view)
            if tile_mm is not None:
                view = replace(view, tile_mm=tile_mm)
            findings = (
                *check.findings,
                *judge(frame.image_bgr, view),
                *self._steadiness.findings(),
                *self._tint.findings(),
                *doubts(doubtful, len(faces)),
            )
            return replace(check, view=view, findings=findings)

    def close(self) -> None:
        """Release the source."""
        self._stopping.set()
        self._thread.join(STOP_S)
        with self._checking:  # who asks now begins no other reading
            reading = self._reading
        if reading is not None:
            reading.join(STOP_S)

    @property
    def reads(self) -> bool:
        """Whether the detector is in use; then nobody else may use it."""
        return self._reading is not None and self._reading.is_alive()

    def _view(
        self, frame: Frame, given: Corners | None, tiles: Sequence[Detection]
    ) -> TableView | None:
        if given is not None:
            with contextlib.suppress(SourceError):
                return _view(given, frame)
            return None
        now_s = time.monotonic()
        with contextlib.suppress(NoTable):
            self._found, self._found_s = table_in(frame.image_bgr, tiles), now_s
        height, width = frame.image_bgr.shape[:2]
        gone = now_s - self._found_s > KEPT_S
        if gone or (self._found is not None and self._found.picture_px != (width, height)):
            self._found = None
        return self._found

    def _read_soon(self, frame: Frame) -> None:
        """Read the tiles in another thread: loading the weights takes seconds."""
        if self._reading is not None and self._reading.is_alive():
            return
        if self._stopping.is_set() or time.monotonic() - self._read_s < READ_S:
            return

        handed = self._handed

        def read() -> None:
            try:
                detector = self._load()
            except ValueError as error:  # the weights are missing or damaged
                self.problem = str(error)
                return
            picture = frame.image_bgr
            size_px = (picture.shape[1], picture.shape[0])
            tiles = tiles_in(lambda px: detector.read(picture, None, px), size_px)
            if isinstance(detector, HandednessSource):
                handed.add(detector.handed(picture, tiles))
            if handed is self._handed:  # else the picture has been turned round meanwhile
                self._tiles = tiles
                self._tint.see(frame)
                self._tint.take(frame, tiles)
            self._read_s = time.monotonic()

        self._reading = threading.Thread(target=read, daemon=True, name="reading")
        self._reading.start()

    def _watch(self) -> None:
        try:
            with contextlib.closing(self.source.frames(STEP_S)) as frames:
                for frame in frames:
                    mirrored = self._mirrored
                    right = frame.mirror_image() if mirrored else frame
                    if mirrored is self._mirrored:
                        self._frame = right
                        self._came.set()
                        self._steadiness.take(right, self._found)
                    if self._stopping.is_set():
                        return
        except ValueError as error:
            self.problem = str(error)
        finally:
            self._came.set()


def _view(corners: Corners, frame: Frame) -> TableView:
    height, width = frame.image_bgr.shape[:2]
    return TableView(corners, (FIELD_MM, FIELD_MM), (width, height))


def _wrong_way(said: bool, seen: bool | None) -> tuple[QualityCheck, ...]:
    """A finding where the faces look mirrored but nobody said so, or the other way round."""
    if wrong_way(said or None, seen) is None:
        return ()
    return (QualityCheck("not_mirrored" if said else "mirrored", 1.0, QualityGrade.BAD),)
