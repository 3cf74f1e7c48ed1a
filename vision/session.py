"""A table that has been found: which parts of each frame are read, and what the decoder is told."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np

from vision.arrays import Doubles
from vision.attention.focus import FocusWatch
from vision.attention.look_times import LookPace, LookTimes
from vision.attention.motion import CELL_PX, MotionMap, MotionState, StillMask
from vision.attention.pending import LookReader, PendingFrame, PendingLook
from vision.attention.regions import (
    agree,
    middles,
    missing_px,
    region_around,
    selected,
    tiles_moved,
    whole_in,
    within,
)
from vision.attention.schedule import Schedule
from vision.attention.sticks import StickWatch
from vision.camera.frames import Frame
from vision.camera.pictures import Region, SourceError
from vision.decoder.decoding import Decoding
from vision.detect import Detection
from vision.dice.reader import DiceReader
from vision.dice.rolls import Roll
from vision.notice import Notice
from vision.table.camera_shift import CameraShiftMonitor
from vision.table.relocate import found_turned
from vision.table.search import look_for_table
from vision.table.swing import SwingWatch
from vision.table.view import TILE_MM, TableView
from vision.tiles.classes import DetectedTile, Side
from vision.tracking.observe import Look, Observation, measured_tile_mm
from vision.tracking.track import BELIEVE_S

AGREE: Final = 0.3
"""Two looks show a tile in the same place if it moved by less than this, in tile widths."""
IDLE_S: Final = 0.5
"""Interval at which the decoder is called while nothing is read."""
MARGIN: Final = 1.6
"""Padding around a changed region, in tile widths, so that no tile is cut."""
WHOLE_SHARE: Final = 0.6
"""Regions that cover more than this share of the picture are read as the whole field."""
LIGHT: Final = 0.12
"""Change of light worth a notice, as the logarithm of the gain."""
LIGHT_S: Final = 10.0
"""Least time between two such notices."""
SEARCH_S: Final = 2.0
"""Interval at which the table is searched for in pictures of another shape."""


HELD_S: Final = 8.0
"""When the frames have ended, the last picture is repeated for so long. By then everything is told.
"""
HELD_STEP_S: Final = 0.25


class LookSink(Protocol):
    """Receives the looks at one table; ``Decoder`` tells the game that they show."""

    @property
    def observation(self) -> Observation | None:
        """What is believed to lie on the table now."""
        ...

    @property
    def dice_may_roll(self) -> bool:
        """Whether to look for dice, which costs as much as reading the tiles."""
        ...

    @property
    def sticks_may_lie(self) -> bool:
        """Whether to look for the sticks that ready players lay before their rivers."""
        ...

    @property
    def holds_back(self) -> bool:
        """Whether something is known that is told when a moment has passed, without a look."""
        ...

    def look(self, look: Look) -> Decoding | None:
        """Take one look; returns what is told now where that has changed."""
        ...

    def moved(self, view: TableView) -> None:
        """Take a new view after the camera has moved."""
        ...

    def close(self) -> Decoding:
        """The frames have ended; returns all that is told."""
        ...


@dataclass(frozen=True, eq=False)
class FrameResult:
    """What one frame gave."""

    frame: Frame
    detections: tuple[Detection, ...]
    """All tiles in the picture, each as it was last read."""
    decoding: Decoding | None = None
    """What is told of the game now; None where that has not changed."""
    notices: tuple[Notice, ...] = ()
    """Messages about camera and table."""


class Session:
    """Follows one table from frame to frame.

    Each frame passes four steps: find what moved (``MotionMap``), choose the regions to read
    (``PendingFrame``), merge their tiles into ``detections``, and hand the ``Look`` to the decoder.
    """

    def __init__(
        self,
        reader: LookReader,
        make_sink: Callable[[TableView], LookSink],
        view: TableView,
        frame: Frame,
        schedule: Schedule,
    ) -> None:
        self.reader = reader
        self._schedule = schedule
        self.detections: tuple[Detection, ...] = ()
        if view.tile_mm == TILE_MM:
            view = self._measured(view, frame)
        self.view = view
        self.decoder = make_sink(view)
        self._motion = MotionMap(view, schedule.patience_s, schedule.rest_s)
        self._camera_shift = CameraShiftMonitor(view, frame)
        self._swing = SwingWatch(view, frame)
        self._focus = FocusWatch()
        self._dice = DiceReader(view)
        self._sticks = StickWatch(view)
        self._pending: deque[PendingFrame] = deque()
        """Frames whose tiles are still being read, oldest first."""
        self._last: Frame | None = None
        """The last frame that was read."""
        self._early: list[FrameResult] = []
        """Results of older frames that had to be completed out of turn."""
        self._times = LookTimes(schedule.beside)
        self._pace = LookPace()
        self._last_call_s = -np.inf
        """When the decoder was last called."""
        self._light_said_s = -np.inf
        self._misshapen = False
        self._search_s = -np.inf
        """When the table may be searched for again in pictures of another shape."""
        self._held = False
        """No more frames come: the last one is looked at."""

    def __getstate__(self) -> dict[str, object]:
        """Everything but the reader, which ``TableReader`` sets again after a restart."""
        assert not self._pending, "a checkpoint is made when all looks have been read"
        kept = {name: value for name, value in self.__dict__.items() if name != "reader"}
        return kept | {"_last": None}

    def held(self, frame: Frame) -> Frame:
        """The frame, and how it lies if the camera swings; call it before anything looks at it."""
        unrest = 1.0 if self._relit else self._motion.unrest
        return self._swing.held(frame, unrest, self._camera_shift.holds)

    @property
    def _relit(self) -> bool:
        """Whether the light has changed with the last picture, or something covers the lens."""
        return bool(abs(np.log(self._motion.gain)) >= LIGHT)

    def read(self, frame: Frame, notices: tuple[Notice, ...] = ()) -> list[FrameResult]:
        """Look at one frame and return the results that are now complete, in order of frames.

        With a schedule that runs behind, these belong to earlier frames. While the camera is lost
        nothing is concluded. ``notices`` are added to the result of this frame.
        """
        self._last = frame
        read = self.read_by_now()
        pending = self._start(frame)
        self._pending.append(replace(pending, notices=(*notices, *pending.notices)))
        behind = self._schedule.pending(frame.size_px)
        if self._held and self._schedule.beside:
            behind = 0  # nothing comes while the last frame is looked at
        halfway = len(self._pending) - 1 - behind // 2
        if halfway >= 0:  # early enough for its tiles to be read before they are asked for
            self._pending[halfway] = self._with_earlier(self._pending[halfway])
        return [*read, *self._complete(behind)]

    def read_by_now(self) -> list[FrameResult]:
        """The results that wait for nothing, of a look that has been read beside the frames."""
        return self._complete(len(self._pending)) if self._schedule.beside else []

    def end(self) -> list[FrameResult]:
        """The frames have ended: return what the last one shows, as if it were looked at longer.

        Nothing is concluded from the parts that moved in it.
        """
        results, last = self.settle(), self._last
        if last is None or self._camera_shift.lost:
            return results
        self._motion.stop()
        self._held = True
        held: list[FrameResult] = []
        for step in range(1, round(HELD_S / HELD_STEP_S) + 1):
            held += self.read(replace(last, time_s=last.time_s + step * HELD_STEP_S))
        held += self.settle()
        decodings = [result.decoding for result in held if result.decoding is not None]
        return (
            [*results, FrameResult(last, self.shown(last), decodings[-1])] if decodings else results
        )

    def settle(self) -> list[FrameResult]:
        """Wait for all tiles that are still being read and return the results of their frames."""
        return self._complete(0)

    def _complete(self, behind: int) -> list[FrameResult]:
        """The results of all but the last ``behind`` frames, and of those that are read before."""
        results, self._early = self._early, []
        while len(self._pending) > behind or (self._pending and self._told_at_once):
            results.append(self._result(self._pending.popleft()))
        return results

    @property
    def _told_at_once(self) -> bool:
        """Whether the oldest frame needs no further ones, and has been read."""
        return self._schedule.beside and self._pending[0].is_read

    def _start(self, frame: Frame) -> PendingFrame:
        """Choose the regions of a frame to read, and start reading them."""
        notices = self._resized(frame)
        if self._misshapen:
            return PendingFrame(frame, notices, seen=False)
        swing = self._swing
        if frame.time_s == swing.astray_s or (self._relit and frame.time_s == swing.unlike_s):
            self._camera_shift.suspect(frame.time_s)
        self.reader.tint.see(frame, IDLE_S)
        noise = self.reader.noise
        self._motion.update(frame, noise.noisy, noise.more_reads)
        self._look_back()
        notices += (*self._light(frame.time_s), *self._swing.notices)
        notices += tuple(self._focus.notices(frame.time_s))
        notices += tuple(self.reader.tint.notices(frame.time_s))
        self._pace.sees(frame.time_s, frame.index)
        notices += tuple(self._pace.notices())
        self._swing.notices.clear()
        if frame.shift is not None and not self._camera_shift.lost:
            self._camera_shift.swings()
            return PendingFrame(frame, notices, self._motion.state(), self._look(frame))
        known = self.decoder.observation
        found: list[Detection] = []

        def read() -> list[Detection]:
            found[:] = self.reader.detector.read(frame.image_bgr, None, self.view.tile_px)
            return found

        placed = () if known is None else known.placed
        view = self._camera_shift.update(frame, self._motion.unrest, placed, read)
        notices += tuple(self._camera_shift.notices)
        self._camera_shift.notices.clear()
        if view is not None:
            self._take_view(view, frame)
            self.reader.know(frame, found, self._motion.state())
        if not self._camera_shift.holds:
            return PendingFrame(frame, notices, seen=not self._camera_shift.lost)
        return PendingFrame(frame, notices, self._motion.state(), self._look(frame))

    def _look_back(self) -> None:
        """Read what was still for a moment in the pending frames and moves again now.

        To wait until more is still would be too late for a tile that is taken at once. The last
        frame is read. An earlier one is read only where that shows something new, because a tile
        is believed after two looks.
        """
        if not self._pending or self._schedule.beside:
            return
        regions = self._motion.left_unread(MARGIN * self.view.tile_px)
        if not regions:
            return
        later: PendingLook | None = None
        later_s = np.inf
        for at in reversed(range(len(self._pending))):
            pending = self._pending[at]
            if pending.motion is None or later_s - pending.frame.time_s < BELIEVE_S:
                continue
            if later is not None:
                self._pending[at] = replace(pending, later=_joined(pending.later, later))
                return
            later, later_s = (
                self._start_look(pending.frame, regions, pending.motion),
                pending.frame.time_s,
            )
            self._pending[at] = replace(pending, look=_joined(pending.look, later))

    def _read_again(self, regions: Sequence[Region]) -> None:
        if regions:
            self.reader.forget()
            self._motion.read_again(regions)

    def _look(self, frame: Frame) -> PendingLook | None:
        regions: list[Region] = []
        self._read_again(self._focus.again(frame))
        reads = self._schedule.beside and not all(one.is_read for one in self._pending)
        if not reads:
            awaited = [
                part for pending in self._pending if pending.look for part in pending.look.regions
            ]
            regions = self._times.due(
                self._motion, frame.time_s, MARGIN * self.view.tile_px, awaited
            )
            if regions and not self._held and self._focus.waits(frame):
                regions = []
        idle = frame.time_s - self._last_call_s < IDLE_S
        waits = self._schedule.beside and self.decoder.holds_back
        if not regions and idle and not self._motion.busy and not waits:
            return None
        self._last_call_s = frame.time_s
        if not regions:
            return PendingLook()
        self.reader.tint.see(frame)
        look = self._start_look(frame, regions, self._motion.state())
        self._motion.was_read(look.regions)
        self._focus.was_read(frame, look.regions)
        self._times.looked(frame.time_s, self._motion.share_of(look.regions))
        return look

    def _start_look(self, frame: Frame, regions: list[Region], state: MotionState) -> PendingLook:
        width, height = self.view.picture_px
        covered = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in regions)
        if covered > WHOLE_SHARE * width * height:
            regions = [self._field_region()]
        if self.reader.noise.noisy:
            motion = self._motion
            since_s, cells_per_px = motion.since_s, motion.scale / CELL_PX
            others = selected(self.detections, ~within(self.detections, regions))
            beside = [region_around(tile) for tile in others]
            frame = self.reader.noise.averaged(frame, regions, since_s, cells_per_px, beside)
        # Noise and a swinging camera make every look another one.
        again = self.reader.noise.noisy or frame.shift is not None
        return self.reader.start(
            frame,
            regions,
            self.view.tile_px,
            self.detections,
            None if again else state,
            self._lying_px(),
        )

    def _result(self, pending: PendingFrame) -> FrameResult:
        """What a frame has given; waits for its tiles."""
        pending = self._with_earlier(pending)
        frame, motion, look = pending.frame, pending.motion, pending.look
        if motion is None or look is None:
            known = self.shown(frame) if pending.seen else ()
            return FrameResult(frame, known, notices=pending.notices)
        clear = motion.clear_in(look.regions)
        fresh = self._merged(look, frame.time_s) if look.regions else []
        taken = Look(
            frame.time_s,
            fresh,
            clear,
            motion.busy,
            motion.unrest,
            self._rolled(frame, look.regions, clear) if look.regions else None,
            clear.since_s,
            self._held,
            frame.index,
            self._sticks_in(frame, motion),
            read=bool(look.regions),
        )
        decoding = self.decoder.look(taken)
        if look.regions and self._schedule.beside:
            self._pace.told(frame.time_s, self._motion.share_of(look.regions))
        if self.reader.tint.take(frame, _in_frame(fresh, frame)):
            self._read_again([self._field_region()])
        return FrameResult(frame, self.shown(frame), decoding, pending.notices)

    def shown(self, frame: Frame) -> tuple[Detection, ...]:
        """All tiles where they lie in this frame."""
        return tuple(_in_frame(self.detections, frame))

    def _with_earlier(self, pending: PendingFrame) -> PendingFrame:
        """The frame, read also where a later look shows something new."""
        later, motion = pending.later, pending.motion
        if later is None or motion is None:
            return pending
        pending = replace(pending, later=None)
        regions = zip(later.regions, later.tiles(self.detections), strict=True)
        new = [region for region, tiles in regions if self._new_in(region, tiles)]
        if not new:
            return pending
        look = self._start_look(pending.frame, new, motion)
        return replace(pending, look=_joined(pending.look, look))

    def _new_in(self, region: Region, tiles: Sequence[Detection]) -> bool:
        """Whether a whole tile lies in this region that ``detections`` does not have.

        Looks that are pending may still change them: a tile may seem new, and is read once more.
        """
        near_px = AGREE * self.view.tile_px
        places = middles(self.detections)
        for tile in selected(tiles, whole_in(tiles, region, self.view.picture_px)):
            if tile.side is Side.BACK:
                continue
            far_px = np.linalg.norm(places - tile.corners_px.mean(axis=0), axis=1)
            near = selected(self.detections, far_px <= near_px)
            if not any(agree([one], [tile], near_px) for one in near):
                return True
        return False

    def _merged(self, look: PendingLook, seen_s: float) -> list[Detection]:
        """The tiles of a look, after replacing those that ``detections`` had in its regions."""
        fresh: list[Detection] = []
        believed_px = self._lying_px(standing=True)
        picture_px = self.view.picture_px
        for region, found in zip(look.regions, look.tiles(self.detections), strict=True):
            tiles = selected(found, whole_in(found, region, picture_px))
            here = within(self.detections, [region])
            here &= whole_in(self.detections, region, picture_px)
            same = agree(selected(self.detections, here), tiles, AGREE * self.view.tile_px)
            # Two looks do not prove that a tile is gone: an arm may have rested on it.
            if same and not len(missing_px(tiles, believed_px, region, self.view.tile_px)):
                self._motion.read_enough(region, seen_s)
            fresh += tiles
        kept = selected(self.detections, ~within(self.detections, look.regions))
        self.detections = (*kept, *fresh)
        return fresh

    def _lying_px(self, *, standing: bool = False) -> Doubles:
        """(n, 2): where the decoder believes tiles to lie, or to stand, too."""
        believed = self.decoder.observation
        placed = () if believed is None else believed.placed
        heights = {False: self.view.lying_mm, True: self.view.standing_mm}
        found = [np.zeros((0, 2))]
        for stands in (False, True) if standing else (False,):
            tiles = [tile for tile in placed if (tile.side is Side.STANDING) is stands]
            places = np.array([(tile.x_mm, tile.y_mm) for tile in tiles]).reshape(-1, 2)
            found.append(np.asarray(self.view.to_image(places, heights[stands]), np.float64))
        return np.vstack(found)

    def _rolled(self, frame: Frame, regions: Sequence[Region], clear: StillMask) -> Roll | None:
        """Dice that have just come to rest in these regions."""
        if not self.decoder.dice_may_roll:
            self._dice.pause()
            return None
        tiles_px = [tile.corners_px for tile in self.detections]
        image_bgr = frame.held_bgr(regions)
        return self._dice.look(frame.time_s, image_bgr, regions, tiles_px, clear)

    def _sticks_in(self, frame: Frame, motion: MotionState) -> frozenset[int]:
        """The seats before whose rivers a stick lies that did not lie there at first."""
        if not self.decoder.sticks_may_lie:
            self._sticks.forget()
            return frozenset()
        known = self.decoder.observation
        still = motion.clear_in([(0, 0, *self.view.picture_px)])
        placed = () if known is None else known.placed
        return self._sticks.look(frame.time_s, frame.held_bgr, placed, still)

    def take_view(self, view: TableView, frame: Frame) -> None:
        """Go on with a view that was found by others."""
        self._take_view(view, frame)
        self._camera_shift = CameraShiftMonitor(view, frame)

    def _take_view(self, view: TableView, frame: Frame) -> None:
        """Go on with a new view; the tiles are where they were on the table."""
        self._early = self._complete(0)
        self.reader.forget()
        self.view = view
        self._dice = DiceReader(view)
        self._sticks = StickWatch(view)
        self._swing = SwingWatch(view, frame)
        self.decoder.moved(view)
        self.detections = ()
        self._motion = MotionMap(view, self._schedule.patience_s, self._schedule.rest_s)
        self._focus = FocusWatch()
        self._motion.update(frame)

    def _resized(self, frame: Frame) -> tuple[Notice, ...]:
        """Follow a camera that begins to send pictures of another size."""
        width, height = frame.size_px
        was, self._misshapen = self._misshapen, False
        if (width, height) == self.view.picture_px:
            text = "the pictures have their old size again; the game goes on"
            return (Notice("size", frame.time_s, text, lasts=False),) if was else ()
        try:
            view: TableView | None = self.view.in_picture(width, height)
        except SourceError:
            view = self._reshaped(frame)
        if view is None:
            self._misshapen = True
            text = f"the pictures are {width}x{height} now, and the table is not seen in them"
            return () if was else (Notice("size", frame.time_s, text, lasts=True),)
        self.take_view(view, frame)
        text = f"the pictures are {width}x{height} now; the game goes on"
        return (Notice("size", frame.time_s, text, lasts=False),)

    def _reshaped(self, frame: Frame) -> TableView | None:
        """The table in pictures of another shape; these may also be turned."""
        if frame.time_s < self._search_s:
            return None
        self._search_s = frame.time_s + SEARCH_S
        image_bgr, detector = frame.image_bgr, self.reader.detector
        search = look_for_table(lambda px: detector.read(image_bgr, None, px), image_bgr)
        return None if search.view is None else self._turned(search.view, search.readings)

    def turned(self, view: TableView, frame: Frame) -> TableView:
        """The view that a person has shown. If the known tiles show that it is turned, it is turned
        back."""
        tiles = self.reader.detector.read(frame.image_bgr, None, view.tile_px)
        return self._turned(view, tiles) or view

    def _turned(self, view: TableView, readings: Sequence[DetectedTile]) -> TableView | None:
        known = self.decoder.observation
        placed = () if known is None else known.placed
        return found_turned(self.view, view, placed, readings, few_agree=True)

    def _light(self, time_s: float) -> tuple[Notice, ...]:
        if not self._relit:
            return ()
        # A camera whose exposure hunts changes the light all the time; that is told once.
        said_s, self._light_said_s = self._light_said_s, time_s
        if time_s - said_s < LIGHT_S:
            return ()
        return (Notice("light", time_s, "the light changed; the game goes on", lasts=False),)

    def _field_region(self) -> Region:
        """The playing field with a margin of two tiles, as far as the picture shows it."""
        width, height = self.view.picture_px
        margin = 2 * self.view.tile_px
        low = np.maximum(self.view.field_px.min(axis=0) - margin, 0).astype(int)
        high = np.minimum(self.view.field_px.max(axis=0) + margin, (width, height)).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def _measured(self, view: TableView, frame: Frame) -> TableView:
        """The view with the measured width of this table's tiles, if they can be seen."""
        for _ in range(1 if self._schedule.edited else 2):
            tiles = self.reader.detector.read(frame.image_bgr, None, view.tile_px)
            width = measured_tile_mm(Look(frame.time_s, tiles), view)
            if width is None:
                break
            view = replace(view, tile_mm=width)
        return view


def _in_frame(tiles: Sequence[Detection], frame: Frame) -> Sequence[Detection]:
    """The tiles where they lie in this frame, from where they lie if the camera stands still."""
    return tiles if frame.shift is None else tiles_moved(tiles, frame.shift)


def _joined(look: PendingLook | None, other: PendingLook) -> PendingLook:
    return other if look is None else look.together(other)
