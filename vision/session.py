"""A table that has been found: closer looks where something changed, lines of the record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.events import Entry
from vision.camera.frames import Frame
from vision.camera.pictures import Region, SourceError
from vision.detect import Detection
from vision.dice.reader import DiceReader
from vision.dice.rolls import Roll
from vision.notice import Notice
from vision.reading.classes import Side
from vision.table.anchor import Anchor
from vision.table.calibrate import NoTable, find_table
from vision.table.motion import Clear, MotionGate
from vision.table.view import TILE_MM, TableView
from vision.tracking.observe import Look, Observation, measured_tile_mm

LOOK_S: Final = 0.13
"""Between two looks, so that their errors are not quite the same."""
WHOLE_S: Final = 0.5
"""What more a look at the whole field keeps the next one waiting: a deal, tiles that are washed."""
AGREE: Final = 0.3
"""Two looks show a tile in the same place, nearer than this in tile widths."""
IDLE_S: Final = 0.5
"""How often a table is thought about while nothing is read."""
MARGIN: Final = 1.6
"""Around what has changed, in tile widths, so that no tile is cut."""
WHOLE_SHARE: Final = 0.6
"""Regions that cover so much of the picture are read as the whole of it."""
LIGHT: Final = 0.12
"""A change of light, as the logarithm of its gain, that is worth a word."""
LIGHT_S: Final = 10.0
BACK: Final = "the pictures have their old size again; the game goes on"


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

    def moved(self, view: TableView) -> None:
        """The camera stands otherwise now."""
        ...

    def close(self) -> list[Entry]: ...


@dataclass(frozen=True, eq=False)
class Reading:
    """What one frame gave."""

    frame: Frame
    detections: tuple[Detection, ...]
    """Tiles as last read, all over the picture."""
    entries: tuple[Entry, ...] = ()
    """New lines of the record."""
    notices: tuple[Notice, ...] = ()
    """What there is to say about camera and table."""


class Session:
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
        self._anchor = Anchor(view, frame.image_bgr)
        self._dice = DiceReader(view)
        self._next_look_s = -np.inf
        self._thought_s = -np.inf
        self._lit_s = -np.inf
        self._misshapen = False

    def read(self, frame: Frame) -> Reading:
        """Look at one frame; while the camera is lost, nothing is concluded."""
        notices = self._resized(frame)
        if self._misshapen:
            return Reading(frame, (), notices=notices)
        self._gate.update(frame.pixels, frame.time_s)
        notices += self._light(frame.time_s)
        seen = self.decoder.observation
        found = self._anchor.update(
            frame,
            self._gate.unrest,
            () if seen is None else seen.placed,
            lambda: self._detector.read(frame.image_bgr, None, self.view.tile_px),
        )
        notices += tuple(self._anchor.notices)
        self._anchor.notices.clear()
        if found is not None:
            self._take(found, frame)
        if not self._anchor.holds:
            self.detections = () if self._anchor.lost else self.detections
            return Reading(frame, self.detections, notices=notices)
        return replace(self._read(frame), notices=notices)

    def _read(self, frame: Frame) -> Reading:
        regions: list[Region] = []
        if frame.time_s >= self._next_look_s:
            regions = self._gate.regions(MARGIN * self.view.tile_px)
        idle = frame.time_s - self._thought_s < IDLE_S
        if not regions and idle and not self._gate.busy:
            return Reading(frame, self.detections)
        fresh = self._look(frame, regions) if regions else []
        clear = self._gate.clear_in(regions, self.view.tile_px)
        look = Look(
            frame.time_s,
            fresh,
            clear,
            self._gate.busy,
            self._gate.unrest,
            self._rolled(frame, regions, clear) if regions else None,
        )
        self._thought_s = frame.time_s
        entries = tuple(
            replace(entry, evidence=frame.index) if entry.evidence is None else entry
            for entry in self.decoder.look(look)
        )
        return Reading(frame, self.detections, entries)

    def _rolled(self, frame: Frame, regions: list[Region], clear: Clear) -> Roll | None:
        """Dice that lie in what was looked at, and were thrown there."""
        tiles_px = [tile.corners_px for tile in self.detections]
        image_bgr = frame.parts(regions)
        return self._dice.look(frame.time_s, image_bgr, regions, tiles_px, clear)

    def _take(self, view: TableView, frame: Frame) -> None:
        """Go on with the table as it is seen now; what lay on it lies where it lay."""
        self.view = view
        self._dice = DiceReader(view)
        self.decoder.moved(view)
        self.detections = ()
        self._gate = MotionGate(view)
        self._gate.update(frame.pixels, frame.time_s)

    def _resized(self, frame: Frame) -> tuple[Notice, ...]:
        """Follow a camera that sends pictures of another size."""
        width, height = frame.size_px
        if (width, height) == self.view.picture_px:
            was, self._misshapen = self._misshapen, False
            return (Notice("size", frame.time_s, BACK, lasts=False),) if was else ()
        try:
            view = self.view.in_picture(width, height)
        except SourceError:
            try:
                corners = find_table(frame.image_bgr).corners_px
            except NoTable:
                was, self._misshapen = self._misshapen, True
                text = f"the pictures are {width}x{height} now, and no table is seen in them"
                return () if was else (Notice("size", frame.time_s, text, lasts=True),)
            view = replace(self.view, corners_px=corners, picture_px=(width, height))
        self._misshapen = False
        self._take(view, frame)
        self._anchor = Anchor(view, frame.image_bgr)
        text = f"the pictures are {width}x{height} now; the game goes on"
        return (Notice("size", frame.time_s, text, lasts=False),)

    def _light(self, time_s: float) -> tuple[Notice, ...]:
        if abs(np.log(self._gate.gain)) < LIGHT or time_s - self._lit_s < LIGHT_S:
            return ()
        self._lit_s = time_s
        return (Notice("light", time_s, "the light changed; the game goes on", lasts=False),)

    def _look(self, frame: Frame, regions: list[Region]) -> list[Detection]:
        width, height = self.view.picture_px
        covered = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in regions)
        if covered > WHOLE_SHARE * width * height:
            regions[:] = [self._whole()]
        fresh: list[Detection] = []
        known: list[Region] = []
        image_bgr = frame.parts(regions)
        for region in regions:
            found = self._detector.read(image_bgr, region, self.view.tile_px)
            found = [tile for tile in found if not _cut(tile, region, width, height)]
            before = [
                tile
                for tile in self.detections
                if _inside(tile, [region]) and not _cut(tile, region, width, height)
            ]
            if _agree(before, found, AGREE * self.view.tile_px):
                known.append(region)
            fresh += found
        kept = [tile for tile in self.detections if not _inside(tile, regions)]
        self.detections = (*kept, *fresh)
        self._gate.was_read(regions)
        for region in known:
            self._gate.read_enough(region)
        wait_s = LOOK_S + WHOLE_S * self._gate.share_of(regions)
        self._next_look_s = frame.time_s + wait_s
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
            tiles = self._detector.read(frame.image_bgr, None, view.tile_px)
            width = measured_tile_mm(Look(frame.time_s, tiles), view)
            if width is None:
                break
            view = view.with_tile(width)
        return view


def _agree(before: list[Detection], now: list[Detection], near_px: float) -> bool:
    """Whether two looks show the same tiles in the same places, every face of them surely."""
    if len(before) != len(now):
        return False
    if not now:
        return True
    places = np.array([tile.corners_px.mean(axis=0) for tile in before])
    for tile in now:
        far = np.linalg.norm(places - tile.corners_px.mean(axis=0), axis=1)
        same = before[int(far.argmin())]
        if far.min() > near_px or tile.side is not same.side or tile.tile != same.tile:
            return False
        if tile.side is Side.FACE and not tile.tile.known:
            return False
    return True


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
