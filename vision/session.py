"""A table that has been found: closer looks where something changed, lines of the record."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from engine.events import Entry
from vision.attention.motion import MotionMap, StillMask
from vision.attention.pending import (
    Begin,
    PendingFrame,
    PendingLook,
    TileReader,
    at_once,
    read_parts,
)
from vision.attention.regions import agree, those, whole_in, within
from vision.attention.schedule import LIVE, Schedule
from vision.camera.frames import Frame
from vision.camera.pictures import Region, SourceError
from vision.detect import Detection
from vision.dice.reader import DiceReader
from vision.dice.rolls import Roll
from vision.notice import Notice
from vision.table.calibrate import NoTable, find_table
from vision.table.camera_shift import CameraShiftMonitor
from vision.table.view import TILE_MM, TableView
from vision.tiles.classes import Side
from vision.tracking.observe import Look, Observation, measured_tile_mm
from vision.tracking.track import BELIEVE_S, NEAR

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


class LookSink(Protocol):
    """What is done with the looks at one table; ``Decoder`` makes a record of them."""

    @property
    def observation(self) -> Observation | None:
        """What is believed to lie on the table now."""
        ...

    @property
    def dice_may_roll(self) -> bool:
        """Whether dice are looked for, which costs as much as the tiles do."""
        ...

    def look(self, look: Look) -> list[Entry]: ...

    def moved(self, view: TableView) -> None:
        """The camera stands otherwise now."""
        ...

    def close(self) -> list[Entry]: ...


@dataclass(frozen=True, eq=False)
class FrameResult:
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
        detector: TileReader,
        takes: Callable[[TableView], LookSink],
        view: TableView,
        frame: Frame,
        pace: Schedule = LIVE,
        begin: Begin = at_once,
    ) -> None:
        """``begin`` has other threads read tiles; without it, that is done here."""
        self._detector = detector
        self._pace, self._begin = pace, begin
        self.detections: tuple[Detection, ...] = ()
        if view.tile_mm == TILE_MM:
            view = self._measured(view, frame)
        self.view = view
        self.decoder = takes(view)
        self._gate = MotionMap(view, pace.patience_s)
        self._anchor = CameraShiftMonitor(view, frame.image_bgr)
        self._dice = DiceReader(view)
        self._waiting: deque[PendingFrame] = deque()
        """Frames of which it is not known yet what they show, the oldest first."""
        self._early: list[FrameResult] = []
        """Readings of older frames that had to be waited for."""
        self._next_look_s = -np.inf
        self._thought_s = -np.inf
        self._lit_s = -np.inf
        self._misshapen = False

    def read(self, frame: Frame, said: tuple[Notice, ...] = ()) -> list[FrameResult]:
        """Look at one frame; while the camera is lost, nothing is concluded.

        Answers the readings that are complete now, in the order of their frames: of a recording,
        that of an earlier frame. ``said``: what there is to say about this one.
        """
        begun = self._begun(frame)
        self._waiting.append(replace(begun, notices=(*said, *begun.notices)))
        return self._complete(self._pace.behind)

    def __getstate__(self) -> dict[str, object]:
        """What is known of the table; who reads it is told anew by ``go_on``."""
        assert not self._waiting, "nothing is kept before all looks are read"
        others = ("_detector", "_begin")
        return {name: value for name, value in self.__dict__.items() if name not in others}

    def go_on(self, detector: TileReader, begin: Begin) -> None:
        """Attach what reads the tiles, which is not kept with the session."""
        self._detector, self._begin = detector, begin

    def settle(self) -> list[FrameResult]:
        """Wait for what has not been read yet; answers the readings of those frames."""
        return self._complete(0)

    def _complete(self, waiting: int) -> list[FrameResult]:
        """Readings of all but so many of the frames."""
        readings, self._early = self._early, []
        while len(self._waiting) > waiting:
            readings.append(self._reading(self._waiting.popleft()))
        return readings

    def _begun(self, frame: Frame) -> PendingFrame:
        """Decide what is to be looked at in a frame, and have it read."""
        notices = self._resized(frame)
        if self._misshapen:
            return PendingFrame(frame, notices, seen=False)
        self._gate.update(frame.pixels, frame.time_s)
        self._look_back()
        notices += self._light(frame.time_s)
        placed = self.decoder.observation
        found = self._anchor.update(
            frame,
            self._gate.unrest,
            () if placed is None else placed.placed,
            lambda: self._detector.read(frame.image_bgr, None, self.view.tile_px),
        )
        notices += tuple(self._anchor.notices)
        self._anchor.notices.clear()
        if found is not None:
            self._take(found, frame)
        if not self._anchor.holds:
            return PendingFrame(frame, notices, seen=not self._anchor.lost)
        return PendingFrame(frame, notices, self._gate.moment(), self._look(frame))

    def _look_back(self) -> None:
        """Read what lay still for a moment in the frames of which it is not known what they show.

        Waiting until more is still means to look too late at some of it: at a tile that is taken
        again at once. The last frame is read; an earlier one only where that shows something new,
        for a tile is believed after two looks.
        """
        if not self._waiting:
            return
        regions = self._gate.left_unread(MARGIN * self.view.tile_px)
        if not regions:
            return
        later: PendingLook | None = None
        later_s = np.inf
        for at in reversed(range(len(self._waiting))):
            begun = self._waiting[at]
            if begun.moment is None or later_s - begun.frame.time_s < BELIEVE_S:
                continue
            if later is not None:
                self._waiting[at] = replace(begun, later=later)
                return
            later, later_s = self._begin_look(begun.frame, regions), begun.frame.time_s
            look = later if begun.look is None else begun.look.together(later)
            self._waiting[at] = replace(begun, look=look)

    def _look(self, frame: Frame) -> PendingLook | None:
        regions: list[Region] = []
        if frame.time_s >= self._next_look_s:
            awaited = [part for one in self._waiting if one.look for part in one.look.regions]
            regions = self._gate.regions(MARGIN * self.view.tile_px, awaited)
        idle = frame.time_s - self._thought_s < IDLE_S
        if not regions and idle and not self._gate.busy:
            return None
        self._thought_s = frame.time_s
        if not regions:
            return PendingLook()
        look = self._begin_look(frame, regions)
        self._gate.was_read(look.regions)
        wait_s = LOOK_S + WHOLE_S * self._gate.share_of(look.regions)
        self._next_look_s = frame.time_s + wait_s
        return look

    def _begin_look(self, frame: Frame, regions: list[Region]) -> PendingLook:
        regions = self._as_whole(regions)
        tile_px, detector = self.view.tile_px, self._detector
        found = self._begin(lambda: read_parts(detector, frame, regions, tile_px))
        return PendingLook(tuple(regions), found)

    def _reading(self, begun: PendingFrame) -> FrameResult:
        """What a frame has given, once its tiles have been read."""
        frame, moment, look = begun.frame, begun.moment, self._with_earlier(begun)
        if moment is None or look is None:
            known = self.detections if begun.seen else ()
            return FrameResult(frame, known, notices=begun.notices)
        clear = moment.clear_in(look.regions)
        taken = Look(
            frame.time_s,
            self._taken(look) if look.regions else [],
            clear,
            moment.busy,
            moment.unrest,
            self._rolled(frame, look.regions, clear) if look.regions else None,
            clear.since_s,
        )
        entries = tuple(
            replace(entry, evidence=frame.index) if entry.evidence is None else entry
            for entry in self.decoder.look(taken)
        )
        return FrameResult(frame, self.detections, entries, begun.notices)

    def _with_earlier(self, begun: PendingFrame) -> PendingLook | None:
        """The look at a frame, and at what is seen to be new in a later one."""
        if begun.later is None:
            return begun.look
        parts = zip(begun.later.regions, begun.later.found(), strict=True)
        new = [part for part, tiles in parts if self._new_in(part, tiles)]
        if not new:
            return begun.look
        look = self._begin_look(begun.frame, new)
        return look if begun.look is None else begun.look.together(look)

    def _new_in(self, part: Region, tiles: Sequence[Detection]) -> bool:
        """Whether a tile lies whole in this part, and none was known to lie there like it."""
        near_px = AGREE * self.view.tile_px
        return any(
            tile.side is not Side.BACK
            and not any(agree([known], [tile], near_px) for known in self.detections)
            for tile in those(tiles, whole_in(tiles, part, self.view.picture_px))
        )

    def _taken(self, look: PendingLook) -> list[Detection]:
        """The tiles of a look, with which those that were known there are replaced."""
        fresh: list[Detection] = []
        picture_px = self.view.picture_px
        for region, tiles in zip(look.regions, look.found(), strict=True):
            tiles = those(tiles, whole_in(tiles, region, picture_px))
            here = within(self.detections, [region])
            here &= whole_in(self.detections, region, picture_px)
            same = agree(those(self.detections, here), tiles, AGREE * self.view.tile_px)
            # Whether a tile is gone, a third look decides: an arm may have lain still over it.
            if same and not self._lacks(region, tiles):
                self._gate.read_enough(region)
            fresh += tiles
        kept = those(self.detections, ~within(self.detections, look.regions))
        self.detections = (*kept, *fresh)
        return fresh

    def _lacks(self, region: Region, tiles: Sequence[Detection]) -> bool:
        """Whether a tile is believed to lie well inside a region, and was not found there."""
        believed = self.decoder.observation
        if believed is None:
            return False
        lying = [tile for tile in believed.placed if tile.side is not Side.STANDING]
        places = np.array([(tile.x_mm, tile.y_mm) for tile in lying]).reshape(-1, 2)
        places_px = self.view.to_image(places, self.view.lying_mm)
        margin_px = self.view.tile_px
        low, high = np.array(region[:2]) + margin_px, np.array(region[2:]) - margin_px
        places_px = places_px[((places_px > low) & (places_px < high)).all(axis=1)]
        found_px = np.array([tile.corners_px.mean(axis=0) for tile in tiles]).reshape(-1, 2)
        far_px = np.linalg.norm(places_px[:, None] - found_px[None], axis=2)
        return bool((far_px.min(axis=1, initial=np.inf) > NEAR * self.view.tile_px).any())

    def _rolled(self, frame: Frame, regions: Sequence[Region], clear: StillMask) -> Roll | None:
        """Dice that lie in what was looked at, and were thrown there."""
        if not self.decoder.dice_may_roll:
            self._dice.pause()
            return None
        tiles_px = [tile.corners_px for tile in self.detections]
        image_bgr = frame.parts(regions)
        return self._dice.look(frame.time_s, image_bgr, regions, tiles_px, clear)

    def _take(self, view: TableView, frame: Frame) -> None:
        """Go on with the table as it is seen now; what lay on it lies where it lay."""
        self._early = self._complete(0)
        self.view = view
        self._dice = DiceReader(view)
        self.decoder.moved(view)
        self.detections = ()
        self._gate = MotionMap(view, self._pace.patience_s)
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
        self._anchor = CameraShiftMonitor(view, frame.image_bgr)
        text = f"the pictures are {width}x{height} now; the game goes on"
        return (Notice("size", frame.time_s, text, lasts=False),)

    def _light(self, time_s: float) -> tuple[Notice, ...]:
        if abs(np.log(self._gate.gain)) < LIGHT or time_s - self._lit_s < LIGHT_S:
            return ()
        self._lit_s = time_s
        return (Notice("light", time_s, "the light changed; the game goes on", lasts=False),)

    def _as_whole(self, regions: list[Region]) -> list[Region]:
        """The same parts, or all of the field where they cover most of it."""
        width, height = self.view.picture_px
        covered = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in regions)
        return [self._whole()] if covered > WHOLE_SHARE * width * height else regions

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
