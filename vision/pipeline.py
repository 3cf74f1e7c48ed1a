"""The whole way of one table: frames, closer looks where something changed, lines of the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.events import Entry
from vision.calibrate import NoTable, find_table
from vision.decode import Decoder
from vision.detect import Detection
from vision.frames import Frame
from vision.motion import MotionGate, Region
from vision.observe import Look, Observation, measured_tile_mm
from vision.pictures import SourceError
from vision.table import TILE_MM, TableView

GATE_S: Final = 0.07
"""Frames that follow each other sooner are passed over: hands are not that fast."""
LOOK_S: Final = 0.13
"""Between two looks, so that their errors are not quite the same."""
IDLE_S: Final = 0.5
"""How often a table is thought about while nothing is read."""
FIND_S: Final = 8.0
"""For how long a table is looked for before it is said that there is none."""
MARGIN: Final = 1.6
"""Around what has changed, in tile widths, so that no tile is cut."""
WHOLE_SHARE: Final = 0.6
"""Regions that cover so much of the picture are read as the whole of it."""


class Reads(Protocol):
    """What is asked of a detector."""

    def read(
        self,
        image_bgr: NDArray[np.uint8],
        region: Region | None = None,
        tile_px: float | None = None,
    ) -> list[Detection]: ...


class Takes(Protocol):
    """What is done with the looks at one table; ``Decoder`` makes a record of them."""

    @property
    def observation(self) -> Observation | None:
        """What is believed to lie on the table now."""
        ...

    def look(self, look: Look) -> list[Entry]: ...

    def close(self) -> list[Entry]: ...


@dataclass(frozen=True, eq=False)
class Reading:
    """What one frame gave."""

    frame: Frame
    detections: tuple[Detection, ...]
    """Tiles as last read, all over the picture."""
    entries: tuple[Entry, ...] = ()
    """New lines of the record."""


class TableReader:
    """Reads one table; the table is looked for unless it is given."""

    def __init__(
        self,
        detector: Reads,
        rules: str | Callable[[TableView], Takes],
        view: TableView | None = None,
        seat0: str | None = None,
    ) -> None:
        """``rules`` names those of the game, or makes what takes the looks in place of them."""
        self._detector = detector
        self._takes = (lambda view: Decoder(rules, view)) if isinstance(rules, str) else rules
        self._given = view
        self._seat0 = seat0 or "bottom"
        self._session: _Session | None = None

    @property
    def view(self) -> TableView | None:
        """The table, once it is known."""
        return self._session.view if self._session else self._given

    @property
    def observation(self) -> Observation | None:
        """What is believed to lie on the table now."""
        return self._session.decoder.observation if self._session else None

    def read(self, frames: Iterable[Frame]) -> Iterator[Reading]:
        """Look at frames in order; raises ``SourceError`` where no table is to be seen."""
        last: Frame | None = None
        first_s: float | None = None
        for frame in frames:
            if last is not None and frame.time_s - last.time_s < GATE_S:
                continue
            last = frame
            first_s = frame.time_s if first_s is None else first_s
            if self._session is None:
                self._session = self._begin(frame, frame.time_s - first_s)
            if self._session is None:
                yield Reading(frame, ())
                continue
            yield self._session.read(frame)
        if last is None:
            raise SourceError("there is not one picture in this source")
        if self._session is None:
            raise NoTable("no table was found in any picture; give one with --table table.toml")
        yield Reading(last, self._session.detections, tuple(self._session.decoder.close()))

    def _begin(self, frame: Frame, waited_s: float) -> _Session | None:
        height, width = frame.image_bgr.shape[:2]
        if self._given is not None:
            view = self._given.in_picture(width, height)
            return _Session(self._detector, self._takes, view, frame)
        try:
            view = replace(find_table(frame.image_bgr), seat0=self._seat0)
        except NoTable:
            if waited_s > FIND_S:
                raise
            return None
        return _Session(self._detector, self._takes, view, frame)


class _Session:
    """Everything that is known of a table that has been found."""

    def __init__(
        self,
        detector: Reads,
        takes: Callable[[TableView], Takes],
        view: TableView,
        frame: Frame,
    ) -> None:
        self._detector = detector
        self.detections: tuple[Detection, ...] = ()
        if view.tile_mm == TILE_MM:
            view = self._measured(view, frame)
        self.view = view
        self.decoder = takes(view)
        self._gate = MotionGate(view)
        self._looked_s = -np.inf
        self._thought_s = -np.inf

    def read(self, frame: Frame) -> Reading:
        self._gate.update(frame.image_bgr, frame.time_s)
        regions: list[Region] = []
        if frame.time_s - self._looked_s >= LOOK_S:
            regions = self._gate.regions(MARGIN * self.view.tile_px)
        idle = frame.time_s - self._thought_s < IDLE_S
        if not regions and idle and not self._gate.busy:
            return Reading(frame, self.detections)
        fresh = self._look(frame, regions) if regions else []
        look = Look(
            frame.time_s,
            fresh,
            self._gate.clear_in(regions, self.view.tile_px),
            self._gate.busy,
            self._gate.unrest,
        )
        self._thought_s = frame.time_s
        entries = tuple(
            replace(entry, evidence=frame.index) if entry.evidence is None else entry
            for entry in self.decoder.look(look)
        )
        return Reading(frame, self.detections, entries)

    def _look(self, frame: Frame, regions: list[Region]) -> list[Detection]:
        width, height = self.view.picture_px
        covered = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in regions)
        if covered > WHOLE_SHARE * width * height:
            regions[:] = [self._whole()]
        fresh: list[Detection] = []
        for region in regions:
            found = self._detector.read(frame.image_bgr, region, self.view.tile_px)
            fresh += [tile for tile in found if not _cut(tile, region, width, height)]
        kept = [tile for tile in self.detections if not _inside(tile, regions)]
        self.detections = (*kept, *fresh)
        self._gate.was_read(regions)
        self._looked_s = frame.time_s
        return fresh

    def _whole(self) -> Region:
        """The field with a margin: what lies beyond is not the game's."""
        width, height = self.view.picture_px
        margin = 2 * self.view.tile_px
        low = np.maximum(self.view.field_px.min(axis=0) - margin, 0).astype(int)
        high = np.minimum(self.view.field_px.max(axis=0) + margin, (width, height)).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def _measured(self, view: TableView, frame: Frame) -> TableView:
        """The view with the width of this table's tiles, as far as they can be seen."""
        for _ in range(2):
            tiles = self._detector.read(frame.image_bgr, None, None)
            width = measured_tile_mm(Look(frame.time_s, tiles), view)
            if width is None:
                break
            view = view.with_tile(width)
        return view


def _inside(tile: Detection, regions: list[Region]) -> bool:
    x, y = tile.corners_px.mean(axis=0)
    return any(x0 <= x < x1 and y0 <= y < y1 for x0, y0, x1, y1 in regions)


def _cut(tile: Detection, region: Region, width: int, height: int) -> bool:
    """Whether the region's edge, where it is not the picture's, goes through the tile."""
    low, high = tile.corners_px.min(axis=0), tile.corners_px.max(axis=0)
    x0, y0, x1, y1 = region
    return bool(
        (x0 > 0 and low[0] < x0 + 1)
        or (y0 > 0 and low[1] < y0 + 1)
        or (x1 < width and high[0] > x1 - 1)
        or (y1 < height and high[1] > y1 - 1)
    )
