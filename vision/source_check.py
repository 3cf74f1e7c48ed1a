"""What is seen of one camera before a game: whether its pictures are good enough, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from vision.attention.mirror_watch import wrong_way
from vision.attention.tint import TintWatch, whitened
from vision.camera.frames import Frame
from vision.camera.pictures import Picture
from vision.detect import Detection, Detector
from vision.draw import overlay, table_overlay
from vision.table.calibrate import NoTable
from vision.table.quality import (
    GLARE_LEVEL,
    QualityCheck,
    QualityGrade,
    cut_off,
    doubts,
    judge,
)
from vision.table.search import table_in, tiles_in
from vision.table.steadiness import SteadinessWatch
from vision.table.view import TableView
from vision.tiles.classes import Side
from vision.tiles.handedness import Handedness

READ_EACH_S: Final = 12.0
"""Time between two pictures whose tiles are read, which takes a second each."""
WORST_FIRST: Final = (QualityGrade.BAD, QualityGrade.POOR, QualityGrade.GOOD)
GLARE_BGR: Final = (255, 0, 255)


class SourceCheck:
    """What was seen of one source."""

    def __init__(self, detector: Detector, view: TableView | None, mirrored: bool | None) -> None:
        self.view = view
        self.faces = self.doubtful = 0
        self._detector = detector
        self._given = view is not None
        self._mirrored = mirrored
        self._handed = Handedness()
        self._steadiness = SteadinessWatch()
        self._tint = TintWatch()
        self._judged: list[tuple[QualityCheck, ...]] = []
        self._read: tuple[Frame, Sequence[Detection]] | None = None

    def take(self, frame: Frame) -> None:
        """Judge one frame; the tiles of a few are read."""
        self._tint.see(frame)
        if self.view is not None:
            self.view = self.view.in_picture(*frame.size_px)
        due = self._read is None or frame.time_s - self._read[0].time_s >= READ_EACH_S
        if due:
            self._look(frame)
        self._steadiness.take(frame, self.view)

    def _look(self, frame: Frame) -> None:
        image = frame.image_bgr
        white = whitened(image, [(0, 0, *frame.size_px)], self._tint.whitening)
        tiles = tiles_in(lambda px: self._detector.read(white, None, px), frame.size_px)
        self._tint.take(frame, tiles)
        self._handed.add(self._detector.handed(image, tiles))
        self._read = frame, tiles
        faces = [tile for tile in tiles if tile.side is Side.FACE]
        self.faces += len(faces)
        self.doubtful += sum(not tile.tile.known for tile in faces)
        # A sleeve may have led to a corner outside of the picture: the table is searched for again.
        if not self._given and (self.view is None or cut_off(self.view).corners):
            with suppress(NoTable):
                self.view = table_in(image, tiles)
        if self.view is None:
            return
        self._judged.append(judge(image, self.view))

    def findings(self) -> list[QualityCheck]:
        """All findings, the worst first; of several pictures the one in the middle counts."""
        found = [
            sorted(of_name, key=lambda one: (WORST_FIRST.index(one.grade), one.value))[
                len(of_name) // 2
            ]
            for of_name in zip(*self._judged, strict=True)
        ]
        if self.view is not None:
            found = [cut_off(self.view) if one.name == "corners" else one for one in found]
        found += [
            *self._steadiness.findings(),
            *self._tint.findings(ever=True),
            *doubts(self.doubtful, self.faces),
        ]
        if wrong_way(self._mirrored, self._handed.mirrored) is not None:
            name = "not_mirrored" if self._mirrored else "mirrored"
            found.append(QualityCheck(name, 1.0, QualityGrade.BAD))
        return sorted(found, key=lambda one: WORST_FIRST.index(one.grade))

    def picture(self) -> Picture:
        """The last picture that was read: table, tiles, and what is pure white on the table."""
        assert self._read is not None, "every source has a first frame"
        frame, tiles = self._read
        drawn = overlay(frame.image_bgr, tiles)
        white = frame.image_bgr.min(axis=2) >= GLARE_LEVEL
        drawn[white] = GLARE_BGR
        return drawn if self.view is None else table_overlay(drawn, self.view)
